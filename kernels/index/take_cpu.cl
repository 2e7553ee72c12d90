/* Taking elements along an axis on CPUs: a work-item takes a run of rows. All strides of the source are those of one
 * axis. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#define BLOCK 512 /* indices that are looked at together */

#define IN_RANGE(x) ((ulong)from_zero(x) < (ulong)s->extent)

/* Elements of single rows: what is out of range takes the first element, and is looked for afterwards. */
inline void take_elements(global STORED *restrict dst, global const INDEX *restrict index,
                          global const STORED *restrict src, const long n, const long j, const take_shape *s,
                          VERDICT_PARAMETERS)
{
    const long step = s->axis.stride[0];
    int bad = 0;
    for (long i = 0; i < n; i++) {
        const bool good = IN_RANGE(index[i]);
        dst[i] = src[good ? from_zero(index[i]) * step : 0];
        bad |= !good;
    }
    for (long i = 0; bad && i < n; i++)
        if (!IN_RANGE(index[i])) {
            verdict_say(VERDICT, j + i, index[i]);
            bad = 0;
        }
}

inline void take_row(global STORED *restrict dst, global const STORED *restrict src, const take_shape *s)
{
    const long step = s->inner.stride[0];
    if (step == 1)
        for (long i = 0; i < s->inner_count; i++)
            dst[i] = src[i];
    else
        for (long i = 0; i < s->inner_count; i++)
            dst[i] = src[i * step];
}

KERNEL(1) take_cpu(global STORED *restrict dst, global const INDEX *restrict index, global const STORED *restrict src,
                   const take_shape shape, VERDICT_PARAMETERS)
{
    const take_shape *s = &shape;
    const long rows = s->outer_count * s->count, end = SPREAD_TO(rows);
    dst += s->dst;
    index += s->index;
    src += s->src;
    for (long i = SPREAD_FROM(rows), run; i < end; i += run) {
        const long outer = i / s->count, j = i - outer * s->count;
        global const STORED *from = src + outer * s->outer.stride[0];
        run = min(min(s->count - j, end - i), (long)BLOCK);
        if (s->inner_count == 1) {
            take_elements(dst + i, index + j, from, run, j, s, verdicts, verdict_place);
            continue;
        }
        for (long k = 0; k < run; k++)
            if (IN_RANGE(index[j + k]))
                take_row(dst + (i + k) * s->inner_count, from + from_zero(index[j + k]) * s->axis.stride[0], s);
            else
                verdict_say(VERDICT, j + k, index[j + k]);
    }
}
