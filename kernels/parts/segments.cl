/* Segments of lines, and scans: what kernels that go through lines one value after the other share. A line is what
 * is scanned, or reduced segment by segment; it is cut in parts, whatever segments it has. There is one result. */
#include "parts/verdict.cl"
#include "parts/fold.cl"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-variable" /* `counted` is for results that divide by it */
#endif
#undef FOLD_COUNT
#define FOLD_COUNT counted

/* Of the kernels the host asks for those that reduce, or that scan. */
#ifdef SEGMENTS_ONLY_SCAN
#define SCANS SEGMENTS_ONLY_SCAN
#define REDUCES (!SEGMENTS_ONLY_SCAN)
#else
#define SCANS 1
#define REDUCES 1
#endif
#ifdef FOLD_HAS_BINS
#undef SCANS
#define SCANS 0
#endif

/* t0 has the states of parts: what each part leaves open for the next one, which becomes what each begins with;
 * behind these, in reductions, what each part has of the segment that was open where it begins, and that ends in it.
 * firsts[p], for groups: the first start in part p or behind, counted from 0. */
#define SEGMENT_PARAMETERS                                                                                             \
    , const segment_shape segments, global const long *starts, global long *firsts, VERDICT_PARAMETERS
#define SEGMENTS_ARE_BAD (segments.count > 0 && VERDICT->found)
#define OPEN_AT(place, part, column) (((place) * fold.parts + (part)) * fold.columns + (column))
#define HEAD_AT(place, part, column) (fold.outputs * fold.parts + OPEN_AT(place, part, column))

typedef fold0_1 state;
#define NOTHING fold0_1_init()
#define BOTH(a, b) fold0_1_join(a, b) /* of one job */
#define UNITED(a, b) fold0_united(a, b)
#define GIVE(output, result) fold0_give((output), (result))

/* How many starts are at `e` or before. */
inline long starts_until(global const long *starts, long count, long e)
{
    long from = 0, to = count;
    while (from < to) {
        const long middle = from + (to - from) / 2;
        if (starts[middle] <= e)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The last start in from..to-1, or -1. Behind the last segment, and before the first, what lies there is a segment,
 * too. */
inline long last_start(global const long *starts, long count, long from, long to)
{
    const long before = starts_until(starts, count, to - 1);
    return before > 0 && starts[before - 1] >= from ? starts[before - 1] : -1;
}

/* Where the elements of part p of a line end. */
#define PART_END(p) min(((p) + 1) * fold.part, fold.elements)
