/* Gravity among few bodies on a GPU: one work-group does many steps in a launch, the bodies in local memory. Where there
 * are fewer bodies than work-items, several share the sum of one. `body` is as nbody_units.cl says. */
#ifndef BLOCK
#define BLOCK 512 /* work-items */
#endif
#ifndef TILE
#define TILE 512 /* bodies at most; at most BLOCK */
#endif
#define SHARES 16 /* work-items to a body at most */

#include "parts/nbody_floor.cl"

/* Evaluations go through the integrator's stages in turn: v += kick * a, then x += drift * v. */
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void nbody_small(global T *body, global T *pull, long size, long bodies, T softening, JOIN(T, 8) kicks,
                 JOIN(T, 8) drifts, long stages, long evaluations)
{
    local mass_point at[TILE];
    local T sum[3][BLOCK], kick[8], drift[8];
    const int item = get_local_id(0), n = (int)bodies;
    const int2 unit = get_units(body, size);
    const T soft = floored_soft(softening, unit);
    int wide = 1;
    while (wide < n)
        wide *= 2;
    const int shares = min(BLOCK / wide, SHARES), share = item / wide, i = item % wide;
    const bool works = i < n && share < shares, leads = i < n && share == 0;
    T vx = 0, vy = 0, vz = 0;
    if (item == 0) {
        vstore8(kicks, 0, kick);
        vstore8(drifts, 0, drift);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 8) {
        kick[item] = own_kick(kick[item], unit);
        drift[item] = own_drift(drift[item], unit);
    }
    if (leads) {
        at[i] = (mass_point)(body[i], body[size + i], body[2 * size + i], body[3 * size + i]);
        vx = body[4 * size + i], vy = body[5 * size + i], vz = body[6 * size + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int stage = 0;
    for (long k = 0; k < evaluations; k++) {
        const mass_point me = at[works ? i : 0];
        T ax = 0, ay = 0, az = 0;
#pragma unroll 4
        for (int j = share; j < (works ? n : 0); j += shares) {
            const mass_point p = at[j];
            const T dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z;
            const T r = reciprocal_root(fma(dx, dx, fma(dy, dy, fma(dz, dz, soft))));
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
            vx = fma(kick[stage], ax, vx), vy = fma(kick[stage], ay, vy), vz = fma(kick[stage], az, vz);
            at[i] = (mass_point)(fma(drift[stage], vx, me.x), fma(drift[stage], vy, me.y), fma(drift[stage], vz, me.z),
                                 me.w);
        }
        stage = stage + 1 < stages ? stage + 1 : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (leads) {
        body[i] = at[i].x, body[size + i] = at[i].y, body[2 * size + i] = at[i].z;
        body[4 * size + i] = vx, body[5 * size + i] = vy, body[6 * size + i] = vz;
    }
}
