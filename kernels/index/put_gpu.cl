/* Writing to flattened positions of an array on GPUs. Of equal indices the last one's value stays: for each place that
 * is written the largest position of an index that names it is found first, by integer atomics. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#define GROUP_ITEMS 256

/* The place that this work-item's index names, or -1. */
inline long place_of(long i, global const INDEX *index, const put_shape *s)
{
    const long at = i < s->count ? from_zero(index[s->index + s->from + i]) : -1;
    return at < s->extent ? at : -1;
}

/* Only the owners of places that are named are set to 0. */
KERNEL(GROUP_ITEMS) put_gpu_begin(global uint *owner, global const INDEX *index, const put_shape s, VERDICT_PARAMETERS)
{
    const long i = get_global_id(0), at = place_of(i, index, &s);
    if (at >= 0)
        owner[at] = 0;
    else if (i < s.count)
        verdict_say(VERDICT, s.from + i, index[s.index + s.from + i]);
}

KERNEL(GROUP_ITEMS) put_gpu_own(volatile global uint *owner, global const INDEX *index, const put_shape s)
{
    const long i = get_global_id(0), at = place_of(i, index, &s);
    if (at >= 0)
        atomic_max(owner + at, (uint)i + 1);
}

KERNEL(GROUP_ITEMS) put_gpu_write(global STORED *dst, global const uint *owner, global const INDEX *index,
                                  global const STORED *values, const put_shape s)
{
    const long i = get_global_id(0), at = place_of(i, index, &s);
    if (at >= 0 && owner[at] == (uint)i + 1)
        dst[s.dst + layout_offset(&s.to, at)] = values[s.values + s.from + i];
}

/* One value for all places. */
KERNEL(GROUP_ITEMS) put_gpu_single(global STORED *dst, global const INDEX *index, global const STORED *values,
                                   STORED single, const put_shape s, VERDICT_PARAMETERS)
{
    const long i = get_global_id(0), at = place_of(i, index, &s);
    if (at >= 0)
        dst[s.dst + layout_offset(&s.to, at)] = values ? values[s.values] : single;
    else if (i < s.count)
        verdict_say(VERDICT, s.from + i, index[s.index + s.from + i]);
}
