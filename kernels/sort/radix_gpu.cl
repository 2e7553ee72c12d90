/* One pass of a stable sort on GPUs, by a digit of each key's rank; a group takes a tile of a row. */
#include "abi/sort.h"
#include "parts/group_scan.cl"
#include "parts/rank.cl"

#ifndef POSITION
#define POSITION uint
#endif
#define EACH 8 /* neighbouring keys to a work-item */
#define TILE (SCAN_ITEMS * EACH)
#define DIGIT_BITS 4
#define DIGIT_COUNT (1 << DIGIT_BITS)
#define DIGIT(key) ((uint)(rank_of(key, (KEY)s.flip) >> s.shift) & (DIGIT_COUNT - 1))

DEFINE_GROUP_SCAN(uint)

/* Where the counts of this group's tile stand: by row, then digit, then tile. So the sum of all counts before one is the
 * place of its first key among the keys of all rows. */
#define COUNTS_OF(digit) ((row * DIGIT_COUNT + (digit)) * s.tiles + tile)
#define FIND_TILE                                                   \
    const long row = (long)get_group_id(0) / s.tiles;               \
    const long tile = (long)get_group_id(0) - row * s.tiles;        \
    const long begin_at = tile * TILE, first = row * s.count;

kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void radix_gpu_count(global long *counts, global const KEY *keys, const sort_pass s)
{
    local uint own[DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    FIND_TILE
    keys += s.from + first;
    if (me < DIGIT_COUNT)
        own[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < EACH; k++) {
        const long i = begin_at + k * SCAN_ITEMS + me;
        if (i < s.count)
            atomic_inc(own + DIGIT(keys[i]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGIT_COUNT)
        counts[COUNTS_OF((long)me)] = own[me];
}

/* Moves the keys of a tile to where their digits begin. A work-item has EACH neighbouring keys; of each digit it has as many
 * before its own as the items before it have. Each of the four that are written may be NULL; without `positions` the keys
 * stand where they stood at first. */
kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void radix_gpu_move(global KEY *to_keys, global POSITION *to_positions, global long *end_positions,
                    global const KEY *keys, global const POSITION *positions, global const long *counts,
                    const sort_pass s)
{
    local ushort before[DIGIT_COUNT * SCAN_ITEMS];
    local uint room[2 * SCAN_ITEMS];
    local uint begin[DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    FIND_TILE
    const long from = begin_at + me * EACH;
    const uint mine = from < s.count ? (uint)min(s.count - from, (long)EACH) : 0;
    KEY key[EACH];
    uint total;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        before[d * SCAN_ITEMS + me] = 0;
    for (uint k = 0; k < EACH; k++)
        if (k < mine) {
            key[k] = keys[s.from + first + from + k];
            before[DIGIT(key[k]) * SCAN_ITEMS + me]++;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* All counts of the tile in one row, digit by digit, DIGIT_COUNT neighbours of which are this item's to sum. */
    uint sum = 0;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        sum += before[me * DIGIT_COUNT + d];
    uint running = group_scan_uint(sum, &total, room);
    for (uint d = 0; d < DIGIT_COUNT; d++) {
        const uint own = before[me * DIGIT_COUNT + d];
        before[me * DIGIT_COUNT + d] = (ushort)running;
        running += own;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGIT_COUNT)
        begin[me] = before[me * SCAN_ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < EACH; k++)
        if (k < mine) {
            const uint d = DIGIT(key[k]), rank = before[d * SCAN_ITEMS + me]++;
            const long at = counts[COUNTS_OF((long)d)] + rank - begin[d];
            const POSITION position = positions ? positions[first + from + k] : (POSITION)(from + k);
            if (to_keys)
                to_keys[s.to + at] = key[k];
            if (to_positions)
                to_positions[at] = position;
            if (end_positions)
                end_positions[s.end + at] = (long)position + 1;
        }
}
