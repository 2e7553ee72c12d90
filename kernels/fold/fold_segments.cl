/* Reductions of segments of lines, and scans of lines that begin anew at segments: a work-item to each part of STRIP
 * lines. Lines are rows, or BY_COLUMNS, and lie side by side then. What a part leaves open the next kernels join. */
#include "parts/segments.cl"
#include "parts/next_run.cl"
#ifndef STRIP
#define STRIP 1 /* that of rows */
#endif

/* A job's strip of lines, place and part, and where the part lies. */
#define FIND_JOB                                                                                                       \
    const long piece = job / fold.strips, left = (job - piece * fold.strips) * STRIP;                                  \
    const long place = piece / fold.parts, part = piece - place * fold.parts;                                          \
    const long begin = part * fold.part, end = PART_END(part);                                                         \
    const int columns = STRIP == 1 ? 1 : (int)min(fold.columns - left, (long)STRIP);
#define JOBS (fold.outputs / fold.columns * fold.parts * fold.strips)
#define FOR_COLUMNS for (int c = 0; c < columns; c++)

/* The elements of a part lie in one row of the shape, or each in a row of its own; declares r0 of column c there. */
#ifdef BY_COLUMNS
#define FIND_PART_ROW
#define FIND_ELEMENT_ROW(e) MAP_ROW(place * elements + (e))
#define FIND_VALUE(e, c) MAP_VALUES_1(left + (c))
#else
#define FIND_PART_ROW MAP_ROW(place)
#define FIND_ELEMENT_ROW(e)
#define FIND_VALUE(e, c) MAP_VALUES_1(e)
#endif

/* ---- chains ------------------------------------------------------------------------------------------------------ */

DEFINE_NEXT_RUN(next_run, state, BOTH)
#define LEVELS 32

/* What is before the next value of each column: `start`, and behind it a run of what has been taken since. Runs
 * begin with `nothing`. They are joined in pairs, but for sums in bins, whose joins do not round. */
typedef struct chains {
    state nothing[STRIP], first[STRIP], start[STRIP], run[STRIP];
#ifndef FOLD_HAS_BINS
    state level[LEVELS * STRIP], before[LEVELS * STRIP];
#endif
    long runs;
    int taken; /* by the run */
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

/* To be called when the runs have taken a value, or several. */
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

#define CHAIN_ALL(all, c) BOTH((all).start[c], (all).run[c])

/* Elements e..to-1 of the part. Inlined, since segments may have few elements. */
inline __attribute__((always_inline)) void take_range(chains *all, const map_shape shape, long elements, long place,
                                                      long left, int columns, long e, long to MAP_PARAMETERS)
{
    FIND_PART_ROW
#ifndef BY_COLUMNS
    for (; e + FOLD_LEAF <= to; e += FOLD_LEAF) {
        fold0_value_1 x[FOLD_LEAF];
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
            MAP_VALUES_1(e + i)
            x[i] = r0;
        }
        fold0_1_take(&all->run[0], x, (FOLD_INDEX)e, 1);
        chains_next(all, 1);
    }
#endif
    for (; e < to; e++) {
        FIND_ELEMENT_ROW(e)
        FOR_COLUMNS
        {
            FIND_VALUE(e, c)
            fold0_1_more(&all->run[c], r0, (FOLD_INDEX)e);
        }
        chains_next(all, columns);
    }
}
#define TAKE_RANGE(e, to) take_range(&all, shape, fold.elements, place, left, columns, e, to MAP_ARGUMENTS);

/* ---- reductions -------------------------------------------------------------------------------------------------- */

#if REDUCES
KERNEL(GROUP) fold_segment_parts(const fold_shape fold,
                                 const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long last = segments.count - 1;
    FOR_SPREAD(job, JOBS) {
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
            for (int repeat = 1; repeat;) {
                TAKE_RANGE(e, stop)
                repeat = 0;
                FOR_COLUMNS
                {
                    fold0_repeat(all.nothing[c], CHAIN_ALL(all, c))
                }
                if (repeat)
                    chains_begin(&all, columns);
            }
            e = stop;
            if (starts[segment + 1] > end)
                continue;
            FOR_COLUMNS
            {
                const state made = CHAIN_ALL(all, c);
                if (starts[segment] >= begin) {
                    GIVE((place * fold.columns + left + c) * last + segment, made)
                } else {
                    t0[HEAD_AT(place, part, left + c)] = made;
                }
            }
        }
        FOR_COLUMNS
        {
            t0[OPEN_AT(place, part, left + c)] = CHAIN_ALL(all, c);
        }
    }
}

/* The segments that ended in another part than they began, and those of no elements. */
KERNEL(GROUP) fold_segment_ends(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long all = segments.count - 1;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long piece = job / fold.columns, column = job - piece * fold.columns;
        const long place = piece / fold.parts, part = piece - place * fold.parts, begin = part * fold.part;
        const long next = starts_until(starts, segments.count, begin);
        if (next == 0 || next > all || starts[next] > PART_END(part) || starts[next - 1] == begin)
            continue;
        const long counted = starts[next] - starts[next - 1];
        GIVE((place * fold.columns + column) * all + next - 1,
             UNITED(t0[OPEN_AT(place, part, column)], t0[HEAD_AT(place, part, column)]))
    }
    FOR_SPREAD(output, fold.outputs * all) {
        const long segment = output % all, counted = 0;
        if (starts[segment + 1] == starts[segment]) {
            GIVE(output, NOTHING)
        }
    }
}

#endif

/* What each part begins with: of each line the states that its parts leave open are joined up to the next start. */
KERNEL(GROUP) fold_segment_opens(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(line, fold.outputs) {
        const long place = line / fold.columns, column = line - place * fold.columns;
        chains all;
        chains_clear(&all, 1);
        for (long part = 0; part < fold.parts; part++) {
            const long at = OPEN_AT(place, part, column);
            const state open = t0[at];
#ifdef FOLD_HAS_MOMENTS /* parts have units of their own */
            t0[at] = all.run[0];
#else
            t0[at] = CHAIN_ALL(all, 0);
#endif
            if (last_start(starts, segments.count, part * fold.part, PART_END(part)) >= 0)
                chains_clear(&all, 1);
#ifdef FOLD_HAS_MOMENTS
            all.run[0] = UNITED(all.run[0], open);
#else
            all.run[0] = BOTH(all.run[0], open);
            chains_next(&all, 1);
#endif
        }
    }
}

#if SCANS
/* ---- scans ------------------------------------------------------------------------------------------------------- */

/* What each part leaves open for the next one. */
KERNEL(GROUP) fold_scan_parts(const fold_shape fold,
                              const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(job, JOBS) {
        FIND_JOB
        chains all;
        chains_clear(&all, columns);
        TAKE_RANGE(max(last_start(starts, segments.count, begin, end), begin), end)
        FOR_COLUMNS
        {
            t0[OPEN_AT(place, part, left + c)] = CHAIN_ALL(all, c);
        }
    }
}

#ifdef BY_COLUMNS
#define ACROSS fold.out[0].stride[fold.kept - 2]
#else
#define ACROSS 0
#endif
#define SHOW(e, c, shown) fold0_store(first + (e) * down + (c) * across, fold0_finish((shown)));

KERNEL(GROUP) fold_scan(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long counted = 1, elements = fold.elements, down = fold.out[0].stride[fold.kept - 1], across = ACROSS;
    FOR_SPREAD(job, JOBS) {
        FIND_JOB
        const long first = fold_place(&fold, 0, (place * fold.columns + left) * elements);
        long next = starts_until(starts, segments.count, begin - 1);
        chains all;
        FIND_PART_ROW
        chains_clear(&all, columns);
        FOR_COLUMNS
        {
            if (fold.parts > 1)
                all.start[c] = all.first[c] = t0[OPEN_AT(place, part, left + c)];
        }
        for (long e = begin; e < end;) {
            if (next < segments.count && starts[next] == e) {
                chains_clear(&all, columns);
                while (next < segments.count && starts[next] == e)
                    next++;
            }
            const long stop = next < segments.count ? min(starts[next], end) : end;
#ifndef BY_COLUMNS
            for (; e + FOLD_LEAF <= stop; e += FOLD_LEAF) {
                const state before = CHAIN_ALL(all, 0);
                state y[FOLD_LEAF + 1];
                y[0] = NOTHING;
                FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
                    MAP_VALUES_1(e + i)
                    y[i + 1] = i > 0 ? BOTH(y[i], fold0_1_one(r0, 0)) : fold0_1_one(r0, 0);
                }
                FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
                    SHOW(e + i, 0, BOTH(before, segments.exclusive ? y[i] : y[i + 1]))
                }
                all.run[0] = BOTH(all.run[0], y[FOLD_LEAF]);
                chains_next(&all, 1);
            }
#endif
            for (; e < stop; e++) {
                FIND_ELEMENT_ROW(e)
                FOR_COLUMNS
                {
                    FIND_VALUE(e, c)
                    const state both = BOTH(all.run[c], fold0_1_one(r0, 0));
                    SHOW(e, c, BOTH(all.start[c], segments.exclusive ? all.run[c] : both))
                    all.run[c] = both;
                }
                chains_next(&all, columns);
            }
        }
    }
}
#endif
