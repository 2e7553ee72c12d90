/* One pass of a stable sort on GPUs, by a byte of each key's rank: the digits of tiles are counted, the counts summed,
 * and the tiles moved. */
#include "parts/radix_tile.cl"

#define SUM_OF_POSITIONS(a, b) ((a) + (b))
DEFINE_GROUP_SCAN_BY(scan_positions, POSITION, 0, SUM_OF_POSITIONS)

#define COUNT_RUN 16 /* neighbouring counts to a work-item that sums them up */

/* Counts are ordered by row, then digit, then tile; after them, by row and digit, is the beginning of the digit in the
 * row. */
#define COUNTS_OF(row, digit) (((row) * DIGIT_COUNT + (digit)) * s.tiles)
#define BASES_OF(row) (s.rows * DIGIT_COUNT * s.tiles + (row) * DIGIT_COUNT)

KERNEL(SCAN_ITEMS) radix_bytes_count(global POSITION *counts, global const KEY *keys, const sort_pass s)
{
    local uint own[DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const long i_end = min((tile + 1) * TILE, s.count);
    keys += s.from + row * s.count;
    own[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long i = tile * TILE + me; i < i_end; i += SCAN_ITEMS)
        atomic_inc(own + digit_of(keys[i], &s));
    barrier(CLK_LOCAL_MEM_FENCE);
    counts[COUNTS_OF(row, (long)me) + tile] = own[me];
}

/* The counts of one digit of a row become the sums of those before each; the sum of all goes to the bases. */
KERNEL(SCAN_ITEMS) radix_bytes_scan(global POSITION *counts, const sort_pass s)
{
    local POSITION room[2 * SCAN_ITEMS];
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / DIGIT_COUNT, digit = (long)get_group_id(0) - row * DIGIT_COUNT;
    global POSITION *const own = counts + COUNTS_OF(row, digit);
    POSITION before = 0, total;
    for (long first = 0; first < s.tiles; first += SCAN_ITEMS * COUNT_RUN) {
        const long from = first + me * COUNT_RUN;
        POSITION sum = 0;
        for (long k = 0; k < COUNT_RUN; k++)
            sum += from + k < s.tiles ? own[from + k] : 0;
        POSITION running = before + scan_positions(sum, &total, room);
        for (long k = 0; k < COUNT_RUN && from + k < s.tiles; k++) {
            const POSITION here = own[from + k];
            own[from + k] = running;
            running += here;
        }
        before += total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        counts[BASES_OF(row) + digit] = before;
}

/* The bases of a row: sums of its digits' counts. */
KERNEL(SCAN_ITEMS) radix_bytes_bases(global POSITION *counts, const sort_pass s)
{
    local POSITION room[2 * SCAN_ITEMS];
    const uint me = (uint)get_local_id(0);
    global POSITION *const bases = counts + BASES_OF((long)get_group_id(0));
    POSITION total;
    const POSITION before = scan_positions(bases[me], &total, room);
    bases[me] = before;
}

KERNEL(SCAN_ITEMS) radix_bytes_move(global KEY *to_keys, global POSITION *to_positions, global long *end_positions,
                                    global const KEY *keys, global const POSITION *positions,
                                    global const POSITION *bases, const sort_pass s)
{
    TILE_ROOM
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const uint valid = (uint)min(s.count - tile * TILE, (long)TILE);
    const radix_lists to = {to_keys, to_positions, end_positions, positions};
    KEY key[EACH];
    uint rank[EACH];
    load_keys(key, keys + s.from + row * s.count + tile * TILE, valid, &s);
    const uint total = count_tile(rank, key, counts, held, &s);
    const uint first = order_tile(rank, key, total, counts, room, (local KEY *)held);
    begin[me] = bases[BASES_OF(row) + me] + bases[COUNTS_OF(row, (long)me) + tile] - first;
    barrier(CLK_LOCAL_MEM_FENCE);
    write_tile(&to, rank, begin, digits, held, row, tile, valid, &s);
}
