/* Queries of sorted elements: the positions of values, the distinct elements, and quantiles. */
#include "abi/sort.h"
#include "parts/rank.cl"

#ifndef REAL
#define REAL float
#endif

/* Does a sorted element come before a value, or (right) not after it? NaN come last. */
#ifdef SEARCHED_BY /* no type holds both */
#include "parts/order.cl"
#define ORDER_OF(FROM_A, FROM_B, TO, a, b) ORDER(FROM_A, FROM_B, TO, a, b)
inline bool stands_before(SORTED here, WANTED wanted, long right)
{
    const SEARCHED_BY order = ORDER_OF(SORTED, WANTED, SEARCHED_BY, here, wanted);
    return order < 0 || (right && order == 0) || NAN_IN(wanted);
}
#else
#define SORTED KEY
#define WANTED KEY
inline bool stands_before(KEY here, KEY wanted, long right)
{
    const KEY a = rank_of(here, 0), b = rank_of(wanted, 0);
    return a < b || (right && a == b);
}
#endif

/* out[i]: the first position, from 1, at which values[i] can be inserted; right: the last. */
KERNEL(GROUP) sorted_search(global long *out, global const SORTED *sorted, global const WANTED *values, long out_at,
                            long sorted_at, long values_at, long count, long n, long right)
{
    FOR_SPREAD(i, n)
    {
        const WANTED wanted = values[values_at + i];
        long from = 0, to = count;
        while (from < to) {
            const long middle = from + (to - from) / 2;
            if (stands_before(sorted[sorted_at + middle], wanted, right))
                from = middle + 1;
            else
                to = middle;
        }
        out[out_at + i] = from + 1;
    }
}

/* marks[i] is 1 where an element differs from the one before. */
KERNEL(GROUP) sorted_marks(global uchar *marks, global const KEY *sorted, long marks_at, long sorted_at, long n)
{
    sorted += sorted_at;
    FOR_SPREAD(i, n)
    {
        marks[marks_at + i] = i == 0 || rank_of(sorted[i], 0) != rank_of(sorted[i - 1], 0);
    }
}

/* The number of elements of each value, from the starts of the values among n: positions from 1. */
KERNEL(GROUP) sorted_counts(global long *counts, global const long *starts, long counts_at, long starts_at, long values,
                            long n)
{
    starts += starts_at;
    FOR_SPREAD(i, values)
    {
        counts[counts_at + i] = (i + 1 < values ? starts[i + 1] : n + 1) - starts[i];
    }
}

/* The position of each element's value: the i-th in order was at positions[i]. */
KERNEL(GROUP) sorted_inverse(global long *inverse, global const long *starts, global const long *positions,
                             long inverse_at, long starts_at, long positions_at, long values, long n)
{
    starts += starts_at;
    FOR_SPREAD(i, n)
    {
        long from = 0, to = values; /* the last value that starts at i + 1 or before */
        while (to - from > 1) {
            const long middle = from + (to - from) / 2;
            if (starts[middle] <= i + 1)
                from = middle;
            else
                to = middle;
        }
        inverse[inverse_at + positions[positions_at + i] - 1] = from + 1;
    }
}

/* The position of the quantile among `count` elements, and its fraction of the way to the next one, rounded as on the
 * host in double. */
inline long quantile_place(REAL *t, const quantile_shape *s, long count)
{
    const ulong q = s->q, times = (ulong)(count - 1 + s->whole), whole = mul_hi(q, times) << 1 | (q * times) >> 63;
    const ulong unit = 1UL << (75 - clz(whole)), part = (q * times) << 1, rounded = part + unit / 2;
    const ulong near = rounded & -unit, between = near + (s->shift << 1), half_way = 1UL << 63;
    const int spare = sizeof(REAL) == 4 ? 40 : 11;
    const long at = (long)(whole + (rounded < part) + (s->shift >> 63) + (between < near)) - s->whole, rule = s->rule;
    *t = 0;
    if (at < 0 || at >= count - 1)
        return at < 0 ? 0 : count - 1;
    if (rule == QUANTILE_LINEAR)
        *t = (REAL)(between >> spare) / (REAL)(1UL << (64 - spare));
    if (between ? rule == QUANTILE_MIDPOINT : rule == QUANTILE_AVERAGED)
        *t = (REAL)0.5f;
    if (rule == QUANTILE_HIGHER || rule == QUANTILE_AVERAGED)
        return at + (between != 0);
    if (rule == QUANTILE_EVEN || rule == QUANTILE_ODD)
        return at + (between > half_way || (between == half_way && (at & 1) == (rule == QUANTILE_EVEN)));
    return at;
}

/* How many elements of a sorted row are not NaN. */
inline long present_in(global const T *sorted, long first, long count)
{
    long from = 0;
    while (from < count) {
        const long middle = from + (count - from) / 2;
        if (isnan((REAL)LOAD(sorted, first + middle)))
            count = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* NaN comes last in a row, and propagates or is skipped. A median, t = 0.5, is rounded once, whatever the signs of a
 * and b; no difference is computed that could overflow. */
KERNEL(GROUP) sorted_quantile(global REAL *out, global const T *sorted, const quantile_shape s, REAL t)
{
    FOR_SPREAD(row, s.rows)
    {
        const long first = s.from + row * s.count;
        const long count = s.present ? max(present_in(sorted, first, s.count), 1L) : s.count;
        const long low = s.present ? quantile_place(&t, &s, count) : s.low;
        const long high = s.present ? min(low + 1, count - 1) : s.high;
        const REAL a = (REAL)LOAD(sorted, first + low), b = (REAL)LOAD(sorted, first + high);
        const REAL last = (REAL)LOAD(sorted, first + count - 1), between = fma(b, t, a * (1 - t));
        const REAL x = between < a ? a : between > b ? b : between;
        out[s.to + row] = isnan(last) ? last : a == b || t == 0 ? a : x;
    }
}
