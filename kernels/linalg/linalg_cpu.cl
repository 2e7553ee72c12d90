/* Leaves of factorisations and of triangular solves on CPUs: a work-item copies a block, which then stays in the
 * first-level cache. Working in place would not: if rows are 2^k bytes apart, all lines of a column are in one set of
 * the cache. LEAF rows make the largest block, PANEL columns that of LU. */
#include "parts/matmul_view.cl"
#include "abi/linalg.h"

#include "parts/field.cl"

#ifndef LEAF
#define LEAF 64
#define PANEL (16 / PARTS_OF_NUMBER)
#endif
#if REAL_BYTES == 8
#define WIDTH 8
#else
#define WIDTH 16
#endif
#define LANES (WIDTH / PARTS_OF_NUMBER)
#define ALIGNED __attribute__((aligned(64)))
typedef JOIN(REAL, WIDTH) lanes;
typedef JOIN(REAL, 16) panel; /* PANEL numbers */
#define LOAD_LANES(p) JOIN(vload, WIDTH)(0, (global const REAL *)(p))
#define STORE_LANES(x, p) JOIN(vstore, WIDTH)(x, 0, (global REAL *)(p))
#define LOAD_PANEL(p) vload16(0, (global const REAL *)(p))
#define STORE_PANEL(x, p) vstore16(x, 0, (global REAL *)(p))

/* A, n x n, becomes L of A = L L^H; its upper triangle is left as it is. A pivot that is not above 0, or not finite, is
 * reported in info, counted from 1 and from `row`. */
KERNEL(1) cholesky_leaf(global T *a, matmul_view at, long batches, long n, long row, global int *info)
{
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        T t[LEAF * LEAF] ALIGNED, column[LEAF + LANES] ALIGNED;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                t[i * LEAF + j] = j <= i ? here[i * at.row + j * at.column] : 0;
        for (int i = 0; i < LEAF + LANES; i++)
            column[i] = 0;
        for (int k = 0; k < n; k++) {
            REAL pivot = real_of(t[k * LEAF + k]);
            if (!(pivot > 0 && pivot < INFINITY)) {
                if (info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
                pivot = 1;
            }
            const REAL root = sqrt(pivot), scale = 1 / root;
            t[k * LEAF + k] = of_real(root);
            column[k] = 0;
            for (int i = k + 1; i < n; i++)
                column[i] = conjugate(t[i * LEAF + k] *= scale);
            for (int i = k + 1; i < n; i++)
                for (int j = (k + 1) & -LANES; j <= i; j += LANES)
                    *(lanes *)(t + i * LEAF + j) -= scaled(*(const lanes *)(column + j), conjugate(column[i]));
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                here[i * at.row + j * at.column] = t[i * LEAF + j];
    }
}

/* L X = X in place: rows of L in l, what to multiply with instead of dividing by its diagonal in d. */
inline void solve_lanes(const T *l, const T *d, lanes *x, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const T *l0 = l + i * LEAF, *l1 = l0 + LEAF, *l2 = l1 + LEAF, *l3 = l2 + LEAF;
        lanes a0 = x[i], a1 = x[i + 1], a2 = x[i + 2], a3 = x[i + 3];
        for (int k = 0; k < i; k++) {
            const lanes known = x[k];
            a0 -= scaled(known, l0[k]);
            a1 -= scaled(known, l1[k]);
            a2 -= scaled(known, l2[k]);
            a3 -= scaled(known, l3[k]);
        }
        a0 = scaled(a0, d[i]);
        a1 = scaled(a1 - scaled(a0, l1[i]), d[i + 1]);
        a2 = scaled(a2 - scaled(a0, l2[i]) - scaled(a1, l2[i + 1]), d[i + 2]);
        a3 = scaled(a3 - scaled(a0, l3[i]) - scaled(a1, l3[i + 1]) - scaled(a2, l3[i + 2]), d[i + 3]);
        x[i] = a0;
        x[i + 1] = a1;
        x[i + 2] = a2;
        x[i + 3] = a3;
    }
    for (; i < n; i++) {
        lanes a = x[i];
        for (int k = 0; k < i; k++)
            a -= scaled(x[k], l[i * LEAF + k]);
        x[i] = scaled(a, d[i]);
    }
}

/* B, n x m, becomes X of L X = B, for a lower triangle L, with ones on its diagonal if `unit`, and conjugated if
 * `turns`. A group takes `each` columns. An upper triangle is a lower one in reverse order. */
KERNEL(1) triangle_leaf(global const T *a, matmul_view a_at, global T *b, matmul_view b_at, long batches, long n,
                        long m, long each, long unit, long turns)
{
    const long across = (m + each - 1) / each;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, first = task % across * each, behind = min(m, first + each);
        global const T *from = a + matmul_offset(&a_at, batch, 0, 0);
        T l[LEAF * LEAF] ALIGNED, d[LEAF];
        lanes x[LEAF];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                const T y = from[i * a_at.row + k * a_at.column];
                l[i * LEAF + k] = turns ? conjugate(y) : y;
            }
            const T y = unit ? of_real(1) : over(of_real(1), from[i * (a_at.row + a_at.column)]);
            d[i] = turns ? conjugate(y) : y;
        }
        for (long j = first; j < behind; j += LANES) {
            global T *to = b + matmul_offset(&b_at, batch, 0, j);
            const int width = (int)min((long)LANES, behind - j);
            if (width == LANES && b_at.column == 1) {
                for (int i = 0; i < n; i++)
                    x[i] = LOAD_LANES(to + i * b_at.row);
                solve_lanes(l, d, x, (int)n);
                for (int i = 0; i < n; i++)
                    STORE_LANES(x[i], to + i * b_at.row);
                continue;
            }
            for (int q = 0; q < LANES; q++)
                for (int i = 0; i < n; i++)
                    ((T *)(x + i))[q] = q < width ? to[i * b_at.row + q * b_at.column] : (T)(0);
            solve_lanes(l, d, x, (int)n);
            for (int q = 0; q < width; q++)
                for (int i = 0; i < n; i++)
                    to[i * b_at.row + q * b_at.column] = ((T *)(x + i))[q];
        }
    }
}

/* The position of the largest number of a column from row k on: the first of equals, and NaN before all. */
inline bool is_larger(REAL size, REAL best) { return size > best || (isnan(size) && !isnan(best)); }

/* A, m x n with n at most PANEL, becomes L and U of P A = L U by partial pivoting. `pivots` gets the rows that were
 * exchanged, counted from the matrix's first, `row` above A; `info` the first pivot that is 0, counted from 1. Each
 * group has m x PANEL numbers of `copies`. */
KERNEL(1) lu_leaf(global T *a, matmul_view at, long batches, long m, long n, long row, global int *pivots,
                  long pivots_each, global int *info, global T *copies, const linalg_team team)
{
    global T *s = copies + get_group_id(0) * m * PANEL;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global int *pivot = pivots + batch * pivots_each + row;
        REAL best = -1;
        long p = 0;
        for (long i = 0; i < m; i++) {
            for (int j = 0; j < PANEL; j++)
                s[i * PANEL + j] = j < n ? here[i * at.row + j * at.column] : (T)(0);
            const REAL size = size_of(s[i * PANEL]);
            if (is_larger(size, best)) {
                best = size;
                p = i;
            }
        }
        for (int k = 0; k < n && k < m; k++) {
            pivot[k] = (int)(row + p);
            const panel up = LOAD_PANEL(s + p * PANEL), down = LOAD_PANEL(s + k * PANEL);
            STORE_PANEL(down, s + p * PANEL);
            STORE_PANEL(up, s + k * PANEL);
            const T d = s[k * PANEL + k];
            if (is_zero(d) && info[batch] == 0)
                info[batch] = (int)(row + k + 1);
            const T divisor = is_zero(d) ? of_real(1) : d;
            T right[PANEL] ALIGNED;
            for (int j = 0; j < PANEL; j++)
                right[j] = j > k ? s[k * PANEL + j] : (T)(0);
            const panel above = *(const panel *)right;
            const int next = k + 1 < PANEL ? k + 1 : k;
            best = -1;
            p = k + 1;
            for (long i = k + 1; i < m; i++) {
                const T l = over(s[i * PANEL + k], divisor);
                STORE_PANEL(LOAD_PANEL(s + i * PANEL) - scaled(above, l), s + i * PANEL);
                s[i * PANEL + k] = l;
                const REAL size = size_of(s[i * PANEL + next]);
                if (is_larger(size, best)) {
                    best = size;
                    p = i;
                }
            }
        }
        for (long i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                here[i * at.row + j * at.column] = s[i * PANEL + j];
    }
}

/* Exchanges rows of A, n columns of them from `column` on, as pivots from..behind say, counted from A's first row. A
 * group takes `each` columns. It does not solve. */
KERNEL(1) swap_rows(global T *a, matmul_view at, long batches, long column, long n, long each, global const int *pivots,
                    long pivots_each, long from, long behind, long triangle, long solve)
{
    const long across = (n + each - 1) / each;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, first = task % across * each, last = min(n, first + each);
        global T *here = a + matmul_offset(&at, batch, 0, column);
        global const int *pivot = pivots + batch * pivots_each;
        for (long k = from; k < behind; k++) {
            if (pivot[k] == k)
                continue;
            global T *x = here + k * at.row, *y = here + pivot[k] * at.row;
            for (long j = first; j < last; j++) {
                const T t = x[j * at.column];
                x[j * at.column] = y[j * at.column];
                y[j * at.column] = t;
            }
        }
    }
}

/* Sums of squares below this have lost digits to the end of the range. */
#if REAL_BYTES == 8
#define LEAST_SQUARE 1e-270
#else
#define LEAST_SQUARE 1e-24f
#endif

/* The conjugated numbers of column k below row k, times all columns. */
inline panel products_below(const global T *s, long m, int k)
{
    panel sum = 0;
    for (long i = k + 1; i < m; i++)
        sum += scaled(LOAD_PANEL(s + i * PANEL), conjugate(s[i * PANEL + k]));
    return sum;
}

/* Scales column k from row k on by a power of 2, so that its largest number is about 1; returns the inverse factor. */
inline REAL scale_up(global T *s, long m, int k)
{
    REAL largest = 0;
    int e = 0;
    for (long i = k; i < m; i++)
        largest = fmax(largest, size_of(s[i * PANEL + k]));
    if (!(largest > 0))
        return 1;
    frexp(largest, &e);
    const REAL back = ldexp((REAL)1, max(e, REAL_BYTES == 8 ? -1020 : -124)), up = 1 / back;
    for (long i = k; i < m; i++)
        s[i * PANEL + k] *= up;
    return back;
}

/* A, m x n with n at most PANEL and m, becomes R in its upper triangle: I - V T V^T is the product of the reflections,
 * with V of A's shape, a lower triangle with ones, and T an upper one. Each group has m x PANEL numbers of `copies`.
 * One pass over the rows applies a reflection and finds the products that the next one is made of. */
KERNEL(1) qr_leaf(global T *a, matmul_view at, global T *v, matmul_view v_at, global T *t, matmul_view t_at,
                  long batches, long m, long n, global T *copies, global int *info, const linalg_team team)
{
    global T *s = copies + get_group_id(0) * m * PANEL;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global T *v_here = v + matmul_offset(&v_at, batch, 0, 0), *t_here = t + matmul_offset(&t_at, batch, 0, 0);
        T tau[PANEL * PANEL], dots[PANEL] ALIGNED, apply[PANEL] ALIGNED, keep[PANEL] ALIGNED;
        for (long i = 0; i < m; i++)
            for (int j = 0; j < PANEL; j++)
                s[i * PANEL + j] = j < n ? here[i * at.row + j * at.column] : (T)(0);
        panel sum = products_below(s, m, 0);
        for (int k = 0; k < n; k++) {
            T alpha = s[k * PANEL + k], scale = 0;
            REAL back = 1;
            *(panel *)dots = sum;
            if (!(square_of(alpha) + real_of(dots[k]) > LEAST_SQUARE)) {
                back = scale_up(s, m, k);
                *(panel *)dots = products_below(s, m, k);
                alpha = s[k * PANEL + k];
            }
            REAL factor = 0;
            T beta = alpha;
            if (real_of(dots[k]) != 0) {
                const REAL norm = sqrt(square_of(alpha) + real_of(dots[k])), size = absolute(alpha);
                beta = -direction(alpha) * norm;
                scale = conjugate(direction(alpha)) / (size + norm);
                factor = (size + norm) / norm;
            }
            for (int j = 0; j < PANEL; j++) {
                const T product = s[k * PANEL + j] + times(conjugate(scale), dots[j]); /* of v^H with column j */
                dots[j] = product;
                keep[j] = j == k ? 0 : 1; /* both parts of it */
                apply[j] = j > k ? factor * product : (T)(0);
                if (j > k)
                    s[k * PANEL + j] -= apply[j];
            }
            apply[k] = of_real(-1); /* puts v in the column's place */
            for (int i = 0; i < k; i++) {
                T product = 0;
                for (int j = i; j < k; j++)
                    product += times(tau[i * PANEL + j], conjugate(dots[j]));
                tau[i * PANEL + k] = -factor * product;
            }
            tau[k * PANEL + k] = of_real(factor);
            s[k * PANEL + k] = beta * back;
            const panel applied = *(const panel *)apply, kept = *(const panel *)keep;
            const int next = k + 1 < PANEL ? k + 1 : k;
            sum = 0;
            for (long i = k + 1; i < m; i++) {
                const T x = times(s[i * PANEL + k], scale);
                const panel row = LOAD_PANEL(s + i * PANEL) * kept - scaled(applied, x);
                STORE_PANEL(row, s + i * PANEL);
                /* The number that was stored: where little is left, another rounding of it would be another number. */
                const T y = s[i * PANEL + next];
                sum += scaled(row, i == k + 1 ? (T)(0) : conjugate(y));
            }
        }
        for (long i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                const T x = s[i * PANEL + j];
                if (i <= j)
                    here[i * at.row + j * at.column] = x;
                v_here[i * v_at.row + j * v_at.column] = i < j ? (T)(0) : i == j ? of_real(1) : x;
            }
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                t_here[i * t_at.row + j * t_at.column] = tau[i * PANEL + j];
    }
}

/* The permutation given by row exchanges: row i of P A is row permutation[i] of A, with positions counted from
 * `origin`. An item takes a matrix. */
kernel void permutations(global const int *pivots, global long *permutation, long batches, long n, long count,
                         long origin)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0)) {
        global const int *pivot = pivots + batch * count;
        global long *p = permutation + batch * n;
        for (long i = 0; i < n; i++)
            p[i] = i + origin;
        for (long i = 0; i < count; i++) {
            const long t = p[i];
            p[i] = p[pivot[i]];
            p[pivot[i]] = t;
        }
    }
}
