/* Scans on CPUs: a work-item walks a part of a line, or of a strip of neighbouring lines, in vectors. */
#include "parts/scan.cl"
#include "parts/lanes.cl"

#if LANES == 2
#define LAST s1
#define TURNED(x) (x).s10
#define BEHIND(first, x) (ACCV)(first, (x).s0)
#elif LANES == 4
#define LAST s3
#define TURNED(x) (x).s3210
#define BEHIND(first, x) (ACCV)(first, (x).s01, (x).s2)
#elif LANES == 8
#define LAST s7
#define TURNED(x) (x).s76543210
#define BEHIND(first, x) (ACCV)(first, (x).s0123, (x).s45, (x).s6)
#else
#define LAST sf
#define TURNED(x) (x).sfedcba9876543210
#define BEHIND(first, x) (ACCV)(first, (x).s01234567, (x).s89ab, (x).scd, (x).se)
#endif

/* In the upper half of each 2, 4 ... lanes the last of the lower half, in the lower half what changes nothing: the
 * identity, or for min and max (SELVES) the lanes themselves, which is a permutation alone. */
#ifdef SELVES
#if LANES == 2
#define SPREAD_1(x) (x).s00
#elif LANES == 4
#define SPREAD_1(x) (x).s0022
#define SPREAD_2(x) (x).s0111
#elif LANES == 8
#define SPREAD_1(x) (x).s00224466
#define SPREAD_2(x) (x).s01114555
#define SPREAD_4(x) (x).s01233333
#else
#define SPREAD_1(x) (x).s0022446688aaccee
#define SPREAD_2(x) (x).s011145558999cddd
#define SPREAD_4(x) (x).s0123333389abbbbb
#define SPREAD_8(x) (x).s0123456777777777
#endif
#else
#define NIL NOTHING_YET
#if LANES == 2
#define SPREAD_1(x) (ACCV)(NIL, (x).s0)
#elif LANES == 4
#define SPREAD_1(x) (ACCV)(NIL, (x).s0, NIL, (x).s2)
#define SPREAD_2(x) (ACCV)(NIL, NIL, (x).s11)
#elif LANES == 8
#define SPREAD_1(x) (ACCV)(NIL, (x).s0, NIL, (x).s2, NIL, (x).s4, NIL, (x).s6)
#define SPREAD_2(x) (ACCV)(NIL, NIL, (x).s11, NIL, NIL, (x).s55)
#define SPREAD_4(x) (ACCV)(NIL, NIL, NIL, NIL, (x).s3333)
#else
#define SPREAD_1(x)                                                                                                    \
    (ACCV)(NIL, (x).s0, NIL, (x).s2, NIL, (x).s4, NIL, (x).s6, NIL, (x).s8, NIL, (x).sa, NIL, (x).sc, NIL, (x).se)
#define SPREAD_2(x) (ACCV)(NIL, NIL, (x).s11, NIL, NIL, (x).s55, NIL, NIL, (x).s99, NIL, NIL, (x).sdd)
#define SPREAD_4(x) (ACCV)(NIL, NIL, NIL, NIL, (x).s3333, NIL, NIL, NIL, NIL, (x).sbbbb)
#define SPREAD_8(x) (ACCV)(NIL, NIL, NIL, NIL, NIL, NIL, NIL, NIL, (x).s77777777)
#endif
#endif

inline ACCV lanes_both(ACCV a, ACCV b) { return COMBINE(a, b); }
DEFINE_NEXT_RUN(next_runs, ACCV, COMBINE)

/* ---- rows: a line's elements are neighbours, upwards or downwards ------------------------------------------------ */

#ifdef EXTREMES /* of floats */
#pragma push_macro("NAN_WINS")
#undef NAN_WINS
#define NAN_WINS(better, a, b, equal) ((better) ? a : b)
inline ACCV lanes_better(ACCV a, ACCV b) { return COMBINE(a, b); }
#pragma pop_macro("NAN_WINS")
/* Neither NaN nor zeros: the better of two is one instruction. */
#define IS_EASY(x) (!any((x == (ACCV)(0)) | (x != x)))
#else
#define lanes_better lanes_both
#define IS_EASY(x) false
#endif

/* Shifted lanes in place of spread ones would do too, but clang 14 makes vexpandps of them, which took five times as
 * long. */
#define SCAN_STEP(spread) x = easy ? lanes_better(spread(x), x) : lanes_both(spread(x), x);
inline ACCV scan_lanes_as(ACCV x, bool easy)
{
    SCAN_STEP(SPREAD_1)
#if LANES >= 4
    SCAN_STEP(SPREAD_2)
#endif
#if LANES >= 8
    SCAN_STEP(SPREAD_4)
#endif
#if LANES >= 16
    SCAN_STEP(SPREAD_8)
#endif
    return x;
}

inline ACCV scan_lanes(ACCV x) { return IS_EASY(x) ? scan_lanes_as(x, true) : scan_lanes_as(x, false); }

/* Elements i to i+LANES-1 of a line. */
inline ACCV load_row(global const T *line, long i, long step)
{
    return step < 0 ? TURNED(LOAD_LANES(line - i - (LANES - 1), ACCV)) : LOAD_LANES(line + i, ACCV);
}

inline void store_row(global OUT *line, long i, long step, ACCV x, long past_cache)
{
    if (step < 0)
        STORE_LANES(line - i - (LANES - 1), TURNED(x), past_cache);
    else
        STORE_LANES(line + i, x, past_cache);
}

/* A few elements, one after the other; gives what the next one begins with. */
inline ACC scan_few(global OUT *out, global const T *in, const scan_shape *s, long from, long to, ACC start)
{
    ACC run = IDENTITY;
    for (long i = from; i < to; i++) {
        const ACC both = scan_both(run, MAPPED(in, i * s->step));
        STORE_OUT(out, i * s->out_step, scan_both(start, s->exclusive ? run : both));
        run = both;
    }
    return scan_both(start, run);
}

/* How many elements from number `from` of a line on come before the first vector that is aligned. */
inline long before_aligned(long line, long from, long step)
{
    const long at = step < 0 ? line - from + 1 : -(line + from);
    return at & (LANES - 1);
}

inline void scan_row(global OUT *out, global const T *in, const scan_shape *s, long from, long to, ACC start, long head)
{
    ACC level[SCAN_LEVELS], before[SCAN_LEVELS];
    long i = min(from + head, to), count = 0;
    start = scan_few(out, in, s, from, i, start);
    const ACC first = start;
    const long whole = i + (to - i) / LANES * LANES;
    while (i < whole) {
        const long end = min(i + SCAN_RUN * LANES, whole);
        ACC run = IDENTITY;
        for (; i < end; i += LANES) {
            const ACC base = scan_both(start, run);
            const ACCV x = scan_lanes(load_row(in, i, s->step)), both = lanes_both((ACCV)(base), x);
            store_row(out, i, s->out_step, s->exclusive ? BEHIND(base, both) : both, s->past_cache);
            run = scan_both(run, x.LAST);
        }
        start = next_run(level, before, 1, count++, first, run);
    }
    scan_few(out, in, s, i, to, start);
}

/* The sum of a part that is not the last: it has whole vectors. */
inline ACC sum_row(global const T *in, const scan_shape *s, long from, long to)
{
    ACC level[SCAN_LEVELS], before[SCAN_LEVELS], start = IDENTITY;
    long count = 0;
    for (long i = from; i < to;) {
        const long end = min(i + 4 * SCAN_RUN * LANES, to);
        ACCV a = NOTHING_YET, b = a, c = a, d = a;
        for (; i + 4 * LANES <= end; i += 4 * LANES) {
            a = lanes_both(a, load_row(in, i, s->step));
            b = lanes_both(b, load_row(in, i + LANES, s->step));
            c = lanes_both(c, load_row(in, i + 2 * LANES, s->step));
            d = lanes_both(d, load_row(in, i + 3 * LANES, s->step));
        }
        for (; i < end; i += LANES)
            a = lanes_both(a, load_row(in, i, s->step));
        a = scan_lanes(lanes_both(lanes_both(a, b), lanes_both(c, d)));
        start = next_run(level, before, 1, count++, NOTHING_YET, a.LAST);
    }
    return start;
}

/* The sums of all parts but the last. */
KERNEL(1) scan_cpu_row_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    FOR_SPREAD(job, s.places * (s.parts - 1)) {
        const long place = job / (s.parts - 1), part = job - place * (s.parts - 1);
        sums[SUM_AT(&s, place, part, 0)] = sum_row(in + PLACE_IN(&s, place), &s, part * s.part, (part + 1) * s.part);
    }
}

KERNEL(1) scan_cpu_rows(global OUT *out, global const ACC *sums, global const T *in, const scan_shape s)
{
    FOR_SPREAD(job, s.places * s.parts) {
        const long place = job / s.parts, part = job - place * s.parts, from = part * s.part;
        const long to = PLACE_OUT(&s, place), head = s.past_cache ? before_aligned(to, from, s.out_step) : 0;
        scan_row(out + to, in + PLACE_IN(&s, place), &s, from, min(from + s.part, s.elements),
                 sums_before(sums, &s, place, part, 0), head);
    }
}

/* ---- columns: neighbours belong to different lines --------------------------------------------------------------- */

/* The last vector of a strip may overlap the one before: its columns come out as they did there. */
#define COLUMN(v) min(begin + (v) * LANES, s->columns - LANES)

/* A run of rows; in run[] their sums. */
inline void scan_rows(ACCV *run, const ACCV *start, global OUT *out, global const T *in, const scan_shape *s, long from,
                      long to, long begin, int vectors)
{
    for (int v = 0; v < vectors; v++)
        run[v] = NOTHING_YET;
    for (long i = from; i < to; i++) {
        global const T *row = in + i * s->step;
        global OUT *row_out = out + i * s->out_step;
        for (int v = 0; v < vectors; v++) {
            const long column = COLUMN(v);
            const ACCV both = lanes_both(run[v], LOAD_LANES(row + column, ACCV));
            if (out)
                STORE_LANES(row_out + column, lanes_both(start[v], s->exclusive ? run[v] : both), s->past_cache);
            run[v] = both;
        }
    }
}

/* A part of a strip that begins with start[]; in start[] what the next part begins with. */
inline void scan_strip(ACCV *start, ACCV *level, ACCV *before, global OUT *out, global const T *in, const scan_shape *s,
                       long from, long to, long begin, int vectors)
{
    ACCV run[SCAN_STRIP], first[SCAN_STRIP];
    long count = 0;
    for (int v = 0; v < vectors; v++)
        first[v] = start[v];
    for (long i = from; i < to; i += SCAN_RUN, count++) {
        scan_rows(run, start, out, in, s, i, min(i + SCAN_RUN, to), begin, vectors);
        for (int v = 0; v < vectors; v++)
            start[v] = next_runs(level + v, before + v, SCAN_STRIP, count, first[v], run[v]);
    }
}

inline int vectors_of(const scan_shape *s, long begin)
{
    return (int)((min(s->strip, s->columns - begin) + LANES - 1) / LANES);
}

/* The sums of all parts but the last. */
KERNEL(1) scan_cpu_column_sums(global ACC *sums, global const T *in, const scan_shape shape)
{
    const scan_shape *s = &shape;
    ACCV start[SCAN_STRIP], level[SCAN_LEVELS * SCAN_STRIP], before[SCAN_LEVELS * SCAN_STRIP];
    FOR_SPREAD(job, s->places * (s->parts - 1) * s->strips) {
        const long begin = job % s->strips * s->strip, piece = job / s->strips;
        const long place = piece / (s->parts - 1), part = piece - place * (s->parts - 1);
        const int vectors = vectors_of(s, begin);
        for (int v = 0; v < vectors; v++)
            start[v] = NOTHING_YET;
        scan_strip(start, level, before, 0, in + PLACE_IN(s, place), s, part * s->part, (part + 1) * s->part, begin,
                   vectors);
        for (int v = 0; v < vectors; v++)
            store_acc(sums + SUM_AT(s, place, part, COLUMN(v)), start[v], 0);
    }
}

KERNEL(1) scan_cpu_columns(global OUT *out, global const ACC *sums, global const T *in, const scan_shape shape)
{
    const scan_shape *s = &shape;
    ACCV start[SCAN_STRIP], level[SCAN_LEVELS * SCAN_STRIP], before[SCAN_LEVELS * SCAN_STRIP];
    FOR_SPREAD(job, s->places * s->parts * s->strips) {
        const long begin = job % s->strips * s->strip, piece = job / s->strips;
        const long place = piece / s->parts, part = piece - place * s->parts;
        const int vectors = vectors_of(s, begin);
        for (int v = 0; v < vectors; v++)
            start[v] = NOTHING_YET;
        for (long p = 0; p < part; p++)
            for (int v = 0; v < vectors; v++)
                start[v] = lanes_both(start[v], JOIN(convert_, ACCV)(load_acc(sums + SUM_AT(s, place, p, COLUMN(v)))));
        scan_strip(start, level, before, out + PLACE_OUT(s, place), in + PLACE_IN(s, place), s, part * s->part,
                   min((part + 1) * s->part, s->elements), begin, vectors);
    }
}

/* ---- fewer columns than a vector has: one by one, side by side --------------------------------------------------- */

#ifndef COLUMNS
#define COLUMNS 3
#endif
#define EACH_COLUMN(c) _Pragma("unroll") for (int c = 0; c < COLUMNS; c++)

/* A part of all columns that begins with start[]; in start[] what the next part begins with. */
inline void scan_few_columns(ACC *start, global OUT *out, global const T *in, const scan_shape *s, long from, long to)
{
    ACC run[COLUMNS], first[COLUMNS], level[SCAN_LEVELS * COLUMNS], before[SCAN_LEVELS * COLUMNS];
    long count = 0;
    EACH_COLUMN(c)
        first[c] = start[c];
    for (long i = from; i < to; count++) {
        const long end = min(i + SCAN_RUN, to);
        EACH_COLUMN(c)
            run[c] = IDENTITY;
        for (; i < end; i++) {
            global const T *row = in + i * s->step;
            global OUT *row_out = out + i * s->out_step;
            EACH_COLUMN(c) {
                const ACC both = scan_both(run[c], MAPPED(row, c));
                if (out)
                    STORE_OUT(row_out, c, scan_both(start[c], s->exclusive ? run[c] : both));
                run[c] = both;
            }
        }
        EACH_COLUMN(c)
            start[c] = next_run(level + c, before + c, COLUMNS, count, first[c], run[c]);
    }
}

/* The sums of all parts but the last. */
KERNEL(1) scan_cpu_few_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    ACC start[COLUMNS];
    FOR_SPREAD(job, s.places * (s.parts - 1)) {
        const long place = job / (s.parts - 1), part = job - place * (s.parts - 1);
        EACH_COLUMN(c)
            start[c] = IDENTITY;
        scan_few_columns(start, 0, in + PLACE_IN(&s, place), &s, part * s.part, (part + 1) * s.part);
        EACH_COLUMN(c)
            sums[SUM_AT(&s, place, part, c)] = start[c];
    }
}

KERNEL(1) scan_cpu_few(global OUT *out, global const ACC *sums, global const T *in, const scan_shape s)
{
    ACC start[COLUMNS];
    FOR_SPREAD(job, s.places * s.parts) {
        const long place = job / s.parts, part = job - place * s.parts;
        EACH_COLUMN(c)
            start[c] = sums_before(sums, &s, place, part, c);
        scan_few_columns(start, out + PLACE_OUT(&s, place), in + PLACE_IN(&s, place), &s, part * s.part,
                         min((part + 1) * s.part, s.elements));
    }
}
