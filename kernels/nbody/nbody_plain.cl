/* Gravity anywhere: one work-item a body, the others come by in tiles of local memory. The variants for GPUs take their
 * fields from here too.
 *
 * `body` is the structure of arrays of abi/nbody.h; `pull` is the acceleration, three arrays of `size` elements. */
#ifndef BLOCK
#define BLOCK 64 /* work-items in a group, and bodies in a tile */
#endif

#ifndef SHARES
#define SHARES 1 /* of a tile, which that many work-items that have one target take, for its field */
#endif
#define TARGETS (BLOCK / SHARES)

#define TILED kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))

#include "parts/nbody_floor.cl"

#ifdef SOFTS
#define SOFTS_TILE , local T *softs
#define SOFTS_OF_TILE , softs
#define LOCAL_SOFTS local T softs[BLOCK]
#define SOFT_OF_PAIR(k) (soft + softs[k])
#define MASKED 1
#else
#define SOFTS_TILE
#define SOFTS_OF_TILE
#define LOCAL_SOFTS
#define SOFT_OF_PAIR(k) soft
#define MASKED 0 /* at a distance of 0 it is finite times 0, but for an infinite mass */
#endif

/* Numbers below it have no quick root. */
#if defined(NVIDIA) && defined(DTYPE_f32)
#define LEAST_SQUARE 0x1p-126f
#elif defined(NVIDIA)
#define LEAST_SQUARE 0x1p-1022
#else
#define LEAST_SQUARE 0
#endif

/* A softening that is not 0 has a floor, so that m r r r is finite. */
inline T field_soft(T softening, int2 unit) { return softening > 0 ? floored_soft(softening, unit) : 0; }

/* Every work-item of the group brings one body of the tile. */
inline void load_tile(local mass_point *tile SOFTS_TILE, global const T *body, long size, long bodies, long from)
{
    const long j = from + (long)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < bodies) {
        tile[get_local_id(0)] = (mass_point)(body[j], body[size + j], body[2 * size + j], body[NBODY_MASS * size + j]);
#ifdef SOFTS
        softs[get_local_id(0)] = body[NBODY_SOFT * size + j];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* sum: acceleration and potential that the bodies from .. to-1 of the tile make at a place; the potential without the
 * body `self` of the tile. Only a distance of 0 is masked, so that NaN spreads; and m r r r, from the left, overflows
 * for no massless body. */

inline void visit(T *sum, local const mass_point *tile SOFTS_TILE, int from, int to, T x, T y, T z, long self, T soft)
{
    for (int c = 0; c < 4; c++)
        sum[c] = 0;
    if (self >= from && self < to) {
#define IS_SELF k == (int)self
#define MASKS true
#include "templates/nbody_visit.cl"
    } else {
#ifdef NVIDIA
#pragma unroll 8
#endif
#define IS_SELF false
#define MASKS MASKED
#include "templates/nbody_visit.cl"
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
    LOCAL_SOFTS;
    long i = first * BLOCK + (long)get_global_id(0);
    bool mine = i < bodies;
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4], ax = 0, ay = 0, az = 0, soft = field_soft(softening, get_units(body, size));
    soft = mine ? SOFT_OF_BODY(body, size, i, soft) : soft;
    for (long from = 0; from < active; from += BLOCK) {
        load_tile(tile SOFTS_OF_TILE, body, size, active, from);
        visit(part, tile SOFTS_OF_TILE, 0, (int)min((long)BLOCK, active - from), x, y, z, i - from, soft);
        ax += part[0], ay += part[1], az += part[2];
    }
    if (mine) {
        pull[i] = ax;
        pull[size + i] = ay;
        pull[2 * size + i] = az;
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* Acceleration and potential of `rows` bodies of each system, from the body `from` on, one to a row of dst: of all
 * these rows, in whole groups to a system, system after system, those from `first` on. A group has TARGETS of them. */
TILED void nbody_field(global T *dst, long at, long row, long column, long step, global const T *body, long size,
                       long from, long rows, long active, long first, long last, T softening, T G)
{
    local mass_point tile[BLOCK];
    LOCAL_SOFTS;
#if SHARES > 1
    local SUM total[4][BLOCK];
#endif
    const int item = get_local_id(0), share = item / TARGETS;
    const long padded = NBODY_GROUPS(rows, TARGETS) * TARGETS,
               k = first + (long)get_group_id(0) * TARGETS + item % TARGETS;
    const long system = k / padded, at_row = k % padded, i = from + at_row;
    const bool mine = k < last && at_row < rows;
    body = NBODY_SYSTEM(body, size, system);
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4];
    SUM sum[4] = {0, 0, 0, 0};
    int2 unit = get_units(body, size);
    T soft = field_soft(softening, unit);
    soft = mine ? SOFT_OF_BODY(body, size, i, soft) : soft;
    for (long next = 0; next < active; next += BLOCK) {
        const int count = (int)min((long)BLOCK, active - next);
        load_tile(tile SOFTS_OF_TILE, body, size, active, next);
        visit(part, tile SOFTS_OF_TILE, share * TARGETS, min(count, (share + 1) * TARGETS), x, y, z, i - next, soft);
        for (int c = 0; c < 4; c++)
            sum[c] += part[c];
    }
#if SHARES > 1
    for (int c = 0; c < 4; c++)
        total[c][item] = sum[c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 1; other < SHARES && share == 0; other++)
        for (int c = 0; c < 4; c++)
            sum[c] += total[c][other * TARGETS + item];
#endif
    for (int c = 0; c < 4 && mine && share == 0; c++)
        dst[at + system * step + at_row * row + c * column] = (T)ldexp(G * sum[c], unit.y - (c < 3 ? 2 : 1) * unit.x);
}
