/* Reductions of segments of lines, and scans, as in fold_segments.cl, by groups: a group takes a part of TILE
 * neighbours, each work-item OWN of them, through local memory, and the items' states are scanned. */
#ifndef ITEMS
#define ITEMS 256
#define OWN 16
#endif
#include "parts/segments.cl"

#define TILE (ITEMS * OWN)
/* Elements of a work-item lie apart, so that those of neighbouring items are in different banks of local memory. */
#define CELL(e) ((e) + (e) / 32)
#define CELLS (TILE + TILE / 32)
#define FOR_GROUPS(job, n) for (long job = get_group_id(0); job < (n); job += get_num_groups(0))

typedef union cell {
    fold0_value_1 x;
    fold0_made y;
} cell;

/* The state with one value more. A job has the ends of many segments: none is done again, so nothing may overflow. */
#ifdef FOLD_HAS_MOMENTS
#undef BOTH
#define BOTH UNITED
#define TAKE(s, value, at) (s) = UNITED(s, fold0_1_one(value, at))
#else
#define TAKE(s, value, at) fold0_1_more(&(s), value, at)
#endif

/* What elements leave open, and whether a segment begins among them: then the state is of the last one that does. */
typedef struct open_state {
    state s;
    int begun;
} open_state;

inline open_state open_of(state s, int begun)
{
    open_state o;
    o.s = s;
    o.begun = begun;
    return o;
}

inline open_state open_both(open_state a, open_state b)
{
    return open_of(b.begun ? b.s : BOTH(a.s, b.s), a.begun | b.begun);
}

#define SCAN_ITEMS ITEMS
#include "parts/group_scan.cl"
DEFINE_GROUP_SCAN_BY(group_scan, open_state, open_of(NOTHING, 0), open_both)

/* Of each part the first start. */
KERNEL(ITEMS) fold_group_firsts(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    if (SEGMENTS_ARE_BAD)
        return;
    for (long part = get_global_id(0); part <= fold.parts; part += get_global_size(0))
        firsts[part] = starts_until(starts, segments.count, part * fold.part - 1);
}

/* The elements of a work-item: `count` of them, the first at position `at`. A bit of `begins` shows that a segment
 * begins with that element, a bit of `ends` that one begins behind it; such starts are not before starts[first]. */
typedef struct own_part {
    long at, first;
    int count;
    uint begins, ends;
} own_part;

#ifdef SEGMENTED
#define MARKS local uint marks[TILE / 32 + 1];
#define MARK(e) (marks[(e) / 32] >> (e) % 32)

/* Behind this function the group's cells are written. */
inline void find_own(own_part *own, local uint *marks, global const long *starts, global const long *firsts,
                     long count, long part, int item)
{
    const long from = part * TILE, first = firsts[part], last = firsts[part + 1];
    for (int k = item; k <= TILE / 32; k += ITEMS)
        marks[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long k = first + item; k < last; k += ITEMS)
        atomic_or(marks + (starts[k] - from) / 32, 1u << (starts[k] - from) % 32);
    if (item == 0 && last < count && starts[last] == from + TILE)
        marks[TILE / 32] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    own->begins = MARK(item * OWN) & (1u << OWN) - 1;
    own->ends = own->begins >> 1 | (MARK(item * OWN + OWN) & 1) << (OWN - 1);
    own->first = own->ends ? first + starts_until(starts + first, last - first, own->at) : 0;
}
#define FIND_OWN find_own(&own, marks, starts, firsts, segments.count, part, item);
#else
#define MARKS
#define FIND_OWN barrier(CLK_LOCAL_MEM_FENCE);
#endif

/* Element i of this item. */
#define X(i) cells[CELL(item * OWN + (i))].x

/* Declares what a group has of a part, whose elements are in `cells`: `own`, this item's, and what `all` items leave
 * open, and those before this item. */
#define FIND_PART                                                                                                      \
    const long row = job / fold.parts, part = job - row * fold.parts, from = part * TILE;                              \
    own_part own = {.at = from + item * OWN};                                                                          \
    own.count = (int)clamp(fold.elements - own.at, 0L, (long)OWN);                                                     \
    MAP_ROW(row)                                                                                                       \
    FOLD_UNROLLED for (int k = 0; k < OWN; k++) {                                                                      \
        const int e = k * ITEMS + item;                                                                                \
        if (from + e < fold.elements) {                                                                                \
            MAP_VALUES_1(from + e)                                                                                     \
            cells[CELL(e)].x = r0;                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    FIND_OWN                                                                                                           \
    open_state all, before = group_scan(open_of_own(cells, &own, item), &all, room);

inline open_state open_of_own(const local cell *cells, const own_part *own, int item)
{
    open_state o = open_of(NOTHING, own->begins != 0);
    for (int i = 0; i < own->count; i++) {
        if (own->begins >> i & 1)
            o.s = NOTHING;
        TAKE(o.s, X(i), (FOLD_INDEX)(own->at + i));
    }
    return o;
}

/* What each part begins with: a group to a line. */
KERNEL(ITEMS) fold_group_opens(const fold_shape fold FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    local open_state room[2 * ITEMS];
    const int item = (int)get_local_id(0);
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_GROUPS(row, fold.outputs) {
        open_state start = open_of(NOTHING, 0), all;
        for (long from = 0; from < fold.parts; from += TILE) {
            const long first = from + item * OWN;
            open_state own = open_of(NOTHING, 0);
            uint begins = 0;
            for (int i = 0; i < OWN && first + i < fold.parts; i++) {
                const int begun = segments.count > 0 && firsts[first + i + 1] > firsts[first + i];
                begins |= (uint)begun << i;
                own = open_both(own, open_of(t0[OPEN_AT(row, first + i, 0)], begun));
            }
            open_state before = open_both(start, group_scan(own, &all, room));
            for (int i = 0; i < OWN && first + i < fold.parts; i++) {
                const long at = OPEN_AT(row, first + i, 0);
                const state open = t0[at];
                t0[at] = before.s;
                before = open_both(before, open_of(open, begins >> i & 1));
            }
            start = open_both(start, all);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

#if REDUCES
KERNEL(ITEMS) fold_group_parts(const fold_shape fold,
                               const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    local cell cells[CELLS];
    local open_state room[2 * ITEMS];
    MARKS
    const int item = (int)get_local_id(0);
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_GROUPS(job, fold.outputs * fold.parts) {
        FIND_PART
        if (item == 0)
            t0[OPEN_AT(row, part, 0)] = all.s;
        long next = own.first;
        for (int i = 0; i < own.count; i++) {
            if (own.begins >> i & 1)
                before = open_of(NOTHING, 1);
            TAKE(before.s, X(i), (FOLD_INDEX)(own.at + i));
            if (!(own.ends >> i & 1))
                continue;
            while (starts[next] <= own.at + i)
                next++;
            if (next == 0)
                continue;
            const long counted = starts[next] - starts[next - 1];
            if (before.begun) {
                GIVE(row * (segments.count - 1) + next - 1, before.s)
            } else {
                t0[HEAD_AT(row, part, 0)] = before.s;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif

/* ---- scans ------------------------------------------------------------------------------------------------------- */

#if SCANS
KERNEL(ITEMS) fold_group_scan_parts(const fold_shape fold,
                                    const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    local cell cells[CELLS];
    local open_state room[2 * ITEMS];
    MARKS
    const int item = (int)get_local_id(0);
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_GROUPS(job, fold.outputs * fold.parts) {
        FIND_PART
        if (item == 0)
            t0[OPEN_AT(row, part, 0)] = all.s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

KERNEL(ITEMS) fold_group_scan(const fold_shape fold,
                              const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS SEGMENT_PARAMETERS)
{
    local cell cells[CELLS];
    local open_state room[2 * ITEMS];
    MARKS
    const int item = (int)get_local_id(0);
    const long counted = 1, stride = fold.out[0].stride[fold.kept - 1];
    if (SEGMENTS_ARE_BAD)
        return;
    FOR_GROUPS(job, fold.outputs * fold.parts) {
        FIND_PART
        const long to_row = fold_place(&fold, 0, row * fold.elements);
        if (fold.parts > 1)
            before = open_both(open_of(t0[OPEN_AT(row, part, 0)], 0), before);
        for (int i = 0; i < own.count; i++) {
            if (own.begins >> i & 1)
                before.s = NOTHING;
            const state both = BOTH(before.s, fold0_1_one(X(i), 0));
            cells[CELL(item * OWN + i)].y = fold0_finish((segments.exclusive ? before.s : both));
            before.s = both;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < OWN; k++) {
            const int e = k * ITEMS + item;
            if (from + e < fold.elements)
                fold0_store(to_row + (from + e) * stride, cells[CELL(e)].y);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif
