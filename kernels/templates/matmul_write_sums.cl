/* In a kernel with parts/matmul_items.cl: an item's sums, whose first is at (row, column) of the block at (m0, n0),
 * become C = alpha * sum + beta * C, or the sums of this part of k where k is split. c and partial are at the block's
 * first number. */
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const long at = row + i / VEC * 8 * VEC + i % VEC;
        if (at >= size.m - m0)
            continue;
#pragma unroll
        for (int j = 0; j < COLUMNS; j += VEC) {
            const long to = column + j * 4, left = size.n - n0 - to;
            if (size.splits > 1)
                write_part(partial + at * size.n + to, &sum[i][j], left);
            else
                write_piece(c + at * c_at.row + to, &sum[i][j], left, size.wide, (number)alpha, (number)beta);
        }
    }
