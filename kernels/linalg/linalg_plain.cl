/* Leaves of factorisations and of triangular solves that groups share: items hold rows or columns in their registers, and tell each
 * other by local memory. LEAF rows make the largest block, PANEL columns that of LU, of which an item holds ROWS rows; ROWS 0: rows
 * stay in memory. No barrier stands under a condition. */
#include "parts/matmul_view.cl"

#ifndef LEAF
#define LEAF 32
#define PANEL 8
#endif
#ifndef ROWS
#define ROWS 0
#endif
#ifndef ITEMS /* of a group that takes a panel */
#define ITEMS GROUP
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)

/* A, n x n, becomes L of A = L L^T; its upper triangle is left as it is. A pivot that is not above 0, or not finite, is told to
 * info, counted from 1 and from `row`. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void cholesky_leaf(global T *a, matmul_view at, long batches, long n, long row, global int *info)
{
    local T t[LEAF][LEAF + 1];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        for (int e = item; e < n * LEAF; e += GROUP) {
            const int i = e / LEAF, j = e % LEAF;
            t[i][j] = j <= i ? here[i * at.row + j * at.column] : 0;
        }
        for (int k = 0; k < n; k++) {
            WAIT;
            T pivot = t[k][k];
            const bool good = pivot > 0 && pivot < INFINITY;
            const T root = sqrt(good ? pivot : 1), scale = 1 / root;
            if (!good && item == 0 && info[batch] == 0)
                info[batch] = (int)(row + k + 1);
            WAIT;
            for (int i = k + item; i < n; i += GROUP)
                t[i][k] = i == k ? root : t[i][k] * scale;
            WAIT;
            for (int e = item; e < (n - k - 1) * LEAF; e += GROUP) {
                const int i = k + 1 + e / LEAF, j = e % LEAF;
                if (j > k && j <= i)
                    t[i][j] -= t[i][k] * t[j][k];
            }
        }
        WAIT;
        for (int e = item; e < n * LEAF; e += GROUP) {
            const int i = e / LEAF, j = e % LEAF;
            if (j <= i)
                here[i * at.row + j * at.column] = t[i][j];
        }
        WAIT;
    }
}

/* B, n x m, becomes X of L X = B, L a lower triangle, with ones on its diagonal where `unit`. A group takes GROUP columns at a time,
 * by way of local memory where B's columns are contiguous, not its rows. An upper triangle is a lower one that begins at its end. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triangle_leaf(global const T *a, matmul_view a_at, global T *b, matmul_view b_at, long batches, long n, long m,
                   long each, long unit)
{
    local T l[LEAF][LEAF + 1], d[LEAF], columns[GROUP][LEAF + 1];
    const int item = get_local_id(0);
    const bool turned = b_at.row == 1 || b_at.row == -1;
    const long across = (m + each - 1) / each;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, first = task % across * each, behind = min(m, first + each);
        global const T *from = a + matmul_offset(&a_at, batch, 0, 0);
        for (int e = item; e < LEAF * LEAF; e += GROUP) {
            const int i = e / LEAF, k = e % LEAF;
            l[i][k] = i < n && k < i ? from[i * a_at.row + k * a_at.column] : 0;
        }
        for (int i = item; i < LEAF; i += GROUP)
            d[i] = unit || i >= n ? (T)1 : 1 / from[i * (a_at.row + a_at.column)];
        for (long j = first; j < behind; j += GROUP) {
            global T *to = b + matmul_offset(&b_at, batch, 0, j);
            const int width = (int)min((long)GROUP, behind - j);
            T x[LEAF];
            if (turned)
                for (int e = item; e < GROUP * LEAF; e += GROUP)
                    columns[e / LEAF][e % LEAF] =
                        e / LEAF < width && e % LEAF < n ? to[e % LEAF * b_at.row + e / LEAF * b_at.column] : 0;
            WAIT;
#pragma unroll
            for (int i = 0; i < LEAF; i++)
                x[i] = turned ? columns[item][i] : i < n && item < width ? to[i * b_at.row + item * b_at.column] : 0;
#pragma unroll
            for (int i = 0; i < LEAF; i++) {
                T sum = x[i];
#pragma unroll
                for (int k = 0; k < i; k++)
                    sum -= l[i][k] * x[k];
                x[i] = sum * d[i];
            }
#pragma unroll
            for (int i = 0; i < LEAF; i++)
                if (turned)
                    columns[item][i] = x[i];
                else if (i < n && item < width)
                    to[i * b_at.row + item * b_at.column] = x[i];
            WAIT;
            if (turned)
                for (int e = item; e < width * LEAF; e += GROUP)
                    if (e % LEAF < n)
                        to[e % LEAF * b_at.row + e / LEAF * b_at.column] = columns[e / LEAF][e % LEAF];
            WAIT;
        }
    }
}

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

/* Exchanges rows of A, n columns of them, as pivots from..behind say, counted from A's first row. An item takes a column. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void swap_rows(global T *a, matmul_view at, long batches, long n, long each, global const int *pivots,
               long pivots_each, long from, long behind)
{
    for (long task = get_global_id(0); task < batches * n; task += get_global_size(0)) {
        const long batch = task / n;
        global T *here = a + matmul_offset(&at, batch, 0, task % n);
        global const int *pivot = pivots + batch * pivots_each;
        for (long k = from; k < behind; k++) {
            if (pivot[k] == k)
                continue;
            const T t = here[k * at.row];
            here[k * at.row] = here[pivot[k] * at.row];
            here[pivot[k] * at.row] = t;
        }
    }
}

/* Sums of squares below this have lost digits to the end of the range. */
#if ITEM_BYTES == 8
#define LEAST_SQUARE 1e-270
#define LEAST_POWER -1020
#else
#define LEAST_SQUARE 1e-24f
#define LEAST_POWER -124
#endif

/* A, m x n with n at most PANEL and m, becomes R in its upper triangle: I - V T V^T is the product of the reflections, with V of A's
 * shape, a lower triangle with ones, and T an upper one. Items take rows; what stands below A's upper triangle afterwards means
 * nothing. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_leaf(global T *a, matmul_view at, global T *v, matmul_view v_at, global T *t, matmul_view t_at, long batches,
             long m, long n, global T *copies)
{
    local T sums[ITEMS * PANEL], sizes[ITEMS], top[PANEL], tau[PANEL][PANEL];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global T *v_here = v + matmul_offset(&v_at, batch, 0, 0), *t_here = t + matmul_offset(&t_at, batch, 0, 0);
        for (int k = 0; k < n; k++) {
            T up = 1, scale = 0, factor = 0, alpha = 0, beta = 0;
            /* Again with a scaled column, where its squares are too small. */
            for (int pass = 0, passes = 1; pass < passes; pass++) {
                T sum[PANEL], largest = 0;
#pragma unroll
                for (int j = 0; j < PANEL; j++)
                    sum[j] = 0;
                for (long i = item; i < m; i += ITEMS) {
                    const T x = i < k ? 0 : here[i * at.row + k * at.column] * up;
                    largest = fmax(largest, fabs(x));
                    if (i > k)
#pragma unroll
                        for (int j = 0; j < PANEL; j++)
                            if (j < n)
                                sum[j] += x * (j == k ? x : here[i * at.row + j * at.column]);
                }
#pragma unroll
                for (int j = 0; j < PANEL; j++)
                    sums[item * PANEL + j] = sum[j];
                sizes[item] = largest;
                for (int j = item; j < n; j += ITEMS)
                    top[j] = here[k * at.row + j * at.column];
                WAIT;
                for (int step = ITEMS / 2; step > 0; step /= 2) {
                    for (int e = item; e < step * PANEL; e += ITEMS)
                        sums[e] += sums[e + step * PANEL];
                    if (item < step)
                        sizes[item] = fmax(sizes[item], sizes[item + step]);
                    WAIT;
                }
                alpha = top[k] * up;
                if (pass == 0 && !(alpha * alpha + sums[k] > LEAST_SQUARE) && sizes[0] > 0) {
                    int e;
                    frexp(sizes[0], &e);
                    up = 1 / ldexp((T)1, max(e, LEAST_POWER));
                    passes = 2;
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
            beta = alpha;
            if (sums[k] != 0) {
                const T norm = sqrt(alpha * alpha + sums[k]);
                beta = alpha < 0 ? norm : -norm;
                scale = 1 / (alpha - beta);
                factor = (beta - alpha) / beta;
            }
            T apply[PANEL];
#pragma unroll
            for (int j = 0; j < PANEL; j++)
                apply[j] = j > k && j < n ? factor * (top[j] + scale * sums[j]) : 0;
            for (long i = item; i < m; i += ITEMS) {
                if (i < k)
                    continue;
                const T x = i == k ? 1 : here[i * at.row + k * at.column] * up * scale;
                here[i * at.row + k * at.column] = i == k ? beta / up : x;
#pragma unroll
                for (int j = 0; j < PANEL; j++)
                    if (j > k && j < n)
                        here[i * at.row + j * at.column] -= x * apply[j];
            }
            for (int i = item; i <= k; i += ITEMS) {
                T product = 0;
                for (int j = i; j < k; j++)
                    product += tau[i][j] * (top[j] + scale * sums[j]);
                tau[i][k] = i == k ? factor : -factor * product;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        for (long i = item; i < m; i += ITEMS)
            for (int j = 0; j < n; j++)
                v_here[i * v_at.row + j * v_at.column] = i < j ? 0 : i == j ? 1 : here[i * at.row + j * at.column];
        for (int e = item; e < n * PANEL; e += ITEMS)
            if (e % PANEL >= e / PANEL && e % PANEL < n)
                t_here[e / PANEL * t_at.row + e % PANEL * t_at.column] = tau[e / PANEL][e % PANEL];
        WAIT;
    }
}
