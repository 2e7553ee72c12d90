/* Gravity among few bodies on a GPU: one work-group does many steps in a launch, the bodies in local memory. Where
 * there are fewer bodies than work-items, several share the sum of one. `body` is the structure of arrays of
 * abi/nbody.h. */
#ifndef TILE
#define TILE 512 /* bodies at most; no more than work-items */
#endif
#define SHARES 16 /* work-items to a body at most */

#include "parts/nbody_floor.cl"

#ifndef BLOCK
#define BLOCK NBODY_FEW_ITEMS
#endif

/* Many steps of `count` stages, a group to a system. A stage has the accelerations of the one before where its bit of
 * `again` is set. */
KERNEL(BLOCK) nbody_steps(global T *body, global T *pull, long size, long bodies, long active, T softening,
                          nbody_factors factors, long count, long again, long stages)
{
    body = NBODY_SYSTEM(body, size, (long)get_group_id(0));
    local mass_point at[TILE];
#ifdef SOFTS
    local T softs[TILE];
#endif
    local T sum[3][BLOCK], kick[NBODY_FACTORS], drift[NBODY_FACTORS];
    const int item = get_local_id(0), n = (int)bodies, pairs = (int)count;
    const int2 unit = get_units(body, size);
    T soft = floored_soft(softening, unit);
    int wide = 1;
    while (wide < n)
        wide *= 2;
    const int shares = min(BLOCK / wide, SHARES), share = item / wide, i = item % wide;
    const bool works = i < n && share < shares, leads = i < n && share == 0;
    global T *velocity = body + NBODY_VELOCITY * size + i;
    T vx = 0, vy = 0, vz = 0;
    if (item < pairs) {
        kick[item] = own_kick(factors.kick[item], unit);
        drift[item] = own_drift(factors.drift[item], unit);
    }
    if (leads) {
        at[i] = (mass_point)(body[i], body[size + i], body[2 * size + i], body[NBODY_MASS * size + i]);
#ifdef SOFTS
        softs[i] = body[NBODY_SOFT * size + i];
#endif
        vx = velocity[0], vy = velocity[size], vz = velocity[2 * size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SOFTS
    soft = softs[works ? i : 0] + FLOOR;
#define SOFT_OF_PAIR(j) (soft + softs[j])
#else
#define SOFT_OF_PAIR(j) soft
#endif
    int pair = 0;
    for (long k = 0; k < stages;) {
        const mass_point me = at[works ? i : 0];
        T ax = 0, ay = 0, az = 0;
#pragma unroll 4
        for (int j = share; j < (works ? (int)active : 0); j += shares) {
            const mass_point p = at[j];
            const T dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z;
            const T r = reciprocal_root(fma(dx, dx, fma(dy, dy, fma(dz, dz, SOFT_OF_PAIR(j)))));
            const T s = p.w * r * (r * r);
            ax = fma(dx, s, ax);
            ay = fma(dy, s, ay);
            az = fma(dz, s, az);
        }
        sum[0][item] = ax, sum[1][item] = ay, sum[2][item] = az;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leads) {
            for (int s = 1; s < shares; s++) {
                ax += sum[0][s * wide + i];
                ay += sum[1][s * wide + i];
                az += sum[2][s * wide + i];
            }
        }
        T x = me.x, y = me.y, z = me.z;
        do {
            const T by = kick[pair], over = drift[pair];
            vx = ADD_TIMES(T, vx, by, ax), vy = ADD_TIMES(T, vy, by, ay), vz = ADD_TIMES(T, vz, by, az);
            x = ADD_TIMES(T, x, over, vx), y = ADD_TIMES(T, y, over, vy), z = ADD_TIMES(T, z, over, vz);
            pair = pair + 1 < pairs ? pair + 1 : 0;
            k++;
        } while (k < stages && (again >> pair & 1));
        if (leads)
            at[i] = (mass_point)(x, y, z, me.w);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (leads) {
        body[i] = at[i].x, body[size + i] = at[i].y, body[2 * size + i] = at[i].z;
        velocity[0] = vx, velocity[size] = vy, velocity[2 * size] = vz;
    }
}
