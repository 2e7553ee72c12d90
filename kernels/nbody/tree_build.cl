/* The tree over bodies that attract: keys for the sort, cells, and their moments.
 *
 * Bodies in the order of their keys are in the order of the tree's leaves: the bodies of a cell are neighbours, and all
 * have the cell's digits. A cell that would have a single cell below is left out, so that a cell has two at least.
 * Cells are level by level, on a level in the order of their bodies; so the cells that a cell was split into are
 * neighbours.
 *
 * `body` is the structure of arrays of abi/nbody.h. Nothing depends on which work-item does what: any schedule gives
 * the same bits. */
#include "abi/nbody.h"
#include "parts/tree_cell.cl"
#include "parts/verdict.cl"
#ifndef SCAN_ITEMS
#define SCAN_ITEMS GROUP
#endif
#include "parts/group_scan.cl"

#define SPREAD kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* What is wrong with body i, or 0; has_softs: bodies have softenings of their own. */
inline int fault_of(global const T *body, long size, long active, long has_softs, long i)
{
    const T mass = i < active ? body[NBODY_MASS * size + i] : 0;
    int fault = has_softs && !(body[NBODY_SOFT * size + i] < (T)INFINITY) ? TREE_WRONG_SOFTENING : 0;
    if (!(fabs(mass) < (T)INFINITY))
        fault = isnan(mass) ? TREE_NAN_MASS : TREE_INFINITE_MASS;
    else if (mass < 0)
        fault = TREE_NEGATIVE_MASS;
    for (long c = 0; c < 3; c++) {
        const T x = body[c * size + i];
        if (!(fabs(x) < (T)INFINITY))
            fault = isnan(x) ? TREE_NAN_POSITION : TREE_INFINITE_POSITION;
    }
    return fault;
}

/* A word about the first body or point that no tree takes, of `count` in each system; the second dimension is the
 * system. */
SPREAD void tree_check(global const T *body, long size, long active, long has_softs, long count, VERDICT_PARAMETERS)
{
    const long system = get_group_id(1);
    body = NBODY_SYSTEM(body, size, system);
    FOR_SPREAD(i, count)
    {
        const int fault = fault_of(body, size, active, has_softs, i);
        if (fault)
            verdict_say(VERDICT, system * count + i, fault);
    }
}

/* The group's own box around its share of the bodies that attract, which are the first `active`, and of the places
 * first .. last-1 that are attracted; and a word about those that no tree takes. */
SPREAD void tree_box(global T *reals, long boxes_at, global const T *body, long size, long active, long has_softs,
                     long first, long last, VERDICT_PARAMETERS)
{
    local T corners[TREE_BOX * GROUP];
    const int me = get_local_id(0);
    T low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    FOR_SPREAD(i, max(active, last))
    {
        if (i >= active && i < first)
            continue;
        const int fault = fault_of(body, size, active, has_softs, i);
        if (fault)
            verdict_say(VERDICT, i, fault);
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], body[c * size + i]);
            high[c] = fmax(high[c], body[c * size + i]);
        }
    }
    for (int c = 0; c < 3; c++) {
        corners[c * GROUP + me] = low[c];
        corners[(3 + c) * GROUP + me] = high[c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = me; c < TREE_BOX; c += GROUP) {
        T most = corners[c * GROUP];
        for (int other = 1; other < GROUP; other++)
            most = c < 3 ? fmin(most, corners[c * GROUP + other]) : fmax(most, corners[c * GROUP + other]);
        reals[boxes_at + get_group_id(0) * TREE_BOX + c] = most;
    }
}

/* From the boxes of `groups` groups the frame; and 0 for the size of leaves, which is not known yet. One work-item. */
KERNEL(1) tree_frame(global T *frame, long boxes_at, long groups, global long *counts, long leaf_at)
{
    global const T *boxes = frame + boxes_at;
    T side = 0;
    for (int c = 0; c < 3; c++) {
        T low = INFINITY, high = -INFINITY;
        for (long g = 0; g < groups; g++) {
            low = fmin(low, boxes[g * TREE_BOX + c]);
            high = fmax(high, boxes[g * TREE_BOX + 3 + c]);
        }
        frame[c] = low;
        side = fmax(side, high - low);
    }
    frame[3] = side > 0 ? (T)(1 << TREE_DEPTH) / side : 0;
    counts[leaf_at] = 0;
}

/* A number's bits with two zeros between each. */
inline ulong spread_bits(uint n)
{
    ulong x = n;
    x = (x | x << 32) & 0x1f00000000ffffUL;
    x = (x | x << 16) & 0x1f0000ff0000ffUL;
    x = (x | x << 8) & 0x100f00f00f00f00fUL;
    x = (x | x << 4) & 0x10c30c30c30c30c3UL;
    return (x | x << 2) & 0x1249249249249249UL;
}

/* The keys of `bodies` rows from `first` on: Morton's order. */
SPREAD void tree_keys(global ulong *keys, global const T *frame, global const T *body, long size, long first,
                      long bodies)
{
    FOR_SPREAD(i, bodies)
    {
        ulong key = 0;
        for (int c = 0; c < 3; c++) {
            const uint at = convert_uint_sat((body[c * size + first + i] - frame[c]) * frame[3]);
            key = key << 1 | spread_bits(min(at, (1u << TREE_DEPTH) - 1));
        }
        keys[i] = key;
    }
}

/* Bodies in the order of the keys. */
SPREAD void tree_gather(global tree_point *sorted, global T *softs, global const uint *order, global const T *body,
                        long size, long bodies)
{
    FOR_SPREAD(k, bodies)
    {
        const long i = order[k];
        sorted[k] = (tree_point)(body[i], body[size + i], body[2 * size + i], body[NBODY_MASS * size + i]);
        if (softs)
            softs[k] = body[NBODY_SOFT * size + i];
    }
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

/* How many of their first digits two keys share. */
inline int shared_digits(ulong a, ulong b) { return a == b ? TREE_DEPTH : ((int)clz(a ^ b) - 1) / 3; }

#define PREFIX(key, digits) ((key) >> 3 * (TREE_DEPTH - (digits)))

/* Behind the bodies from i on, before body `end`, that share the first digits of body i's key. */
inline long run_end(global const ulong *keys, long i, long end, int digits)
{
    const ulong prefix = PREFIX(keys[i], digits);
    long last = i, step = 1;
    for (; last + step < end && PREFIX(keys[last + step], digits) == prefix; step *= 2)
        last += step;
    long beyond = min(last + step, end);
    while (beyond - last > 1) {
        const long middle = last + (beyond - last) / 2;
        if (PREFIX(keys[middle], digits) == prefix)
            last = middle;
        else
            beyond = middle;
    }
    return beyond;
}

/* The level of the largest cell that begins with body i; or -1 where no cell does, as the bodies i-1 and i are in one
 * leaf. */
inline int first_level(global const ulong *keys, long i, long bodies, long leaf)
{
    const int digits = i > 0 ? shared_digits(keys[i - 1], keys[i]) : -1;
    if (digits < 0 || digits == TREE_DEPTH)
        return digits < 0 ? 0 : -1;
    const ulong prefix = PREFIX(keys[i], digits);
    long before = max(i - leaf, 0L) - 1, from = i - 1;
    while (from - before > 1) {
        const long middle = before + (from - before) / 2;
        if (PREFIX(keys[middle], digits) == prefix)
            from = middle;
        else
            before = middle;
    }
    return from + leaf < bodies && PREFIX(keys[from + leaf], digits) == prefix ? digits + 1 : -1;
}

/* The level of the cells that the cell of the bodies i .. end-1 is split into; TREE_LEVELS for a leaf. */
inline int level_below(global const ulong *keys, long i, long end, long leaf)
{
    return end - i > leaf ? shared_digits(keys[i], keys[end - 1]) + 1 : TREE_LEVELS;
}

/* How many cells of each level begin in each tile of bodies, with leaves of `leaf` bodies at most; unless the
 * size of leaves is settled, as counts[leaf_at] says. */
SPREAD void tree_count(global long *counts, long leaf_at, global const ulong *keys, long bodies, long tiles,
                       long tile, long leaf)
{
    if (counts[leaf_at])
        return;
    FOR_SPREAD(t, tiles)
    {
        long own[TREE_LEVELS];
        for (int level = 0; level < TREE_LEVELS; level++)
            own[level] = 0;
        for (long i = t * tile; i < min(bodies, (t + 1) * tile); i++) {
            int level = first_level(keys, i, bodies, leaf);
            for (long end = bodies; level >= 0 && level < TREE_LEVELS;) {
                own[level]++;
                end = run_end(keys, i, end, level);
                level = level_below(keys, i, end, leaf);
            }
        }
        for (int level = 0; level < TREE_LEVELS; level++)
            counts[level * tiles + t] = own[level];
    }
}

DEFINE_GROUP_SCAN(long)

/* Each of counts[from .. end-1] becomes `before` and the sum of those before it; gives what comes behind them. One
 * group. */
#define COUNTS_EACH 16
inline long scan_counts(global long *counts, long from, long end, long before, local long *space)
{
    for (; from < end; from += GROUP * COUNTS_EACH) {
        long own = 0, total;
        const long begin = from + (long)get_local_id(0) * COUNTS_EACH, behind = min(begin + COUNTS_EACH, end);
        for (long k = begin; k < behind; k++)
            own += counts[k];
        long running = before + group_scan_long(own, &total, space);
        for (long k = begin; k < behind; k++) {
            own = counts[k];
            counts[k] = running;
            running += own;
        }
        before += total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return before;
}

/* Many counts are scanned in parts, one to a group: first the sum of each part, then the sums of the parts before it,
 * then the counts. counts[leaf_at] is 0 until the size of leaves is settled; then it is that size, below 0 as long as
 * the parts are to be scanned. */
SPREAD void tree_sums(global long *counts, long leaf_at, long n, long part, long sums_at)
{
    local long space[2 * SCAN_ITEMS];
    const long from = (long)get_group_id(0) * part, end = min(from + part, n);
    long own = 0, total;
    if (counts[leaf_at])
        return;
    for (long k = from + (long)get_local_id(0); k < end; k += GROUP)
        own += counts[k];
    group_scan_long(own, &total, space);
    if (get_local_id(0) == 0)
        counts[sums_at + (long)get_group_id(0)] = total;
}

/* The scan of counts, or of the sums of parts, which are at `from`; counts[n] is the sum of all counts. If there is
 * room for that many cells, the size of leaves is settled. One group. */
SPREAD void tree_scan(global long *counts, long leaf_at, long n, long from, long end, long room, long leaf)
{
    local long space[2 * SCAN_ITEMS];
    const long settled = counts[leaf_at];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (settled) {
        if (get_local_id(0) == 0)
            counts[leaf_at] = settled < 0 ? -settled : settled;
        return;
    }
    const long all = scan_counts(counts, from, end, 0, space);
    if (get_local_id(0) == 0) {
        counts[n] = all;
        if (all <= room)
            counts[leaf_at] = from > 0 ? -leaf : leaf;
    }
}

SPREAD void tree_spread(global long *counts, long leaf_at, long n, long part, long sums_at)
{
    local long space[2 * SCAN_ITEMS];
    const long from = (long)get_group_id(0) * part;
    if (counts[leaf_at] < 0)
        scan_counts(counts, from, min(from + part, n), counts[sums_at + (long)get_group_id(0)], space);
}

/* The cells, but for their moments. */
SPREAD void tree_cells(global tree_cell *cells, global const long *counts, long leaf_at,
                       global const ulong *keys, long bodies, long tiles, long tile)
{
    const long leaf = abs(counts[leaf_at]);
    FOR_SPREAD(t, tiles)
    {
        long next[TREE_LEVELS];
        for (int level = 0; level < TREE_LEVELS; level++)
            next[level] = counts[level * tiles + t];
        for (long i = t * tile; i < min(bodies, (t + 1) * tile); i++) {
            int level = first_level(keys, i, bodies, leaf);
            for (long end = bodies; level >= 0 && level < TREE_LEVELS;) {
                global tree_cell *cell = cells + next[level]++;
                end = run_end(keys, i, end, level);
                level = level_below(keys, i, end, leaf);
                const bool is_leaf = level >= TREE_LEVELS;
                int parts = 0;
                for (long k = i; !is_leaf && k < end; parts++)
                    k = run_end(keys, k, end, level);
                cell->first = is_leaf ? (int)i : (int)next[level];
                cell->count = is_leaf ? (int)(end - i) : -parts;
            }
        }
    }
}

/* ---- moments ---------------------------------------------------------------------------------------------------- */

/* A point of the cell: a body, or the centre of a cell below with its moments. */
typedef struct tree_part {
    T x, y, z, mass, soft, radius;
    T xx, xy, xz, yy, yz, zz;
} tree_part;

inline tree_part part_of(const tree_cell *cell, global const tree_cell *cells, global const tree_point *sorted,
                         global const T *softs, int k)
{
    if (cell->count > 0) {
        const tree_point p = sorted[cell->first + k];
        return (tree_part){.x = p.x, .y = p.y, .z = p.z, .mass = p.w, .soft = softs ? softs[cell->first + k] : 0};
    }
    global const tree_cell *c = cells + cell->first + k;
    return (tree_part){c->x, c->y, c->z, c->mass, c->soft, c->radius, c->xx, c->xy, c->xz, c->yy, c->yz, c->zz};
}

/* The centre, as a mean of distances from the first part: no digits are lost where the cell is small and far out.
 * Without mass all parts count alike. */
inline void find_centre(tree_cell *cell, global const tree_cell *cells, global const tree_point *sorted,
                        global const T *softs, int parts)
{
    const tree_part first = part_of(cell, cells, sorted, softs, 0);
    T mass = 0, by_mass[4] = {0, 0, 0, 0}, alike[4] = {0, 0, 0, 0};
    for (int k = 0; k < parts; k++) {
        const tree_part p = part_of(cell, cells, sorted, softs, k);
        const T from[4] = {p.x - first.x, p.y - first.y, p.z - first.z, p.soft - first.soft};
        for (int c = 0; c < 4; c++) {
            by_mass[c] = fma(p.mass, from[c], by_mass[c]);
            alike[c] += from[c];
        }
        mass += p.mass;
    }
    for (int c = 0; c < 4; c++)
        by_mass[c] = mass > 0 ? by_mass[c] / mass : alike[c] / parts;
    cell->x = first.x + by_mass[0];
    cell->y = first.y + by_mass[1];
    cell->z = first.z + by_mass[2];
    cell->soft = fmax(first.soft + by_mass[3], (T)0);
    cell->mass = mass;
}

/* Bodies whose softenings differ are taken as if they were so much farther apart: what a common softening leaves out is
 * then within what is left out anyway. */
inline void find_moments(tree_cell *cell, global const tree_cell *cells, global const tree_point *sorted,
                         global const T *softs, int parts)
{
    T xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, radius2 = 0;
    for (int k = 0; k < parts; k++) {
        const tree_part p = part_of(cell, cells, sorted, softs, k);
        const T dx = p.x - cell->x, dy = p.y - cell->y, dz = p.z - cell->z;
        xx += fma(p.mass * dx, dx, p.xx), xy += fma(p.mass * dx, dy, p.xy), xz += fma(p.mass * dx, dz, p.xz);
        yy += fma(p.mass * dy, dy, p.yy), yz += fma(p.mass * dy, dz, p.yz), zz += fma(p.mass * dz, dz, p.zz);
        const T reach = sqrt(fma(dx, dx, fma(dy, dy, dz * dz))) + p.radius;
        radius2 = fmax(radius2, reach * reach + fabs(p.soft - cell->soft));
    }
    cell->xx = xx, cell->xy = xy, cell->xz = xz, cell->yy = yy, cell->yz = yz, cell->zz = zz;
    cell->radius = sqrt(radius2);
    const T spread = softs ? cell->mass * radius2 : xx + yy + zz;
    cell->reach = pow(cell->radius * spread, (T)0.2);
}

/* The moments of the cells of a level; those of the levels below are known. */
SPREAD void tree_moments(global tree_cell *cells, global const tree_point *sorted, global const T *softs,
                         global const long *counts, long tiles, long level)
{
    const long from = counts[level * tiles], to = counts[(level + 1) * tiles];
    FOR_SPREAD(k, to - from)
    {
        tree_cell cell;
        cell.first = cells[from + k].first;
        cell.count = cells[from + k].count;
        const int parts = abs(cell.count);
        find_centre(&cell, cells, sorted, softs, parts);
        find_moments(&cell, cells, sorted, softs, parts);
        cells[from + k] = cell;
    }
}
