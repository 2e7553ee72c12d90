/* Counting bins on GPUs: a group counts its part of the elements in local memory; or all count in one list of global memory. */
#include "abi/sort.h"

#define ITEMS 256

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void count_gpu(global long *counts, global const int *bins, const count_shape s)
{
    local uint own[COUNT_ROOM];
    const uint me = (uint)get_local_id(0);
    const long chunk = get_group_id(0), each = (s.size + s.chunks - 1) / s.chunks;
    const long from = chunk * each, to = min(from + each, s.size);
    for (uint b = me; b < s.bins; b += ITEMS)
        own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long i = from + me; i < to; i += ITEMS)
        if (bins[i] >= 0)
            atomic_inc(own + bins[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = me; b < s.bins; b += ITEMS)
        counts[chunk * s.bins + b] = own[b];
}

/* Many bins: integers add up to the same in any order. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void count_gpu_clear(global uint *counts, long bins)
{
    FOR_SPREAD(b, bins)
    {
        counts[b] = 0;
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void count_gpu_all(volatile global uint *counts, global const int *bins, const count_shape s)
{
    FOR_SPREAD(i, s.size)
    {
        const int bin = bins[i];
        if (bin >= 0)
            atomic_inc(counts + bin);
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void count_gpu_widen(global long *out, global const uint *counts, const count_shape s)
{
    FOR_SPREAD(b, s.bins)
    {
        out[s.to + b] = counts[b];
    }
}
