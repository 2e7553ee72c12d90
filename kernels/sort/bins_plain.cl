/* Which bin each element belongs to, from 0; -1: none. */
#include "abi/sort.h"
#include "parts/verdict.cl"

#ifndef REAL
#define REAL float
#endif

#ifndef IS_FLOAT
/* Integers are their own bins. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bins_of_integers(global int *bins, global const T *in, const bins_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        const T x = in[s.from + i];
        const ulong bin = (ulong)x - (ulong)s.base;
        const bool good = bin < (ulong)s.bins;
        bins[i] = good ? (int)bin : -1;
        if (!good)
            verdict_say(VERDICT, i, (long)x);
    }
}
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bins_edges(global REAL *edges, const bins_shape s, REAL low, REAL high)
{
    FOR_SPREAD(i, s.bins + 1)
    {
        edges[s.edges + i] = i == s.bins ? high : low + (REAL)i * ((high - low) / (REAL)s.bins);
    }
}

/* The bin of a number, -1 for none: bins have their lower edge, and the last one its upper too. `scale` is that of the bins' number to
 * their range; where it rounds to a neighbour, the edges decide. */
inline int bin_of(REAL x, global const REAL *edges, int bins, REAL scale)
{
    if (!(x >= edges[0] && x <= edges[bins]))
        return -1;
    const int bin = (int)min((long)((x - edges[0]) * scale), (long)bins - 1);
    if (bin > 0 && x < edges[bin])
        return bin - 1;
    return bin + 1 < bins && x >= edges[bin + 1] ? bin + 1 : bin;
}

inline REAL scale_of(global const REAL *edges, int bins) { return (REAL)bins / (edges[bins] - edges[0]); }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bins_of_numbers(global int *bins, global const T *in, global const REAL *edges, const bins_shape s)
{
    edges += s.edges;
    const REAL scale = scale_of(edges, (int)s.bins);
    FOR_SPREAD(i, s.size)
    {
        bins[i] = bin_of((REAL)LOAD(in, s.from + i), edges, (int)s.bins, scale);
    }
}

/* Bins of a second axis, within those of the first. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bins_within(global int *bins, global const T *in, global const REAL *edges, const bins_shape s)
{
    edges += s.edges;
    const REAL scale = scale_of(edges, (int)s.bins);
    FOR_SPREAD(i, s.size)
    {
        const int outer = bins[i], inner = bin_of((REAL)LOAD(in, s.from + i), edges, (int)s.bins, scale);
        bins[i] = outer < 0 || inner < 0 ? -1 : outer * (int)s.bins + inner;
    }
}
