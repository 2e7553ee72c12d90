/* What scans have in common: where lines lie, and how the runs of a part are joined. */
#include "abi/scan.h"
#include "parts/next_run.cl"
#include "parts/reduce_values.cl"

#define NOTHING_YET ((ACC)(IDENTITY))

inline ACC scan_both(ACC a, ACC b) { return COMBINE(a, b); }

#define PLACE_IN(s, place) ((s)->in + layout_offset(&(s)->outer, place))
#define PLACE_OUT(s, place) ((s)->out + layout_offset(&(s)->outer_out, place))
/* Where the sum of a part of a line is; "sum" stands for what any op makes from the elements. */
#define SUM_AT(s, place, part, column) (((place) * (s)->parts + (part)) * (s)->columns + (column))

DEFINE_NEXT_RUN(next_run, ACC, COMBINE)

/* What a part begins with: the sums of those before it. */
inline ACC sums_before(global const ACC *sums, const scan_shape *s, long place, long part, long column)
{
    ACC start = IDENTITY;
    for (long p = 0; p < part; p++)
        start = scan_both(start, sums[SUM_AT(s, place, p, column)]);
    return start;
}
