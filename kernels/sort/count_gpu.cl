/* Counting on GPUs: a group counts its part of the elements in local memory; or all groups count in one list in global
 * memory, which has the low words of all counts, followed by the high words. */
#include "abi/sort.h"
#include "parts/which_bin.cl"

#define ITEMS 256
#define WARP 32
#define AT_ONCE 8 /* elements that a work-item reads before it counts them */

/* Clears the group's counts. There are as many `copies` of them as there is room for, each shared by the work-items of
 * some warps, which reduces collisions. */
inline void group_clear(local uint *own, uint bins, uint copies)
{
    for (uint b = (uint)get_local_id(0); b < copies * bins; b += ITEMS)
        own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

inline void group_give(volatile global uint *counts, local const uint *own, uint bins, uint copies)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = (uint)get_local_id(0); b < bins; b += ITEMS) {
        uint more = 0;
        for (uint copy = 0; copy < copies; copy++)
            more += own[copy * bins + b];
        const uint before = more ? atomic_add(counts + b, more) : 0;
        if (before + more < before)
            atomic_inc(counts + bins + b);
    }
}

KERNEL(ITEMS) count_gpu(volatile global uint *counts, global const int *found, const count_shape s)
{
#define ELEMENT int
#define READ(at) found[at]
#define FIND(x, at) (x)
#include "templates/count_chunk.cl"
}

/* The bins of numbers are found and counted in one pass. */
KERNEL(ITEMS) count_gpu_numbers(volatile global uint *counts, global const T *in, global const REAL *edges,
                                const bins_shape b, const count_shape s)
{
    edges += b.edges;
    const edge_range range = edge_range_of(edges, (int)b.bins);
#define ELEMENT COMPUTE
#define READ(at) LOAD(in, b.from + (at))
#define FIND(x, at) bin_of(counted_of(x), edges, (int)b.bins, range)
#include "templates/count_chunk.cl"
}

#ifndef IS_FLOAT
KERNEL(ITEMS) count_gpu_integers(volatile global uint *counts, global const T *in, const bins_shape b,
                                 const count_shape s, VERDICT_PARAMETERS)
{
#define ELEMENT T
#define READ(at) in[b.from + (at)]
#define FIND(x, at) bin_of_integer(x, at, b, verdicts, verdict_place)
#include "templates/count_chunk.cl"
}
#endif

/* Many bins: the order does not matter for sums of integers. */
KERNEL(ITEMS) count_gpu_clear(global uint *counts, long words)
{
    FOR_SPREAD(b, words)
    {
        counts[b] = 0;
    }
}

KERNEL(ITEMS) count_gpu_all(volatile global uint *counts, global const int *found, const count_shape s)
{
    FOR_SPREAD(i, s.size)
    {
        const int bin = found[i];
        if (bin >= 0)
            atomic_inc(counts + bin);
    }
}

KERNEL(ITEMS) count_gpu_widen(global long *out, global const uint *counts, const count_shape s)
{
    FOR_SPREAD(b, s.bins)
    {
        out[s.to + b] = (long)((ulong)counts[s.bins + b] << 32 | counts[b]);
    }
}
