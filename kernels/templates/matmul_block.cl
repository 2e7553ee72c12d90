/* Declares, as constants of the kernel: `batch` and `split`, this group's batch and part of k; `m0` and `n0`, the first
 * row and column of its block of C; `k0` and `depth`, where the part of k begins and how long it is. For kernels with
 * parts/matmul_blocks.cl. */
    const uint blocks_down = (uint)((size.m + DOWN - 1) / DOWN);
    const uint blocks_across = (uint)((size.n + ACROSS - 1) / ACROSS);
    const uint blocks = blocks_down * blocks_across, splits = (uint)size.splits;
    const uint group = (uint)get_group_id(0) % blocks, share = (uint)get_group_id(0) / blocks;
    const uint batch = share / splits, split = share % splits;
    const uint band = group / (BAND * blocks_across), in_band = group % (BAND * blocks_across);
    const uint band_rows = min(blocks_down - band * BAND, (uint)BAND);
    const long m0 = (long)(band * BAND + in_band % band_rows) * DOWN, n0 = (long)(in_band / band_rows) * ACROSS;
    const long k0 = split * size.part, depth = min(size.part, size.k - k0);
