/* Packing, for matmul_cpu.cl: blocks of A and B as the loop over k reads them. */

/* Lane i of row j goes to lane j of row i, by log2(LANES) perfect shuffles. */
INLINE void transpose_square(vec x[LANES])
{
#pragma unroll
    for (int step = 1; step < LANES; step *= 2) {
        vec y[LANES];
#pragma unroll
        for (int i = 0; i < LANES / 2; i++) {
            y[2 * i].even = x[i].lo;
            y[2 * i].odd = x[i + LANES / 2].lo;
            y[2 * i + 1].even = x[i].hi;
            y[2 * i + 1].odd = x[i + LANES / 2].hi;
        }
#pragma unroll
        for (int i = 0; i < LANES; i++)
            x[i] = y[i];
    }
}

/* Rows of B, or columns of A, that are packed together where they are contiguous: each may lie on a page of its own. */
#define PACK_K 32
#define PACK_STEP(across, depth) ((across) == 1 ? PACK_K : (depth))

#define NAME pack_global
#define SPACE global
#include "templates/matmul_pack.cl"
#ifdef SAME
#define NAME pack_local
#define SPACE local
#include "templates/matmul_pack.cl"
#endif

#define PADDED ((ROWS + LANES - 1) / LANES * LANES)
/* Packs `count` rows of A, ROWS at most, and k of their columns. Where rows are contiguous along k, up to LANES numbers
 * are written behind the panel; the next panel overwrites them. */
INLINE void pack_rows(local number *to, global const element *a, long row, long column, long count, long k)
{
    long p = 0;
    if (column == 1 && count >= ROWS) {
        for (; p + LANES <= k; p += LANES) {
            vec x[PADDED / LANES][LANES];
#pragma unroll
            for (int g = 0; g * LANES < ROWS; g++) {
#pragma unroll
                for (int i = 0; i < LANES; i++) {
                    global const element *from = a + min(g * LANES + i, ROWS - 1) * row + p;
                    x[g][i] = VREAD(from);
                    PREFETCH(from + 4 * LANES, 0);
                }
                transpose_square(x[g]);
            }
#pragma unroll
            for (int i = 0; i < LANES; i++)
#pragma unroll
                for (int g = 0; g * LANES < ROWS; g++)
                    VSTORE(local, x[g][i], to + (p + i) * ROWS + g * LANES);
        }
    } else if (row == 1 && count >= PADDED) {
        for (; p * ROWS + PADDED <= k * ROWS; p++)
#pragma unroll
            for (int r = 0; r < PADDED; r += LANES)
                VSTORE(local, VREAD(a + p * column + r), to + p * ROWS + r);
    }
    for (; p < k; p++)
        for (long r = 0; r < ROWS; r++)
            to[p * ROWS + r] = r < count ? READ(a + r * row + p * column) : (number)0;
}

#ifdef SAME
/* Copies up to ROWS rows of A, and k of their columns, to rows `pitch` apart; fetches the rows at `next`. */
INLINE void copy_rows(global element *to, long pitch, global const element *a, global const element *next, long row,
                      long rows, long k)
{
    for (long r = 0; r < min(rows, (long)ROWS); r++, a += row, next += row, to += pitch) {
        long p = 0;
        for (; p + LANES <= k; p += LANES) {
            PREFETCH_FAR(next + p);
            VSTORE(global, VLOAD(global, a + p), to + p);
        }
        for (; p < k; p++)
            to[p] = a[p];
    }
}
#endif
