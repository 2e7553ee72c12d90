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

/* Numbers belong between two edges: bins have their lower edge, and the last one its upper too. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bins_of_numbers(global int *bins, global const T *in, global const REAL *edges, const bins_shape s)
{
    const REAL low = edges[s.edges], high = edges[s.edges + s.bins], scale = (REAL)s.bins / (high - low);
    FOR_SPREAD(i, s.size)
    {
        const REAL x = (REAL)LOAD(in, s.from + i);
        int bin = -1;
        if (x >= low && x <= high) {
            bin = (int)min((long)((x - low) * scale), s.bins - 1);
            if (bin > 0 && x < edges[s.edges + bin])
                bin--;
            else if (bin + 1 < s.bins && x >= edges[s.edges + bin + 1])
                bin++;
        }
        bins[i] = bin;
    }
}
