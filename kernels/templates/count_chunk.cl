/* The body of a kernel of count_gpu.cl, which counts the group's elements: READ(at) is the ELEMENT at a position, and
 * FIND(x, at) its bin; -1: none. */
    local uint own[COUNT_ROOM];
    const uint me = (uint)get_local_id(0), bins = (uint)s.bins;
    const uint copies = clamp((uint)COUNT_ROOM / bins, 1u, (uint)(ITEMS / WARP));
    local uint *const mine = own + me / WARP % copies * bins;
    const long chunk = get_group_id(0), each = (s.size + s.chunks - 1) / s.chunks;
    const long from = chunk * each, to = min(from + each, s.size);
    long i = from + me;
    group_clear(own, bins, copies);
    for (; i + (AT_ONCE - 1) * ITEMS < to; i += AT_ONCE * ITEMS) {
        ELEMENT read[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            read[k] = READ(i + k * ITEMS);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const int bin = FIND(read[k], i + k * ITEMS);
            if (bin >= 0)
                atomic_inc(mine + bin);
        }
    }
    for (; i < to; i += ITEMS) {
        const int bin = FIND(READ(i), i);
        if (bin >= 0)
            atomic_inc(mine + bin);
    }
    group_give(counts, own, bins, copies);

#undef ELEMENT
#undef READ
#undef FIND
