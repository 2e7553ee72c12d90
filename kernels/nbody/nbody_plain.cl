/* Gravity anywhere: one work-item a body, the others come by in tiles of local memory.
 *
 * `body` is as nbody_units.cl says; `pull` is the acceleration, three arrays of `size` elements. */
#ifndef T
#define T float
#define COMPUTE float
#define DTYPE_f32 1
#endif
#ifndef GROUP
#define GROUP 64
#endif
#ifndef BLOCK
#define BLOCK 64 /* work-items in a group, and bodies in a tile */
#endif

#define TILED kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
#ifdef HAS_F64
#define SUM double
#else
#define SUM T
#endif

typedef struct {
    T x, y, z, mass;
} mass_point;

/* Every work-item of the group brings one body of the tile. */
inline void load_tile(local mass_point *tile, global const T *body, long size, long bodies, long from)
{
    long j = from + (long)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < bodies) {
        mass_point p = {body[j], body[size + j], body[2 * size + j], body[3 * size + j]};
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
        T r2 = d2 + soft;
        T r = r2 == 0 ? (T)0 : rsqrt(r2);
        T potential = p.mass * r;
        T s = d2 == 0 ? (T)0 : potential * r * r;
        sum[0] = fma(s, dx, sum[0]);
        sum[1] = fma(s, dy, sum[1]);
        sum[2] = fma(s, dz, sum[2]);
        sum[3] -= k == self ? d2 : potential; /* 0, or its own NaN */
    }
}

/* ---- views to structure of arrays and back ------------------------------------------------------------------ */

#include "parts/nbody_back.cl"

/* Each work-group finds the units by itself, in `most`: that takes less time than a launch. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody_load(global T *body, long size, long bodies, global const T *pos, long pos_at, long pos_row,
                long pos_column, global const T *vel, long vel_at, long vel_row, long vel_column, long columns)
{
    local T most[2][GROUP];
    T far = 0, heavy = 0;
    for (long i = get_local_id(0); i < bodies; i += GROUP) {
        global const T *p = pos + pos_at + i * pos_row;
        far = fmax(far, fmax(fabs(p[0]), fmax(fabs(p[pos_column]), fabs(p[2 * pos_column]))));
        heavy = fmax(heavy, fabs(p[3 * pos_column]));
    }
    most[0][get_local_id(0)] = far;
    most[1][get_local_id(0)] = heavy;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < GROUP; other++) {
        far = fmax(far, most[0][other]);
        heavy = fmax(heavy, most[1][other]);
    }
    int2 unit = (int2)(exponent_of(far), exponent_of(heavy));
    FOR_SPREAD(i, bodies)
    {
        global const T *p = pos + pos_at + i * pos_row;
        for (long c = 0; c < 3; c++)
            body[c * size + i] = ldexp(p[c * pos_column], -unit.x);
        body[3 * size + i] = ldexp(p[3 * pos_column], -unit.y);
        for (long c = 4; c < columns; c++)
            body[c * size + i] = vel[vel_at + i * vel_row + (c - 4) * vel_column];
        if (i == 0) {
            body[7 * size] = unit.x;
            body[7 * size + 1] = unit.y;
        }
    }
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* The accelerations of the blocks of bodies first .. last-1. */
TILED void nbody_pull(global const T *body, global T *pull, long size, long bodies, long workers, long first,
                      long last, T softening)
{
    local mass_point tile[BLOCK];
    long i = first * BLOCK + (long)get_global_id(0);
    bool mine = i < bodies;
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4], ax = 0, ay = 0, az = 0, soft = own_soft(softening, get_units(body, size));
    for (long from = 0; from < bodies; from += BLOCK) {
        load_tile(tile, body, size, bodies, from);
        visit(part, tile, (int)min((long)BLOCK, bodies - from), x, y, z, i - from, soft);
        ax += part[0], ay += part[1], az += part[2];
    }
    if (mine) {
        pull[i] = ax;
        pull[size + i] = ay;
        pull[2 * size + i] = az;
    }
}

/* v += kick * a, then x += drift * v. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody_kick(global T *body, global const T *pull, long size, long bodies, long workers, T kick, T drift)
{
    int2 unit = get_units(body, size);
    kick = own_kick(kick, unit);
    drift = own_drift(drift, unit);
    FOR_SPREAD(i, bodies)
    {
        for (long axis = 0; axis < 3; axis++) {
            T v = fma(kick, pull[axis * size + i], body[(axis + 4) * size + i]);
            body[(axis + 4) * size + i] = v;
            body[axis * size + i] = fma(drift, v, body[axis * size + i]);
        }
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* Acceleration and potential of the bodies first .. last-1, one to a row of dst. */
TILED void nbody_field(global T *dst, long at, long row, long column, global const T *body, long size, long bodies,
                       long first, long last, T softening, T G)
{
    local mass_point tile[BLOCK];
    long i = first + (long)get_global_id(0);
    bool mine = i < last;
    T x = mine ? body[i] : 0, y = mine ? body[size + i] : 0, z = mine ? body[2 * size + i] : 0;
    T part[4];
    SUM sum[4] = {0, 0, 0, 0};
    int2 unit = get_units(body, size);
    T soft = own_soft(softening, unit);
    for (long from = 0; from < bodies; from += BLOCK) {
        load_tile(tile, body, size, bodies, from);
        visit(part, tile, (int)min((long)BLOCK, bodies - from), x, y, z, i - from, soft);
        for (int c = 0; c < 4; c++)
            sum[c] += part[c];
    }
    for (int c = 0; c < 4 && mine; c++)
        dst[at + i * row + c * column] = (T)ldexp(G * sum[c], unit.y - (c < 3 ? 2 : 1) * unit.x);
}

/* dst: kinetic and potential energy, from the potentials in column 4 of `fields`, summed with a compensation. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody_energy(global T *dst, long at, long column, global const T *body, long size, long bodies,
                  global const T *fields)
{
    local SUM part[2][GROUP];
    long me = get_local_id(0);
    int mass = get_units(body, size).y;
    SUM sum[2] = {0, 0}, lost[2] = {0, 0};
    for (long i = me; i < bodies; i += GROUP) {
        SUM half_m = ldexp((SUM)body[3 * size + i], mass) / 2;
        SUM vx = body[4 * size + i], vy = body[5 * size + i], vz = body[6 * size + i];
        SUM term[2] = {half_m * (vx * vx + vy * vy + vz * vz), half_m * fields[4 * i + 3]};
        for (int k = 0; k < 2; k++) {
            SUM y = term[k] - lost[k], next = sum[k] + y;
            lost[k] = (next - sum[k]) - y;
            sum[k] = next;
        }
    }
    for (int k = 0; k < 2; k++)
        part[k][me] = sum[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 2 && me == 0; k++) {
        SUM total = 0;
        for (int other = 0; other < GROUP; other++)
            total += part[k][other];
        dst[at + k * column] = (T)total;
    }
}
