/* Leaves of factorisations and of triangular solves that groups share: items hold rows or columns in their registers,
 * and pass to each other by local memory. LEAF rows make the largest triangle, BLOCK the largest block of Cholesky's.
 * No barrier is under a condition. */
#include "parts/matmul_view.cl"
#include "parts/field.cl"

#ifndef LEAF
#define LEAF 32
#define BLOCK 64
#define PANEL 8
#endif
#ifndef WIDE /* items of a group that takes a block */
#define WIDE GROUP
#endif
#if WIDE >= 256 /* which are in a square */
#define SIDE 16
#elif WIDE >= 64
#define SIDE 8
#else
#define SIDE 1
#endif
#define TILE (BLOCK / SIDE)
/* In local memory: of number i + x, x below TILE, for an item whose tile begins with i. Neighbours read different
 * banks. */
#define PLACE(x, i) ((x) * SIDE + (i) / TILE)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)

/* Corner becomes L of L L^H, `by` gets the reciprocals of its diagonal. Returns the first pivot that is not above 0, or
 * not finite, counted from 1, or 0; such a pivot is taken for 1. */
inline int factor_corner(T corner[TILE][TILE], REAL by[TILE])
{
    int bad = 0;
#pragma unroll
    for (int q = 0; q < TILE; q++) {
        const REAL found = real_of(corner[q][q]);
        const bool good = found > 0 && found < INFINITY;
        bad = good || bad ? bad : q + 1;
        const REAL pivot = good ? found : (REAL)1;
        by[q] = rsqrt(pivot);
        const REAL root = pivot * by[q];
        corner[q][q] = of_real(fma(fma(-root, root, pivot), by[q] / 2, root));
#pragma unroll
        for (int x = q + 1; x < TILE; x++)
            corner[x][q] *= by[q];
#pragma unroll
        for (int x = q + 1; x < TILE; x++)
#pragma unroll
            for (int y = q + 1; y <= x; y++)
                corner[x][y] -= times(corner[x][q], conjugate(corner[y][q]));
    }
    return bad;
}

/* The rows of a matrix below one of BLOCK, `under` of them, become X of X L^H = A, by an item's tiles w of L's inverse.
 * A group takes BLOCK rows in every `parts` of such blocks. */
inline void divide_below(global T *here, matmul_view at, long under, long part, long parts, const T w[TILE][TILE],
                         local T columns[TILE][BLOCK], local T rows[TILE][BLOCK])
{
    const int item = get_local_id(0), i0 = item / SIDE * TILE, j0 = item % SIDE * TILE;
    const bool active = item < SIDE * SIDE;
    for (long first = part * BLOCK; first < under; first += parts * BLOCK) {
        global T *to = here + (first + i0) * at.row + j0 * at.column;
        T a[TILE][TILE], x[TILE][TILE];
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                a[i][j] = active && first + i0 + i < under ? to[i * at.row + j * at.column] : (T)(0);
                x[i][j] = 0;
            }
        for (int k = 0; k < BLOCK; k += TILE) {
            if (active && j0 == k)
#pragma unroll
                for (int i = 0; i < TILE; i++)
#pragma unroll
                    for (int q = 0; q < TILE; q++) {
                        columns[q][PLACE(i, i0)] = a[i][q];
                        rows[q][PLACE(i, i0)] = k + q <= i0 + i ? conjugate(w[i][q]) : (T)(0);
                    }
            WAIT;
            if (active)
#pragma unroll
                for (int q = 0; q < TILE; q++)
#pragma unroll
                    for (int i = 0; i < TILE; i++)
#pragma unroll
                        for (int j = 0; j < TILE; j++)
                            x[i][j] += times(columns[q][PLACE(i, i0)], rows[q][PLACE(j, j0)]);
            WAIT;
        }
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int j = 0; j < TILE; j++)
                if (active && first + i0 + i < under)
                    to[i * at.row + j * at.column] = x[i][j];
    }
}

/* A block's lower triangle, to its place. */
inline void place_corner(global T *to, matmul_view at, global const T *corner)
{
    for (int e = get_local_id(0); e < BLOCK * BLOCK; e += WIDE)
        if (e % BLOCK <= e / BLOCK)
            to[e / BLOCK * at.row + e % BLOCK * at.column] = corner[e];
}

/* A, n x n with n at most BLOCK, becomes L of A = L L^H; its upper triangle is left as it is. The steps that make L of
 * A make of 1 L's inverse, for the rows below. A pivot that is not above 0, or not finite, is reported to info, counted
 * from 1 and from `row`. An item holds TILE x TILE numbers of both; a step takes TILE columns. Where `parts` groups
 * take a matrix, each of them finds L and its inverse, and divides its own rows of the `under` ones below A, which
 * takes less time than a launch. Since one group may read A when another one is done, L goes to `corners` then, BLOCK x
 * BLOCK, and to its place by the next launch, as `last`. */
KERNEL(WIDE) cholesky_leaf(global T *a, matmul_view at, long batches, long n, long row, global int *info, long under,
                           long parts, global T *corners, global const T *last)
{
    local T corner[TILE][TILE], columns[TILE][BLOCK], rows[TILE][BLOCK];
    const int item = get_local_id(0), i0 = item / SIDE * TILE, j0 = item % SIDE * TILE;
    const bool active = item < SIDE * SIDE;
    for (long task = get_group_id(0); task < batches * parts; task += get_num_groups(0)) {
        const long batch = task / parts, part = task % parts;
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        if (last && part == 0)
            place_corner(here - BLOCK * (at.row + at.column), at, last + batch * BLOCK * BLOCK);
        T l[TILE][TILE], w[TILE][TILE];
#pragma unroll
        for (int x = 0; x < TILE; x++)
#pragma unroll
            for (int y = 0; y < TILE; y++) {
                const int i = i0 + x, j = j0 + y;
                w[x][y] = of_real(i == j);
                l[x][y] = active && i < n && j <= i ? here[i * at.row + j * at.column] : of_real(i == j);
            }
        for (int k = 0; k < BLOCK; k += TILE) {
            if (active && i0 == k && j0 == k)
#pragma unroll
                for (int x = 0; x < TILE; x++)
#pragma unroll
                    for (int y = 0; y < TILE; y++)
                        corner[x][y] = l[x][y];
            WAIT;
            if (active && ((j0 == k && i0 >= k) || i0 == k)) {
                T c[TILE][TILE];
                REAL by[TILE];
#pragma unroll
                for (int x = 0; x < TILE; x++)
#pragma unroll
                    for (int y = 0; y < TILE; y++)
                        c[x][y] = corner[x][y];
                const int bad = factor_corner(c, by);
                if (bad && i0 == j0 && part == 0 && info[batch] == 0)
                    info[batch] = (int)(row + k + bad);
#pragma unroll
                for (int q = 0; q < TILE; q++)
#pragma unroll
                    for (int x = 0; x < TILE; x++) {
                        if (j0 == k) {
#pragma unroll
                            for (int before = 0; before < q; before++)
                                l[x][q] -= times(l[x][before], conjugate(c[q][before]));
                            l[x][q] = i0 > k ? l[x][q] * by[q] : q <= x ? c[x][q] : (T)(0);
                            columns[q][PLACE(x, i0)] = l[x][q];
                        }
                        if (i0 == k) {
#pragma unroll
                            for (int before = 0; before < q; before++)
                                w[q][x] -= times(c[q][before], w[before][x]);
                            w[q][x] *= by[q];
                            rows[q][PLACE(x, j0)] = w[q][x];
                        }
                    }
            }
            WAIT;
            if (active && i0 > k)
#pragma unroll
                for (int q = 0; q < TILE; q++)
#pragma unroll
                    for (int x = 0; x < TILE; x++) {
                        const T factor = columns[q][PLACE(x, i0)];
#pragma unroll
                        for (int y = 0; y < TILE; y++) {
                            l[x][y] -= j0 > k ? times(factor, conjugate(columns[q][PLACE(y, j0)])) : (T)(0);
                            w[x][y] -= times(factor, rows[q][PLACE(y, j0)]);
                        }
                    }
        }
#pragma unroll
        for (int x = 0; x < TILE; x++)
#pragma unroll
            for (int y = 0; y < TILE; y++) {
                const int i = i0 + x, j = j0 + y;
                const long at_batch = batch * BLOCK * BLOCK + i * BLOCK + j;
                if (active && i < n && j <= i && part == 0 && parts > 1)
                    corners[at_batch] = l[x][y];
                else if (active && i < n && j <= i && part == 0)
                    here[i * at.row + j * at.column] = l[x][y];
            }
        divide_below(here + BLOCK * at.row, at, under, part, parts, w, columns, rows);
        WAIT;
    }
}

/* B, n x m, becomes X of L X = B, L a lower triangle, with ones on its diagonal where `unit`, and conjugated where
 * `turns`. A group takes GROUP columns at a time, by way of local memory where B's columns are contiguous, not its
 * rows. An upper triangle is a lower one that begins at its end. */
KERNEL(GROUP) triangle_leaf(global const T *a, matmul_view a_at, global T *b, matmul_view b_at, long batches, long n,
                            long m, long each, long unit, long turns)
{
    local T l[LEAF][LEAF], d[LEAF], columns[GROUP][LEAF + 1];
    const int item = get_local_id(0);
    const bool turned = b_at.row == 1 || b_at.row == -1;
    const long across = (m + each - 1) / each;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, first = task % across * each, behind = min(m, first + each);
        global const T *from = a + matmul_offset(&a_at, batch, 0, 0);
        for (int e = item; e < LEAF * LEAF; e += GROUP) {
            const int i = e / LEAF, k = e % LEAF;
            const T y = i < n && k < i ? from[i * a_at.row + k * a_at.column] : (T)(0);
            l[k][i] = turns ? conjugate(y) : y;
        }
        for (int i = item; i < LEAF; i += GROUP) {
            const T y = unit || i >= n ? of_real(1) : over(of_real(1), from[i * (a_at.row + a_at.column)]);
            d[i] = turns ? conjugate(y) : y;
        }
        for (long j = first; j < behind; j += GROUP) {
            global T *to = b + matmul_offset(&b_at, batch, 0, j);
            const int width = (int)min((long)GROUP, behind - j);
            T x[LEAF];
            if (turned)
                for (int e = item; e < GROUP * LEAF; e += GROUP)
                    columns[e / LEAF][e % LEAF] =
                        e / LEAF < width && e % LEAF < n ? to[e % LEAF * b_at.row + e / LEAF * b_at.column] : (T)(0);
            WAIT;
#pragma unroll
            for (int i = 0; i < LEAF; i++)
                x[i] = turned                  ? columns[item][i]
                       : i < n && item < width ? to[i * b_at.row + item * b_at.column]
                                               : (T)(0);
#pragma unroll
            for (int k = 0; k < LEAF; k++) {
                x[k] = times(x[k], d[k]);
#pragma unroll
                for (int i = k + 1; i < LEAF; i++)
                    x[i] -= times(l[k][i], x[k]);
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

/* ---- exchanges of rows ------------------------------------------------------------------------------------------- */

/* Exchanges of rows by turns, at most LEAF of them: row k with row pivots[k], which is not above it, of `count` rows
 * from the first one on. What they make together: place s gets what was at place sources[s]. Places are LEAF rows
 * from the first on, and behind these those that the exchanges name, where these rows are others; `rows` says which,
 * from the first one on. */
typedef struct exchanges {
    int rows[2 * LEAF], sources[2 * LEAF], with[LEAF];
} exchanges;

inline void find_exchanges(local exchanges *x, global const int *pivots, long first, int count, int items)
{
    const int item = get_local_id(0);
    WAIT;
    for (int e = item; e < LEAF; e += items) {
        x->rows[e] = e;
        x->rows[LEAF + e] = e < count ? (int)(pivots[first + e] - first) : e;
    }
    WAIT;
    for (int e = item; e < LEAF; e += items) {
        const int row = x->rows[LEAF + e];
        int place = e;
#pragma unroll
        for (int other = LEAF - 1; other >= 0; other--)
            place = x->rows[LEAF + other] == row && other < e ? other : place;
        x->with[e] = row < LEAF ? row : LEAF + place;
    }
    WAIT;
    for (int s = item; s < 2 * LEAF; s += items) {
        int at = s;
#pragma unroll
        for (int e = LEAF - 1; e >= 0; e--) {
            const int with = x->with[e];
            at = at == e ? with : at == with ? e : at;
        }
        x->sources[s] = at;
    }
    WAIT;
}

/* The permutation that exchanges of rows make: row i of P A is row permutation[i] of A, positions counted from
 * `origin`. */
KERNEL(GROUP) permutations(global const int *pivots, global long *permutation, long batches, long n, long count,
                           long origin)
{
    local exchanges x;
    local long moved[2 * LEAF];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global long *p = permutation + batch * n;
        for (long i = item; i < n; i += GROUP)
            p[i] = i + origin;
        for (long k = 0; k < count; k += LEAF) {
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            find_exchanges(&x, pivots + batch * count, k, (int)min((long)LEAF, count - k), GROUP);
            for (int s = item; s < 2 * LEAF; s += GROUP)
                if (x.sources[s] != s)
                    moved[s] = p[k + x.rows[x.sources[s]]];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (int s = item; s < 2 * LEAF; s += GROUP)
                if (x.sources[s] != s)
                    p[k + x.rows[s]] = moved[s];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}

/* Exchanges rows of A, n columns of them from `column` on, as pivots from..behind say, counted from A's first row.
 * Where `solve`, those rows of these columns then become X of L X = B, L the unit triangle of the same rows in columns
 * from `triangle` on. Items of a group are ACROSS columns and DOWN rows, as long as they exchange; then an item takes
 * a column. */
#define ACROSS (WIDE >= 256 ? 16 : 1)
#define DOWN (WIDE / ACROSS)
#define MOVES ((2 * LEAF + DOWN - 1) / DOWN)
KERNEL(WIDE) swap_rows(global T *a, matmul_view at, long batches, long column, long n, long each,
                       global const int *pivots, long pivots_each, long from, long behind, long triangle, long solve)
{
    local T l[LEAF][LEAF]; /* a column after the other */
    local exchanges order;
    const long across = (n + ACROSS - 1) / ACROSS;
    const int item = get_local_id(0), down = item / ACROSS;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, j = task % across * ACROSS + item % ACROSS;
        global T *all = a + matmul_offset(&at, batch, 0, 0), *here = all + (column + j) * at.column;
        if (solve)
            for (int e = item; e < LEAF * LEAF; e += WIDE) {
                const int i = e / LEAF, k = e % LEAF;
                l[k][i] = k < i && from + i < behind ? all[(from + i) * at.row + (triangle + k) * at.column] : (T)(0);
            }
        for (long k = from; k < behind; k += LEAF) {
            T x[MOVES];
            find_exchanges(&order, pivots + batch * pivots_each, k, (int)min((long)LEAF, behind - k), WIDE);
#pragma unroll
            for (int move = 0; move < MOVES; move++) {
                const int s = min(down + move * DOWN, 2 * LEAF - 1), source = order.sources[s];
                x[move] = j < n && source != s ? here[(k + order.rows[source]) * at.row] : (T)(0);
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
            for (int move = 0; move < MOVES; move++) {
                const int s = down + move * DOWN;
                if (j < n && s < 2 * LEAF && order.sources[s] != s)
                    here[(k + order.rows[s]) * at.row] = x[move];
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        if (solve && j < n && down == 0) {
            T x[LEAF];
#pragma unroll
            for (int i = 0; i < LEAF; i++)
                x[i] = from + i < behind ? here[(from + i) * at.row] : (T)(0);
#pragma unroll
            for (int k = 0; k < LEAF; k++)
#pragma unroll
                for (int i = k + 1; i < LEAF; i++)
                    x[i] -= times(l[k][i], x[k]);
#pragma unroll
            for (int i = 1; i < LEAF; i++)
                if (from + i < behind)
                    here[(from + i) * at.row] = x[i];
        }
        WAIT;
    }
}
