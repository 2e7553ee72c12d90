/* Few equations, A X = B: a work-item takes LANES matrices side by side, a number of each in a vector. MOST: the
 * largest number of equations, SIDES of right sides. */
#include "parts/matmul_view.cl"
#include "parts/judge.cl"

#ifndef MOST
#define MOST 32
#define SIDES 32
#endif
#if ITEM_BYTES == 8
#define LANES 8
typedef long lane_key;
typedef long8 keys;
#define LEAST_DIVISOR 1e-300
#else
#define LANES 16
typedef int lane_key;
typedef int16 keys;
#define LEAST_DIVISOR 1e-36f
#endif
typedef JOIN(T, LANES) lanes;

/* Of numbers in lanes, those of the matrices from `first` on; matrices behind the last are 1. `lower`: both triangles
 * from that one. */
inline void load_lanes(lanes *to, global const T *from, const matmul_view *at, long first, int width, int n, int m,
                       bool unit, bool lower)
{
    for (int e = 0; e < n * m; e++)
        to[e] = (lanes)(unit && e / m == e % m);
    for (int q = 0; q < width; q++) {
        global const T *here = from + matmul_offset(at, first + q, 0, 0);
        T *lane = (T *)to + q;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                lane[(i * m + j) * LANES] =
                    lower && j > i ? here[j * at->row + i * at->column] : here[i * at->row + j * at->column];
    }
}

inline void exchange(lanes *x, lanes *y, int count, keys where)
{
    for (int j = 0; j < count; j++) {
        const lanes t = x[j];
        x[j] = select(t, y[j], where);
        y[j] = select(y[j], t, where);
    }
}

/* Row k and the one that has the largest number in column k change places, in each lane by itself. */
inline void bring_pivot(lanes *a, lanes *b, int k, int n, int m)
{
    lanes best = fabs(a[k * n + k]);
    keys place = (keys)((lane_key)k);
    for (int i = k + 1; i < n; i++) {
        const lanes size = fabs(a[i * n + k]);
        const keys before = (size > best) | (isnan(size) & ~isnan(best));
        best = select(best, size, before);
        place = select(place, (keys)((lane_key)i), before);
    }
    for (int i = k + 1; i < n; i++) {
        const keys here = place == (keys)((lane_key)i);
        if (any(here)) {
            exchange(a + k * n + k, a + i * n + k, n - k, here);
            exchange(b + k * m, b + i * m, m, here);
        }
    }
}

/* What is below the pivot of column k, and right of it, less the multiple of the pivot's row. */
inline void eliminate(lanes *a, lanes *b, lanes divisor, int k, int n, int m)
{
    const lanes factor = 1 / divisor;
    const keys tiny = ~(fabs(divisor) > (lanes)LEAST_DIVISOR);
    const bool some = any(tiny);
    for (int i = k + 1; i < n; i++) {
        lanes l = a[i * n + k] * factor;
        if (some)
            l = select(l, a[i * n + k] / divisor, tiny);
        for (int j = k + 1; j < n; j++)
            a[i * n + j] -= l * a[k * n + j];
        for (int j = 0; j < m; j++)
            b[i * m + j] -= l * b[k * m + j];
    }
}

/* `info` gets the first pivot that is 0, counted from 1. Of `positive` matrices the lower triangle counts, rows stay,
 * and pivots have to be above 0. */
KERNEL(1) solve_small(global const T *a, matmul_view a_at, global const T *b, matmul_view b_at, global T *x,
                      matmul_view x_at, global int *info, long batches, long size, long sides, long positive)
{
    const int n = (int)size, m = (int)sides;
    for (long first = get_group_id(0) * LANES; first < batches; first += get_num_groups(0) * LANES) {
        const int width = (int)min((long)LANES, batches - first);
        lanes l[MOST * MOST], y[MOST * SIDES];
        keys bad = 0;
        load_lanes(l, a, &a_at, first, width, n, n, true, positive);
        load_lanes(y, b, &b_at, first, width, n, m, false, false);
        for (int k = 0; k < n; k++) {
            if (!positive)
                bring_pivot(l, y, k, n, m);
            const lanes pivot = l[k * n + k];
            const keys zero = positive ? ~((pivot > (lanes)0) & (pivot < (lanes)INFINITY)) : pivot == (lanes)0;
            bad = select(bad, (keys)((lane_key)(k + 1)), zero & (bad == (keys)0));
            eliminate(l, y, select(pivot, (lanes)1, zero), k, n, m);
        }
        for (int k = n - 1; k >= 0; k--)
            for (int j = 0; j < m; j++) {
                const lanes found = y[k * m + j] / l[k * n + k];
                y[k * m + j] = found;
                for (int i = 0; i < k; i++)
                    y[i * m + j] -= l[i * n + k] * found;
            }
        for (int q = 0; q < width; q++) {
            global T *to = x + matmul_offset(&x_at, first + q, 0, 0);
            for (int e = 0; e < n * m; e++)
                to[e / m * x_at.row + e % m * x_at.column] = ((const T *)y)[e * LANES + q];
            info[first + q] = (int)((const lane_key *)&bad)[q];
        }
    }
}
