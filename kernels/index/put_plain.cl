/* Writing to flattened positions of an array: every device and view. Each work-item owns a range of the positions, looks at
 * all indices in order, and writes what falls in its range: so the last of equal indices stays. */
#include "abi/index.h"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#endif

/* One value for all places: the order does not matter. */
inline void put_single(global T *dst, global const INDEX *index, const T x, const put_shape *s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s->count)
    {
        const long at = (long)index[i] - 1;
        if (at >= 0 && at < s->extent)
            dst[layout_offset(&s->to, at)] = x;
        else
            verdict_say(VERDICT, i, index[i]);
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void put_plain(global T *dst, global const INDEX *index, global const T *values, T single, const put_shape s,
               VERDICT_PARAMETERS)
{
    dst += s.dst;
    index += s.index;
    if (s.step == 0) {
        put_single(dst, index, values ? values[s.values] : single, &s, verdicts, verdict_place);
        return;
    }
    values += s.values;
    const bool dense = s.to.ndim <= 1;
    const long from = SPREAD_FROM(s.extent), to = SPREAD_TO(s.extent);
    bool first = get_global_id(0) == 0; /* has nothing wrong been seen by the work-item that looks for it? */
    for (long i = 0; i < s.count; i++) {
        const long at = (long)index[i] - 1;
        if (at >= from && at < to) {
            dst[dense ? at * s.to.stride[0] : layout_offset(&s.to, at)] = values[i];
        } else if (first && (ulong)at >= (ulong)s.extent) {
            verdict_say(VERDICT, i, index[i]);
            first = false;
        }
    }
}
