/* Gravity's pull on a GPU: a work-item sums the pull on EACH bodies at once, so that a body fetched from local memory
 * serves them all, and several groups share the others of a block where there are too few blocks to fill the device.
 *
 * `body` is the structure of arrays of abi/nbody.h; `pull` is the acceleration, three arrays to a part. */
#ifndef BLOCK
#define BLOCK 256 /* work-items in a group, and bodies in a tile */
#endif
#ifndef EACH
#define EACH 2 /* bodies to a work-item */
#endif

#include "parts/nbody_floor.cl"

/* Blocks first .. last-1 of EACH * BLOCK bodies, each pulled by `parts` shares of all bodies that attract. */
KERNEL(BLOCK) nbody_pull(global const T *body, global T *pull, long size, long bodies, long active, long parts,
                         long first, long last, long system, T softening)
{
    local mass_point tile[BLOCK];
#ifdef SOFTS
    local T softs[BLOCK];
    T own[EACH];
#define SOFT_OF_PAIR(e, k) (own[e] + softs[k])
#else
#define SOFT_OF_PAIR(e, k) soft
#endif
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, parts, system);
    const int item = get_local_id(0);
    const long part = get_group_id(0) % parts, block = first + get_group_id(0) / parts;
    const bool mine = block * EACH * BLOCK + item < bodies;
    const long tiles = (active + BLOCK - 1) / BLOCK;
    const long to = min(active, tiles * (part + 1) / parts * BLOCK);
    const T soft = floored_soft(softening, get_units(body, size));
    T x[EACH], y[EACH], z[EACH], ax[EACH], ay[EACH], az[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const long i = min((block * EACH + e) * BLOCK + item, bodies - 1);
        x[e] = body[i];
        y[e] = body[size + i];
        z[e] = body[2 * size + i];
#ifdef SOFTS
        own[e] = body[NBODY_SOFT * size + i] + FLOOR;
#endif
        ax[e] = ay[e] = az[e] = 0;
    }
    for (long from = tiles * part / parts * BLOCK; from < to; from += BLOCK) {
        const long j = from + item;
        mass_point p = 0;
        if (j < active) {
            p.x = body[j];
            p.y = body[size + j];
            p.z = body[2 * size + j];
            p.w = body[NBODY_MASS * size + j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[item] = p;
#ifdef SOFTS
        softs[item] = j < active ? body[NBODY_SOFT * size + j] : 0;
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        const int count = mine ? (int)min((long)BLOCK, to - from) : 0;
#pragma unroll 8
        for (int k = 0; k < count; k++) {
            p = tile[k];
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                const T dx = p.x - x[e], dy = p.y - y[e], dz = p.z - z[e];
                const T r = reciprocal_root(fma(dx, dx, fma(dy, dy, fma(dz, dz, SOFT_OF_PAIR(e, k)))));
                const T s = p.w * r * (r * r);
                ax[e] = fma(dx, s, ax[e]);
                ay[e] = fma(dy, s, ay[e]);
                az[e] = fma(dz, s, az[e]);
            }
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const long i = (block * EACH + e) * BLOCK + item;
        if (i < bodies) {
            pull[3 * part * size + i] = ax[e];
            pull[(3 * part + 1) * size + i] = ay[e];
            pull[(3 * part + 2) * size + i] = az[e];
        }
    }
}
