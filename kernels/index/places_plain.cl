/* Elements at places that index arrays name, each along an axis of its own: read, or told as positions. One at a time,
 * on every device and view. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#define INDEX_PARAMETERS                                                                                               \
    global const INDEX *i0, global const INDEX *i1, global const INDEX *i2, global const INDEX *i3,                    \
        global const INDEX *i4, global const INDEX *i5, global const INDEX *i6, global const INDEX *i7
#define INDICES i0, i1, i2, i3, i4, i5, i6, i7

/* Moves `at` along the axis of index array k. False: the index is out of range, which the verdict says. */
inline bool move_along(long *at, const places_shape *s, int k, long i, global const INDEX *index, VERDICT_PARAMETERS)
{
    if (k >= s->indices)
        return true;
    const long value = index[s->first[k] + layout_offset(&s->index[k], i)], along = from_zero(value);
    if (along < 0 || along >= s->extent[k]) {
        verdict_say_both(VERDICT, i / s->behind * s->indices + k, value, s->extent[k]);
        return false;
    }
    *at += along * s->stride[k];
    return true;
}

/* Along all of them. */
inline bool move_along_all(long *at, const places_shape *s, long i, INDEX_PARAMETERS, VERDICT_PARAMETERS)
{
    bool good = move_along(at, s, 0, i, i0, verdicts, verdict_place);
    good &= move_along(at, s, 1, i, i1, verdicts, verdict_place);
    good &= move_along(at, s, 2, i, i2, verdicts, verdict_place);
    good &= move_along(at, s, 3, i, i3, verdicts, verdict_place);
    good &= move_along(at, s, 4, i, i4, verdicts, verdict_place);
    good &= move_along(at, s, 5, i, i5, verdicts, verdict_place);
    good &= move_along(at, s, 6, i, i6, verdicts, verdict_place);
    good &= move_along(at, s, 7, i, i7, verdicts, verdict_place);
    return good;
}

KERNEL(GROUP) places_plain_take(global STORED *restrict dst, global const STORED *restrict src, INDEX_PARAMETERS,
                                places_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        long at = s.src + layout_offset(&s.own, i);
        if (move_along_all(&at, &s, i, INDICES, verdicts, verdict_place))
            dst[s.dst + layout_offset(&s.to, i)] = src[at];
    }
}

/* Row-major positions from 1; 0, which is none, where an index is out of range. */
KERNEL(GROUP) places_plain_tell(global long *restrict dst, INDEX_PARAMETERS, places_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        long at = 1 + layout_offset(&s.own, i);
        const bool good = move_along_all(&at, &s, i, INDICES, verdicts, verdict_place);
        dst[s.dst + layout_offset(&s.to, i)] = good ? at : 0;
    }
}
