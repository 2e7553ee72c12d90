/* What scans have in common: where lines lie, and how the runs of a part are joined. */
#include "abi/scan.h"
#include "parts/reduce_values.cl"

#define NOTHING_YET ((ACC)(IDENTITY))

inline ACC scan_both(ACC a, ACC b) { return COMBINE(a, b); }

#define PLACE_IN(s, place) ((s)->in + layout_offset(&(s)->outer, place))
#define PLACE_OUT(s, place) ((s)->out + layout_offset(&(s)->outer_out, place))
/* Where the sum of a part of a line stands; "sum" stands for what any op makes of the elements. */
#define SUM_AT(s, place, part, column) (((place) * (s)->parts + (part)) * (s)->columns + (column))

/* Takes the sum x of the next run of a part that begins with `first`, and gives what the run behind that one begins with.
 *
 * The runs are joined in pairs, pairs of pairs and so on, as a binary counter does: level[k] is the sum of 2^k runs where bit k of
 * `count`, the number of runs before, is set, and before[k] is what stands before these. So a sum's error grows with the
 * logarithm of the number of runs, at two additions a run. Levels lie `pitch` apart. */
#define DEFINE_NEXT_RUN(name, type)                                                                               \
    inline type name(type *level, type *before, long pitch, long count, type first, type x)                       \
    {                                                                                                             \
        int k = 0;                                                                                                \
        for (; count >> k & 1; k++)                                                                               \
            x = COMBINE(level[k * pitch], x);                                                                     \
        if (count >> k == 0)                                                                                      \
            before[k * pitch] = first;                                                                            \
        const type both = COMBINE(before[k * pitch], x);                                                          \
        level[k * pitch] = x;                                                                                     \
        for (int j = 0; j < k; j++)                                                                               \
            before[j * pitch] = both;                                                                             \
        return both;                                                                                              \
    }
DEFINE_NEXT_RUN(next_run, ACC)

/* What a part begins with: the sums of those before it. */
inline ACC sums_before(global const ACC *sums, const scan_shape *s, long place, long part, long column)
{
    ACC start = IDENTITY;
    for (long p = 0; p < part; p++)
        start = scan_both(start, sums[SUM_AT(s, place, p, column)]);
    return start;
}
