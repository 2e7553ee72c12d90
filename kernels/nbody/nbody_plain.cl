/* Gravity anywhere: one work-item a body, the others come by in tiles of local memory. The variants for GPUs take their
 * fields from here too.
 *
 * `body` is the structure of arrays of abi/nbody.h; `pull` is the acceleration, three arrays of `size` elements. */
#ifndef T
#define T float
#define COMPUTE float
#define DTYPE_f32 1
#endif
#ifndef BLOCK
#define BLOCK 64 /* work-items in a group, and bodies in a tile */
#endif

#define TILED kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))

#include "parts/nbody_bodies.cl"

typedef struct {
    T x, y, z, mass;
#ifdef SOFTS
    T soft;
#endif
} mass_point;

/* Every work-item of the group brings one body of the tile. */
inline void load_tile(local mass_point *tile, global const T *body, long size, long bodies, long from)
{
    long j = from + (long)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < bodies) {
        mass_point p = {body[j], body[size + j], body[2 * size + j], body[NBODY_MASS * size + j]};
#ifdef SOFTS
        p.soft = body[NBODY_SOFT * size + j];
#endif
        tile[get_local_id(0)] = p;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* sum: acceleration and potential that the `count` bodies of the tile make at a place; the potential without the body
 * `self` of the tile. Only a distance of 0 is masked, so that NaN spreads; and m r r r, from the left, overflows for no
 * massless body. */
inline void visit(T *sum, local const mass_point *tile, int count, T x, T y, T z, long self, T soft)
{
    for (int c = 0; c < 4; c++)
        sum[c] = 0;
    for (int k = 0; k < count; k++) {
        mass_point p = tile[k];
        T dx = p.x - x, dy = p.y - y, dz = p.z - z;
        T d2 = fma(dx, dx, fma(dy, dy, dz * dz));
#ifdef SOFTS
        T r2 = d2 + (soft + p.soft);
#else
        T r2 = d2 + soft;
#endif
        T r = r2 == 0 ? (T)0 : rsqrt(r2);
        T potential = p.mass * r;
        T s = d2 == 0 ? (T)0 : potential * r * r;
        sum[0] = fma(s, dx, sum[0]);
        sum[1] = fma(s, dy, sum[1]);
        sum[2] = fma(s, dz, sum[2]);
        sum[3] -= k == self ? d2 : potential; /* 0, or its own NaN */
    }
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* The accelerations of the blocks of bodies first .. last-1. */
TILED void nbody_pull(global const T *body, global T *pull, long size, long bodies, long active, long parts, long first,
                      long last, long system, T softening)
{
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, parts, system);
    local mass_point tile[BLOCK];
    long i = first * BLOCK + (long)get_global_id(0);
    bool mine = i < bodies;
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4], ax = 0, ay = 0, az = 0, soft = own_soft(softening, get_units(body, size));
    soft = mine ? SOFT_OF_BODY(body, size, i, soft) : soft;
    for (long from = 0; from < active; from += BLOCK) {
        load_tile(tile, body, size, active, from);
        visit(part, tile, (int)min((long)BLOCK, active - from), x, y, z, i - from, soft);
        ax += part[0], ay += part[1], az += part[2];
    }
    if (mine) {
        pull[i] = ax;
        pull[size + i] = ay;
        pull[2 * size + i] = az;
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* Acceleration and potential of `rows` bodies of each system, from the body `from` on, one to a row of dst: of all these rows,
 * in whole groups to a system, system after system, those from `first` on. */
TILED void nbody_field(global T *dst, long at, long row, long column, long step, global const T *body, long size,
                       long from, long rows, long active, long first, long last, T softening, T G)
{
    local mass_point tile[BLOCK];
    const long padded = NBODY_GROUPS(rows, BLOCK) * BLOCK, k = first + (long)get_global_id(0), system = k / padded;
    const long at_row = k % padded, i = from + at_row;
    const bool mine = k < last && at_row < rows;
    body = NBODY_SYSTEM(body, size, system);
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4];
    SUM sum[4] = {0, 0, 0, 0};
    int2 unit = get_units(body, size);
    T soft = own_soft(softening, unit);
    soft = mine ? SOFT_OF_BODY(body, size, i, soft) : soft;
    for (long next = 0; next < active; next += BLOCK) {
        load_tile(tile, body, size, active, next);
        visit(part, tile, (int)min((long)BLOCK, active - next), x, y, z, i - next, soft);
        for (int c = 0; c < 4; c++)
            sum[c] += part[c];
    }
    for (int c = 0; c < 4 && mine; c++)
        dst[at + system * step + at_row * row + c * column] = (T)ldexp(G * sum[c], unit.y - (c < 3 ? 2 : 1) * unit.x);
}
