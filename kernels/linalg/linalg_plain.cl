/* Leaves of factorisations and of triangular solves that groups share: items hold rows or columns in their registers, and tell each
 * other by local memory. LEAF rows make the largest triangle, BLOCK the largest block of Cholesky's. No barrier stands under a
 * condition. */
#include "parts/matmul_view.cl"

#ifndef LEAF
#define LEAF 32
#define BLOCK 64
#define PANEL 8
#endif
#ifndef WIDE /* items of a group that takes a block */
#define WIDE GROUP
#endif
#if WIDE >= 256 /* which stand in a square */
#define SIDE 16
#elif WIDE >= 64
#define SIDE 8
#else
#define SIDE 1
#endif
#define TILE (BLOCK / SIDE)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)

/* A, n x n with n at most BLOCK, becomes L of A = L L^T; its upper triangle is left as it is. `inverses` gets L's inverse, BLOCK x
 * BLOCK, with 0 above its diagonal: what the steps that make L of A make of 1. A pivot that is not above 0, or not finite, is told to
 * info, counted from 1 and from `row`. An item holds TILE x TILE numbers of both; a step has one barrier. */
kernel __attribute__((reqd_work_group_size(WIDE, 1, 1)))
void cholesky_leaf(global T *a, matmul_view at, long batches, long n, long row, global int *info, global T *inverses)
{
    local T columns[2][BLOCK], rows[2][BLOCK];
    const int item = get_local_id(0), i0 = item / SIDE * TILE, j0 = item % SIDE * TILE;
    const bool active = item < SIDE * SIDE;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0), *inverse = inverses + batch * BLOCK * BLOCK;
        T l[TILE][TILE], w[TILE][TILE];
#pragma unroll
        for (int x = 0; x < TILE; x++)
#pragma unroll
            for (int y = 0; y < TILE; y++) {
                const int i = i0 + x, j = j0 + y;
                w[x][y] = i == j;
                l[x][y] = active && i < n && j <= i ? here[i * at.row + j * at.column] : (T)(i == j);
            }
        for (int block = 0; block < SIDE; block++)
#pragma unroll
            for (int q = 0; q < TILE; q++) {
                const int k = block * TILE + q, turn = k & 1;
#pragma unroll
                for (int x = 0; x < TILE; x++) {
                    if (active && j0 == block * TILE)
                        columns[turn][i0 + x] = l[x][q];
                    if (active && i0 == block * TILE)
                        rows[turn][j0 + x] = w[q][x];
                }
                WAIT;
                const T found = columns[turn][k];
                const bool good = found > 0 && found < INFINITY;
                const T pivot = good ? found : 1, root = sqrt(pivot);
                if (!good && item == 0 && k < n && info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
#pragma unroll
                for (int x = 0; x < TILE; x++) {
                    const T c = columns[turn][min(i0 + x, BLOCK - 1)], factor = i0 + x > k ? c / pivot : 0;
#pragma unroll
                    for (int y = 0; y < TILE; y++) {
                        l[x][y] -= j0 + y > k ? factor * columns[turn][j0 + y] : 0;
                        w[x][y] -= factor * rows[turn][j0 + y];
                    }
                    if (j0 == block * TILE)
                        l[x][q] = i0 + x == k ? root : i0 + x > k ? c / root : l[x][q];
                    if (i0 == block * TILE)
                        w[q][x] /= root;
                }
            }
#pragma unroll
        for (int x = 0; x < TILE; x++)
#pragma unroll
            for (int y = 0; y < TILE; y++) {
                const int i = i0 + x, j = j0 + y;
                if (active && i < n && j <= i)
                    here[i * at.row + j * at.column] = l[x][y];
                if (active)
                    inverse[i * BLOCK + j] = j <= i ? w[x][y] : 0;
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

/* Exchanges rows of A, n columns of them from `column` on, as pivots from..behind say, counted from A's first row. Where `solve`, those
 * rows of these columns then become X of L X = B, L the unit triangle of the same rows in columns from `triangle` on. An item takes
 * a column. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void swap_rows(global T *a, matmul_view at, long batches, long column, long n, long each, global const int *pivots,
               long pivots_each, long from, long behind, long triangle, long solve)
{
    local T l[LEAF][LEAF + 1];
    const long across = (n + GROUP - 1) / GROUP;
    for (long task = get_group_id(0); task < batches * across; task += get_num_groups(0)) {
        const long batch = task / across, j = task % across * GROUP + get_local_id(0);
        global T *all = a + matmul_offset(&at, batch, 0, 0), *here = all + (column + j) * at.column;
        global const int *pivot = pivots + batch * pivots_each;
        if (solve)
            for (int e = get_local_id(0); e < LEAF * LEAF; e += GROUP) {
                const int i = e / LEAF, k = e % LEAF;
                l[i][k] = k < i && from + i < behind ? all[(from + i) * at.row + (triangle + k) * at.column] : 0;
            }
        WAIT;
        if (j < n)
            for (long k = from; k < behind; k++) {
                if (pivot[k] == k)
                    continue;
                const T t = here[k * at.row];
                here[k * at.row] = here[pivot[k] * at.row];
                here[pivot[k] * at.row] = t;
            }
        if (solve && j < n) {
            T x[LEAF];
#pragma unroll
            for (int i = 0; i < LEAF; i++)
                x[i] = from + i < behind ? here[(from + i) * at.row] : 0;
#pragma unroll
            for (int i = 1; i < LEAF; i++)
#pragma unroll
                for (int k = 0; k < i; k++)
                    x[i] -= l[i][k] * x[k];
#pragma unroll
            for (int i = 1; i < LEAF; i++)
                if (from + i < behind)
                    here[(from + i) * at.row] = x[i];
        }
        WAIT;
    }
}
