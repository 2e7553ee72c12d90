/* In a kernel with parts/matmul_items.cl: adds the sums of all slices to those of slice 0. SHARED is local memory as
 * long as the block of C; AT_PLACE is the item's place in a slice. All items of a group come here. */
#pragma unroll
    for (int other = 1; other < SLICES; other++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slice == other)
#pragma unroll
            for (int i = 0; i < ROWS * COLUMNS; i++)
                SHARED[i * PLACES + AT_PLACE] = sum[i / COLUMNS][i % COLUMNS];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (slice == 0)
#pragma unroll
            for (int i = 0; i < ROWS * COLUMNS; i++)
                sum[i / COLUMNS][i % COLUMNS] += SHARED[i * PLACES + AT_PLACE];
    }

#undef SHARED
#undef AT_PLACE
