/* Selection in long rows on GPUs: a group counts a tile of a row in local memory. */
#include "parts/group_scan.cl"
#include "parts/select.cl"

#define EACH ((1 << SELECT_BITS) / SCAN_ITEMS) /* neighbouring digits, or elements, to a work-item */
#define TILE (SCAN_ITEMS * EACH)               /* elements of those that are taken */

DEFINE_GROUP_SCAN(uint)

KERNEL(GROUP) select_gpu_clear(global uint *counts, long n)
{
    FOR_SPREAD(i, n)
    {
        counts[i] = 0;
    }
}

/* counts: of each target of each row. */
KERNEL(SCAN_ITEMS) select_gpu_count(volatile global uint *counts, global const select_target *targets,
                                    global const KEY *keys, const select_pass s)
{
    local uint own[SELECT_COUNTS];
    const uint me = (uint)get_local_id(0);
    const long task = get_group_id(0), tile = task % s.tiles, target = task / s.tiles;
    const long row = target / s.targets, t = target - row * s.targets;
    const long i_end = min((tile + 1) * s.tile, s.count);
    const bool counts_it = counting_target(targets + TARGET(row, 0), t, s.first) == t;
    const ulong prefix = s.first ? 0 : targets[target].prefix;
    for (uint d = me; d < SELECT_COUNTS; d += SCAN_ITEMS)
        own[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    keys += s.from + row * s.count;
    for (long i = tile * s.tile + me; i < i_end && counts_it; i += SCAN_ITEMS) {
        const KEY rank = rank_of(keys[i], (KEY)s.flip);
        if (has_prefix(rank, prefix, &s))
            atomic_inc(own + DIGIT(rank));
        if (s.first && RANK_IS_NAN(rank))
            atomic_inc(own + SELECT_COUNTS - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = me; d < SELECT_COUNTS; d += SCAN_ITEMS)
        if (own[d])
            atomic_add(counts + target * SELECT_COUNTS + d, own[d]);
}

/* The next digits of the targets of a row, one group to a row. known: those before the pass are read by all before any
 * is written. */
KERNEL(SCAN_ITEMS) select_gpu_choose(global select_target *targets, global KEY *picked, global const uint *counts,
                                     const select_pass s)
{
    local uint room[2 * SCAN_ITEMS];
    local select_target known[SELECT_TARGETS];
    const uint me = (uint)get_local_id(0);
    const long row = get_group_id(0);
    for (long t = 0; t < s.targets; t++) {
        const long counting = TARGET(row, counting_target(targets + TARGET(row, 0), t, s.first));
        global const uint *const own = counts + counting * SELECT_COUNTS;
        const long left = s.first ? s.at[t] : targets[TARGET(row, t)].left;
        const ulong prefix = s.first ? 0 : targets[TARGET(row, t)].prefix;
        uint mine = 0, total;
        for (uint k = 0; k < EACH; k++)
            mine += me * EACH + k < 1u << s.bits ? own[me * EACH + k] : 0;
        long before = group_scan_uint(mine, &total, room);
        if (left >= before && left < before + mine)
            for (uint d = me * EACH; d < (me + 1) * EACH; before += own[d], d++)
                if (left >= before && left < before + own[d]) {
                    known[t].prefix = prefix << s.bits | d;
                    known[t].left = left - before;
                    known[t].nan = s.first ? own[SELECT_COUNTS - 1] : targets[TARGET(row, t)].nan;
                }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (me < s.targets) {
        const KEY rank = (KEY)known[me].prefix, key = RANK_IS_NAN(rank) ? KEY_NAN : key_of(rank, (KEY)s.flip);
        targets[TARGET(row, me)] = known[me];
        if (s.last && picked)
            picked[row * (s.targets + 1) + me] = key;
        if (s.last && picked && me + 1 == s.targets)
            picked[row * (s.targets + 1) + s.targets] = known[0].nan ? KEY_NAN : key;
    }
}

/* As in select_cpu.cl; a tile has TILE elements here, EACH neighbours to a work-item. */
KERNEL(SCAN_ITEMS) select_gpu_sides(global long *sides, global const select_target *targets, global const KEY *keys,
                                    const select_pass s)
{
    local uint own[SIDES];
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const long i_end = min((tile + 1) * TILE, s.count);
    const KEY threshold = (KEY)targets[row].prefix;
    uint below = 0, equal = 0;
    if (me < SIDES)
        own[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    keys += s.from + row * s.count;
    for (long i = tile * TILE + me; i < i_end; i += SCAN_ITEMS) {
        const KEY rank = rank_of(keys[i], (KEY)s.flip);
        below += rank < threshold;
        equal += rank == threshold;
    }
    atomic_add(own + BELOW, below);
    atomic_add(own + EQUAL, equal);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < SIDES)
        sides[SIDE_OF(me)] = own[me];
}

KERNEL(SCAN_ITEMS) select_gpu_take(global KEY *taken, global long *positions, global const select_target *targets,
                                   global const KEY *keys, global const long *sides, const select_pass s)
{
    local uint room[2 * SCAN_ITEMS];
    const uint me = (uint)get_local_id(0);
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const long i_begin = tile * TILE + me * EACH;
    const uint each = i_begin < s.count ? (uint)min(s.count - i_begin, (long)EACH) : 0;
    const KEY threshold = (KEY)targets[row].prefix;
    const long first = sides[row * SIDES * s.tiles], wanted = s.at[0] + 1;
    uint own = 0, total;
    keys += s.from + row * s.count;
    for (uint k = 0; k < each; k++) { /* those below in the lower half, those that are equal in the upper half */
        const KEY rank = rank_of(keys[i_begin + k], (KEY)s.flip);
        own += (rank < threshold) + ((uint)(rank == threshold) << 16);
    }
    const uint before = group_scan_uint(own, &total, room);
    long below = sides[SIDE_OF(BELOW)] - first + (before & 0xffffu);
    long equal = sides[SIDE_OF(EQUAL)] - first + (before >> 16);
    taken += row * wanted;
    positions += row * wanted;
    for (uint k = 0; k < each; k++) {
        const KEY key = keys[i_begin + k], rank = rank_of(key, (KEY)s.flip);
        if (rank > threshold || (rank == threshold && equal >= wanted))
            continue;
        const long to = rank < threshold ? below++ : equal++;
        taken[to] = key;
        positions[to] = i_begin + k + 1;
    }
}
