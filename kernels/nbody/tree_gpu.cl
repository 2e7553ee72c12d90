/* Gravity by a tree on GPUs: a group of BLOCK work-items takes BLOCK bodies, neighbours in the order of the keys,
 * through the tree, a body to an item. tree_cpu.cl has the criterion.
 *
 * Cells that were split are on a stack in local memory. A group takes turns, each with three barriers. In one kind of
 * turn it takes some cells off the stack's top and looks at all that they were split into, one to an item: a cell that
 * is far enough goes to a list of cells, the bodies of a leaf that is not to a list of bodies, another cell to the
 * stack. The items before it give each its place, so that lists and sums are in the same order every time. In another
 * kind of turn entries of a list come by in local memory, as many as there are items. What a turn does is the same for
 * the whole group, and follows from numbers that all items have; so there are no barriers in branches or in loops
 * within loops, which PoCL takes long to compile. */
#ifndef BLOCK
#define BLOCK 64 /* work-items of a group, and bodies that go through the tree together */
#endif
#define SLOTS 8 /* cells that a cell is split into, at most */
#define TAKEN (BLOCK / SLOTS)
#define STACK (BLOCK * TREE_LEVELS)
#define RUN 8 /* items whose numbers one item adds up */
#define RUNS (BLOCK / RUN)
#define LEAF_BODIES TREE_LEAF /* bodies of a larger leaf come by at once, without the list */

#include "parts/nbody_floor.cl"

#define V T
#define LANE_ROWS int
#define INLINE inline
#define inverse_root reciprocal_root
#include "parts/tree_terms.cl"

#define TILED kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))

typedef struct room {
    int stack[STACK], cells[2 * BLOCK], bodies[(LEAF_BODIES + 1) * BLOCK], leaves[BLOCK];
    ulong found[BLOCK], runs[RUNS]; /* runs: sums of RUN items' */
    tree_point body[BLOCK];
    T soft[BLOCK];
    int row[BLOCK];
    cell_term cell[BLOCK];
} room;

typedef struct tree {
    global const tree_cell *cells;
    global const tree_point *sorted;
    global const T *softs;
    global const uint *order;
} tree;

/* All but the body's own are the same in all items of a group. */
typedef struct walker {
    T x, y, z, soft; /* soft: LEAST_SOFT at least */
    int row;         /* of `body` */
    tree_sum sum;
    tree_boxes boxes;
    T stretch;
    bool rough;
    int depth;                 /* of the stack; -1: the root is to be looked at */
    int cells, bodies, leaves; /* on the lists */
    int done;                  /* bodies of the last leaf on the list */
} walker;

enum { LOOK, CELLS, BODIES, LEAF, MEASURE, END };

inline int next_turn(const walker *w)
{
    const bool last = w->depth == 0;
    if (w->leaves > 0)
        return LEAF;
    if (w->cells >= BLOCK || (last && w->cells > 0))
        return CELLS;
    if (w->bodies >= BLOCK || (last && w->bodies > 0))
        return BODIES;
    return !last ? LOOK : w->rough ? MEASURE : END;
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

/* Where each kind of what items have found is counted in a number. */
#define CELLS_AT 0
#define OPEN_AT 12
#define LEAVES_AT 24
#define BODIES_AT 36
#define PART_OF(counts, at) ((int)((counts) >> (at)) & 0xfff)

/* The cell that this item looks at, or -1. */
inline int cell_to_look_at(const walker *w, local const room *l, const tree *t)
{
    const int me = get_local_id(0), slot = me % SLOTS;
    if (w->depth < 0)
        return me == 0 ? 0 : -1;
    if (me / SLOTS >= min(w->depth, TAKEN))
        return -1;
    global const tree_cell *from = t->cells + l->stack[w->depth - 1 - me / SLOTS];
    return slot < -from->count ? from->first + slot : -1;
}

inline ulong look(const walker *w, const tree *t, int cell)
{
    if (cell < 0)
        return 0;
    global const tree_cell *c = t->cells + cell;
    const int count = c->count;
    return is_far(&w->boxes, c, w->stretch, w->rough ? ROUGH : PULL) ? (ulong)1 << CELLS_AT
           : count < 0                                            ? (ulong)1 << OPEN_AT
           : count > LEAF_BODIES                                  ? (ulong)1 << LEAVES_AT
                                                                  : (ulong)count << BODIES_AT;
}

inline void add_run(local room *l)
{
    const int me = get_local_id(0);
    ulong sum = 0;
    for (int k = 0; k < RUN && me < RUNS; k++)
        sum += l->found[me * RUN + k];
    if (me < RUNS)
        l->runs[me] = sum;
}

inline void put_away(walker *w, local room *l, const tree *t, int cell)
{
    const int me = get_local_id(0);
    const ulong mine = l->found[me];
    ulong before = 0, all = 0;
    for (int k = 0; k < RUNS; k++) {
        before += k < me / RUN ? l->runs[k] : 0;
        all += l->runs[k];
    }
    for (int k = me - me % RUN; k < me; k++)
        before += l->found[k];
    w->depth -= w->depth < 0 ? -1 : min(w->depth, TAKEN);
    if (PART_OF(mine, CELLS_AT))
        l->cells[w->cells + PART_OF(before, CELLS_AT)] = cell;
    if (PART_OF(mine, OPEN_AT))
        l->stack[w->depth + PART_OF(before, OPEN_AT)] = cell;
    if (PART_OF(mine, LEAVES_AT))
        l->leaves[PART_OF(before, LEAVES_AT)] = cell;
    for (int k = 0; k < PART_OF(mine, BODIES_AT); k++)
        l->bodies[w->bodies + PART_OF(before, BODIES_AT) + k] = t->cells[cell].first + k;
    w->depth += PART_OF(all, OPEN_AT);
    w->cells += PART_OF(all, CELLS_AT);
    w->bodies += PART_OF(all, BODIES_AT);
    w->leaves = PART_OF(all, LEAVES_AT);
    w->done = 0;
}

/* ---- what comes by ---------------------------------------------------------------------------------------------- */

#ifdef SOFTS
#define SOFT_WITH(own) (w->soft + (own))
#else
#define SOFT_WITH(own) (w->soft)
#endif

inline void bring_body(local room *l, const tree *t, int i)
{
    const int me = get_local_id(0);
    l->body[me] = t->sorted[i];
#ifdef SOFTS
    l->soft[me] = t->softs[i];
#endif
    l->row[me] = (int)t->order[i];
}

inline void meet_bodies(walker *w, local const room *l, int count, const int how)
{
    tree_sum sum = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        const tree_point p = l->body[k];
        add_body(&sum, p.w, p.x - w->x, p.y - w->y, p.z - w->z, SOFT_WITH(l->soft[k]),
                 how == FIELD ? l->row[k] == w->row : 0, how);
    }
    w->sum.x += sum.x, w->sum.y += sum.y, w->sum.z += sum.z, w->sum.potential += sum.potential;
}

inline void meet_cells(walker *w, local const room *l, int count, const int how)
{
    tree_sum sum = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        const cell_term c = l->cell[k];
        add_cell(&sum, c, c.x - w->x, c.y - w->y, c.z - w->z, SOFT_WITH(c.soft), how);
    }
    w->sum.x += sum.x, w->sum.y += sum.y, w->sum.z += sum.z, w->sum.potential += sum.potential;
}

/* How many entries come by in a turn. */
inline int coming(const walker *w, local const room *l, const tree *t, int turn)
{
    return turn == CELLS    ? min(w->cells, BLOCK)
           : turn == BODIES ? min(w->bodies, BLOCK)
           : turn == LEAF   ? min(t->cells[l->leaves[w->leaves - 1]].count - w->done, BLOCK)
                            : 0;
}

inline void bring(const walker *w, local room *l, const tree *t, int turn, int count)
{
    const int me = get_local_id(0);
    if (me >= count)
        return;
    if (turn == CELLS)
        l->cell[me] = term_of(t->cells + l->cells[w->cells - count + me]);
    else if (turn == BODIES)
        bring_body(l, t, l->bodies[w->bodies - count + me]);
    else
        bring_body(l, t, t->cells[l->leaves[w->leaves - 1]].first + w->done + me);
}

inline void meet(walker *w, local const room *l, const tree *t, int turn, int count, const int how)
{
    if (turn == CELLS) {
        meet_cells(w, l, count, how);
        w->cells -= count;
        return;
    }
    meet_bodies(w, l, count, how);
    if (turn == BODIES) {
        w->bodies -= count;
        return;
    }
    w->done += count;
    if (w->done == t->cells[l->leaves[w->leaves - 1]].count) {
        w->leaves--;
        w->done = 0;
    }
}

/* ---- a group ---------------------------------------------------------------------------------------------------- */

inline void begin(walker *w, bool rough)
{
    w->sum.x = w->sum.y = w->sum.z = w->sum.potential = 0;
    w->rough = rough;
    w->depth = -1;
    w->cells = w->bodies = w->leaves = w->done = 0;
}

/* From the accelerations of the rough walk. */
inline void measure(walker *w, local const room *l, T alpha)
{
    T least = l->soft[0];
    for (int k = 1; k < BLOCK; k++)
        least = fmin(least, l->soft[k]);
    w->stretch = stretch_of(alpha, least);
    begin(w, false);
}

inline T size_of(const tree_sum *a)
{
    return fmax(sqrt(fma(a->x, a->x, fma(a->y, a->y, a->z * a->z))), a->potential * (T)LEAST_SHARE);
}

/* Boxes begin with the bodies that are farthest from the one before. */
inline void put_in_boxes(walker *w, local room *l)
{
    const int me = get_local_id(0);
    const tree_point before = l->body[max(me - 1, 0)];
    const T dx = w->x - before.x, dy = w->y - before.y, dz = w->z - before.z;
    const T apart = me > 0 ? fma(dx, dx, fma(dy, dy, dz * dz)) : -1;
    int farther = 0, box = 0;
    l->soft[me] = apart;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < BLOCK; k++)
        farther += l->soft[k] > apart || (l->soft[k] == apart && k < me);
    l->row[me] = farther < BOXES - 1; /* does a box begin here? */
    barrier(CLK_LOCAL_MEM_FENCE);
    boxes_clear(&w->boxes);
    for (int k = 0; k < BLOCK; k++) {
        const tree_point p = l->body[k];
        box += l->row[k];
        boxes_add(&w->boxes, box, p.x, p.y, p.z);
    }
    boxes_end(&w->boxes);
}

/* The item's body; behind the last one it is the last again. */
inline void load(walker *w, local room *l, global const T *body, long size, long i, T soft)
{
    w->row = (int)i;
    w->x = body[i], w->y = body[size + i], w->z = body[2 * size + i];
    w->soft = SOFT_OF_BODY(body, size, i, soft) + (T)LEAST_SOFT;
    l->body[get_local_id(0)] = (tree_point)(w->x, w->y, w->z, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    put_in_boxes(w, l);
    barrier(CLK_LOCAL_MEM_FENCE);
}

inline void pull(walker *w, local room *l, const tree *t, T alpha, const int how)
{
    w->stretch = 0;
    begin(w, true);
    for (int turn = next_turn(w); turn != END; turn = next_turn(w)) {
        const int me = get_local_id(0), count = coming(w, l, t, turn);
        int cell = -1;
        if (turn == LOOK) {
            cell = cell_to_look_at(w, l, t);
            l->found[me] = look(w, t, cell);
        } else if (turn == MEASURE)
            l->soft[me] = size_of(&w->sum);
        else
            bring(w, l, t, turn, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (turn == LOOK)
            add_run(l);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (turn == LOOK)
            put_away(w, l, t, cell);
        else if (turn == MEASURE)
            measure(w, l, alpha);
        else if (w->rough)
            meet(w, l, t, turn, count, ROUGH);
        else
            meet(w, l, t, turn, count, how);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* As in tree_cpu.cl; a group to a unit. */
#define TREE_PARAMETERS                                                                                            \
    global const T *body, long size, global const tree_cell *cells, global const tree_point *sorted,               \
        global const T *softs, global const uint *sources, global const uint *order, long row, long bodies,        \
        long first, long last, T softening, T alpha
#define BEGIN                                                                                                      \
    local room l;                                                                                                  \
    const tree t = {cells, sorted, softs, sources};                                                                \
    const int2 unit = get_units(body, size);                                                                       \
    const long at = (first + (long)get_group_id(0)) * BLOCK + (long)get_local_id(0);                               \
    const long i = order[min(at, bodies - 1)];                                                                     \
    walker w;                                                                                                      \
    load(&w, &l, body, size, row + i, own_soft(softening, unit));

TILED void tree_pull(global T *to, TREE_PARAMETERS)
{
    BEGIN
    pull(&w, &l, &t, alpha, PULL);
    if (at < bodies) {
        to[row + i] = w.sum.x;
        to[size + row + i] = w.sum.y;
        to[2 * size + row + i] = w.sum.z;
    }
}

TILED void tree_field(global T *dst, long dst_at, long dst_row, long dst_column, T G, TREE_PARAMETERS)
{
    BEGIN
    pull(&w, &l, &t, alpha, FIELD);
    const T f[4] = {w.sum.x, w.sum.y, w.sum.z, w.sum.potential};
    for (int c = 0; c < 4 && at < bodies; c++)
        dst[dst_at + i * dst_row + c * dst_column] = (T)ldexp(G * f[c], unit.y - (c < 3 ? 2 : 1) * unit.x);
}
