/* Selection: what CPUs and GPUs share. A pass counts the next digit of those elements that have the digits of a target
 * so far; the digit at which the counts reach the target's place is the target's next one. */
#include "abi/sort.h"
#include "parts/rank.cl"

/* The counts of a target of a row: those of the first target of the row that has the same digits, which alone
 * counts. */
#define TARGET(row, t) ((row) * s.targets + (t))

/* Which target counts for target t; the targets of a row are in order, so equal ones are neighbours. */
inline long counting_target(global const select_target *of, long t, bool first)
{
    while (t > 0 && (first || of[t - 1].prefix == of[t].prefix))
        t--;
    return t;
}

/* Is it an element with the digits of a target so far? */
inline bool has_prefix(KEY rank, ulong prefix, const select_pass *s)
{
    return s->first || (ulong)rank >> (s->shift + s->bits) == prefix;
}

#define DIGIT(rank) ((uint)((rank) >> s.shift) & ((1u << s.bits) - 1))

/* How an element compares with a threshold, the rank of the last one that is taken. */
enum { BELOW, EQUAL, SIDES };
/* Where the number of a tile's elements on that side of the threshold is kept: by row, then side, then tile. */
#define SIDE_OF(side) ((row * SIDES + (side)) * s.tiles + tile)

/* Where the taken elements stood in the row, in the order that `order` gives, which counts from 1. */
KERNEL(GROUP) select_positions(global long *out, global const long *order, global const long *positions, long out_at,
                               long wanted, long n)
{
    FOR_SPREAD(i, n)
        out[out_at + i] = positions[i / wanted * wanted + order[i] - 1];
}
