/* Reductions of segments of a row, and scans of rows that begin anew at segments: one value after the other, in their order. A row is
 * cut in parts, whatever segments it has; what a part leaves open the next kernels join. */
#include "parts/verdict.cl"
#include "parts/fold.cl"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-variable" /* `counted` is for results that divide by it */
#endif
#undef FOLD_COUNT
#define FOLD_COUNT counted

#define SEGMENT_PARAMETERS , const segment_shape segments, global const long *starts, VERDICT_PARAMETERS
#define SEGMENTS_ARE_BAD (segments.count > 0 && VERDICT->found)

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

#define START(K) FOLD_CHAINS(K, _1)
#define TAKE(K) fold##K##_1_more(&first##K, r##K, (FOLD_INDEX)(j));
#define NEXT(K) FOLD_NEXT(K, _1)
#define JOIN_ALL(K) second##K = fold##K##_1_join(second##K, first##K);
/* Elements from..to-1 of the row, in second<K>. */
#define REDUCE_RANGE(from, to)                                                                                             \
    {                                                                                                                      \
        int taken = 0;                                                                                                     \
        for (long j = from; j < to; j++) {                                                                                 \
            MAP_VALUES_1(j)                                                                                                \
            FOLD_EACH(TAKE)                                                                                                \
            if (++taken == FOLD_CHAIN) {                                                                                   \
                FOLD_EACH(NEXT)                                                                                            \
                taken = 0;                                                                                                 \
            }                                                                                                              \
        }                                                                                                                  \
        FOLD_EACH(JOIN_ALL)                                                                                                \
    }

/* ---- reductions ---------------------------------------------------------------------------------------------------------- */

/* Each part has two states: of the segment that is open where it begins, and of the one that is open where it ends. */
#define GIVE(K) fold##K##_give(output, second##K)
#define KEEP_HEAD(K) t##K[2 * job] = second##K;
#define KEEP_TAIL(K) t##K[2 * job + 1] = second##K;

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_segment_parts(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long all = segments.count - 1;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts;
        const long to = min(min((part + 1) * fold.part, fold.elements), starts[all]);
        MAP_ROW(row)
        for (long e = max(part * fold.part, starts[0]), last; e < to; e = last) {
            const long segment = starts_until(starts, all, e) - 1, counted = starts[segment + 1] - starts[segment];
            const long output = row * all + segment;
            last = min(starts[segment + 1], to);
            FOLD_EACH(START)
            REDUCE_RANGE(e, last)
            if (starts[segment] < part * fold.part) {
                FOLD_EACH(KEEP_HEAD)
            } else if (starts[segment + 1] > last) {
                FOLD_EACH(KEEP_TAIL)
            } else {
                FOLD_EACH(GIVE)
            }
        }
    }
}

/* The segments that several parts share, and those of no elements. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_segment_joins(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long all = segments.count - 1;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts, end = (part + 1) * fold.part;
        const long segment = starts_until(starts, segments.count, end - 1) - 1;
        if (segment < 0 || segment >= all || starts[segment] < part * fold.part || starts[segment + 1] <= end)
            continue;
        const long counted = starts[segment + 1] - starts[segment], output = row * all + segment;
        int taken = 0;
        FOLD_EACH(START)
#define FIRST(K) first##K = t##K[2 * job + 1];
        FOLD_EACH(FIRST)
        for (long p = part + 1; p * fold.part < starts[segment + 1]; p++) {
#define HEAD(K) first##K = fold##K##_1_join(first##K, t##K[2 * (row * fold.parts + p)]);
            FOLD_EACH(HEAD)
            if (++taken == FOLD_CHAIN) {
                FOLD_EACH(NEXT)
                taken = 0;
            }
        }
        FOLD_EACH(JOIN_ALL)
        FOLD_EACH(GIVE)
    }
    FOR_SPREAD(output, fold.outputs * all) {
        const long segment = output % all, counted = 0;
        if (starts[segment + 1] == starts[segment]) {
            FOLD_EACH(START)
            FOLD_EACH(GIVE)
        }
    }
}

/* ---- scans --------------------------------------------------------------------------------------------------------------- */

/* The last start in from..to-1, or -1. Behind the last segment, and before the first, what lies there is a segment, too. */
inline long last_start(global const long *starts, long count, long from, long to)
{
    const long before = starts_until(starts, count, to - 1);
    return before > 0 && starts[before - 1] >= from ? starts[before - 1] : -1;
}

#define KEEP(K) t##K[job] = second##K;

/* What each part leaves open for the next one. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_scan_parts(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts, begin = part * fold.part;
        const long to = min(begin + fold.part, fold.elements), from = max(last_start(starts, segments.count, begin, to), begin);
        MAP_ROW(row)
        FOLD_EACH(START)
        REDUCE_RANGE(from, to)
        FOLD_EACH(KEEP)
    }
}

/* What each part begins with. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_scan_starts(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(row, fold.outputs) {
        int taken = 0;
        FOLD_EACH(START)
        for (long part = 0; part < fold.parts; part++) {
            const long job = row * fold.parts + part, begin = part * fold.part;
            const long start = last_start(starts, segments.count, begin, min(begin + fold.part, fold.elements));
#define PASS(K)                                                                                                            \
    const fold##K##_1 open##K = t##K[job];                                                                                 \
    t##K[job] = fold##K##_1_join(second##K, first##K);                                                                     \
    if (start >= 0)                                                                                                        \
        first##K = second##K = fold##K##_1_init();                                                                         \
    first##K = fold##K##_1_join(first##K, open##K);
            FOLD_EACH(PASS)
            if (++taken == FOLD_CHAIN) {
                FOLD_EACH(NEXT)
                taken = 0;
            }
        }
    }
}

#define CARRY(K) second##K = fold.parts > 1 ? t##K[job] : fold##K##_1_init();
#define BEGIN(K) first##K = second##K = fold##K##_1_init();
#define SCAN(K)                                                                                                            \
    fold##K##_1 both##K = first##K;                                                                                        \
    fold##K##_1_more(&both##K, r##K, 0);                                                                                   \
    const fold##K##_1 shown##K = fold##K##_1_join(second##K, segments.exclusive ? first##K : both##K);                     \
    fold##K##_store(to_row + j * fold.out[K].stride[fold.kept - 1], fold##K##_finish((shown##K)));                         \
    first##K = both##K;

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_scan(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts, from = part * fold.part;
        const long to = min(from + fold.part, fold.elements), to_row = fold_place(&fold, 0, row * fold.elements);
        long next = starts_until(starts, segments.count, from - 1);
        const long counted = 1;
        int taken = 0;
        MAP_ROW(row)
        FOLD_EACH(START)
        FOLD_EACH(CARRY)
        for (long j = from; j < to; j++) {
            if (next < segments.count && starts[next] == j) {
                FOLD_EACH(BEGIN)
                for (; next < segments.count && starts[next] == j; next++)
                    ;
                taken = 0;
            }
            MAP_VALUES_1(j)
            FOLD_EACH(SCAN)
            if (++taken == FOLD_CHAIN) {
                FOLD_EACH(NEXT)
                taken = 0;
            }
        }
    }
}
