/* Writing to flattened positions of an array: every device and view. Each work-item owns a range of the positions and
 * looks at all indices in order: so the last of equal indices stays. */
#include "parts/index_ranges.cl"

/* One value for all places: the order does not matter. */
inline void put_single(global STORED *dst, global const INDEX *index, const STORED x, const put_shape *s,
                       VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s->count)
    {
        const long at = from_zero(index[i]);
        if (at >= 0 && at < s->extent)
            dst[layout_offset(&s->to, at)] = x;
        else
            verdict_say(VERDICT, i, index[i]);
    }
}

#define PUT_VALUE(place, position) dst[place] = values[position];

KERNEL(GROUP) put_plain(global STORED *restrict dst, global const INDEX *restrict index,
                        global const STORED *restrict values, STORED single, const put_shape s, VERDICT_PARAMETERS)
{
    dst += s.dst;
    index += s.index;
    if (s.step == 0) {
        put_single(dst, index, values ? values[s.values] : single, &s, verdicts, verdict_place);
        return;
    }
    values += s.values;
#define ACT PUT_VALUE
#include "templates/index_places.cl"
}
