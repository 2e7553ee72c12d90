/* Selection in long rows on CPUs: a work-item takes a tile of a row. */
#include "parts/select.cl"

#define TABLES 4 /* copies of counts, used in rotation, so that equal neighbours do not wait for one another */

#define BLOCK 32 /* neighbours whose digits are found together, in vectors, and passed over where none counts */

/* The digits of BLOCK keys, or one beyond the last digit for keys that do not match the target's digits so far; returns
 * whether any key matches. */
inline bool find_digits(uint *digit, uint *nan, global const KEY *keys, KEY prefix, const select_pass *s)
{
    uint any = 0, missing = 0;
    for (int k = 0; k < BLOCK; k++) {
        const KEY rank = rank_of(keys[k], (KEY)s->flip), digits = (KEY)(rank >> s->shift);
        const bool counts = (KEY)(digits >> s->bits) == prefix;
        digit[k] = counts ? (uint)digits & ((1u << s->bits) - 1) : 1u << s->bits;
        any |= counts;
        missing += RANK_IS_NAN(rank);
    }
    *nan += missing;
    return any;
}

/* counts: of each target of each row, tile by tile. */
KERNEL(1) select_cpu_count(global uint *restrict counts, global const select_target *restrict targets,
                           global const KEY *restrict keys, const select_pass s)
{
    uint own[TABLES][(1 << SELECT_BITS) + 1], digit[BLOCK], nan = 0;
    const long task = get_group_id(0), tile = task % s.tiles, target = task / s.tiles;
    const long row = target / s.targets, t = target - row * s.targets;
    const long i_begin = tile * s.tile, i_end = min(i_begin + s.tile, s.count);
    if (counting_target(targets + TARGET(row, 0), t, s.first) != t)
        return;
    const KEY prefix = s.first ? 0 : (KEY)targets[target].prefix;
    const uint digits = 1u << s.bits;
    long i = i_begin;
    keys += s.from + row * s.count;
    counts += task * SELECT_COUNTS;
    for (uint k = 0; k < TABLES; k++)
        for (uint d = 0; d <= digits; d++)
            own[k][d] = 0;
    for (; i + BLOCK <= i_end; i += BLOCK)
        if (find_digits(digit, &nan, keys + i, prefix, &s))
            for (int k = 0; k < BLOCK; k++)
                own[k % TABLES][digit[k]]++;
    for (; i < i_end; i++) {
        const KEY rank = rank_of(keys[i], (KEY)s.flip), end = (KEY)(rank >> s.shift);
        if ((KEY)(end >> s.bits) == prefix)
            own[0][(uint)end & (digits - 1)]++;
        nan += RANK_IS_NAN(rank);
    }
    for (uint d = 0; d < digits; d++)
        counts[d] = own[0][d] + own[1][d] + own[2][d] + own[3][d];
    counts[SELECT_COUNTS - 1] = nan;
}

/* picked: for each row the elements at the targets' positions, followed by NaN if the row contains one. */
KERNEL(1) select_cpu_choose(global select_target *targets, global KEY *picked, global const uint *counts,
                            const select_pass s)
{
    const long row = get_group_id(0);
    select_target known[SELECT_TARGETS];
    KEY key = 0;
    for (long t = 0; t < s.targets; t++) {
        const long counting = TARGET(row, counting_target(targets + TARGET(row, 0), t, s.first));
        select_target now = {0, s.at[t], 0};
        if (!s.first)
            now = targets[TARGET(row, t)];
        for (long tile = 0; tile < s.tiles && s.first; tile++)
            now.nan += counts[(counting * s.tiles + tile) * SELECT_COUNTS + SELECT_COUNTS - 1];
        ulong digit = 0;
        for (;; digit++) {
            long here = 0;
            for (long tile = 0; tile < s.tiles; tile++)
                here += counts[(counting * s.tiles + tile) * SELECT_COUNTS + (long)digit];
            if (now.left < here || digit + 1 == 1ul << s.bits)
                break;
            now.left -= here;
        }
        now.prefix = now.prefix << s.bits | digit;
        known[t] = now;
    }
    for (long t = 0; t < s.targets; t++) {
        targets[TARGET(row, t)] = known[t];
        key = RANK_IS_NAN((KEY)known[t].prefix) ? KEY_NAN : key_of((KEY)known[t].prefix, (KEY)s.flip);
        if (s.last && picked)
            picked[row * (s.targets + 1) + t] = key;
    }
    if (s.last && picked)
        picked[row * (s.targets + 1) + s.targets] = known[0].nan ? KEY_NAN : key;
}

/* The number of elements of a tile below the row's threshold, and of those equal to it. */
KERNEL(1) select_cpu_sides(global long *sides, global const select_target *targets, global const KEY *keys,
                           const select_pass s)
{
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const long i_begin = tile * s.tile, i_end = min(i_begin + s.tile, s.count);
    const KEY threshold = (KEY)targets[row].prefix;
    long below = 0, equal = 0;
    keys += s.from + row * s.count;
    for (long i = i_begin; i < i_end; i++) {
        const KEY rank = rank_of(keys[i], (KEY)s.flip);
        below += rank < threshold;
        equal += rank == threshold;
    }
    sides[SIDE_OF(BELOW)] = below;
    sides[SIDE_OF(EQUAL)] = equal;
}

/* sides[i] becomes the sum of those before it. */
KERNEL(1) select_cpu_scan(global long *sides, long n)
{
    long before = 0;
    for (long i = 0; i < n; i++) {
        const long own = sides[i];
        sides[i] = before;
        before += own;
    }
}

/* The first s.at[0] + 1 elements of the sorted order, and their positions: those below the threshold, and as many equal
 * ones as needed, each kind in the order of the row. */
KERNEL(1) select_cpu_take(global KEY *restrict taken, global long *restrict positions,
                          global const select_target *restrict targets, global const KEY *restrict keys,
                          global const long *restrict sides, const select_pass s)
{
    const long row = (long)get_group_id(0) / s.tiles, tile = (long)get_group_id(0) - row * s.tiles;
    const long i_begin = tile * s.tile, i_end = min(i_begin + s.tile, s.count);
    const KEY threshold = (KEY)targets[row].prefix;
    const long first = sides[row * SIDES * s.tiles], middle = sides[(row * SIDES + EQUAL) * s.tiles];
    const long wanted = s.at[0] + 1;
    long below = sides[SIDE_OF(BELOW)] - first, equal = sides[SIDE_OF(EQUAL)] - first;
    keys += s.from + row * s.count;
    taken += row * wanted;
    positions += row * wanted;
    for (long i = i_begin; i < i_end && (below < middle - first || equal < wanted); i++) {
        const KEY rank = rank_of(keys[i], (KEY)s.flip);
        if (rank > threshold || (rank == threshold && equal >= wanted))
            continue;
        const long to = rank < threshold ? below++ : equal++;
        taken[to] = keys[i];
        positions[to] = i + 1;
    }
}
