/* Which bin an element belongs to, from 0; -1: none. */
#include "abi/sort.h"
#include "parts/verdict.cl"

#ifndef REAL
#define REAL float
#define REAL_EPSILON FLT_EPSILON
#endif

/* The number that is looked for: of an integer with more digits than a REAL has, COUNTED, the first ones, and `rest`,
 * what is left. */
typedef struct counted {
    REAL x, rest;
} counted;

#ifdef COUNTED
#include "parts/order.cl"
#define HEAD_OF(FROM, TO, x) JOIN(JOIN(JOIN(head_, FROM), _), TO)(x)
#define REST_OF(FROM, TO, x) JOIN(JOIN(JOIN(rest_, FROM), _), TO)(x)
inline counted counted_of(COUNTED x) { return (counted){HEAD_OF(COUNTED, REAL, x), REST_OF(COUNTED, REAL, x)}; }
#else
inline counted counted_of(REAL x) { return (counted){x, 0}; }
#endif

inline bool is_from(counted c, REAL edge) { return c.x > edge || (c.x == edge && c.rest >= 0); }
inline bool is_up_to(counted c, REAL edge) { return c.x < edge || (c.x == edge && c.rest <= 0); }

/* What is the same for all numbers: the first and the last edge, how many bins there are to a distance of 1, and how
 * near to an edge, in widths of a bin, a number may seem to lie on its other side. */
typedef struct edge_range {
    REAL low, high, scale, near;
} edge_range;

/* near: a place between the edges is off by at most 10 roundings of `bins`, an edge by 6, and by one of the largest
 * edge. */
inline edge_range edge_range_of(global const REAL *edges, int bins)
{
    edge_range r = {.low = edges[0], .high = edges[bins]};
    r.scale = (REAL)bins / (r.high - r.low);
    r.near = REAL_EPSILON * (16 * (REAL)bins + 4 * r.scale * max(fabs(r.low), fabs(r.high)));
    return r;
}

/* The bin of a number by the edges alone: of a range of the smallest numbers, whose scale overflows, and whose edges
 * may be rounded by much of a bin's width. */
inline int bin_between(counted c, global const REAL *edges, int bins)
{
    int from = 0, past = bins;
    while (past - from > 1) {
        const int middle = from + (past - from) / 2;
        if (is_from(c, edges[middle]))
            from = middle;
        else
            past = middle;
    }
    return from;
}

/* The bin of a number, -1 for none: bins have their lower edge, and the last one its upper too. Where a number is near
 * to an edge, the edges decide; elsewhere they are not read. */
inline int bin_of(counted c, global const REAL *edges, int bins, edge_range r)
{
    if (!(is_from(c, r.low) && is_up_to(c, r.high)))
        return -1;
    const REAL place = (c.x - r.low) * r.scale, whole = trunc(place), rest = place - whole;
    if (rest > r.near && rest < 1 - r.near)
        return (int)whole;
    if (isinf(r.scale))
        return bin_between(c, edges, bins);
    const int bin = (int)min((long)place, (long)bins - 1);
    if (bin > 0 && !is_from(c, edges[bin]))
        return bin - 1;
    return bin + 1 < bins && is_from(c, edges[bin + 1]) ? bin + 1 : bin;
}

#ifndef IS_FLOAT
/* Integers are their own bins; a word of one that has none. */
inline int bin_of_integer(T x, long at, bins_shape s, VERDICT_PARAMETERS)
{
    const ulong bin = (ulong)x - (ulong)s.base;
    if (bin < (ulong)s.bins)
        return (int)bin;
    verdict_say(VERDICT, at, (long)x);
    return -1;
}
#endif
