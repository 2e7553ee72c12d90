/* Combining values with flattened positions of an array, in the order of the indices: every device and view. */
#include "parts/index_ranges.cl"
#include "parts/plus.cl"

#define ADD_VALUE(place, position)                                                      \
    const COMPUTE has = LOAD(dst, place), more = LOAD(values, s.values + position); \
    STORE(dst, place, PLUS(has, more));
#define ADD_ONE(place, position)            \
    const COMPUTE has = LOAD(dst, place);   \
    STORE(dst, place, PLUS(has, one)); (void)position;

KERNEL(GROUP) add_at_plain(global T *restrict dst, global const INDEX *restrict index, global const T *restrict values,
                           STORED single, const put_shape s, VERDICT_PARAMETERS)
{
    dst += s.dst;
    index += s.index;
    const COMPUTE one = values ? LOAD(values, s.values) : unpack1(single);
    if (s.step) {
#define ACT ADD_VALUE
#include "templates/index_places.cl"
    } else {
#define ACT ADD_ONE
#include "templates/index_places.cl"
    }
}
