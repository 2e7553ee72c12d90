/* For kernels of matmul in which a work-item owns vectors of a block of C, and several items may make the same numbers.
 *
 * Items stand in blocks of 32, ITEMS_DOWN x ITEMS_ACROSS of them, of 8 x 4 items; an item owns vectors of VEC numbers
 * that lie one such block apart. Within a block the bits of an item's position alternate between row and column: then
 * one of its two neighbours (item ^ 1 and item ^ 2) reads the same vector of A, the other the same of B, and an NVIDIA
 * GPU serves two of them at once.
 *
 * Where C has few blocks, SLICES sets of items make the same numbers, each from its share of a tile's k, and are added
 * up at the end. The file that includes this one defines number, vector, elements and the conversions between them. */
#include "parts/matmul_blocks.cl"

#define PLACES (ITEMS_DOWN * ITEMS_ACROSS * 32)
#define ITEMS (PLACES * SLICES)
#define ROWS (DOWN / (ITEMS_DOWN * 8))         /* of an item */
#define COLUMNS (ACROSS / (ITEMS_ACROSS * 4))

/* The numbers of A (x) and of B (y) that an item multiplies at one step of k. */
typedef struct {
    number x[ROWS], y[COLUMNS];
} fragments;

#define CLEAR_SUMS(sum)                                                                      \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++)                                         \
        _Pragma("unroll") for (int j = 0; j < COLUMNS; j++)                                  \
            sum[i][j] = 0;

/* Adds the sums of all slices to those of slice 0. `shared` is local memory as long as the block of C; all items of a
 * group come here. */
#define ADD_SLICES(sum, slice, place, shared)                                                \
    _Pragma("unroll") for (int other = 1; other < SLICES; other++)                           \
    {                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        if (slice == other)                                                                  \
            _Pragma("unroll") for (int i = 0; i < ROWS * COLUMNS; i++)                       \
                shared[i * PLACES + place] = sum[i / COLUMNS][i % COLUMNS];                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        if (slice == 0)                                                                      \
            _Pragma("unroll") for (int i = 0; i < ROWS * COLUMNS; i++)                       \
                sum[i / COLUMNS][i % COLUMNS] += shared[i * PLACES + place];                 \
    }

/* VEC numbers of a row of C, of which `left` are inside. */
INLINE void write_piece(global T *to, const private number *sum, long left, bool wide, number alpha, number beta)
{
    if (wide && left >= VEC) {
        vector value = alpha * JOIN(vload, VEC)(0, sum);
        if (beta != 0)
            value += beta * LOAD_WIDE(to);
        *(global elements *)to = to_elements(value);
        return;
    }
#pragma unroll
    for (int e = 0; e < VEC; e++)
        if (e < left)
            write_number(to + e, sum[e], alpha, beta);
}

INLINE void write_part(global number *to, const private number *sum, long left)
{
#pragma unroll
    for (int e = 0; e < VEC; e++)
        if (e < left)
            to[e] = sum[e];
}

/* An item's sums, whose first is at (first_row, first_column) of the block at (m0, n0): C = alpha * sum + beta * C, or
 * the sums of this part of k where k is split. c and partial are at the block's first number. */
#define WRITE_SUMS(c, c_at, partial, size, m0, n0, sum, first_row, first_column, alpha, beta) \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++)                                         \
    {                                                                                        \
        const long at = first_row + i / VEC * 8 * VEC + i % VEC;                             \
        if (at >= size.m - m0)                                                               \
            continue;                                                                        \
        _Pragma("unroll") for (int j = 0; j < COLUMNS; j += VEC)                             \
        {                                                                                    \
            const long to = first_column + j * 4, left = size.n - n0 - to;                   \
            if (size.splits > 1)                                                             \
                write_part(partial + at * size.n + to, &sum[i][j], left);                    \
            else                                                                             \
                write_piece(c + at * c_at.row + to, &sum[i][j], left, size.wide, (number)alpha, (number)beta); \
        }                                                                                    \
    }

/* As WRITE_SUMS, where k is not split: each row of an item goes through local memory, `shared`, so that neighbouring
 * items write neighbouring numbers. For a C whose rows begin anywhere, so that vectors would go out number by number.
 * All items of a group come here. */
#define ROWS_AT_ONCE (8 * ITEMS_DOWN)
#define WRITE_SUMS_IN_LINES(c, c_at, size, m0, n0, sum, first_row, first_column, alpha, beta, item, slice, shared) \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++)                                         \
    {                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        if (slice == 0)                                                                      \
            _Pragma("unroll") for (int j = 0; j < COLUMNS; j++)                              \
                shared[(first_row / (DOWN / ITEMS_DOWN) * 8 + first_row / VEC % 8) * ACROSS + first_column + \
                       j / VEC * 4 * VEC + j % VEC] = sum[i][j];                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        for (int x = item; x < ROWS_AT_ONCE * ACROSS; x += ITEMS) {                          \
            const int line = x / ACROSS, to = x % ACROSS;                                    \
            const int at = line / 8 * (DOWN / ITEMS_DOWN) + line % 8 * VEC + i / VEC * 8 * VEC + i % VEC; \
            if (at >= size.m - m0 || to >= size.n - n0)                                      \
                continue;                                                                    \
            write_number(c + at * c_at.row + to, shared[x], (number)alpha, (number)beta);    \
        }                                                                                    \
    }
