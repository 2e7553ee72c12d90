/* Adding to flattened positions of an array: every device and view. Each work-item owns a range of the positions, looks at
 * all indices in order, and adds what falls in its range. */
#include "abi/index.h"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void add_at_plain(global T *dst, global const INDEX *index, global const T *values, STORED single, const put_shape s,
                  VERDICT_PARAMETERS)
{
    dst += s.dst;
    index += s.index;
    const long from = SPREAD_FROM(s.extent), to = SPREAD_TO(s.extent);
    bool first = get_global_id(0) == 0; /* has nothing wrong been seen by the work-item that looks for it? */
    const COMPUTE one = values ? LOAD(values, s.values) : unpack1(single);
    for (long i = 0; i < s.count; i++) {
        const long at = (long)index[i] - 1;
        if (at >= from && at < to) {
            const long place = layout_offset(&s.to, at);
            const COMPUTE x = s.step ? LOAD(values, s.values + i) : one;
            STORE(dst, place, LOAD(dst, place) + x);
        } else if (first && (ulong)at >= (ulong)s.extent) {
            verdict_say(VERDICT, i, index[i]);
            first = false;
        }
    }
}
