/* Taking elements along an axis on GPUs: a work-item takes EACH elements, whose loads are under way together. Dense rows are
 * taken in wide elements, up to 16 bytes. All strides of the source are those of one axis. */
#include "abi/index.h"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#define WIDE STORED           /* an element */
#define POSITION uint    /* holds all positions of the result */
#define SINGLE_ROWS 1    /* a row is one element, */
#define SINGLE_OUTER 1   /* and there is one outer position */
#endif
#define GROUP_ITEMS 256
#define EACH 4
#define NOWHERE LONG_MIN

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void take_gpu(global WIDE *restrict dst, global const INDEX *restrict index, global const WIDE *restrict src,
              const take_shape s, VERDICT_PARAMETERS)
{
    const POSITION n = (POSITION)(s.outer_count * s.count * s.inner_count);
    const POSITION first = (POSITION)get_group_id(0) * (GROUP_ITEMS * EACH) + (POSITION)get_local_id(0);
    long from[EACH];
    dst += s.dst;
    index += s.index;
    src += s.src;
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        const POSITION i = first + k * GROUP_ITEMS;
        from[k] = NOWHERE;
        if (i >= n)
            continue;
#ifdef SINGLE_ROWS
        const POSITION row = i;
        long offset = 0;
#else
        const POSITION row = i / (POSITION)s.inner_count;
        long offset = (long)(i - row * (POSITION)s.inner_count) * s.inner.stride[0];
#endif
#ifdef SINGLE_OUTER
        const POSITION j = row;
#else
        const POSITION outer = row / (POSITION)s.count, j = row - outer * (POSITION)s.count;
        offset += (long)outer * s.outer.stride[0];
#endif
        const long at = (long)index[j] - 1;
        if ((ulong)at < (ulong)s.extent)
            from[k] = offset + at * s.axis.stride[0];
        else
            verdict_say(VERDICT, (long)j, index[j]);
    }
    WIDE x[EACH];
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        if (from[k] != NOWHERE)
            x[k] = src[from[k]];
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        if (from[k] != NOWHERE)
            dst[first + k * GROUP_ITEMS] = x[k];
}
