/* Matmul that runs anywhere and takes any strides: a work-item makes 4 x 4 numbers of C.
 *
 * The items of a group are in a SIDE x SIDE square, and an item's numbers are SIDE apart, so that neighbours read
 * neighbouring memory. Integers wrap, so they are computed as unsigned ones. */
#include "parts/matmul_numbers.cl"
#ifdef REPRODUCIBLE /* some devices have a product and a sum in one instruction, and others do not */
#pragma OPENCL FP_CONTRACT OFF
#endif

#if GROUP == 64
#define SIDE 8
#else
#define SIDE 1
#endif
#define EACH 4
#define TILE (SIDE * EACH)

#include "parts/matmul_view.cl"

#define CONJUGATED(z) ((number)((z).x, -(z).y))
#ifdef CONJUGATE_A
#define A_OF CONJUGATED
#else
#define A_OF
#endif
#ifdef CONJUGATE_B
#define B_OF CONJUGATED
#else
#define B_OF
#endif

/* C = alpha * A B + beta * C, C being m x n, the sum over k; beta 0 does not read C. */
kernel __attribute__((reqd_work_group_size(SIDE * SIDE, 1, 1)))
void matmul_plain(global T *c, matmul_view c_at, global const T *a, matmul_view a_at, global const T *b,
                  matmul_view b_at, long batches, long m, long n, long k, scalar alpha, scalar beta)
{
    const long down = (m + TILE - 1) / TILE, across = (n + TILE - 1) / TILE;
    for (long tile = get_group_id(0); tile < batches * down * across; tile += get_num_groups(0)) {
        const long batch = tile / (down * across);
        const long i0 = tile / across % down * TILE + get_local_id(0) / SIDE;
        const long j0 = tile % across * TILE + get_local_id(0) % SIDE;
        global const T *a_here = a + matmul_offset(&a_at, batch, 0, 0);
        global const T *b_here = b + matmul_offset(&b_at, batch, 0, 0);
        global T *c_here = c + matmul_offset(&c_at, batch, 0, 0);
        long a_row[EACH], b_column[EACH]; /* behind the edge: the last row or column once more */
        number sum[EACH][EACH];
#pragma unroll
        for (int x = 0; x < EACH; x++) {
            a_row[x] = min(i0 + x * SIDE, m - 1) * a_at.row;
            b_column[x] = min(j0 + x * SIDE, n - 1) * b_at.column;
#pragma unroll
            for (int y = 0; y < EACH; y++)
                sum[x][y] = 0;
        }
        for (long p = 0; p < k; p++) {
            number left[EACH], right[EACH];
#pragma unroll
            for (int x = 0; x < EACH; x++) {
                left[x] = A_OF(LOAD(a_here, a_row[x] + p * a_at.column));
                right[x] = B_OF(LOAD(b_here, b_column[x] + p * b_at.row));
            }
#pragma unroll
            for (int x = 0; x < EACH; x++)
#pragma unroll
                for (int y = 0; y < EACH; y++)
                    sum[x][y] += PRODUCT(left[x], right[y]);
        }
        for (int x = 0; x < EACH; x++)
            for (int y = 0; y < EACH; y++) {
                const long i = i0 + x * SIDE, j = j0 + y * SIDE;
                if (i >= m || j >= n)
                    continue;
                const long at = i * c_at.row + j * c_at.column;
                number value = SCALED((number)alpha, sum[x][y]);
                if (IS_TRUE(beta))
                    value += SCALED((number)beta, (number)LOAD(c_here, at));
                STORE(c_here, at, value);
            }
    }
}
