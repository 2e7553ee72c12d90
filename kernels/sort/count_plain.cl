/* Counting bins, or adding the weights of their elements, on every device. A work-item has a chunk of the elements and
 * its own counts, so sums have the same bits every time. */
#include "abi/sort.h"

#ifndef WEIGHT
#define WEIGHT COMPUTE
#endif

KERNEL(GROUP) count_plain(global WEIGHT *counts, global const int *bins, const count_shape s)
{
#define VALUE 1
#include "templates/count_chunks.cl"
}

KERNEL(GROUP) count_plain_weights(global WEIGHT *counts, global const int *bins, global const T *weights,
                                  const count_shape s)
{
#define VALUE (WEIGHT)LOAD(weights, s.weights + i)
#include "templates/count_chunks.cl"
}

/* The sums of all chunks, in order. */
KERNEL(GROUP) count_plain_join(global WEIGHT *out, global const WEIGHT *counts, const count_shape s)
{
    FOR_SPREAD(b, s.bins)
    {
        WEIGHT sum = 0;
        for (long chunk = 0; chunk < s.chunks; chunk++)
            sum += counts[chunk * s.bins + b];
        out[s.to + b] = sum;
    }
}
