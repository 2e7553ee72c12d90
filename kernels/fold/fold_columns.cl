/* Reductions of segments of lines, and scans, as in fold_segments.cl, where lines lie side by side as columns: a
 * work-item takes a part of STRIP columns. */
#include "parts/segments.cl"
#ifndef STRIP
#define STRIP 1
#endif

/* A job's strip of columns, place and part, and where the part lies. */
#define FIND_JOB                                                                                                       \
    const long piece = job / fold.strips, left = (job - piece * fold.strips) * STRIP;                                  \
    const long place = piece / fold.parts, part = piece - place * fold.parts;                                          \
    const long begin = part * fold.part, end = PART_END(part);                                                         \
    const int columns = (int)min(fold.columns - left, (long)STRIP);
#define FOR_COLUMNS for (int c = 0; c < columns; c++)

/* As a chain, of each column. */
typedef struct chains {
    state nothing[STRIP], first[STRIP], start[STRIP], run[STRIP];
#ifndef FOLD_HAS_BINS
    state level[LEVELS * STRIP], before[LEVELS * STRIP];
#endif
    long runs;
    int taken;
} chains;

/* Begins anew with what they are to begin with, which chains_clear sets. */
inline void chains_begin(chains *all, int columns)
{
    FOR_COLUMNS
    {
        all->first[c] = all->start[c] = all->run[c] = all->nothing[c];
    }
    all->taken = 0;
    all->runs = 0;
}

inline void chains_clear(chains *all, int columns)
{
    FOR_COLUMNS
    {
        all->nothing[c] = NOTHING;
    }
    chains_begin(all, columns);
}

inline void chains_next(chains *all, int columns)
{
    if (++all->taken < FOLD_CHAIN)
        return;
    FOR_COLUMNS
    {
#ifdef FOLD_HAS_BINS
        fold0_1_next(&all->start[c], &all->run[c]);
#else
        all->start[c] = next_run(all->level + c, all->before + c, STRIP, all->runs, all->first[c], all->run[c]);
        all->run[c] = all->nothing[c];
#endif
    }
    all->runs++;
    all->taken = 0;
}

/* Element e of each line. */
#define TAKE_ELEMENT(e)                                                                                                \
    {                                                                                                                  \
        MAP_ROW(place * fold.elements + (e))                                                                           \
        FOR_COLUMNS                                                                                                    \
        {                                                                                                              \
            MAP_VALUES_1(left + c)                                                                                     \
            fold0_1_more(&all.run[c], r0, (FOLD_INDEX)(e));                                                            \
        }                                                                                                              \
        chains_next(&all, columns);                                                                                    \
    }

#if REDUCES
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_column_parts(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long last = segments.count - 1;
    FOR_SPREAD(job, fold.outputs / fold.columns * fold.parts * fold.strips) {
        FIND_JOB
        const long to = min(end, starts[last]);
        chains all;
        chains_clear(&all, columns);
        long e = max(begin, starts[0]), segment = starts_until(starts, last, e) - 1;
        while (e < to) {
            while (starts[segment + 1] <= e)
                segment++;
            const long counted = starts[segment + 1] - starts[segment], stop = min(starts[segment + 1], to);
            chains_clear(&all, columns);
            for (long from = e, repeat = 1; repeat;) {
                for (e = from; e < stop; e++)
                    TAKE_ELEMENT(e)
                repeat = 0;
                FOR_COLUMNS
                {
                    fold0_repeat(all.nothing[c], BOTH(all.start[c], all.run[c]))
                }
                if (repeat)
                    chains_begin(&all, columns);
            }
            if (starts[segment + 1] > end)
                continue;
            FOR_COLUMNS
            {
                const state made = BOTH(all.start[c], all.run[c]);
                if (starts[segment] >= begin) {
                    GIVE((place * fold.columns + left + c) * last + segment, made)
                } else {
                    t0[HEAD_AT(place, part, left + c)] = made;
                }
            }
        }
        FOR_COLUMNS
        {
            t0[OPEN_AT(place, part, left + c)] = BOTH(all.start[c], all.run[c]);
        }
    }
}

#endif

#if SCANS
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_column_scan_parts(const fold_shape fold,
                            const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(job, fold.outputs / fold.columns * fold.parts * fold.strips) {
        FIND_JOB
        chains all;
        chains_clear(&all, columns);
        for (long e = max(last_start(starts, segments.count, begin, end), begin); e < end; e++)
            TAKE_ELEMENT(e)
        FOR_COLUMNS
        {
            t0[OPEN_AT(place, part, left + c)] = BOTH(all.start[c], all.run[c]);
        }
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_column_scan(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long counted = 1, down = fold.out[0].stride[fold.kept - 1], across = fold.out[0].stride[fold.kept - 2];
    FOR_SPREAD(job, fold.outputs / fold.columns * fold.parts * fold.strips) {
        FIND_JOB
        const long to = fold_place(&fold, 0, (place * fold.columns + left) * fold.elements);
        long next = starts_until(starts, segments.count, begin - 1);
        chains all;
        chains_clear(&all, columns);
        FOR_COLUMNS
        {
            if (fold.parts > 1)
                all.start[c] = all.first[c] = t0[OPEN_AT(place, part, left + c)];
        }
        for (long e = begin; e < end; e++) {
            if (next < segments.count && starts[next] == e) {
                chains_clear(&all, columns);
                while (next < segments.count && starts[next] == e)
                    next++;
            }
            MAP_ROW(place * fold.elements + e)
            FOR_COLUMNS
            {
                MAP_VALUES_1(left + c)
                const state both = BOTH(all.run[c], fold0_1_one(r0, 0));
                const state shown = BOTH(all.start[c], segments.exclusive ? all.run[c] : both);
                fold0_store(to + e * down + c * across, fold0_finish((shown)));
                all.run[c] = both;
            }
            chains_next(&all, columns);
        }
    }
}
#endif
