/* One pass of a stable sort of long rows on CPUs, by a byte of each key's rank; a work-item takes a tile of a row. */
#include "abi/sort.h"
#include "parts/rank.cl"

#ifndef POSITION
#define POSITION uint
#endif
#define DIGIT_BITS 8
#define DIGIT_COUNT (1 << DIGIT_BITS)
#define DIGIT(key) ((uint)(rank_of(key, (KEY)s.flip) >> s.shift) & (DIGIT_COUNT - 1))

/* The positions of this tile's counts: ordered by row, then digit, then tile. So the sum of all counts before one is
 * the position of its first key among the keys of all rows. */
#define COUNTS_OF(digit) ((row * DIGIT_COUNT + (digit)) * s.tiles + tile)
#define FIND_TILE                                            \
    const long row = (long)get_group_id(0) / s.tiles;        \
    const long tile = (long)get_group_id(0) - row * s.tiles; \
    const long first = row * s.count, i_begin = tile * s.tile, i_end = min(i_begin + s.tile, s.count);

KERNEL(1) sort_cpu_count(global long *counts, global const KEY *keys, const sort_pass s)
{
    uint own[DIGIT_COUNT];
    FIND_TILE
    keys += s.from + first;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        own[d] = 0;
    for (long i = i_begin; i < i_end; i++)
        own[DIGIT(keys[i])]++;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        counts[COUNTS_OF((long)d)] = own[d];
}

/* counts[i] becomes the sum of those before it. */
KERNEL(1) sort_cpu_scan(global long *counts, long n)
{
    long before = 0;
    for (long i = 0; i < n; i++) {
        const long own = counts[i];
        counts[i] = before;
        before += own;
    }
}

/* Each of the three that are written may be NULL; without `positions` the keys are where they were at first. */
KERNEL(1) sort_cpu_move(global KEY *restrict to_keys, global POSITION *restrict to_positions,
                        global long *restrict end_positions, global const KEY *restrict keys,
                        global const POSITION *restrict positions, global const long *restrict counts,
                        const sort_pass s)
{
    long place[DIGIT_COUNT];
    FIND_TILE
    keys += s.from + first;
    to_keys = to_keys ? to_keys + s.to : to_keys;
    end_positions = end_positions ? end_positions + s.end : end_positions;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        place[d] = counts[COUNTS_OF((long)d)];
    if (!to_positions && !end_positions) {
        for (long i = i_begin; i < i_end; i++)
            to_keys[place[DIGIT(keys[i])]++] = keys[i];
        return;
    }
    for (long i = i_begin; i < i_end; i++) {
        const KEY key = keys[i];
        const long at = place[DIGIT(key)]++;
        const POSITION position = positions ? positions[first + i] : (POSITION)i;
        if (to_keys)
            to_keys[at] = key;
        if (to_positions)
            to_positions[at] = position;
        if (end_positions)
            end_positions[at] = (long)position + 1;
    }
}
