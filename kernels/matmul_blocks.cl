/* What kernels share in which a group of work-items makes a block of C: DOWN x ACROSS numbers, from a part of k. */
#include "matmul_view.cl"

#define BAND 8 /* rows of blocks that are walked together, so that their tiles are met again in the cache */

/* `part`: how much of k a group sums. wide: may C be written as vectors? */
typedef struct {
    long batches, m, n, k, splits, part, wide;
} matmul_size;

/* Of this group: batch, part of k, first row and column of C, and the numbers of k from k0 on. */
typedef struct {
    uint batch, split;
    long m0, n0, k0, depth;
} matmul_block;

inline matmul_block block_of_group(const matmul_size *size)
{
    const uint blocks_down = (uint)((size->m + DOWN - 1) / DOWN), blocks_across = (uint)((size->n + ACROSS - 1) / ACROSS);
    const uint blocks = blocks_down * blocks_across, splits = (uint)size->splits;
    const uint group = (uint)get_group_id(0) % blocks, share = (uint)get_group_id(0) / blocks;
    const uint band = group / (BAND * blocks_across), in_band = group % (BAND * blocks_across);
    const uint band_rows = min(blocks_down - band * BAND, (uint)BAND);
    matmul_block mine;
    mine.batch = share / splits;
    mine.split = share % splits;
    mine.m0 = (long)(band * BAND + in_band % band_rows) * DOWN;
    mine.n0 = (long)(in_band / band_rows) * ACROSS;
    mine.k0 = mine.split * size->part;
    mine.depth = min(size->part, size->k - mine.k0);
    return mine;
}

/* Where a part of k leaves its sums, m x n of them to a batch: the block's first. */
inline long offset_of_part(const matmul_size *size, const matmul_block *mine)
{
    return (((long)mine->split * size->batches + mine->batch) * size->m + mine->m0) * size->n + mine->n0;
}
