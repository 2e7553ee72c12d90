/* For kernels of matmul in which a group of work-items makes a block of C: DOWN x ACROSS numbers, from a part of k. */
#include "parts/matmul_view.cl"

#define INLINE inline __attribute__((always_inline))
#define BAND 8 /* rows of blocks that are walked together, so that their tiles are met again in the cache */

/* Declares, as constants of the kernel: `batch` and `split`, this group's batch and part of k; `m0` and `n0`, the first
 * row and column of its block of C; `k0` and `depth`, where the part of k begins and how long it is. */
#define FIND_BLOCK(size)                                                                     \
    const uint blocks_down = (uint)((size.m + DOWN - 1) / DOWN);                             \
    const uint blocks_across = (uint)((size.n + ACROSS - 1) / ACROSS);                       \
    const uint blocks = blocks_down * blocks_across, splits = (uint)size.splits;             \
    const uint group = (uint)get_group_id(0) % blocks, share = (uint)get_group_id(0) / blocks; \
    const uint batch = share / splits, split = share % splits;                               \
    const uint band = group / (BAND * blocks_across), in_band = group % (BAND * blocks_across); \
    const uint band_rows = min(blocks_down - band * BAND, (uint)BAND);                       \
    const long m0 = (long)(band * BAND + in_band % band_rows) * DOWN, n0 = (long)(in_band / band_rows) * ACROSS; \
    const long k0 = split * size.part, depth = min(size.part, size.k - k0);

/* Where part `split` of k leaves the sums of the block at (m0, n0): each part has m x n sums for each batch. */
#define OFFSET_OF_PART(size, batch, split, m0, n0) \
    ((((long)split * size.batches + batch) * size.m + m0) * size.n + n0)

/* Writes one number of C. The file that includes this one defines number and MULTIPLY_ADD. */
INLINE void write_number(global T *to, number sum, number alpha, number beta)
{
    number value = alpha * sum;
    if (beta != 0)
        value = MULTIPLY_ADD(beta, (number)LOAD(to, 0), value);
    STORE(to, 0, value);
}
