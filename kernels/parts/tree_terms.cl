/* What a body and what a cell of a tree pull with: for vectors of bodies V, or for one. Who includes this defines V,
 * LANE_ROWS (integers as wide as T, as many as V has), INLINE and inverse_root. */
#include "parts/tree_cell.cl"

#ifdef DTYPE_f64
#define LEAST_SOFT 1e-100 /* added to squares of distances: no power of one over them overflows that a zero meets */
#define LEAST_CELL 1e-80  /* square of a distance from which on a cell may stand for its bodies: likewise */
#else
#define LEAST_SOFT 1e-24f
#define LEAST_CELL 1e-13f
#endif
#define NEAREST 1.3f       /* distance over the cell's radius, at least */
/* Of the radius, that a cell is farther away than its leading error asks for (tree_cpu.cl). */
#define BEYOND 0.4f
#define ROUGH_NEAREST 0.7f /* as NEAREST, of the rough walk */
#define LEAST_SHARE 0.02f   /* an acceleration counts as so much of the sum of all magnitudes at least */

/* A walk's kind: rough, by masses alone and with the sum of magnitudes for a potential; accelerations; these and
 * potentials. */
enum { ROUGH, PULL, FIELD };

typedef struct tree_sum {
    V x, y, z, potential;
} tree_sum;

typedef struct cell_term { /* moments three times */
    T x, y, z, mass, xx, xy, xz, yy, yz, zz, soft;
} cell_term;

INLINE cell_term term_of(global const tree_cell *c)
{
    return (cell_term){c->x,      c->y,      c->z,      c->mass,    3 * c->xx, 3 * c->xy,
                       3 * c->xz, 3 * c->yy, 3 * c->yz, 3 * c->zz, c->soft};
}

/* Of a pull from a distance d, with u = 1 / sqrt(d^2 + soft): m d^2 u^4, which is m d u^3 but where the softening
 * counts, and less there. */
INLINE V magnitude(T mass, V dx, V dy, V dz, V u2) { return mass * (fma(dx, dx, fma(dy, dy, dz * dz)) * u2) * u2; }

/* A body at a distance: soft is the square of the softening, LEAST_SOFT at least; itself: is the body the one that is
 * pulled? */
INLINE void add_body(tree_sum *sum, T mass, V dx, V dy, V dz, V soft, LANE_ROWS itself, const int how)
{
    const V r2 = fma(dx, dx, soft) + fma(dy, dy, dz * dz);
    V r = inverse_root(r2), s;
    if (how == FIELD) {
        r = (itself | (r2 <= (V)(LEAST_SOFT))) ? (V)(0) : r;
        const V p = mass * r;
        s = p * r * r;
        sum->potential -= p;
    } else {
        const V r_2 = r * r;
        s = mass * r * r_2;
        if (how == ROUGH)
            sum->potential += magnitude(mass, dx, dy, dz, r_2);
    }
    sum->x = fma(s, dx, sum->x), sum->y = fma(s, dy, sum->y), sum->z = fma(s, dz, sum->z);
}

/* With u = 1 / sqrt(d^2 + soft) and second moments S the potential is -(M u + (3 d.S.d u^5 - tr(S) u^3) / 2), also of
 * softened bodies; the acceleration is its gradient. */
INLINE void add_cell(tree_sum *sum, const cell_term c, V dx, V dy, V dz, V soft, const int how)
{
    const V r2 = fma(dx, dx, soft) + fma(dy, dy, dz * dz);
    const V u = inverse_root(r2), u2 = u * u, u3 = u * u2;
    if (how == ROUGH) {
        const V s = c.mass * u3;
        sum->x = fma(s, dx, sum->x), sum->y = fma(s, dy, sum->y), sum->z = fma(s, dz, sum->z);
        sum->potential += magnitude(c.mass, dx, dy, dz, u2);
        return;
    }
    const T half_trace = (T)0.5 * (c.xx + c.yy + c.zz);
    const V u5 = u3 * u2;
    const V sx = fma((V)(c.xx), dx, fma((V)(c.xy), dy, c.xz * dz));
    const V sy = fma((V)(c.xy), dx, fma((V)(c.yy), dy, c.yz * dz));
    const V sz = fma((V)(c.xz), dx, fma((V)(c.yz), dy, c.zz * dz));
    const V q = fma(sx, dx, fma(sy, dy, sz * dz)) * u2;
    const V s = fma(u5, fma(q, (V)((T)2.5), (V)(-half_trace)), c.mass * u3);
    sum->x = fma(s, dx, fma(-u5, sx, sum->x));
    sum->y = fma(s, dy, fma(-u5, sy, sum->y));
    sum->z = fma(s, dz, fma(-u5, sz, sum->z));
    if (how == FIELD)
        sum->potential -= fma(u3, fma(q, (V)((T)0.5), (V)(half_trace * (T)(-1.0 / 3))), c.mass * u);
}

/* Boxes around the bodies that go through the tree together. They are neighbours in the order of the keys, which jumps
 * where it leaves one half of space for the other: a single box around bodies before and behind such a jump covers much
 * of space, and every body there would pull by itself. So the bodies are cut where two that follow each other are
 * farthest apart. */
#define BOXES 4
#define B JOIN(T, 4) /* a number of each box */
#ifdef DTYPE_f64
#define B_MASK long4
#else
#define B_MASK int4
#endif

typedef struct tree_boxes {
    B middle[3], arm[3]; /* while bodies are added: the low and the high corners */
} tree_boxes;

INLINE void boxes_clear(tree_boxes *b)
{
    for (int c = 0; c < 3; c++) {
        b->middle[c] = (B)(INFINITY);
        b->arm[c] = (B)(-INFINITY);
    }
}

/* Puts a body into a box: 0 .. BOXES-1. */
INLINE void boxes_add(tree_boxes *b, int box, T x, T y, T z)
{
    const B_MASK mask = (B_MASK)(box) == (B_MASK)(0, 1, 2, 3);
    const T at[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        b->middle[c] = fmin(b->middle[c], select((B)(INFINITY), (B)(at[c]), mask));
        b->arm[c] = fmax(b->arm[c], select((B)(-INFINITY), (B)(at[c]), mask));
    }
}

/* After the last body; every box has one. */
INLINE void boxes_end(tree_boxes *b)
{
    for (int c = 0; c < 3; c++) {
        const B low = b->middle[c], high = b->arm[c];
        b->middle[c] = low + (high - low) / 2;
        b->arm[c] = fmax(high - b->middle[c], b->middle[c] - low);
    }
}

/* The square of the distance from the nearest box. */
INLINE T boxes_distance2(const tree_boxes *b, T x, T y, T z)
{
    const B dx = fmax(fabs((B)(x) - b->middle[0]) - b->arm[0], (B)(0));
    const B dy = fmax(fabs((B)(y) - b->middle[1]) - b->arm[1], (B)(0));
    const B dz = fmax(fabs((B)(z) - b->middle[2]) - b->arm[2], (B)(0));
    const B r2 = fma(dx, dx, fma(dy, dy, dz * dz));
    return fmin(fmin(r2.x, r2.y), fmin(r2.z, r2.w));
}

/* May the cell stand for its bodies? stretch is (alpha a)^(-1/5), with the least acceleration a. */
INLINE bool is_far(const tree_boxes *b, global const tree_cell *c, T stretch, const int how)
{
    const T nearest = how == ROUGH ? c->radius * (T)ROUGH_NEAREST
                                   : fmax(c->radius * (T)NEAREST, fma(c->reach, stretch, c->radius * (T)BEYOND));
    return boxes_distance2(b, c->x, c->y, c->z) > fmax(nearest * nearest, (T)LEAST_CELL);
}

/* Without any pull any cell may stand for its bodies. */
INLINE T stretch_of(T alpha, T least) { return least > 0 ? pow(alpha * least, (T)-0.2) : 0; }
