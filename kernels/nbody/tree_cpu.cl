/* Gravity by a tree on a CPU device: one work-item to a core, bodies in the lanes of vectors.
 *
 * TARGETS bodies that are neighbours in the order of the keys go through the tree together. A cell that is far enough
 * from the boxes around all of them goes to a list of cells, the bodies of a leaf that is not to a list of bodies, and
 * a list that is full is summed up: each of its entries pulls the bodies, a vector at a time.
 *
 * A cell stands for its bodies by its mass and its second moments. What that leaves out begins with terms of about R S
 * / d^5, where S is the sum of mass times the square of the distance from the centre, R the farthest such distance, and
 * d the distance to the bodies that are pulled. So a cell is far enough where d > D + BEYOND R, with R S / D^5 = alpha
 * a and the least acceleration a among the bodies (from a first, rough walk, by masses alone), and where d > NEAREST R.
 * All terms together are about R S / (d^4 (d - R)), which asks for D + R / 5 where R is small. alpha is the host's: it
 * has it from the accuracy that is needed. GADGET-2 opens its cells by M L^2 / d^4 < alpha |a| likewise (Springel
 * 2005). */
#ifndef WIDTH
#define WIDTH 8 /* lanes of a vector */
#endif
#ifndef TARGETS
#define TARGETS 32 /* bodies that go through the tree together */
#endif
#ifndef UNIT
#define UNIT 8 /* such groups that are a unit of work */
#endif
#define AT_ONCE 2         /* vectors that are pulled at once */
#define VECTORS (TARGETS / WIDTH)
#define LIST_BODIES 512
#define LIST_CELLS 256
#define STACK (8 * TREE_LEVELS)

#define V JOIN(T, WIDTH)
#define VLOAD(p) JOIN(vload, WIDTH)(0, p)
#define VSTORE(v, p) JOIN(vstore, WIDTH)(v, 0, p)
#define INLINE __attribute__((always_inline)) inline
#define WORKER kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#ifdef DTYPE_f64
#define LANE long /* an integer as wide as T */
#else
#define LANE int
#endif
#define LANE_ROWS JOIN(LANE, WIDTH)

#define LANES WIDTH
#include "parts/nbody_bodies.cl"
#include "parts/tasks_cpu.cl"

/* One over the root: a 12-bit estimate and a step of Newton's. */
INLINE V inverse_root(V r2)
{
#if defined(DTYPE_f32) && WIDTH == 8 && __has_builtin(__builtin_ia32_rsqrtps256)
    const V y = __builtin_ia32_rsqrtps256(r2);
#elif defined(DTYPE_f32) && WIDTH == 4 && __has_builtin(__builtin_ia32_rsqrtps)
    const V y = __builtin_ia32_rsqrtps(r2);
#elif defined(DTYPE_f32) && WIDTH == 16 && __has_builtin(__builtin_ia32_rsqrt14ps512_mask)
    const V y = __builtin_ia32_rsqrt14ps512_mask(r2, (V)(0), (ushort)0xffff);
#else
    return (T)1 / sqrt(r2);
#define EXACT_ROOT 1
#endif
#ifndef EXACT_ROOT
    return y * fma(r2 * y, y * -0.5f, (V)(1.5f));
#endif
}

#include "parts/tree_terms.cl"

/* ---- a group of bodies and its lists ---------------------------------------------------------------------------- */

typedef struct group {
    tree_boxes boxes;
    T stretch;
    V x[VECTORS], y[VECTORS], z[VECTORS];
    V soft[VECTORS]; /* LEAST_SOFT at least */
    LANE_ROWS row[VECTORS]; /* of `body` */
    tree_sum sum[VECTORS];
} group;

typedef struct lists {
    tree_point bodies[LIST_BODIES];
    T softs[LIST_BODIES];
    int rows[LIST_BODIES];
    cell_term cells[LIST_CELLS];
    int body_count, cell_count;
} lists;

#ifdef SOFTS
#define SOFT_OF(g, v, own) ((g)->soft[v] + (own))
#else
#define SOFT_OF(g, v, own) ((g)->soft[v])
#endif

INLINE void add_sum(tree_sum *to, const tree_sum *more)
{
    to->x += more->x, to->y += more->y, to->z += more->z, to->potential += more->potential;
}

/* Adds what a list of `count` gives to all vectors, some of them at once: `find` takes the k-th of the list, and `add`
 * adds it to the sum of vector w. */
#define MEET(count, find, add)                                                                                       \
    for (int v = 0; v < VECTORS; v += AT_ONCE) {                                                                     \
        tree_sum sum[AT_ONCE];                                                                                       \
        UNROLLED for (int e = 0; e < AT_ONCE; e++) sum[e].x = sum[e].y = sum[e].z = sum[e].potential = (V)(0);       \
        for (int k = 0; k < (count); k++) {                                                                          \
            find;                                                                                                    \
            UNROLLED for (int e = 0, w = v; e < AT_ONCE; e++, w++) add;                                              \
        }                                                                                                            \
        UNROLLED for (int e = 0; e < AT_ONCE; e++) add_sum(&g->sum[v + e], &sum[e]);                                 \
    }
#define UNROLLED _Pragma("unroll")

INLINE void meet_bodies(group *g, const lists *l, const int how)
{
    MEET(l->body_count, const tree_point p = l->bodies[k],
         add_body(&sum[e], p.w, p.x - g->x[w], p.y - g->y[w], p.z - g->z[w], SOFT_OF(g, w, l->softs[k]),
                  how == FIELD ? (LANE_ROWS)(l->rows[k]) == g->row[w] : (LANE_ROWS)(0), how))
}

INLINE void meet_cells(group *g, const lists *l, const int how)
{
    MEET(l->cell_count, const cell_term c = l->cells[k],
         add_cell(&sum[e], c, c.x - g->x[w], c.y - g->y[w], c.z - g->z[w], SOFT_OF(g, w, c.soft), how))
}

/* ---- the walk --------------------------------------------------------------------------------------------------- */

typedef struct tree {
    global const tree_cell *cells;
    global const tree_point *sorted; /* bodies that attract, in the order of the tree */
    global const T *softs;           /* theirs, or NULL */
    global const uint *order;        /* their rows of `body` */
} tree;

/* Puts the bodies of a leaf on the list. */
INLINE void list_leaf(lists *l, group *g, const tree *t, int first, int count, const int how)
{
    for (int from = 0; from < count;) {
        const int some = min(count - from, LIST_BODIES - l->body_count);
        for (int k = 0; k < some; k++) {
            const int i = first + from + k, at = l->body_count + k;
            l->bodies[at] = t->sorted[i];
#ifdef SOFTS
            l->softs[at] = t->softs[i];
#endif
            if (how == FIELD)
                l->rows[at] = (int)t->order[i];
        }
        l->body_count += some;
        from += some;
        if (l->body_count == LIST_BODIES) {
            meet_bodies(g, l, how);
            l->body_count = 0;
        }
    }
}

INLINE void list_cell(lists *l, group *g, global const tree_cell *c, const int how)
{
    l->cells[l->cell_count++] = term_of(c);
    if (l->cell_count == LIST_CELLS) {
        meet_cells(g, l, how);
        l->cell_count = 0;
    }
}

INLINE void walk(group *g, lists *l, const tree *t, const int how)
{
    int stack[STACK], depth = 0;
    int next = 0, end = 1; /* cells that are neighbours, at first the root */
    l->body_count = l->cell_count = 0;
    for (;;) {
        for (; next < end; next++) {
            global const tree_cell *c = t->cells + next;
            if (is_far(&g->boxes, c, g->stretch, how))
                list_cell(l, g, c, how);
            else if (c->count > 0)
                list_leaf(l, g, t, c->first, c->count, how);
            else
                stack[depth++] = next;
        }
        if (depth == 0)
            break;
        global const tree_cell *c = t->cells + stack[--depth];
        next = c->first;
        end = next - c->count;
    }
    meet_cells(g, l, how);
    meet_bodies(g, l, how);
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

INLINE void clear_sums(group *g)
{
    for (int v = 0; v < VECTORS; v++)
        g->sum[v].x = g->sum[v].y = g->sum[v].z = g->sum[v].potential = (V)(0);
}

/* Boxes begin with the bodies that are farthest from the one before. */
INLINE void put_in_boxes(group *g, T p[3][TARGETS])
{
    T apart[TARGETS]; /* square of the distance from the body before, or -1 where a box begins */
    for (int k = 1; k < TARGETS; k++) {
        const T dx = p[0][k] - p[0][k - 1], dy = p[1][k] - p[1][k - 1], dz = p[2][k] - p[2][k - 1];
        apart[k] = fma(dx, dx, fma(dy, dy, dz * dz));
    }
    for (int box = 1; box < BOXES; box++) {
        int farthest = 1;
        for (int k = 2; k < TARGETS; k++)
            farthest = apart[k] > apart[farthest] ? k : farthest;
        apart[farthest] = -1;
    }
    boxes_clear(&g->boxes);
    for (int k = 0, box = 0; k < TARGETS; k++) {
        box += k > 0 && apart[k] < 0;
        boxes_add(&g->boxes, box, p[0][k], p[1][k], p[2][k]);
    }
    boxes_end(&g->boxes);
}

/* The bodies from `first` on in the order, some of the rows from `row` on; in the place of those behind the last the
 * last. */
INLINE void load_group(group *g, global const T *body, long size, global const uint *order, long row, long first,
                       long bodies, T soft)
{
    T p[3][TARGETS], softs[TARGETS];
    LANE rows[TARGETS];
    for (int k = 0; k < TARGETS; k++) {
        const long i = row + order[min(first + k, bodies - 1)];
        for (int c = 0; c < 3; c++)
            p[c][k] = body[c * size + i];
        softs[k] = SOFT_OF_BODY(body, size, i, soft) + (T)LEAST_SOFT;
        rows[k] = (LANE)i;
    }
    put_in_boxes(g, p);
    for (int v = 0; v < VECTORS; v++) {
        g->x[v] = VLOAD(p[0] + v * WIDTH), g->y[v] = VLOAD(p[1] + v * WIDTH), g->z[v] = VLOAD(p[2] + v * WIDTH);
        g->soft[v] = VLOAD(softs + v * WIDTH);
        g->row[v] = VLOAD(rows + v * WIDTH);
    }
}

/* Sets stretch from the accelerations of the rough walk. */
INLINE void find_stretch(group *g, T alpha)
{
    T least = INFINITY;
    for (int v = 0; v < VECTORS; v++) {
        T each[WIDTH];
        const tree_sum *a = &g->sum[v];
        const V size = sqrt(fma(a->x, a->x, fma(a->y, a->y, a->z * a->z)));
        VSTORE(fmax(size, a->potential * (T)LEAST_SHARE), each);
        for (int k = 0; k < WIDTH; k++)
            least = fmin(least, each[k]);
    }
    g->stretch = stretch_of(alpha, least);
}

/* What a launch walks: the bodies of rows row .. row+bodies-1 in groups of neighbours in `order`. */
#define TREE_PARAMETERS                                                                                            \
    global const T *body, long size, global const tree_cell *cells, global const tree_point *sorted,               \
        global const T *softs, global const uint *sources, global const uint *order, long row, long bodies,        \
        long first, long last, T softening, T alpha, volatile global uint *counters
#define FOR_GROUPS(at)                                                                                             \
    const T soft = own_soft(softening, get_units(body, size));                                                     \
    const tree t = {cells, sorted, softs, sources};                                                                \
    group g;                                                                                                       \
    lists l;                                                                                                       \
    FOR_CLAIMED(task, last - first)                                                                                \
        for (long at = (first + task) * UNIT * TARGETS, end = min(at + UNIT * TARGETS, bodies); at < end; at += TARGETS)

INLINE void pull_group(group *g, lists *l, const tree *t, T alpha, const int how)
{
    clear_sums(g);
    walk(g, l, t, ROUGH);
    find_stretch(g, alpha);
    clear_sums(g);
    walk(g, l, t, how);
}

/* The accelerations of the units first .. last-1. */
WORKER void tree_pull(global T *pull, TREE_PARAMETERS)
{
    FOR_GROUPS(at)
    {
        T a[3][TARGETS];
        load_group(&g, body, size, order, row, at, bodies, soft);
        pull_group(&g, &l, &t, alpha, PULL);
        for (int v = 0; v < VECTORS; v++) {
            VSTORE(g.sum[v].x, a[0] + v * WIDTH);
            VSTORE(g.sum[v].y, a[1] + v * WIDTH);
            VSTORE(g.sum[v].z, a[2] + v * WIDTH);
        }
        for (int k = 0; k < min((long)TARGETS, bodies - at); k++)
            for (int c = 0; c < 3; c++)
                pull[c * size + row + order[at + k]] = a[c][k];
    }
    leave_tasks(counters);
}

/* Acceleration and potential of the units first .. last-1, of the first row's body to the first row of dst. */
WORKER void tree_field(global T *dst, long dst_at, long dst_row, long dst_column, T G, TREE_PARAMETERS)
{
    const int2 unit = get_units(body, size);
    FOR_GROUPS(at)
    {
        T f[4][TARGETS];
        load_group(&g, body, size, order, row, at, bodies, soft);
        pull_group(&g, &l, &t, alpha, FIELD);
        for (int v = 0; v < VECTORS; v++) {
            VSTORE(g.sum[v].x, f[0] + v * WIDTH);
            VSTORE(g.sum[v].y, f[1] + v * WIDTH);
            VSTORE(g.sum[v].z, f[2] + v * WIDTH);
            VSTORE(g.sum[v].potential, f[3] + v * WIDTH);
        }
        for (int k = 0; k < min((long)TARGETS, bodies - at); k++)
            for (int c = 0; c < 4; c++)
                dst[dst_at + order[at + k] * dst_row + c * dst_column] =
                    (T)ldexp(G * f[c][k], unit.y - (c < 3 ? 2 : 1) * unit.x);
    }
    leave_tasks(counters);
}
