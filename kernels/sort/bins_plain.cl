/* The bin of each element, from 0; -1: none. */
#include "abi/sort.h"
#include "parts/which_bin.cl"

#pragma OPENCL FP_CONTRACT OFF /* edges are rounded twice on every device, as in NumPy */

#ifndef IS_FLOAT
KERNEL(GROUP) bins_of_integers(global int *bins, global const T *in, const bins_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        bins[i] = bin_of_integer(in[s.from + i], i, s, verdicts, verdict_place);
    }
}
#endif

KERNEL(GROUP) bins_edges(global REAL *edges, const bins_shape s, REAL low, REAL high)
{
    FOR_SPREAD(i, s.bins + 1)
    {
        edges[s.edges + i] = i == s.bins ? high : low + (REAL)i * ((high - low) / (REAL)s.bins);
    }
}

KERNEL(GROUP) bins_of_numbers(global int *bins, global const T *in, global const REAL *edges, const bins_shape s)
{
    edges += s.edges;
    const edge_range range = edge_range_of(edges, (int)s.bins);
    FOR_SPREAD(i, s.size)
    {
        bins[i] = bin_of(counted_of(LOAD(in, s.from + i)), edges, (int)s.bins, range);
    }
}

/* Bins of a second axis, within those of the first. */
KERNEL(GROUP) bins_within(global int *bins, global const T *in, global const REAL *edges, const bins_shape s)
{
    edges += s.edges;
    const edge_range range = edge_range_of(edges, (int)s.bins);
    FOR_SPREAD(i, s.size)
    {
        const int outer = bins[i], inner = bin_of(counted_of(LOAD(in, s.from + i)), edges, (int)s.bins, range);
        bins[i] = outer < 0 || inner < 0 ? -1 : outer * (int)s.bins + inner;
    }
}
