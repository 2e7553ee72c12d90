/* Reductions of segments of lines, and scans of lines that begin anew at segments: a work-item to each part of a
 * line. What a part leaves open the next kernels join. */
#include "parts/segments.cl"

/* Elements from..to-1 of the row, into the chain c. Inlined, since segments may have few elements. */
inline __attribute__((always_inline)) void take_range(chain *c, const map_shape shape, long row, long from,
                                                      long to MAP_PARAMETERS)
{
    MAP_ROW(row)
    long j = from;
    for (; j + FOLD_LEAF <= to; j += FOLD_LEAF) {
        fold0_value_1 x[FOLD_LEAF];
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
            MAP_VALUES_1(j + i)
            x[i] = r0;
        }
        fold0_1_take(&c->run, x, (FOLD_INDEX)j, 1);
        chain_next(c);
    }
    for (; j < to; j++) {
        MAP_VALUES_1(j)
        fold0_1_more(&c->run, r0, (FOLD_INDEX)j);
        chain_next(c);
    }
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

#if REDUCES
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_segment_parts(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long all = segments.count - 1;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts;
        const long begin = part * fold.part, end = PART_END(part);
        const long to = min(end, starts[all]);
        state open = NOTHING;
        long e = max(begin, starts[0]), segment = starts_until(starts, all, e) - 1;
        while (e < to) {
            while (starts[segment + 1] <= e)
                segment++;
            const long counted = starts[segment + 1] - starts[segment], last = min(starts[segment + 1], to);
            chain c;
            state begin0 = NOTHING;
            int repeat;
            do {
                chain_begin(&c, begin0, begin0);
                take_range(&c, shape, row, e, last MAP_ARGUMENTS);
                open = chain_all(&c);
                repeat = 0;
                fold0_repeat(begin0, open)
            } while (repeat);
            if (starts[segment + 1] <= end && starts[segment] >= begin) {
                GIVE(row * all + segment, open)
            } else if (starts[segment + 1] <= end) {
                t0[HEAD_AT(row, part, 0)] = open;
            }
            e = last;
        }
        t0[OPEN_AT(row, part, 0)] = open;
    }
}

/* The segments that ended in another part than they began, and those of no elements. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_segment_ends(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
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
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_segment_opens(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(line, fold.outputs) {
        const long place = line / fold.columns, column = line - place * fold.columns;
        chain c;
        chain_begin(&c, NOTHING, NOTHING);
        for (long part = 0; part < fold.parts; part++) {
            const long at = OPEN_AT(place, part, column);
            const state open = t0[at];
#ifdef FOLD_HAS_MOMENTS /* parts have units of their own */
            t0[at] = c.run;
#else
            t0[at] = chain_all(&c);
#endif
            if (last_start(starts, segments.count, part * fold.part, PART_END(part)) >= 0)
                chain_begin(&c, NOTHING, NOTHING);
#ifdef FOLD_HAS_MOMENTS
            c.run = UNITED(c.run, open);
#else
            c.run = BOTH(c.run, open);
            chain_next(&c);
#endif
        }
    }
}

#if SCANS
/* ---- scans ------------------------------------------------------------------------------------------------------- */

/* What each part leaves open for the next one. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_scan_parts(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts;
        const long begin = part * fold.part, end = PART_END(part);
        const long from = max(last_start(starts, segments.count, begin, end), begin);
        chain c;
        chain_begin(&c, NOTHING, NOTHING);
        take_range(&c, shape, row, from, end MAP_ARGUMENTS);
        t0[OPEN_AT(row, part, 0)] = chain_all(&c);
    }
}

#define SHOW(j, shown) fold0_store(to_row + (j) * stride, fold0_finish((shown)));

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_scan(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    const long counted = 1, stride = fold.out[0].stride[fold.kept - 1];
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long row = job / fold.parts, part = job - row * fold.parts;
        const long from = part * fold.part, end = PART_END(part);
        const long to_row = fold_place(&fold, 0, row * fold.elements);
        long next = starts_until(starts, segments.count, from - 1);
        chain c;
        MAP_ROW(row)
        chain_begin(&c, fold.parts > 1 ? t0[OPEN_AT(row, part, 0)] : NOTHING, NOTHING);
        for (long j = from; j < end;) {
            if (next < segments.count && starts[next] == j) {
                chain_begin(&c, NOTHING, NOTHING);
                while (next < segments.count && starts[next] == j)
                    next++;
            }
            const long stop = next < segments.count ? min(starts[next], end) : end;
            for (; j + FOLD_LEAF <= stop; j += FOLD_LEAF) {
                const state before = chain_all(&c);
                state y[FOLD_LEAF + 1];
                y[0] = NOTHING;
                FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
                    MAP_VALUES_1(j + i)
                    y[i + 1] = i > 0 ? BOTH(y[i], fold0_1_one(r0, 0)) : fold0_1_one(r0, 0);
                }
                FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
                    SHOW(j + i, BOTH(before, segments.exclusive ? y[i] : y[i + 1]))
                }
                c.run = BOTH(c.run, y[FOLD_LEAF]);
                chain_next(&c);
            }
            for (; j < stop; j++) {
                MAP_VALUES_1(j)
                const state own = fold0_1_one(r0, 0), both = BOTH(c.run, own);
                SHOW(j, BOTH(c.start, segments.exclusive ? c.run : both))
                c.run = both;
                chain_next(&c);
            }
        }
    }
}
#endif
