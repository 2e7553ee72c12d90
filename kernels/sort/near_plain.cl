/* Points within a radius of each other. Space is cut into cells that are at least as wide as the radius. A cell's
 * points are in a bucket, which it may share with distant cells; adjacent cells along x have adjacent buckets. All
 * candidates for a point are in the buckets of the cells that its ball intersects. */
#pragma OPENCL FP_CONTRACT OFF /* counting and writing find the same pairs, on all devices */
#include "abi/near.h"

#define REAL COMPUTE
#define REAL4 JOIN(COMPUTE, 4)
#if DIGITS == 24
#define CELLS 0x1p20f /* along an axis, from 0 to the farthest coordinate */
#define SLACK 0x1p-21f
#else
#define CELLS 0x1p30
#define SLACK 0x1p-50
#endif
#define TAGS 128 /* 3 * 7 bits of the cells' numbers, which fit in a REAL, distinguish nearby cells */

typedef struct near_grid {
    REAL radius, square;
    REAL side[3];    /* the box's; 0: not periodic */
    REAL inverse[3]; /* cells in a unit of length */
    int cells[3];    /* along a periodic axis */
} near_grid;

/* `widest`: the largest magnitude of a coordinate. If a periodic axis has more than TAGS cells, their number is chosen
 * so that the first and the last few have different tags. */
inline near_grid near_grid_of(REAL radius, REAL x, REAL y, REAL z, REAL widest)
{
    near_grid g = {.radius = radius, .square = radius * radius, .side = {x, y, z}};
    const REAL cell = fmax(radius, widest / CELLS);
    for (int axis = 0; axis < 3; axis++) {
        g.inverse[axis] = cell > 0 ? 1 / cell : 0;
        if (g.side[axis] > 0) {
            int cells = (int)fmin(fmax(floor(g.side[axis] * g.inverse[axis]), (REAL)1), CELLS);
            cells -= cells > TAGS && cells % TAGS < 5 ? cells % TAGS : 0;
            g.cells[axis] = cells;
            g.inverse[axis] = cells / g.side[axis];
        }
    }
    return g;
}

/* Increases with x; coordinates that are not finite are in an arbitrary cell. */
inline int near_cell(REAL x, REAL inverse) { return (int)fmin(fmax(floor(x * inverse), -CELLS), CELLS); }

/* The point's coordinates, those of the box between 0 and its side. */
inline REAL4 near_point(global const T *points, const near_shape *s, const near_grid *g, REAL scale, long i)
{
    REAL x[3] = {0, 0, 0};
    for (int axis = 0; axis < s->dims; axis++) {
        const REAL side = g->side[axis];
        x[axis] = scale * LOAD(points, s->at + i * s->point + axis * s->coordinate);
        if (side > 0) {
            x[axis] -= side * floor(x[axis] / side);
            if (x[axis] < 0 || x[axis] >= side)
                x[axis] = 0;
        }
    }
    return (REAL4)(x[0], x[1], x[2], 0);
}

inline int near_own_cell(const near_grid *g, int axis, REAL x)
{
    const int cell = near_cell(x, g->inverse[axis]);
    return g->side[axis] > 0 ? min(cell, g->cells[axis] - 1) : cell;
}

inline uint near_bucket(const near_shape *s, int x, int y, int z)
{
    uint row = (uint)y * 0x9e3779b1u ^ (uint)z * 0x85ebca77u;
    row = (row ^ row >> 15) * 0x2c1b3c6du;
    return ((row ^ row >> 13) + (uint)x) & (uint)s->mask;
}

inline REAL near_tag(int x, int y, int z)
{
    return (REAL)((uint)x % TAGS + (uint)y % TAGS * TAGS + (uint)z % TAGS * (TAGS * TAGS));
}

#define GRID_PARAMETERS \
    const near_shape s, global const REAL *widest, REAL scale, REAL radius, REAL bx, REAL by, REAL bz
#define GRID near_grid_of(radius, bx, by, bz, scale *widest[0])

KERNEL(GROUP) near_keys(global uint *keys, global const T *points, GRID_PARAMETERS)
{
    const near_grid g = GRID;
    FOR_SPREAD(i, s.n)
    {
        const REAL4 p = near_point(points, &s, &g, scale, i);
        keys[i] = near_bucket(&s, near_own_cell(&g, 0, p.x), near_own_cell(&g, 1, p.y), near_own_cell(&g, 2, p.z));
    }
}

/* The points in the order of their buckets, first x of all, and their cells' tags; and where each bucket begins. */
KERNEL(GROUP) near_sorted(global REAL *sorted, global long *starts, global const T *points, global const uint *keys,
                          global const long *order, GRID_PARAMETERS)
{
    const near_grid g = GRID;
    FOR_SPREAD(i, s.n)
    {
        const REAL4 p = near_point(points, &s, &g, scale, order[i] - 1);
        sorted[i] = p.x;
        sorted[s.n + i] = p.y;
        sorted[2 * s.n + i] = p.z;
        sorted[3 * s.n + i] =
            near_tag(near_own_cell(&g, 0, p.x), near_own_cell(&g, 1, p.y), near_own_cell(&g, 2, p.z));
        for (long key = i == 0 ? 0 : (long)keys[i - 1] + 1; key <= keys[i]; key++)
            starts[key] = i;
        for (long key = (long)keys[i] + 1; i == s.n - 1 && key <= s.mask + 1; key++)
            starts[key] = s.n;
    }
}

/* The number of cells that a ball around x intersects along an axis, from *first on. If they are more than the box has,
 * each is visited once, and *folded: distances are to the nearest image. */
inline int near_range(int *first, bool *folded, const near_grid *g, int axis, REAL x)
{
    const REAL reach = g->radius + SLACK * (fabs(x) + g->radius + g->side[axis]);
    *first = near_cell(x - reach, g->inverse[axis]);
    const int count = near_cell(x + reach, g->inverse[axis]) - *first + 1;
    if (g->side[axis] == 0 || count <= g->cells[axis])
        return count;
    *first = 0;
    *folded = true;
    return g->cells[axis];
}

/* Maps *cell to the cell in the box of which it is an image, and returns the shift of coordinate differences. */
inline REAL near_shift(int *cell, const near_grid *g, int axis)
{
    const int outside = g->side[axis] == 0 ? 0 : *cell < 0 ? 1 : *cell >= g->cells[axis] ? -1 : 0;
    *cell += outside * g->cells[axis];
    return outside * g->side[axis];
}

/* A run of candidates, and the search among them. */
typedef struct near_run {
    long from, to;
    REAL4 p, shift; /* w: the first tag, and the last one less that */
    const near_grid *grid;
} near_run;

inline REAL near_folded(REAL x, REAL side) { return side > 0 ? x - side * rint(x / side) : x; }

/* The square of the distance to candidate j, or NaN for one of another cell. */
inline REAL near_square(const near_run *r, global const REAL *x, global const REAL *y, global const REAL *z,
                        global const REAL *tags, long j, bool folded)
{
    REAL dx = r->p.x - x[j] + r->shift.x, dy = r->p.y - y[j] + r->shift.y, dz = r->p.z - z[j] + r->shift.z;
    if (folded) {
        dx = near_folded(dx, r->grid->side[0]);
        dy = near_folded(dy, r->grid->side[1]);
        dz = near_folded(dz, r->grid->side[2]);
    }
    const REAL tag = tags[j] - r->p.w, square = dx * dx + dy * dy + dz * dz;
    return tag >= 0 && tag <= r->shift.w ? square : NAN;
}

/* The neighbours of point i: counted, or with `to` written. */
typedef struct near_found {
    long i, count, room;
    global long *to;
    global T *distances;
} near_found;

inline void near_look(near_found *f, const near_run *r, const near_shape *s, global const REAL *sorted,
                      global const long *order, REAL scale, bool folded)
{
    global const REAL *x = sorted, *y = x + s->n, *z = y + s->n, *tags = z + s->n;
    if (!f->to) {
        int count = 0;
        for (long j = r->from; j < r->to; j++)
            count += near_square(r, x, y, z, tags, j, folded) <= r->grid->square;
        f->count += count;
        return;
    }
    long count = f->count;
    for (long j = r->from; j < r->to && count < f->room; j++) { /* what is not a neighbour is overwritten */
        const REAL square = near_square(r, x, y, z, tags, j, folded);
        f->to[count] = j;
        if (f->distances)
            f->distances[count] = square;
        count += square <= r->grid->square & j != f->i;
    }
    f->count = count;
}

/* Shell's sorting of a row by its positions; distances go along. */
inline void near_order(global long *positions, global T *distances, long count)
{
    for (long gap = count; gap > 1;) {
        gap = gap < 5 ? 1 : gap * 5 / 11;
        for (long i = gap; i < count; i++) {
            const long position = positions[i];
            const T distance = distances ? distances[i] : 0;
            long to = i;
            for (; to >= gap && positions[to - gap] > position; to -= gap) {
                positions[to] = positions[to - gap];
                if (distances)
                    distances[to] = distances[to - gap];
            }
            positions[to] = position;
            if (distances)
                distances[to] = distance;
        }
    }
}

/* Searches cells along x, in runs of adjacent buckets with ascending tags. */
inline void near_row(near_found *f, near_run *r, const near_shape *s, int x, int width, int y, int z,
                     global const REAL *sorted, global const long *buckets, global const long *order, REAL scale,
                     bool folded)
{
    while (width > 0) {
        int cell = x, count = width;
        r->shift.x = near_shift(&cell, r->grid, 0);
        const uint bucket = near_bucket(s, cell, y, z);
        count = min(count, TAGS - (int)((uint)cell % TAGS));
        count = min((uint)count, (uint)s->mask - bucket + 1);
        if (r->grid->side[0] > 0)
            count = min(count, r->grid->cells[0] - cell);
        r->p.w = near_tag(cell, y, z);
        r->shift.w = count - 1;
        r->from = buckets[bucket];
        r->to = buckets[bucket + count];
        if (folded)
            near_look(f, r, s, sorted, order, scale, true);
        else
            near_look(f, r, s, sorted, order, scale, false);
        x += count;
        width -= count;
    }
}

/* counts[i + 1]: the number of neighbours of point i; or, if `starts` are known, the neighbours themselves. */
KERNEL(GROUP) near_pairs(global long *counts, global const long *starts, global long *positions, global T *distances,
                         global const REAL *sorted, global const long *buckets, global const long *order,
                         GRID_PARAMETERS)
{
    const near_grid g = GRID;
    if (counts && get_global_id(0) == 0)
        counts[0] = s.first;
    FOR_SPREAD(i, s.n)
    {
        const long own = order[i] - 1, at = starts ? starts[own] - s.first : 0;
        const long room = starts ? starts[own + 1] - starts[own] : 0;
        near_found f = {i, 0, room, starts ? positions + at : 0, distances ? distances + at : 0};
        near_run r = {.p = (REAL4)(sorted[i], sorted[s.n + i], sorted[2 * s.n + i], 0), .grid = &g};
        bool folded = false;
        int x, y, z;
        const int width = near_range(&x, &folded, &g, 0, r.p.x), height = near_range(&y, &folded, &g, 1, r.p.y);
        const int depth = near_range(&z, &folded, &g, 2, r.p.z);
        for (int row = 0; row < height * depth; row++) {
            int cy = y + row % height, cz = z + row / height;
            r.shift.y = near_shift(&cy, &g, 1);
            r.shift.z = near_shift(&cz, &g, 2);
            near_row(&f, &r, &s, x, width, cy, cz, sorted, buckets, order, scale, folded);
        }
        for (long k = 0; starts && k < f.count; k++) {
            f.to[k] = order[f.to[k]] - 1 + s.first;
            if (distances)
                f.distances[k] = sqrt(f.distances[k]) / scale;
        }
        if (starts)
            near_order(f.to, f.distances, f.count);
        else
            counts[own + 1] = f.count - (r.p.x - r.p.x + r.p.y - r.p.y + r.p.z - r.p.z == 0); /* without itself */
    }
}
