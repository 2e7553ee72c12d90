/* Sorting rows, each by one work-item, on every device: short rows by insertion, others by bytes of their keys' ranks,
 * the lowest first; bytes that are equal in all keys are skipped. */
#include "abi/sort.h"
#include "parts/rank.cl"

#ifndef POSITION
#define POSITION uint
#endif
#define FEW 40 /* elements that are sorted by insertion */
#define DIGIT(rank, byte) ((uint)((rank) >> (8 * (byte))) & 255u)

inline void sort_few(global KEY *values, global long *positions, global const KEY *in, uint count, KEY flip)
{
    KEY keys[FEW], ranks[FEW];
    uint places[FEW];
    for (uint i = 0; i < count; i++) {
        const KEY key = in[i], rank = rank_of(key, flip);
        uint at = i;
        for (; at > 0 && ranks[at - 1] > rank; at--) {
            keys[at] = keys[at - 1];
            ranks[at] = ranks[at - 1];
            places[at] = places[at - 1];
        }
        keys[at] = key;
        ranks[at] = rank;
        places[at] = i;
    }
    for (uint i = 0; i < count && values; i++)
        values[i] = keys[i];
    for (uint i = 0; i < count && positions; i++)
        positions[i] = places[i] + 1;
}

/* Counts each byte of the ranks. Returns the number of bytes that differ among the keys; for the others one count is
 * the number of all keys. */
inline int count_bytes(POSITION counts[ITEM_BYTES][256], global const KEY *in, POSITION count, KEY flip)
{
    int differing = 0;
    for (int byte = 0; byte < ITEM_BYTES; byte++)
        for (int d = 0; d < 256; d++)
            counts[byte][d] = 0;
    for (POSITION i = 0; i < count; i++) {
        const KEY rank = rank_of(in[i], flip);
        for (int byte = 0; byte < ITEM_BYTES; byte++)
            counts[byte][DIGIT(rank, byte)]++;
    }
    const KEY some = rank_of(in[0], flip);
    for (int byte = 0; byte < ITEM_BYTES; byte++)
        differing += counts[byte][DIGIT(some, byte)] != count;
    return differing;
}

/* The source and destination of a pass. Each destination may be NULL; without from_places it is the first pass. */
typedef struct row_pass {
    global const KEY *from;
    global const POSITION *from_places;
    global KEY *to;
    global POSITION *to_places;
    global long *positions;
} row_pass;

inline void move_row(const row_pass *p, POSITION *counts, POSITION count, int byte, KEY flip)
{
    POSITION before = 0;
    for (int d = 0; d < 256; d++) {
        const POSITION own = counts[d];
        counts[d] = before;
        before += own;
    }
    global KEY *restrict const to = p->to;
    global const KEY *restrict const from = p->from;
    if (!p->to_places && !p->positions) {
        for (POSITION i = 0; i < count; i++) {
            const KEY key = from[i];
            to[counts[DIGIT(rank_of(key, flip), byte)]++] = key;
        }
        return;
    }
    for (POSITION i = 0; i < count; i++) {
        const KEY key = from[i];
        const POSITION at = counts[DIGIT(rank_of(key, flip), byte)]++, place = p->from_places ? p->from_places[i] : i;
        if (to)
            to[at] = key;
        if (p->to_places)
            p->to_places[at] = place;
        if (p->positions)
            p->positions[at] = (long)place + 1;
    }
}

/* temp and places have room for two rows each; places is NULL where no positions are needed. */
inline void sort_many(global KEY *values, global long *positions, global const KEY *in, global KEY *temp,
                      global POSITION *places, POSITION count, KEY flip)
{
    POSITION counts[ITEM_BYTES][256];
    const int differing = count_bytes(counts, in, count, flip);
    const KEY some = rank_of(in[0], flip);
    row_pass p = {in, 0, 0, 0, 0};
    int passes = 0;
    for (POSITION i = 0; i < count && differing == 0; i++) {
        if (values)
            values[i] = in[i];
        if (positions)
            positions[i] = (long)i + 1;
    }
    for (int byte = 0; byte < ITEM_BYTES; byte++) {
        if (counts[byte][DIGIT(some, byte)] == count)
            continue;
        const bool last = ++passes == differing;
        p.to = last ? values : temp + (passes & 1) * count;
        p.to_places = last || !positions ? 0 : places + (passes & 1) * count;
        p.positions = last ? positions : 0;
        move_row(&p, counts[byte], count, byte, flip);
        p.from = p.to;
        p.from_places = p.to_places;
    }
}

KERNEL(GROUP) sort_plain(global KEY *values, global long *positions, global const KEY *in, global KEY *temp,
                         global POSITION *places, const sort_pass s)
{
    /* Of this work-item, whichever row it sorts: it stays in its cache. */
    const long room = 2 * (long)get_global_id(0) * s.count;
    FOR_SPREAD(row, s.rows)
    {
        const long first = row * s.count;
        global KEY *const to = values ? values + s.to + first : values;
        global long *const end = positions ? positions + s.end + first : positions;
        if (s.count <= FEW)
            sort_few(to, end, in + s.from + first, (uint)s.count, (KEY)s.flip);
        else
            sort_many(to, end, in + s.from + first, temp + room, places ? places + room : places, (POSITION)s.count,
                      (KEY)s.flip);
    }
}
