/* What GPUs do with a tile of a row in a pass of a stable sort by bytes: a group orders the keys by the byte in local
 * memory, so that neighbouring keys of a digit are written to neighbouring places.
 *
 * A group is WAVES waves of WAVE work-items. Item i of a wave has the keys i, i + WAVE, i + 2 * WAVE ... of the wave's
 * EACH * WAVE neighbouring ones: a wave reads neighbouring memory, and looks at its keys in their order, WAVE at a
 * time. */
#include "abi/sort.h"
#include "parts/group_scan.cl"
#include "parts/rank.cl"

#ifndef POSITION
#define POSITION uint
#define POSITION_BYTES 4
#endif
#define TILE (RADIX_TILE_BYTES / (ITEM_BYTES > POSITION_BYTES ? ITEM_BYTES : POSITION_BYTES))
#define EACH (TILE / SCAN_ITEMS)
#define WAVE 32
#define WAVES (SCAN_ITEMS / WAVE)
#define DIGIT_BITS 8
#define DIGIT_COUNT (1 << DIGIT_BITS) /* as many as items: item d is the one for digit d */

DEFINE_GROUP_SCAN(uint)

inline uint digit_of(KEY key, const sort_pass *s)
{
    return (uint)(rank_of(key, (KEY)s->flip) >> s->shift) & (DIGIT_COUNT - 1);
}

/* The first of an item's keys in a tile; the others follow WAVE apart. */
inline uint first_of_item(void)
{
    const uint me = (uint)get_local_id(0);
    return me / WAVE * (WAVE * EACH) + me % WAVE;
}

/* An item's keys. Behind the row's end come keys of the last digit: they stay behind all others, and are not
 * written. */
inline void load_keys(KEY *key, global const KEY *keys, uint valid, const sort_pass *s)
{
    const uint first = first_of_item();
    keys += first;
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        key[k] = first + k * WAVE < valid ? keys[k * WAVE] : KEY_LAST((KEY)s->flip);
}

/* ---- how many keys before one of its wave have its digit --------------------------------------------------------- */

/* rank[k]: how many, and the digit above 16 bits of that; counts[d]: of how many keys of the wave d is the digit, 0 at
 * first. Of the items of a wave that look at keys of the same digit the first one counts for all. */
#ifdef PTX
#define FORGET(x) asm volatile("" : "+r"(x)) /* what it was computed of, or registers would keep that for all keys */
#define WAVE_BARRIER asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")

/* Which items of the wave have the same digit: by a ballot for each of its bits. */
inline uint peers_of(uint digit)
{
    uint peers = 0xffffffff;
#pragma unroll
    for (uint bit = 1; bit < DIGIT_COUNT; bit *= 2) {
        uint same;
        asm volatile("{\n\t.reg .pred is;\n\tand.b32 %0, %1, %2;\n\tsetp.ne.u32 is, %0, 0;\n\t"
                     "vote.sync.ballot.b32 %0, is, 0xffffffff;\n\t@!is not.b32 %0, %0;\n\t}"
                     : "=r"(same)
                     : "r"(digit), "r"(bit));
        peers &= same;
    }
    return peers;
}

inline void rank_keys(uint *rank, const KEY *key, local ushort *counts, local uint *masks, const sort_pass *s)
{
    const uint before = (1u << get_local_id(0) % WAVE) - 1;
    (void)masks;
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        const uint digit = digit_of(key[k], s), peers = peers_of(digit), count = counts[digit];
        rank[k] = count + popcount(peers & before) | digit << 16;
        FORGET(rank[k]);
        WAVE_BARRIER;
        if ((peers & before) == 0)
            counts[digit] = (ushort)(count + popcount(peers));
        WAVE_BARRIER;
    }
}
#else
/* The items of a wave that have a digit meet in a mask, a bit to each. There are two lists of masks, which are 0: while
 * one is used the other is cleared. */
inline void rank_keys(uint *rank, const KEY *key, local ushort *counts, local uint *masks, const sort_pass *s)
{
    const uint own = 1u << get_local_id(0) % WAVE;
    masks += get_local_id(0) / WAVE * DIGIT_COUNT;
    for (uint k = 0; k < EACH; k++) {
        const uint digit = digit_of(key[k], s);
        local uint *const mask = masks + (k & 1) * (WAVES * DIGIT_COUNT) + digit;
        atomic_or(mask, own);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint peers = *mask, count = counts[digit];
        rank[k] = count + popcount(peers & (own - 1)) | digit << 16;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((peers & (own - 1)) == 0) {
            counts[digit] = (ushort)(count + popcount(peers));
            *mask = 0;
        }
    }
}
#endif

/* ---- the order of a tile ----------------------------------------------------------------------------------------- */

/* What a group has in local memory. `held` has the tile's keys in their order, then their positions; and at first the
 * masks of rank_keys. `digits` are those of the keys in their order. */
#define TILE_ROOM                                 \
    local ulong held[RADIX_TILE_BYTES / 8];       \
    local ushort counts[WAVES * DIGIT_COUNT];     \
    local uint room[2 * SCAN_ITEMS];              \
    local POSITION begin[DIGIT_COUNT];            \
    local uchar digits[TILE];

/* Ranks the keys within their waves; gives how many of the tile have the digit that is this item's. */
inline uint count_tile(uint *rank, const KEY *key, local ushort *counts, local ulong *held, const sort_pass *s)
{
    const uint me = (uint)get_local_id(0);
    uint total = 0;
    for (uint w = 0; w < WAVES; w++)
        counts[w * DIGIT_COUNT + me] = 0;
#ifndef PTX
    for (uint i = me; i < WAVES * DIGIT_COUNT; i += SCAN_ITEMS) /* two lists of masks of 4 bytes */
        held[i] = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    rank_keys(rank, key, counts + me / WAVE * DIGIT_COUNT, (local uint *)held, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = 0; w < WAVES; w++)
        total += counts[w * DIGIT_COUNT + me];
    return total;
}

/* Turns ranks into places in the tile, and puts the keys there. Gives the first place of the digit that is this item's,
 * of which there are `total`. Another barrier makes the keys seen. */
inline uint order_tile(uint *rank, const KEY *key, uint total, local ushort *counts, local uint *room, local KEY *held)
{
    const uint me = (uint)get_local_id(0);
    uint all;
    const uint first = group_scan_uint(total, &all, room);
    uint running = first;
    for (uint w = 0; w < WAVES; w++) {
        const uint here = counts[w * DIGIT_COUNT + me];
        counts[w * DIGIT_COUNT + me] = (ushort)running;
        running += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    counts += me / WAVE * DIGIT_COUNT;
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        rank[k] = (rank[k] & 0xffff) + counts[rank[k] >> 16];
        held[rank[k]] = key[k];
    }
    return first;
}

/* Where a pass writes; each may be NULL. `positions`: those that go along; NULL: the keys are where they were at
 * first. */
typedef struct radix_lists {
    global KEY *keys;
    global POSITION *positions;
    global long *ends;
    global const POSITION *from;
} radix_lists;

/* Writes the `valid` keys of a tile, which are in order, and their positions. Key i goes to place begin[digit] + i of
 * the row. An item reads those digits that it wrote. */
inline void write_tile(const radix_lists *to, const uint *rank, local const POSITION *begin, local uchar *digits,
                       local ulong *held, long row, long tile, uint valid, const sort_pass *s)
{
    const uint me = (uint)get_local_id(0), first = first_of_item();
    const long row_at = row * s->count, tile_at = tile * TILE;
    const bool along = to->positions || to->ends;
    local const KEY *const key = (local const KEY *)held;
    local POSITION *const position = (local POSITION *)held;
    global KEY *const keys = to->keys + s->to + row_at;
    global const POSITION *const from = to->from + row_at + tile_at + first;
#pragma unroll 4
    for (uint i = me; i < valid; i += SCAN_ITEMS) {
        const uint digit = digit_of(key[i], s);
        digits[i] = (uchar)digit;
        if (to->keys)
            keys[begin[digit] + i] = key[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (along) {
#pragma unroll
        for (uint k = 0; k < EACH; k++)
            position[rank[k]] =
                to->from && first + k * WAVE < valid ? from[k * WAVE] : (POSITION)(tile_at + first + k * WAVE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (uint i = me; along && i < valid; i += SCAN_ITEMS) {
        const POSITION at = begin[digits[i]] + i;
        if (to->positions)
            to->positions[row_at + at] = position[i];
        if (to->ends)
            to->ends[s->end + row_at + at] = (long)position[i] + 1;
    }
}
