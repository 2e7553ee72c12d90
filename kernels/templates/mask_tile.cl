/* In a kernel of mask_gpu.cl: finds the `total` elements of a tile, which begins at `from`, for which CONDITION is true
 * of i. chosen[k] is the k-th one's place in the tile. */
        uint own = 0, total;
        bool is_true[EACH];
        const uint first = (uint)get_local_id(0) * EACH;
        for (uint k = 0; k < EACH; k++) {
            const long i = from + first + k;
            is_true[k] = i < to && (CONDITION);
            own += is_true[k];
        }
        uint place = group_scan_uint(own, &total, room);
        for (uint k = 0; k < EACH; k++) {
            if (is_true[k])
                chosen[place] = (ushort)(first + k);
            place += is_true[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

#undef CONDITION
