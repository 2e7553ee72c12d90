/* Elements at places that index arrays name, each along an axis of its own: read, or told as positions. One at a time,
 * on every device and view. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#endif

#define INDEX_PARAMETERS                                                                                               \
    global const INDEX *i0, global const INDEX *i1, global const INDEX *i2, global const INDEX *i3,                    \
        global const INDEX *i4, global const INDEX *i5, global const INDEX *i6, global const INDEX *i7

/* Moves `at` along the axis of index array k. */
#define ALONG(k)                                                                                       \
    if (k < s.indices) {                                                                               \
        const long value = i##k[s.first[k] + layout_offset(&s.index[k], i)], along = from_zero(value); \
        if (along >= 0 && along < s.extent[k]) {                                                       \
            at += along * s.stride[k];                                                                 \
        } else {                                                                                       \
            verdict_say_both(VERDICT, i / s.behind * s.indices + k, value, s.extent[k]);               \
            good = false;                                                                              \
        }                                                                                              \
    }
#define EACH_ALONG ALONG(0) ALONG(1) ALONG(2) ALONG(3) ALONG(4) ALONG(5) ALONG(6) ALONG(7)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void places_plain_take(global STORED *restrict dst, global const STORED *restrict src, INDEX_PARAMETERS, places_shape s,
                       VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        bool good = true;
        long at = s.src + layout_offset(&s.own, i);
        EACH_ALONG
        if (good)
            dst[s.dst + layout_offset(&s.to, i)] = src[at];
    }
}

/* Row-major positions from 1; 0, which is none, where an index is out of range. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void places_plain_tell(global long *restrict dst, INDEX_PARAMETERS, places_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.size)
    {
        bool good = true;
        long at = 1 + layout_offset(&s.own, i);
        EACH_ALONG
        dst[s.dst + layout_offset(&s.to, i)] = good ? at : 0;
    }
}
