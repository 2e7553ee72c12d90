/* Counting bins, or adding the weights of their elements up: every device. A work-item has a chunk of the elements and
 * counts of its own; so sums have the same bits every time. */
#include "abi/sort.h"

#ifndef WEIGHT
#define WEIGHT COMPUTE
#endif

/* counts: for each chunk those of all bins, one after the other. */
#define FOR_CHUNKS(VALUE)                                                                  \
    FOR_SPREAD(chunk, s.chunks)                                                            \
    {                                                                                      \
        global WEIGHT *const own = counts + chunk * s.bins;                                \
        const long each = (s.size + s.chunks - 1) / s.chunks;                              \
        const long from = chunk * each, to = min(from + each, s.size);                     \
        for (long b = 0; b < s.bins; b++)                                                  \
            own[b] = 0;                                                                    \
        for (long i = from; i < to; i++)                                                   \
            if (bins[i] >= 0)                                                              \
                own[bins[i]] += (VALUE);                                                   \
    }

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count_plain(global WEIGHT *counts, global const int *bins, const count_shape s)
{
    FOR_CHUNKS(1)
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count_plain_weights(global WEIGHT *counts, global const int *bins, global const T *weights, const count_shape s)
{
    FOR_CHUNKS((WEIGHT)LOAD(weights, s.weights + i))
}

/* The sums of all chunks, in order. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count_plain_join(global WEIGHT *out, global const WEIGHT *counts, const count_shape s)
{
    FOR_SPREAD(b, s.bins)
    {
        WEIGHT sum = 0;
        for (long chunk = 0; chunk < s.chunks; chunk++)
            sum += counts[chunk * s.bins + b];
        out[s.to + b] = sum;
    }
}
