/* Bodies on the device: from the user's arrays into a structure of arrays and back, kicks and drifts, and energies. All
 * variants share these kernels; each is built into the program of the variant that runs it. */
#include "parts/nbody_units.cl"

#ifndef LANES
#define LANES 1 /* bodies that are kicked at once */
#endif
#if LANES == 1
#define REALS T
#define REALS_AT(p) (*(p))
#define SET_REALS(p, v) (*(p) = (v))
#else
#define REALS JOIN(T, LANES)
#define REALS_AT(p) JOIN(vload, LANES)(0, p)
#define SET_REALS(p, v) JOIN(vstore, LANES)(v, 0, p)
#endif

#ifdef HAS_F64
#define SUM double
#else
#define SUM T
#endif

#define SPREAD kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))

/* ---- from the user's arrays and back -------------------------------------------------------------------------- */

/* `at` is an array's first element, `row` and `column` are its strides. Without velocities `vel` is NULL, without softenings
 * of the bodies' own `eps`. Whole vectors of bodies are written: those behind the last one have its place and no
 * mass, so that nothing is pulled by them. Each work-group finds the units by itself, which takes less time than a launch
 * that finds them. */
SPREAD void nbody_load(global T *body, long size, long bodies, global const T *pos, long pos_at, long pos_row,
                       long pos_column, global const T *vel, long vel_at, long vel_row, long vel_column, long active,
                       global const T *eps, long eps_at, long eps_step)
{
    local T most[2][GROUP];
    T far = 0, heavy = 0;
    for (long i = get_local_id(0); i < bodies; i += GROUP) {
        global const T *p = pos + pos_at + i * pos_row;
        far = fmax(far, fmax(fabs(p[0]), fmax(fabs(p[pos_column]), fabs(p[2 * pos_column]))));
        heavy = i < active ? fmax(heavy, fabs(p[3 * pos_column])) : heavy;
    }
    most[0][get_local_id(0)] = far;
    most[1][get_local_id(0)] = heavy;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < GROUP; other++) {
        far = fmax(far, most[0][other]);
        heavy = fmax(heavy, most[1][other]);
    }
    const int2 unit = (int2)(exponent_of(far), exponent_of(heavy));
    FOR_SPREAD(i, size)
    {
        const long last = min(i, bodies - 1);
        global const T *p = pos + pos_at + last * pos_row;
        for (long c = 0; c < 3; c++)
            body[c * size + i] = ldexp(p[c * pos_column], -unit.x);
        body[NBODY_MASS * size + i] = i < active ? ldexp(p[3 * pos_column], -unit.y) : (T)0;
        if (eps)
            body[NBODY_SOFT * size + i] = own_soft(eps[eps_at + last * eps_step], unit);
        for (long c = 0; c < 3 && vel; c++)
            body[(NBODY_VELOCITY + c) * size + i] = vel[vel_at + last * vel_row + c * vel_column];
        if (i == 0) {
            body[NBODY_UNITS * size] = unit.x;
            body[NBODY_UNITS * size + 1] = unit.y;
        }
    }
}

/* Masses and the fourth column of velocities stay as they are. */
SPREAD void nbody_store(global const T *body, long size, long bodies, global T *pos, long pos_at, long pos_row,
                        long pos_column, global T *vel, long vel_at, long vel_row, long vel_column)
{
    const int2 unit = get_units(body, size);
    FOR_SPREAD(i, bodies)
    {
        for (long c = 0; c < 3; c++) {
            pos[pos_at + i * pos_row + c * pos_column] = ldexp(body[c * size + i], unit.x);
            vel[vel_at + i * vel_row + c * vel_column] = body[(NBODY_VELOCITY + c) * size + i];
        }
    }
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* v += kick * a, then x += drift * v, along one axis, for LANES bodies from body i on. Their acceleration is the sum of
 * the parts that `pull` has, three arrays of `size` elements each. Bodies that only fill a vector stay at the last one's
 * place. */
inline void kick_bodies(global T *body, global const T *pull, long size, long bodies, long parts, long axis, long i,
                        T kick, T drift)
{
    global T *x = body + axis * size, *v = body + (NBODY_VELOCITY + axis) * size;
    REALS a = 0;
#if GROUP > 1 /* else the compiler says that it did not */
#pragma unroll 8
#endif
    for (long part = 0; part < parts; part++)
        a += REALS_AT(pull + (3 * part + axis) * size + i);
    const REALS faster = fma((REALS)(kick), a, REALS_AT(v + i));
    SET_REALS(v + i, faster);
    SET_REALS(x + i, fma((REALS)(drift), faster, REALS_AT(x + i)));
    for (long rest = max(i, bodies); rest < i + LANES; rest++)
        x[rest] = x[bodies - 1];
}

/* The second dimension is the axis. */
SPREAD void nbody_kick(global T *body, global const T *pull, long size, long bodies, long parts, T kick, T drift)
{
    const int2 unit = get_units(body, size);
    const long axis = get_global_id(1);
    kick = own_kick(kick, unit);
    drift = own_drift(drift, unit);
    FOR_SPREAD(k, (bodies + LANES - 1) / LANES)
        kick_bodies(body, pull, size, bodies, parts, axis, k * LANES, kick, drift);
}

/* ---- energy --------------------------------------------------------------------------------------------------- */

/* dst: kinetic and potential energy, from the potentials in column 4 of `fields` (bodies x 4), summed with a
 * compensation. One group. */
SPREAD void nbody_energy(global T *dst, long at, long column, global const T *body, long size, long bodies,
                         global const T *fields)
{
    local SUM part[2][GROUP];
    const long me = get_local_id(0);
    const int mass = get_units(body, size).y;
    SUM sum[2] = {0, 0}, lost[2] = {0, 0};
    for (long i = me; i < bodies; i += GROUP) {
        const SUM half_m = ldexp((SUM)body[NBODY_MASS * size + i], mass) / 2;
        global const T *v = body + NBODY_VELOCITY * size + i;
        const SUM vx = v[0], vy = v[size], vz = v[2 * size];
        const SUM term[2] = {half_m * (vx * vx + vy * vy + vz * vz), half_m * fields[4 * i + 3]};
        for (int k = 0; k < 2; k++) {
            const SUM y = term[k] - lost[k], next = sum[k] + y;
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
