/* For kernels of matmul in which a work-item owns vectors of a block of C, and several items may make the same numbers.
 *
 * Items are in blocks of 32, ITEMS_DOWN x ITEMS_ACROSS of them, of 8 x 4 items; an item owns vectors of VEC numbers
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

#define ROWS_AT_ONCE (8 * ITEMS_DOWN) /* in matmul_write_lines.cl */
