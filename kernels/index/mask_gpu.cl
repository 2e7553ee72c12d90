/* Choosing by a mask on GPUs: a group counts, and later moves, the elements of a block. The mask is dense. */
#include "abi/index.h"
#include "parts/group_scan.cl"
#include "parts/verdict.cl"

#define EACH 8 /* neighbouring elements to a work-item at a time */
#define TILE (SCAN_ITEMS * EACH)

DEFINE_GROUP_SCAN(uint)

KERNEL(SCAN_ITEMS) mask_gpu_count(global long *counts, global const T *mask, const mask_shape s)
{
    local uint room[2 * SCAN_ITEMS];
    const long from = (long)get_group_id(0) * MASK_BLOCK, to = min(from + MASK_BLOCK, s.size);
    uint own = 0, total;
    for (long i = from + (long)get_local_id(0); i < to; i += SCAN_ITEMS)
        own += IS_TRUE(LOAD(mask, s.mask + i));
    group_scan_uint(own, &total, room);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = total;
}

/* Walks the tiles of the group's block: `at` is where the tile's elements go, of which there are `total`. */
#define FOR_TILES                                                                                    \
    local uint room[2 * SCAN_ITEMS];                                                                 \
    local ushort chosen[TILE];                                                                       \
    const long block = get_group_id(0), to = min((block + 1) * MASK_BLOCK, s.size);                  \
    long at = counts ? counts[block] : 0;                                                            \
    for (long from = block * MASK_BLOCK; from < to; from += TILE)

#define END_TILE                                                                                     \
    at += total;                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);

/* No more places are written than the host has made room for, though the mask may have been changed since it was
 * counted. */
KERNEL(SCAN_ITEMS) mask_gpu_choose(global STORED *restrict dst, global const STORED *restrict src,
                                   global const uchar *restrict mask, global const long *restrict counts,
                                   const mask_shape s)
{
    const bool dense = s.layout.ndim <= 1;
    FOR_TILES
    {
#define CONDITION mask[s.mask + i]
#include "templates/mask_tile.cl"
        for (uint k = (uint)get_local_id(0); k < total; k += SCAN_ITEMS) {
            const long i = from + chosen[k];
            if (at + k < s.values)
                dst[s.dst + at + k] = src[s.src + (dense ? i * s.layout.stride[0] : layout_offset(&s.layout, i))];
        }
        END_TILE
    }
}

/* Positions along each axis, which count from 1: a row of the result for each axis. */
KERNEL(SCAN_ITEMS) mask_gpu_positions(global long *restrict dst, global const T *restrict mask,
                                      global const long *restrict counts, const mask_shape s)
{
    FOR_TILES
    {
#define CONDITION IS_TRUE(LOAD(mask, s.mask + i))
#include "templates/mask_tile.cl"
        for (uint k = (uint)get_local_id(0); k < total; k += SCAN_ITEMS) {
            long rest = from + chosen[k];
            for (long axis = s.axes - 1; axis >= 0 && at + k < s.values; axis--) {
                const long outer = axis ? rest / s.layout.size[axis] : 0;
                dst[s.dst + axis * s.values + at + k] = rest - outer * s.layout.size[axis] + 1;
                rest = outer;
            }
        }
        END_TILE
    }
}

/* Writes where the mask is true: one value, or one after the other, if there are as many. */
KERNEL(SCAN_ITEMS) mask_gpu_put(global STORED *dst, global const STORED *values, STORED single,
                                global const uchar *mask, global const long *counts, const mask_shape s,
                                VERDICT_PARAMETERS)
{
    const bool dense = s.layout.ndim <= 1, fits = !s.step || counts[s.blocks] == s.values;
    const STORED one = s.step ? (STORED)0 : values ? values[s.src] : single;
    if (!fits && get_global_id(0) == 0)
        verdict_say(VERDICT, 0, counts[s.blocks]);
    if (!fits)
        return;
    FOR_TILES
    {
#define CONDITION mask[s.mask + i]
#include "templates/mask_tile.cl"
        for (uint k = (uint)get_local_id(0); k < total; k += SCAN_ITEMS) {
            const long i = from + chosen[k];
            dst[s.dst + (dense ? i * s.layout.stride[0] : layout_offset(&s.layout, i))] =
                s.step ? values[s.src + at + k] : one;
        }
        END_TILE
    }
}
