/* Choosing by a mask: every device and view. A work-item counts, and later moves, the elements of whole blocks. The mask is
 * dense. */
#include "abi/index.h"
#include "parts/verdict.cl"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mask_plain_count(global long *counts, global const T *mask, const mask_shape s)
{
    FOR_SPREAD(block, s.blocks)
    {
        const long from = block * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size);
        uint count = 0;
        for (long i = from; i < to; i++)
            count += LOAD(mask, s.mask + i) != 0;
        counts[block] = count;
    }
}

/* counts[i] becomes the sum of those before it; counts[blocks], behind them, that of all. By one work-item. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void mask_plain_scan(global long *counts, const mask_shape s)
{
    long before = 0;
    if (get_global_id(0))
        return;
    for (long block = 0; block < s.blocks; block++) {
        const long own = counts[block];
        counts[block] = before;
        before += own;
    }
    counts[s.blocks] = before;
}

/* Where a block's elements go. It has no more places than the host has made room for, though the mask may have been changed
 * since it was counted. */
#define FOR_BLOCK                                                                                    \
    FOR_SPREAD(block, s.blocks)                                                                      \
    for (long from = block * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size), at = counts[block],    \
              end = min(counts[block + 1], s.values); from < to; from = to)

/* The place of the next true element is written again and again until that comes. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mask_plain_choose(global STORED *restrict dst, global const STORED *restrict src, global const uchar *restrict mask,
                       global const long *restrict counts, const mask_shape s)
{
    dst += s.dst;
    src += s.src;
    mask += s.mask;
    FOR_BLOCK
    {
        if (s.layout.ndim <= 1 && s.layout.stride[0] == 1) {
            for (long i = from; i < to && at < end; i++) {
                dst[at] = src[i];
                at += mask[i] != 0;
            }
            continue;
        }
        for (long i = from; i < to && at < end; i++)
            if (mask[i])
                dst[at++] = src[layout_offset(&s.layout, i)];
    }
}

/* Positions along each axis, which count from 1: a row of the result for each axis. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mask_plain_positions(global long *restrict dst, global const T *restrict mask, global const long *restrict counts,
                          const mask_shape s)
{
    FOR_BLOCK
    {
        for (long i = from; i < to && at < end; i++) {
            if (!(LOAD(mask, s.mask + i) != 0))
                continue;
            long rest = i;
            for (long axis = s.axes - 1; axis >= 0; axis--) {
                const long outer = rest / s.layout.size[axis];
                dst[s.dst + axis * s.values + at] = rest - outer * s.layout.size[axis] + 1;
                rest = outer;
            }
            at++;
        }
    }
}

/* Writes where the mask is true: one value, or one after the other, if there are as many. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void mask_plain_put(global STORED *dst, global const STORED *values, STORED single, global const uchar *mask, global const long *counts,
                    const mask_shape s, VERDICT_PARAMETERS)
{
    dst += s.dst;
    mask += s.mask;
    if (s.step && counts[s.blocks] != s.values) {
        if (get_global_id(0) == 0)
            verdict_say(VERDICT, 0, counts[s.blocks]);
        return;
    }
    FOR_SPREAD(block, s.blocks)
    {
        const long to = min((block + 1) * MASK_BLOCK, s.size);
        long at = s.step ? counts[block] : 0;
        const STORED one = s.step ? (STORED)0 : values ? values[s.src] : single;
        for (long i = block * MASK_BLOCK; i < to; i++)
            if (mask[i])
                dst[layout_offset(&s.layout, i)] = s.step ? values[s.src + at++] : one;
    }
}
