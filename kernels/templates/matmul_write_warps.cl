/* In matmul_nvidia.cl, for f64, where rows of C begin anywhere and pairs would be written number by number: a warp
 * passes 8 rows of its block at a time through local memory of its own, and writes row by row. */
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the last tiles */
#pragma unroll
    for (int i = 0; i < SUMS_DOWN; i++) {
        local number *from = (local number *)a_tiles + warp * 8 * PITCH;
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; j++)
            *(local double2 *)(from + lane / 4 * PITCH + j * 8 + lane % 4 * 2) =
                (double2)(sum[i][j][0], sum[i][j][1]);
        WARP_BARRIER;
        for (int r = 0; r < 8 && row + i * 8 + r < size.m - m0; r++)
            for (int to = lane; to < COLUMNS && column + to < size.n - n0; to += 32)
                write_number(c + (row + i * 8 + r) * c_at.row + column + to, from[r * PITCH + to],
                             (number)alpha, (number)beta);
        WARP_BARRIER;
    }
