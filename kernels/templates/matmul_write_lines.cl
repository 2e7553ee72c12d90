/* As matmul_write_sums.cl, in matmul_staged.cl, where k is not split: each row of an item goes through local memory,
 * `tiles`, so that neighbouring items write neighbouring numbers. For a C whose rows begin anywhere, so that vectors
 * would go out number by number. All items of a group come here. */
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slice == 0)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                tiles[(row / (DOWN / ITEMS_DOWN) * 8 + row / VEC % 8) * ACROSS + column +
                       j / VEC * 4 * VEC + j % VEC] = sum[i][j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int x = item; x < ROWS_AT_ONCE * ACROSS; x += ITEMS) {
            const int line = x / ACROSS, to = x % ACROSS;
            const int at = line / 8 * (DOWN / ITEMS_DOWN) + line % 8 * VEC + i / VEC * 8 * VEC + i % VEC;
            if (at >= size.m - m0 || to >= size.n - n0)
                continue;
            write_number(c + at * c_at.row + to, tiles[x], (number)alpha, (number)beta);
        }
    }
