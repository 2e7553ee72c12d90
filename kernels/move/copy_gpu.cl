/* Copying between any two layouts of one shape on a GPU: neighbouring work-items take neighbouring places of dst.
 *
 * Positions are counted in 32 bits (the host cuts larger copies into several launches). They are divided by multiplying
 * with numbers that the host has computed. `copy_gpu` moves items of up to 16 bytes; an item may be several elements of
 * a row. `copy_gpu_lines` moves long rows of items that are shorter than 16 bytes. `copy_gpu_rows` moves rows of bytes
 * that begin anywhere: it writes words of dst, each put together from two words of src. */
#include "abi/move.h"

#ifdef PAIRS
typedef JOIN(T, 2) item;
#else
typedef T item;
#endif
#define ITEMS COPY_GPU_ITEMS
#define EACH COPY_GPU_EACH


/* The offsets in dst and in src of position i. The quotient of i by a size is
 * (high word of i * magic + i) >> shift (Granlund and Montgomery, 1994). */
inline long2 find_place(const copy_shape *plan, uint i)
{
    long dst = plan->dst, src = plan->src;
#pragma unroll
    for (uint a = 0; a < 7; a++) {
        if (a >= plan->inner)
            break;
        const uint next = (mul_hi(i, plan->magic[a]) + i) >> plan->shift[a], rest = i - next * plan->size[a];
        dst += (long)(int)rest * plan->dst_step[a];
        src += (long)(int)rest * plan->src_step[a];
        i = next;
    }
    return (long2)(dst + i * plan->dst_outer, src + i * plan->src_outer);
}

KERNEL(ITEMS) copy_gpu(global item *restrict dst, global const item *restrict src, copy_shape plan)
{
    const uint first = get_group_id(0) * (ITEMS * EACH) + get_local_id(0);
    item held[EACH];
    long to[EACH];
#pragma unroll
    for (uint e = 0; e < EACH; e++) {
        const uint i = min(first + e * ITEMS, plan.count - 1);
        const long2 at = find_place(&plan, i);
        to[e] = at.x;
        held[e] = src[at.y];
    }
#pragma unroll
    for (uint e = 0; e < EACH; e++)
        if (first + e * ITEMS < plan.count)
            dst[to[e]] = held[e];
}

/* Long rows of items: a group copies up to ITEMS * LINE items of one row, whose place is found once. */
KERNEL(ITEMS) copy_gpu_lines(global item *restrict dst, global const item *restrict src, copy_shape plan, uint parts)
{
    const uint group = get_group_id(0), row = group / parts, part = group - row * parts;
    const uint share = (plan.width + parts - 1) / parts;
    const uint first = part * share + get_local_id(0), end = min((part + 1) * share, plan.width);
    const long2 at = find_place(&plan, row);
    item held[COPY_GPU_LINE];
#pragma unroll
    for (uint e = 0; e < COPY_GPU_LINE; e++)
        if (first + e * ITEMS < end)
            held[e] = src[at.y + first + e * ITEMS];
#pragma unroll
    for (uint e = 0; e < COPY_GPU_LINE; e++)
        if (first + e * ITEMS < end)
            dst[at.x + first + e * ITEMS] = held[e];
}

/* A position is a word of dst here. Each row counts as many words as it can touch, so the first and last may be in
 * part. */
KERNEL(ITEMS) copy_gpu_rows(global uchar *restrict dst, global const uchar *restrict src, copy_shape plan)
{
    const uint first = get_group_id(0) * (ITEMS * EACH) + get_local_id(0);
    const int width = (int)plan.width;
#pragma unroll
    for (uint e = 0; e < EACH; e++) {
        const uint i = first + e * ITEMS;
        if (i >= plan.count)
            break;
        const long2 row = find_place(&plan, i);
        const int before = (int)row.x & 3;
        const uint next = (mul_hi(i, plan.magic[0]) + i) >> plan.shift[0];
        const int from = (int)(i - next * plan.size[0]) * 4 - before; /* the word's first byte, in the row */
        if (from >= width)
            continue;
        if (from < 0 || from + 4 > width) {
            for (int b = max(from, 0); b < min(from + 4, width); b++)
                dst[row.x + b] = src[row.y + b];
        } else {
            const long at = row.y + from;
            const uint odd = (uint)at & 3;
            global const uint *words = (global const uint *)(src + (at - odd));
            *(global uint *)(dst + (row.x + from)) = (uint)(upsample(words[odd > 0], words[0]) >> odd * 8);
        }
    }
}
