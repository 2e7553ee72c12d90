/* Gravity between all pairs of bodies, one step of semi-implicit Euler per launch: velocities first, then positions
 * with the new velocities. An item advances one body. Every kernel reads one set of bodies and writes another: in
 * place, an item would see some of its neighbours' new positions, others' old ones. The constant of gravity is 1. */
#ifndef BLOCK
#define BLOCK 64 /* items in a group of nbody_tiles, and bodies in a tile */
#endif

/* ---- an array of structures --------------------------------------------------------------------------------------
 * What an object-oriented program would write first. A three-component vector takes the room of four, so that a
 * body has 12 numbers of which 7 are used, and neighbouring items read 12 numbers apart.
 *
 * (!) The course's listing computes the force under `if (i == j)`: it is off for every other body and on for
 * itself. Its distance is fabs(position_j - position_i), one distance along each axis, where the length is meant.
 * And nothing softens its divide: two bodies that meet make infinities. Here the length is sqrt(|d|^2 +
 * softening^2), and it is zero only without softening, for a body itself and for one at the same place, which then
 * pull nothing. */
#define ARRAY_OF_STRUCTURES(name, real, real3)                                                                        \
    typedef struct {                                                                                                  \
        real3 position, velocity;                                                                                     \
        real mass, unused[3];                                                                                         \
    } name##_body;                                                                                                    \
                                                                                                                      \
    kernel void nbody_##name(global const real *from, global real *to, int bodies, real dt, real softening)           \
    {                                                                                                                 \
        global const name##_body *old = (global const name##_body *)from;                                             \
        global name##_body *new = (global name##_body *)to;                                                           \
        const int i = get_global_id(0);                                                                               \
        if (i >= bodies)                                                                                              \
            return;                                                                                                   \
        name##_body me = old[i];                                                                                      \
        real3 acceleration = 0;                                                                                       \
        for (int j = 0; j < bodies; j++) {                                                                            \
            const real3 d = old[j].position - me.position;                                                            \
            const real r = sqrt(dot(d, d) + softening * softening);                                                   \
            acceleration += r > 0 ? d * (old[j].mass / (r * r * r)) : (real3)(0);                                     \
        }                                                                                                             \
        me.velocity += acceleration * dt;                                                                             \
        me.position += me.velocity * dt;                                                                              \
        new[i] = me;                                                                                                  \
    }

ARRAY_OF_STRUCTURES(float3, float, float3)

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
ARRAY_OF_STRUCTURES(double3, double, double3)
#endif

/* ---- a structure of arrays ---------------------------------------------------------------------------------------
 * x, y, z, mass, vx, vy, vz, each an array of `bodies` floats, one after the other: neighbouring items read
 * neighbouring memory, and nothing is read for nothing. */
enum { X, Y, Z, MASS, VX, VY, VZ };

/* Every item walks through all bodies in global memory; all items of a group want the same one at the same time. */
kernel void nbody_arrays(global const float *from, global float *to, int bodies, float dt, float softening)
{
    const int i = get_global_id(0);
    if (i >= bodies)
        return;
    global const float *px = from + X * bodies, *py = from + Y * bodies, *pz = from + Z * bodies;
    global const float *mass = from + MASS * bodies;
    const float x = px[i], y = py[i], z = pz[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < bodies; j++) {
        const float dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
        const float square = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening * softening)));
        const float r = square > 0 ? rsqrt(square) : 0;
        const float s = mass[j] * r * r * r;
        ax = fma(dx, s, ax);
        ay = fma(dy, s, ay);
        az = fma(dz, s, az);
    }
    const float vx = fma(ax, dt, from[VX * bodies + i]);
    const float vy = fma(ay, dt, from[VY * bodies + i]);
    const float vz = fma(az, dt, from[VZ * bodies + i]);
    to[X * bodies + i] = fma(vx, dt, x);
    to[Y * bodies + i] = fma(vy, dt, y);
    to[Z * bodies + i] = fma(vz, dt, z);
    to[MASS * bodies + i] = mass[i];
    to[VX * bodies + i] = vx;
    to[VY * bodies + i] = vy;
    to[VZ * bodies + i] = vz;
}

/* The group brings a tile of BLOCK bodies to local memory, each item one of them, and all items use the whole of
 * it.
 *
 * (!) The course's listing walks through bodies / BLOCK whole tiles: the last bodies pull nobody unless their
 * number is a multiple of the tile. Here a partial tile is filled up with bodies without mass, which pull nothing;
 * and items without a body of their own stay until the last barrier. */
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void nbody_tiles(global const float *from, global float *to, int bodies, float dt, float softening)
{
    local float4 tile[BLOCK]; /* x, y, z, mass: one read of 16 bytes brings a body */
    const int item = get_local_id(0), i = get_global_id(0), mine = min(i, bodies - 1);
    const float x = from[X * bodies + mine], y = from[Y * bodies + mine], z = from[Z * bodies + mine];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < bodies; first += BLOCK) {
        const int j = first + item;
        float4 body = (float4)(0);
        if (j < bodies)
            body = (float4)(from[X * bodies + j], from[Y * bodies + j], from[Z * bodies + j], from[MASS * bodies + j]);
        tile[item] = body;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK; k++) {
            body = tile[k];
            const float dx = body.x - x, dy = body.y - y, dz = body.z - z;
            const float square = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening * softening)));
            const float r = square > 0 ? rsqrt(square) : 0;
            const float s = body.w * r * r * r;
            ax = fma(dx, s, ax);
            ay = fma(dy, s, ay);
            az = fma(dz, s, az);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i >= bodies)
        return;
    const float vx = fma(ax, dt, from[VX * bodies + i]);
    const float vy = fma(ay, dt, from[VY * bodies + i]);
    const float vz = fma(az, dt, from[VZ * bodies + i]);
    to[X * bodies + i] = fma(vx, dt, x);
    to[Y * bodies + i] = fma(vy, dt, y);
    to[Z * bodies + i] = fma(vz, dt, z);
    to[MASS * bodies + i] = from[MASS * bodies + i];
    to[VX * bodies + i] = vx;
    to[VY * bodies + i] = vy;
    to[VZ * bodies + i] = vz;
}
