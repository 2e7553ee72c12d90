/* Puts frames together: each number of a line is the mean of the frames that have it, weighted by the squares of the
 * window. */
#include "abi/frames.h"
#include "parts/verdict.cl"

#ifndef FRAME /* what frames and windows have, and what is computed with */
#define FRAME T
#endif
#define FRAMES_LEAST (FRAME)1e-11f /* the least sum of squares that numbers are divided by */

KERNEL(GROUP) frames_plain(global T *out, global const FRAME *frames, global const FRAME *window, frames_shape s,
                           VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.lines * s.size * s.parts)
    {
        const long row = i / s.parts, part = i - row * s.parts, line = row / s.size, place = row - line * s.size;
        const long at = place + s.first, last = min(s.count - 1, at / s.hop);
        FRAME sum = 0, squares = 0;
        for (long f = max(0L, (at - s.n + s.hop) / s.hop); f <= last; f++) {
            const long k = at - f * s.hop;
            const FRAME w = window ? window[s.window_at + k * s.window_step] : (FRAME)1;
            sum += w * frames[((line * s.count + f) * s.n + k) * s.parts + part];
            squares += w * w;
        }
        if (!(squares > FRAMES_LEAST))
            verdict_say(VERDICT, place, 0);
        out[s.out_at + layout_offset(&s.out, i)] = (T)(sum / squares);
    }
}
