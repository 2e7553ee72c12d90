/* A stable sort by bytes on GPUs on which groups make progress while others wait: the digits of all passes are counted
 * at once, and a pass reads each key once. A tile publishes its number of keys of each digit as soon as it is known,
 * and adds the numbers published by the tiles before it ("decoupled look-back": Adinets and Merrill, "Onesweep: a
 * faster least significant digit radix sort for GPUs", arXiv 2206.01784, 2022).
 *
 * A tile publishes one number for each digit, written and read atomically, so no other memory order is needed: 0 means
 * not yet; otherwise the last two bits say whether the count is the tile's own or that of all tiles of the row so far.
 * A counter assigns tiles in order, so the tiles before a tile already have running groups. */
#include "parts/radix_tile.cl"

#define PREFIX POSITION
#define PREFIX_OWN 1
#define PREFIX_ALL 2
#define PREFIX_BITS 2
#define PASSES ITEM_BYTES
#define AHEAD 8 /* keys that an item loads before it counts the first */

/* `words` has the counters of the passes; then, by row, pass and digit, the beginning of the digit in the row, in 64
 * bits; then two lists of published numbers, by tile and digit: a pass uses one and clears the other. */
#define BEGIN_AT(list) (RADIX_COUNTERS + (list) * (2 * DIGIT_COUNT))
#define BEGIN_OF(row, pass) BEGIN_AT((row) * PASSES + (pass))
#define PREFIX_AT BEGIN_OF(s.rows, 0)

#define SUM_OF_COUNTS(a, b) ((a) + (b))
DEFINE_GROUP_SCAN_BY(scan_wide, ulong, 0, SUM_OF_COUNTS)

/* All but the second list. */
KERNEL(SCAN_ITEMS) radix_once_clear(global uint *words, const long count)
{
    for (long i = (long)get_global_id(0); i < count; i += (long)get_global_size(0))
        words[i] = 0;
}

/* Counts the digits of all passes in a part of a row: here s.tiles is the number of parts, and s.tile their size. */
KERNEL(SCAN_ITEMS) radix_once_count(volatile global uint *words, global const KEY *keys, const sort_pass s)
{
    local uint own[PASSES * DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / s.tiles, part = (long)get_group_id(0) - row * s.tiles;
    const long i_end = min((part + 1) * s.tile, s.count);
    KEY key[AHEAD];
    keys += s.from + row * s.count;
    for (uint pass = 0; pass < PASSES; pass++)
        own[pass * DIGIT_COUNT + me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long i = part * s.tile + me; i < i_end; i += AHEAD * SCAN_ITEMS) {
#pragma unroll
        for (uint k = 0; k < AHEAD; k++)
            key[k] = i + k * SCAN_ITEMS < i_end ? keys[i + k * SCAN_ITEMS] : (KEY)0;
#pragma unroll
        for (uint k = 0; k < AHEAD; k++)
            if (i + k * SCAN_ITEMS < i_end) {
                const KEY rank = rank_of(key[k], (KEY)s.flip);
                for (uint pass = 0; pass < PASSES; pass++)
                    atomic_inc(own + pass * DIGIT_COUNT + ((uint)(rank >> pass * DIGIT_BITS) & (DIGIT_COUNT - 1)));
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint pass = 0; pass < PASSES; pass++) {
        const uint count = own[pass * DIGIT_COUNT + me];
        volatile global uint *const sum = words + BEGIN_OF(row, pass) + 2 * me;
        if (count > 0 && atomic_add(sum, count) > 0xffffffff - count) /* it carries */
            atomic_inc(sum + 1);
    }
}

/* Replaces the counts of a row's digits in a pass by the sums of those before each; one group for each row and pass. */
KERNEL(SCAN_ITEMS) radix_once_begin(global uint *words)
{
    local ulong room[2 * SCAN_ITEMS];
    global uint *const own = words + BEGIN_AT((long)get_group_id(0)) + 2 * get_local_id(0);
    ulong total;
    const ulong begin = scan_wide((ulong)own[1] << 32 | own[0], &total, room);
    own[0] = (uint)begin;
    own[1] = (uint)(begin >> 32);
}

/* The number of keys with a digit in the tiles before one. `prefixes` are those of the digit, DIGIT_COUNT apart. */
inline PREFIX look_back(volatile global PREFIX *prefixes, long tile)
{
    PREFIX sum = 0, word = 0;
    while ((word & PREFIX_ALL) == 0) {
        tile--;
        do
            word = prefixes[tile * DIGIT_COUNT];
        while (word == 0);
        sum += word >> PREFIX_BITS;
    }
    return sum;
}

KERNEL(SCAN_ITEMS) radix_once_move(global KEY *to_keys, global POSITION *to_positions, global long *end_positions,
                                   global const KEY *keys, global const POSITION *positions,
                                   volatile global uint *words, const sort_pass s)
{
    TILE_ROOM
    const uint me = (uint)get_local_id(0), pass = (uint)s.shift / DIGIT_BITS;
    if (me == 0)
        room[0] = atomic_inc(words + pass);
    barrier(CLK_LOCAL_MEM_FENCE);
    const long tiles = s.rows * s.tiles, job = room[0], row = job / s.tiles, tile = job - row * s.tiles;
    const uint valid = (uint)min(s.count - tile * TILE, (long)TILE);
    const radix_lists to = {to_keys, to_positions, end_positions, positions};
    volatile global PREFIX *const lists =
        (volatile global PREFIX *)(words + PREFIX_AT) + row * s.tiles * DIGIT_COUNT + me;
    volatile global PREFIX *const prefixes = lists + (pass & 1) * tiles * DIGIT_COUNT;
    KEY key[EACH];
    uint rank[EACH];
    load_keys(key, keys + s.from + row * s.count + tile * TILE, valid, &s);
    lists[((1 - (pass & 1)) * tiles + tile) * DIGIT_COUNT] = 0;
    const uint total = count_tile(rank, key, counts, held, &s);
    if (tile > 0)
        prefixes[tile * DIGIT_COUNT] = (PREFIX)total << PREFIX_BITS | PREFIX_OWN;
    const uint first = order_tile(rank, key, total, counts, room, (local KEY *)held);
    const ulong low = words[BEGIN_OF(row, pass) + 2 * me], high = words[BEGIN_OF(row, pass) + 2 * me + 1];
    const PREFIX before = tile > 0 ? look_back(prefixes, tile) : 0;
    prefixes[tile * DIGIT_COUNT] = (before + total) << PREFIX_BITS | PREFIX_ALL;
    begin[me] = (POSITION)(high << 32 | low) + before - first;
    barrier(CLK_LOCAL_MEM_FENCE);
    write_tile(&to, rank, begin, digits, held, row, tile, valid, &s);
}
