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

/* The farthest coordinate and, of bodies that attract, the largest mass: from the one to the other of body i. */
inline void meet_extent(T *far, T *heavy, global const T *pos, long row, long column, long active, long i)
{
    global const T *p = pos + i * row;
    *far = fmax(*far, fmax(fabs(p[0]), fmax(fabs(p[column]), fabs(p[2 * column]))));
    *heavy = i < active ? fmax(*heavy, fabs(p[3 * column])) : *heavy;
}

/* From those of each work-item to those of the work-group; `room` is for two numbers of each. */
inline void join_extents(T *far, T *heavy, local T *room)
{
    room[2 * get_local_id(0)] = *far;
    room[2 * get_local_id(0) + 1] = *heavy;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < GROUP; other++) {
        *far = fmax(*far, room[2 * other]);
        *heavy = fmax(*heavy, room[2 * other + 1]);
    }
}

/* Of each work-group's share of the bodies, to `extents`. */
SPREAD void nbody_extents(global T *extents, long bodies, global const T *pos, long pos_at, long pos_row,
                          long pos_column, long active)
{
    local T room[2 * GROUP];
    T far = 0, heavy = 0;
    FOR_SPREAD(i, bodies)
        meet_extent(&far, &heavy, pos + pos_at, pos_row, pos_column, active, i);
    join_extents(&far, &heavy, room);
    if (get_local_id(0) == 0) {
        extents[2 * get_group_id(0)] = far;
        extents[2 * get_group_id(0) + 1] = heavy;
    }
}

/* The units, from the extents of `groups` groups; they take the place of the first. One group. */
SPREAD void nbody_units(global T *extents, long groups)
{
    local T room[2 * GROUP];
    T far = 0, heavy = 0;
    for (long g = get_local_id(0); g < groups; g += GROUP) {
        far = fmax(far, extents[2 * g]);
        heavy = fmax(heavy, extents[2 * g + 1]);
    }
    join_extents(&far, &heavy, room);
    if (get_local_id(0) == 0) {
        extents[0] = exponent_of(far);
        extents[1] = exponent_of(heavy);
    }
}

/* The second dimension is the system. `at` is an array's first element, `row`, `column` and `system` are its strides.
 * Without velocities `vel` is NULL, without softenings of the bodies' own `eps`. Whole vectors of bodies are written:
 * those behind the last one have its place and no mass, so that nothing is pulled by them. The units are those at
 * `fixed`; where it is NULL, each work-group finds them by itself, which takes less time for few bodies than a launch
 * that finds them. */
SPREAD void nbody_load(global T *body, long size, long bodies, global const T *pos, long pos_at, long pos_row,
                       long pos_column, long pos_system, global const T *vel, long vel_at, long vel_row,
                       long vel_column, long vel_system, long active, global const T *eps, long eps_at, long eps_step,
                       global const T *fixed)
{
    const long system = get_group_id(1);
    body = NBODY_SYSTEM(body, size, system);
    pos_at += system * pos_system;
    vel_at += system * vel_system;
    local T room[2 * GROUP];
    T far = 0, heavy = 0;
    for (long i = get_local_id(0); i < (fixed ? 0 : bodies); i += GROUP)
        meet_extent(&far, &heavy, pos + pos_at, pos_row, pos_column, active, i);
    join_extents(&far, &heavy, room);
    int2 unit = (int2)(exponent_of(far), exponent_of(heavy));
    if (fixed)
        unit = (int2)((int)fixed[0], (int)fixed[1]);
    FOR_SPREAD(i, size)
    {
        const long last = min(i, bodies - 1);
        global const T *p = pos + pos_at + last * pos_row;
        for (long c = 0; c < 3; c++)
            body[c * size + i] = ldexp(p[c * pos_column], -unit.x);
        body[NBODY_MASS * size + i] = i < active ? ldexp(p[3 * pos_column], -unit.y) : (T)0;
        if (eps)
            body[NBODY_SOFT * size + i] = own_soft(eps[eps_at + last * eps_step], unit) / 2;
        for (long c = 0; c < 3 && vel; c++)
            body[(NBODY_VELOCITY + c) * size + i] = vel[vel_at + last * vel_row + c * vel_column];
        if (i == 0) {
            body[NBODY_UNITS * size] = unit.x;
            body[NBODY_UNITS * size + 1] = unit.y;
        }
    }
}

/* Points behind the bodies, which are attracted only. They have no softening of their own: a body's own counts
 * whole. */
SPREAD void nbody_points(global T *body, long size, long bodies, long points, global const T *at, long first, long row,
                         long column)
{
    const int2 unit = get_units(body, size);
    FOR_SPREAD(i, bodies + points)
    {
        for (long c = 0; c < 3 && i >= bodies; c++)
            body[c * size + i] = ldexp(at[first + (i - bodies) * row + c * column], -unit.x);
#ifdef SOFTS
        body[NBODY_SOFT * size + i] *= i < bodies ? 2 : 0;
#endif
    }
}

/* Masses and the fourth column of velocities stay as they are. */
SPREAD void nbody_store(global const T *body, long size, long bodies, global T *pos, long pos_at, long pos_row,
                        long pos_column, long pos_system, global T *vel, long vel_at, long vel_row, long vel_column,
                        long vel_system)
{
    const long system = get_group_id(1);
    body = NBODY_SYSTEM(body, size, system);
    pos_at += system * pos_system;
    vel_at += system * vel_system;
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

/* v += kick * a, then x += drift * v, and both again with the second factors, along one axis, for LANES bodies from
 * body i on. Their acceleration is the sum of the parts that `pull` has, three arrays of `size` elements each. Bodies
 * that only fill a vector stay at the last one's place. */
inline void kick_bodies(global T *body, global const T *pull, long size, long bodies, long parts, long axis, long i,
                        T kick, T drift, T second_kick, T second_drift)
{
    global T *x = body + axis * size, *v = body + (NBODY_VELOCITY + axis) * size;
    REALS a = 0;
#if GROUP > 1 /* else the compiler says that it did not */
#pragma unroll 8
#endif
    for (long part = 0; part < parts; part++)
        a += REALS_AT(pull + (3 * part + axis) * size + i);
    const REALS faster = ADD_TIMES(REALS, REALS_AT(v + i), kick, a), next = ADD_TIMES(REALS, faster, second_kick, a);
    const REALS farther = ADD_TIMES(REALS, REALS_AT(x + i), drift, faster);
    SET_REALS(v + i, next);
    SET_REALS(x + i, ADD_TIMES(REALS, farther, second_drift, next));
    for (long rest = max(i, bodies); rest < i + LANES; rest++)
        x[rest] = x[bodies - 1];
}

/* The second dimension is the axis, of one system after the other. */
SPREAD void nbody_kick(global T *body, global const T *pull, long size, long bodies, long parts, T kick, T drift,
                       T second_kick, T second_drift)
{
    const long axis = get_global_id(1) % 3, system = get_global_id(1) / 3;
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, parts, system);
    const int2 unit = get_units(body, size);
    kick = own_kick(kick, unit), second_kick = own_kick(second_kick, unit);
    drift = own_drift(drift, unit), second_drift = own_drift(second_drift, unit);
    FOR_SPREAD(k, (bodies + LANES - 1) / LANES)
        kick_bodies(body, pull, size, bodies, parts, axis, k * LANES, kick, drift, second_kick, second_drift);
}

/* ---- forces of the user's own ----------------------------------------------------------------------------------- */

/* For such a force: positions and velocities as n x 4 in the user's units, the velocities as kick * a + push * more
 * makes them, where a is the pull and `more` (n x 4) what the force has given; that is then 0. */
SPREAD void nbody_look(global const T *body, global const T *pull, long size, long bodies, long parts, global T *pos,
                       global T *vel, global T *more, T kick, T push)
{
    const int2 unit = get_units(body, size);
    kick = own_kick(kick, unit);
    FOR_SPREAD(i, bodies)
    {
        for (long c = 0; c < 3; c++) {
            T a = 0, v = body[(NBODY_VELOCITY + c) * size + i];
            for (long part = 0; part < parts; part++)
                a += pull[(3 * part + c) * size + i];
            if (push != 0)
                v = fma(push, more[4 * i + c], v);
            pos[4 * i + c] = ldexp(body[c * size + i], unit.x);
            vel[4 * i + c] = fma(kick, a, v);
            more[4 * i + c] = 0;
        }
        more[4 * i + 3] = 0;
    }
}

/* v += push * more. */
SPREAD void nbody_push(global T *body, long size, long bodies, global const T *more, T push)
{
    FOR_SPREAD(i, bodies)
    {
        for (long c = 0; c < 3; c++)
            body[(NBODY_VELOCITY + c) * size + i] += push * more[4 * i + c];
    }
}

/* ---- shares of an evaluation ------------------------------------------------------------------------------------- */

/* The accelerations that `parts` parts of `pull` add up to, in the user's units, and to them what the first `below`
 * arrays of `sums` have, one after the other: arrays of bodies x 3, as the one at dst + at is, which is none of
 * these. */
SPREAD void nbody_gather(global T *dst, long at, global const T *sums, long below, global const T *body,
                         global const T *pull, long size, long bodies, long parts, T G)
{
    const int2 unit = get_units(body, size);
    FOR_SPREAD(i, bodies)
    {
        for (long c = 0; c < 3; c++) {
            T a = 0;
            for (long part = 0; part < parts; part++)
                a += pull[(3 * part + c) * size + i];
            a = ldexp(G * PULL_UNIT * a, unit.y - 2 * unit.x);
            for (long level = 0; level < below; level++)
                a += sums[(level * bodies + i) * 3 + c];
            dst[at + 3 * i + c] = a;
        }
    }
}

/* ---- energy --------------------------------------------------------------------------------------------------- */

/* dst: kinetic and potential energy, from the potentials in column 4 of `fields` (systems x bodies x 4), summed with a
 * compensation. One group to a system; `step` is dst's stride from system to system. */
SPREAD void nbody_energy(global T *dst, long at, long column, long step, global const T *body, long size, long bodies,
                         global const T *fields)
{
    local SUM part[2][GROUP];
    const long me = get_local_id(0), system = get_group_id(0);
    body = NBODY_SYSTEM(body, size, system);
    fields += system * bodies * 4;
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
        dst[at + k * column + system * step] = (T)total;
    }
}
