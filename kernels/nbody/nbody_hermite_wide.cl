/* Gravity by Hermite's scheme (parts/nbody_hermite.cl) and a force of the host's own, whose derivative nobody knows:
 * all groups share a system, and launches follow the nodes of a step.
 *
 * The force is asked for in the middle and at the end of a step, where the derivatives at its beginning put the bodies.
 * With its value at the beginning that makes a parabola, whose integrals move the bodies (Simpson's rule), and whose
 * derivative at the end predicts the next step. Places are predicted to the third power of the step and so the forces:
 * the order is 4. Velocities are predicted to the second only: a force that depends on them is of order 3. */
#include "parts/nbody_wide.cl"
#include "parts/nbody_hermite.cl"

/* The part of a step of length dt, with its sign, that lies before a node. */
INLINE T part_of(long node)
{
    return node == WIDE_BEGIN ? 0 : node == WIDE_SOON ? (T)1 / 16 : node == WIDE_MIDDLE ? (T)1 / 2 : 1;
}

SYSTEM_KERNEL void nbody_place(WIDE_PARAMETERS, long node, T step, T before, global T *pos, global T *vel,
                               global T *more)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    const T h = step * part_of(node);
    (void)before;
    FOR_BODIES(i, 0, bodies)
        for (int c = 0; c < 3; c++) {
            const long k = c * size + i;
            const REALS a = REALS_AT(ARRAY_OF(s, HERMITE_PULL) + k) + REALS_AT(ARRAY_OF(s, WIDE_MORE) + k);
            const REALS j = REALS_AT(ARRAY_OF(s, HERMITE_JERK) + k) + REALS_AT(ARRAY_OF(s, WIDE_MORE_JERK) + k);
            const REALS v = REALS_AT(s.speed + k), speed = predict_speed(&s, v, a, j, h);
            const REALS place = predict_place(&s, REALS_AT(s.place + k), v, a, j, h);
            SET_REALS(ARRAY_OF(s, WIDE_PLACE) + k, place);
            SET_REALS(ARRAY_OF(s, WIDE_SPEED) + k, speed);
            if (more)
                show(&s, i, c, place, speed, pos, vel, more);
        }
}

/* Accelerations and jerks where the first step begins. */
INLINE void begin_bodies(const system *s, global const T *more, long i)
{
    const motion m = find_motion(s, s->place, s->speed, i);
    for (int c = 0; c < 3; c++) {
        const long k = c * s->size + i;
        SET_REALS(ARRAY_OF(*s, HERMITE_PULL) + k, m.pull[c]);
        SET_REALS(ARRAY_OF(*s, HERMITE_JERK) + k, m.jerk[c]);
        SET_REALS(ARRAY_OF(*s, WIDE_MORE) + k, more_at(s, more, i, c));
    }
}

/* What the force has given between the ends of a step: soon after the first one begins, or in the middle. */
INLINE void keep_more(const system *s, global const T *more, long i, long node, T step)
{
    for (int c = 0; c < 3; c++) {
        const long k = c * s->size + i;
        const REALS found = more_at(s, more, i, c), first = REALS_AT(ARRAY_OF(*s, WIDE_MORE) + k);
        if (node == WIDE_SOON)
            SET_REALS(ARRAY_OF(*s, WIDE_MORE_JERK) + k, (found - first) / (step * part_of(node)));
        else
            SET_REALS(ARRAY_OF(*s, WIDE_HALF) + k, found);
    }
}

/* Places, velocities and derivatives at the end of a step. The result is the largest rate; *broken: is some
 * acceleration none? */
INLINE T end_bodies(const system *s, global const T *more, long i, T dt, T *broken)
{
    const motion m = find_motion(s, ARRAY_OF(*s, WIDE_PLACE), ARRAY_OF(*s, WIDE_SPEED), i);
    REALS square[4] = {(REALS)(0), (REALS)(0), (REALS)(0), (REALS)(0)};
    for (int c = 0; c < 3; c++) {
        const long k = c * s->size + i;
        const REALS a = REALS_AT(ARRAY_OF(*s, HERMITE_PULL) + k), j = REALS_AT(ARRAY_OF(*s, HERMITE_JERK) + k);
        const REALS f0 = REALS_AT(ARRAY_OF(*s, WIDE_MORE) + k), between = REALS_AT(ARRAY_OF(*s, WIDE_HALF) + k);
        const REALS f1 = more_at(s, more, i, c), f_jerk = (f0 - 4 * between + 3 * f1) / dt;
        const REALS v = REALS_AT(s->speed + k), fewer = a - m.pull[c];
        const REALS gain = gain_of(a, j, m.pull[c], m.jerk[c], dt);
        const REALS drift = gain / 2 + fewer * (dt / 12) + (f0 + 2 * between) * (dt / 6);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_SPEED) + k, v + (gain + (f0 + 4 * between + f1) * (dt / 6)) * s->widen);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_PLACE) + k, REALS_AT(s->place + k) + (v * s->narrow + drift) * dt);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_PULL) + k, m.pull[c]);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_JERK) + k, m.jerk[c]);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_MORE) + k, f1);
        SET_REALS(ARRAY_OF(*s, WIDE_NEW_MORE_JERK) + k, f_jerk);
        add_squares(square, fewer + (f0 - f1), j + REALS_AT(ARRAY_OF(*s, WIDE_MORE_JERK) + k), m.pull[c] + f1,
                    m.jerk[c] + f_jerk, dt);
    }
    return rate_of_lanes(square, broken);
}

/* The accelerations of the bodies first .. last-1 at a node; of the last one marks, too. */
SYSTEM_KERNEL void nbody_correct(WIDE_PARAMETERS, long node, T step, global const T *more, global T *marks, long first,
                                 long last, long fresh)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS] = {0, 0, 0, 0};
    FOR_BODIES(i, first, last)
    {
        if (node == WIDE_BEGIN)
            begin_bodies(&s, more, i);
        else if (node == WIDE_END)
            most[0] = fmax(most[0], end_bodies(&s, more, i, step, &most[1]));
        else
            keep_more(&s, more, i, node, step);
    }
    if (node == WIDE_END)
        put_marks(marks, most, room, fresh);
}

/* The step's end is where the next one begins. */
SYSTEM_KERNEL void nbody_take(WIDE_PARAMETERS, T step)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    (void)step;
    FOR_VECTORS(k, 3 * size)
    {
        SET_REALS(s.place + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_PLACE) + k));
        SET_REALS(s.speed + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_SPEED) + k));
        SET_REALS(ARRAY_OF(s, HERMITE_PULL) + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_PULL) + k));
        SET_REALS(ARRAY_OF(s, HERMITE_JERK) + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_JERK) + k));
        SET_REALS(ARRAY_OF(s, WIDE_MORE) + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_MORE) + k));
        SET_REALS(ARRAY_OF(s, WIDE_MORE_JERK) + k, REALS_AT(ARRAY_OF(s, WIDE_NEW_MORE_JERK) + k));
    }
}

/* One group: was the step short enough? */
SYSTEM_KERNEL void nbody_decide(WIDE_PARAMETERS, global T *report, global const T *marks, long groups, T goal)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS];
    join_marks(most, room, marks, groups);
    if (get_local_id(0) > 0)
        return;
    const T length = adaptive > 0 ? sqrt(adaptive / most[0]) : fabs(dt);
    judge_step(&s, report, dt, adaptive, goal, most[1] > 0 ? (T)NAN : length, adaptive > 0 ? (T)GROWTH : 1);
}
