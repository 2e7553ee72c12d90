/* Where segments begin: the starts of the user's, looked at and counted from 0. */
#include "parts/verdict.cl"
#include "abi/fold.h"

KERNEL(GROUP) segment_starts(global long *starts, global const T *in, const segment_starts_shape s, VERDICT_PARAMETERS)
{
    FOR_SPREAD(i, s.count) {
        const long start = (long)LOAD(in, s.in + i * s.step);
        const long before = i > 0 ? (long)LOAD(in, s.in + (i - 1) * s.step) : 1;
        if (start < 1 || start > s.elements + 1)
            verdict_say(VERDICT, STARTS_FAULTS * i + STARTS_OUTSIDE, start);
        else if (start < before)
            verdict_say_both(VERDICT, STARTS_FAULTS * i + STARTS_DESCEND, start, before);
        else if (i > 0 && start == before && s.filled)
            verdict_say(VERDICT, STARTS_FAULTS * i + STARTS_EMPTY, start);
        starts[s.reverse ? s.count - 1 - i : i] = s.reverse ? s.elements + 1 - start : start - 1;
    }
}
