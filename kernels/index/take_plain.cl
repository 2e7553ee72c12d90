/* Taking elements along an axis, one at a time: every device and view. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

KERNEL(GROUP) take_plain(global STORED *restrict dst, global const INDEX *restrict index,
                         global const STORED *restrict src, take_shape s, VERDICT_PARAMETERS)
{
    dst += s.dst;
    index += s.index;
    src += s.src;
    FOR_SPREAD(i, s.outer_count * s.count * s.inner_count)
    {
        const long row = i / s.inner_count, outer = row / s.count, j = row - outer * s.count;
        const long at = from_zero(index[j]);
        if (at >= 0 && at < s.extent)
            dst[i] = src[layout_offset(&s.outer, outer) + layout_offset(&s.axis, at) +
                         layout_offset(&s.inner, i - row * s.inner_count)];
        else
            verdict_say(VERDICT, j, index[j]);
    }
}
