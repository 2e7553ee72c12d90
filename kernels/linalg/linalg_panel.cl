/* A panel of LU or QR that a group shares: an item holds ROWS rows of PANEL columns in its registers; ROWS 0: they stay in memory. No barrier
 * stands under a condition. */
#include "parts/matmul_view.cl"

#ifndef PANEL
#define PANEL 8
#define ROWS 0
#endif
#ifndef ITEMS
#define ITEMS GROUP
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)

/* The larger of two numbers, the first of equals, and NaN before all. */
inline bool is_larger(T size, T best) { return size > best || (isnan(size) && !isnan(best)); }

/* Of all items' candidates the largest, for all: its position. `sizes` and `places` are local, of ITEMS. */
inline long find_largest(T best, long place, local T *sizes, local long *places)
{
    const int item = get_local_id(0);
    sizes[item] = best;
    places[item] = place;
    WAIT;
    for (int step = ITEMS / 2; step > 0; step /= 2) {
        if (item < step) {
            const T size = sizes[item + step];
            const long where = places[item + step];
            const bool same = size == sizes[item] || (isnan(size) && isnan(sizes[item]));
            if (is_larger(size, sizes[item]) || (same && where < places[item])) {
                sizes[item] = size;
                places[item] = where;
            }
        }
        WAIT;
    }
    return places[0];
}

/* An item's rows, and their numbers. */
#if ROWS
#define EACH_ROW(i)                                                                                                    \
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) for (long i = item + r * ITEMS, once = 1; once && i < m; once = 0)
#define NUMBER_AT(i, j) x[r][j]
#else
#define EACH_ROW(i) for (long i = item; i < m; i += ITEMS)
#define NUMBER_AT(i, j) here[(i) * at.row + (j) * at.column]
#endif
#define EACH_COLUMN(j) _Pragma("unroll") for (int j = 0; j < PANEL; j++) if (j < n)

/* A, m x n with n at most PANEL, becomes L and U of P A = L U by partial pivoting. `pivots` gets the rows that were exchanged, counted
 * from the matrix's first, `row` above A; `info` the first pivot that is 0, counted from 1. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lu_leaf(global T *a, matmul_view at, long batches, long m, long n, long row, global int *pivots, long pivots_each,
             global int *info, global T *copies)
{
    local T sizes[ITEMS], up[PANEL], down[PANEL];
    local long places[ITEMS];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global int *pivot = pivots + batch * pivots_each + row;
#if ROWS
        T x[ROWS][PANEL];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int j = 0; j < PANEL; j++) {
                const long i = item + r * ITEMS;
                x[r][j] = i < m && j < n ? here[i * at.row + j * at.column] : 0;
            }
#endif
#if ROWS
#pragma unroll
#endif
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n && k < m;
            T best = -1;
            long place = LONG_MAX;
            if (live)
                EACH_ROW(i)
                {
                    if (i < k)
                        continue;
                    const T size = fabs(NUMBER_AT(i, k));
                    if (is_larger(size, best)) {
                        best = size;
                        place = i;
                    }
                }
            const long p = find_largest(best, place, sizes, places);
            if (live && item == 0)
                pivot[k] = (int)(row + p);
            if (live)
                EACH_ROW(i)
                {
                    if (i == p)
                        EACH_COLUMN(j) up[j] = NUMBER_AT(i, j);
                    if (i == k)
                        EACH_COLUMN(j) down[j] = NUMBER_AT(i, j);
                }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (live) {
                const T divisor = up[k] == 0 ? 1 : up[k];
                if (up[k] == 0 && item == 0 && info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
                EACH_ROW(i)
                {
                    if (i == p)
                        EACH_COLUMN(j) NUMBER_AT(i, j) = down[j];
                    if (i == k)
                        EACH_COLUMN(j) NUMBER_AT(i, j) = up[j];
                    if (i > k) {
                        const T l = NUMBER_AT(i, k) / divisor;
                        NUMBER_AT(i, k) = l;
                        EACH_COLUMN(j) NUMBER_AT(i, j) -= j > k ? l * up[j] : 0;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
#if ROWS
        EACH_ROW(i)
        EACH_COLUMN(j) here[i * at.row + j * at.column] = x[r][j];
#endif
    }
}

/* ---- QR ----------------------------------------------------------------------------------------------------------------- */

/* Sums of squares below this have lost digits to the end of the range. */
#if ITEM_BYTES == 8
#define LEAST_SQUARE 1e-270
#define LEAST_POWER -1020
#else
#define LEAST_SQUARE 1e-24f
#define LEAST_POWER -124
#endif
#define JOINED 8
#define PARTS ((ITEMS + JOINED - 1) / JOINED)

/* What all items' sums, PANEL each, add up to, or the largest of them; `few` has room for PARTS of them. */
inline const local T *add_all(local T *sums, local T *few, bool largest)
{
    local T *from = sums, *to = few;
    for (int count = ITEMS; count > 1; count = (count + JOINED - 1) / JOINED) {
        const int parts = (count + JOINED - 1) / JOINED;
        for (int e = get_local_id(0); e < parts * PANEL; e += ITEMS) {
            const int first = e / PANEL * JOINED, behind = min(count, first + JOINED);
            T sum = 0;
            for (int part = first; part < behind; part++) {
                const T x = from[part * PANEL + e % PANEL];
                sum = largest ? fmax(sum, x) : sum + x;
            }
            to[e] = sum;
        }
        WAIT;
        local T *other = from;
        from = to;
        to = other;
    }
    return from;
}

/* A power of 2 that makes numbers of that size about 1. */
inline T up_from(T size)
{
    int e = 0;
    frexp(size, &e);
    return size > 0 ? 1 / ldexp((T)1, max(e, LEAST_POWER)) : (T)1;
}

/* The reflection that makes beta of alpha and 0 of what stands below it, whose squares' sum is given: I - factor v v^T, with 1 at the
 * top of v, and what stood below times scale. */
typedef struct reflection {
    T beta, scale, factor;
} reflection;

inline reflection find_reflection(T alpha, T below)
{
    const T norm = sqrt(alpha * alpha + below), beta = alpha < 0 ? norm : -norm;
    const reflection none = {alpha, 0, 0}, found = {beta, 1 / (alpha - beta), (beta - alpha) / beta};
    return below != 0 ? found : none;
}

/* A, m x n with n at most PANEL and m, becomes R in its upper triangle: I - V T V^T is the product of the reflections, with V of A's
 * shape, a lower triangle with ones, and T an upper one. What stands below A's upper triangle afterwards means nothing. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_leaf(global T *a, matmul_view at, global T *v, matmul_view v_at, global T *t, matmul_view t_at, long batches,
             long m, long n, global T *copies)
{
    local T sums[ITEMS * PANEL], few[PARTS * PANEL], top[PANEL], tau[PANEL][PANEL];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global T *v_here = v + matmul_offset(&v_at, batch, 0, 0), *t_here = t + matmul_offset(&t_at, batch, 0, 0);
#if ROWS
        T x[ROWS][PANEL];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int j = 0; j < PANEL; j++) {
                const long i = item + r * ITEMS;
                x[r][j] = i < m && j < n ? here[i * at.row + j * at.column] : 0;
            }
#endif
#if ROWS
#pragma unroll
#endif
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n;
            const local T *all = sums;
            T up = 1, alpha = 0;
            /* Where squares are too small, the second time finds the largest number, and the third goes again, scaled. */
            for (int time = 0, times = 1; time < times; time++) {
                T sum[PANEL] = {0};
                if (live)
                    EACH_ROW(i)
                    {
                        const T y = NUMBER_AT(i, k) * up;
                        if (time == 1)
                            sum[0] = fmax(sum[0], i >= k ? fabs(y) : 0);
                        else if (i > k)
                            EACH_COLUMN(j) sum[j] += y * (j == k ? y : NUMBER_AT(i, j));
                        if (i == k)
                            EACH_COLUMN(j) top[j] = NUMBER_AT(i, j);
                    }
#pragma unroll
                for (int j = 0; j < PANEL; j++)
                    sums[item * PANEL + j] = sum[j];
                WAIT;
                all = add_all(sums, few, time == 1);
                alpha = live ? top[k] * up : 0;
                if (time == 0 && live && !(alpha * alpha + all[k] > LEAST_SQUARE))
                    times = 3;
                if (time == 1)
                    up = up_from(all[0]);
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
            const reflection found = find_reflection(alpha, live ? all[k] : 0);
            const T scale = found.scale, factor = found.factor;
            T apply[PANEL];
#pragma unroll
            for (int j = 0; j < PANEL; j++)
                apply[j] = j > k && j < n ? factor * (top[j] + scale * all[j]) : 0;
            if (live)
                EACH_ROW(i)
                {
                    const T y = i == k ? 1 : NUMBER_AT(i, k) * up * scale;
                    if (i >= k) {
                        EACH_COLUMN(j) NUMBER_AT(i, j) -= j > k ? y * apply[j] : 0;
                        NUMBER_AT(i, k) = i == k ? found.beta / up : y;
                    }
                }
            for (int i = item; live && i <= k; i += ITEMS) {
                T product = 0;
                for (int j = i; j < k; j++)
                    product += tau[i][j] * (top[j] + scale * all[j]);
                tau[i][k] = i == k ? factor : -factor * product;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        EACH_ROW(i)
        EACH_COLUMN(j)
        {
            const T y = NUMBER_AT(i, j);
            v_here[i * v_at.row + j * v_at.column] = i < j ? 0 : i == j ? 1 : y;
#if ROWS
            if (i <= j)
                here[i * at.row + j * at.column] = y;
#endif
        }
        for (int e = item; e < n * PANEL; e += ITEMS)
            if (e % PANEL >= e / PANEL && e % PANEL < n)
                t_here[e / PANEL * t_at.row + e % PANEL * t_at.column] = tau[e / PANEL][e % PANEL];
        WAIT;
    }
}
