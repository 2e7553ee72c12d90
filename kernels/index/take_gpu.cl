/* Taking elements along an axis on GPUs: a work-item takes EACH elements, whose loads are under way together. Dense
 * rows are taken in wide elements, up to 16 bytes. All strides of the source are those of one axis. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#ifndef WIDE
#define WIDE STORED           /* an element */
#define POSITION uint    /* holds all positions of the result */
#define SINGLE_ROWS 1    /* a row is one element, */
#define SINGLE_OUTER 1   /* and there is one outer position */
#endif
#define GROUP_ITEMS 256
#define EACH 4

/* Where an element of the result comes from: its row is number j of the index, `offset` leads to its place in the
 * row. */
inline POSITION take_row(long *offset, const POSITION i, const take_shape *s)
{
#ifdef SINGLE_ROWS
    const POSITION row = i;
    *offset = 0;
#else
    const POSITION row = i / (POSITION)s->inner_count;
    *offset = (long)(i - row * (POSITION)s->inner_count) * s->inner.stride[0];
#endif
#ifdef SINGLE_OUTER
    return row;
#else
    const POSITION outer = row / (POSITION)s->count;
    *offset += (long)outer * s->outer.stride[0];
    return row - outer * (POSITION)s->count;
#endif
}

/* All indices are loaded before the first is used, all elements before the first is stored, and what is wrong is said
 * last. */
KERNEL(GROUP_ITEMS) take_gpu(global WIDE *restrict dst, global const INDEX *restrict index,
                             global const WIDE *restrict src, const take_shape s, VERDICT_PARAMETERS)
{
    const POSITION n = (POSITION)(s.outer_count * s.count * s.inner_count);
    const POSITION first = (POSITION)get_group_id(0) * (GROUP_ITEMS * EACH) + (POSITION)get_local_id(0);
    long at[EACH], offset[EACH];
    bool good[EACH];
    WIDE x[EACH];
    uint bad = 0;
    dst += s.dst;
    index += s.index;
    src += s.src;
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        const POSITION i = first + k * GROUP_ITEMS, j = take_row(&offset[k], i, &s);
        at[k] = i < n ? from_zero(index[j]) : -1;
    }
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        good[k] = (ulong)at[k] < (ulong)s.extent;
        bad |= !good[k];
        if (good[k])
            x[k] = src[offset[k] + at[k] * s.axis.stride[0]];
    }
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        if (good[k])
            dst[first + k * GROUP_ITEMS] = x[k];
    for (uint k = 0; bad && k < EACH; k++) {
        const POSITION i = first + k * GROUP_ITEMS;
        if (i < n && !good[k]) {
            const POSITION j = take_row(&offset[k], i, &s);
            verdict_say(VERDICT, (long)j, index[j]);
        }
    }
}
