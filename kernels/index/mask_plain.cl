/* Choosing by a mask: every device and view. A work-item counts, and later moves, the elements of whole blocks. The
 * mask is dense. */
#include "abi/index.h"
#include "parts/verdict.cl"

KERNEL(GROUP) mask_plain_count(global long *counts, global const T *mask, const mask_shape s)
{
    FOR_SPREAD(block, s.blocks)
    {
        const long from = block * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size);
        uint count = 0;
        for (long i = from; i < to; i++)
            count += IS_TRUE(LOAD(mask, s.mask + i));
        counts[block] = count;
    }
}

/* counts[i] becomes the sum of those before it; counts[blocks], behind them, that of all. By one work-item. */
KERNEL(GROUP) mask_plain_scan(global long *counts, const mask_shape s)
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

/* Where a block's elements go. It has no more places than the host has made room for, though the mask may have been
 * changed since it was counted. */
#define FOR_BLOCK                                                                                    \
    FOR_SPREAD(block, s.blocks)                                                                      \
    for (long from = block * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size), at = counts[block],    \
              end = min(counts[block + 1], s.values); from < to; from = to)

/* The place of the next true element is written again and again until that comes. */
KERNEL(GROUP) mask_plain_choose(global STORED *restrict dst, global const STORED *restrict src,
                                global const uchar *restrict mask, global const long *restrict counts,
                                const mask_shape s)
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

/* Positions along each axis, which count from 1: a row of the result for each axis. The last row has the positions in
 * the flattened mask at first; the place of the next one is written again and again until that comes. */
KERNEL(GROUP) mask_plain_positions(global long *restrict dst, global const T *restrict mask,
                                   global const long *restrict counts, const mask_shape s)
{
    const long last = s.axes - 1;
    global long *restrict flat = dst + s.dst + last * s.values;
    mask += s.mask;
    FOR_BLOCK
    {
        const long first = at;
        for (long i = from; i < to && at < end; i++) {
            flat[at] = i + 1;
            at += IS_TRUE(LOAD(mask, i));
        }
        for (long k = first; k < at && last > 0; k++) {
            long rest = flat[k] - 1;
            for (long axis = last; axis >= 0; axis--) {
                const long outer = axis ? rest / s.layout.size[axis] : 0;
                dst[s.dst + axis * s.values + k] = rest - outer * s.layout.size[axis] + 1;
                rest = outer;
            }
        }
    }
}

/* Writes where the mask is true: one value, or one after the other, if there are as many. */
KERNEL(GROUP) mask_plain_put(global STORED *dst, global const STORED *values, STORED single, global const uchar *mask,
                             global const long *counts, const mask_shape s, VERDICT_PARAMETERS)
{
    dst += s.dst;
    mask += s.mask;
    if (s.step && counts[s.blocks] != s.values) {
        if (get_global_id(0) == 0)
            verdict_say(VERDICT, 0, counts[s.blocks]);
        return;
    }
    const bool dense = s.layout.ndim <= 1 && s.layout.stride[0] == 1;
    const STORED one = s.step ? (STORED)0 : values ? values[s.src] : single;
    values += s.src;
    FOR_SPREAD(block, s.blocks)
    {
        const long from = block * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size);
        long at = s.step ? counts[block] : 0;
        if (!dense) {
            for (long i = from; i < to; i++)
                if (mask[i])
                    dst[layout_offset(&s.layout, i)] = s.step ? values[at++] : one;
        } else if (s.step) {
            for (long i = from; i < to; i++) { /* without a branch: elements that stay are written too */
                dst[i] = mask[i] ? values[min(at, s.values - 1)] : dst[i];
                at += mask[i] != 0;
            }
        } else {
            for (long i = from; i < to; i++)
                dst[i] = mask[i] ? one : dst[i];
        }
    }
}
