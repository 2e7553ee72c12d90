/* Gravity by Hermite's scheme (parts/nbody_hermite.cl): one work-group takes a system through many steps, which are as
 * long as the interval, or all bodies together choose them. */
#include "parts/nbody_system.cl"
#include "parts/nbody_hermite.cl"

/* Where all bodies are at the step's end, by the derivatives at its beginning. */
INLINE void predict(const system *s, T dt)
{
    FOR_VECTORS(k, 3 * s->size)
    {
        const REALS a = REALS_AT(ARRAY_OF(*s, HERMITE_PULL) + k), j = REALS_AT(ARRAY_OF(*s, HERMITE_JERK) + k);
        const REALS x = REALS_AT(s->place + k), v = REALS_AT(s->speed + k);
        SET_REALS(ARRAY_OF(*s, HERMITE_PLACE) + k, predict_place(s, x, v, a, j, dt));
        SET_REALS(ARRAY_OF(*s, HERMITE_SPEED) + k, predict_speed(s, v, a, j, dt));
    }
}

/* Places, velocities and derivatives at the step's end, to scratch. The result is `rate` of the work-item's share;
 * *broken: is some acceleration none? */
INLINE T correct(const system *s, T dt, T *broken)
{
    T most = 0;
    FOR_VECTORS(i, s->bodies)
    {
        const motion m = find_motion(s, ARRAY_OF(*s, HERMITE_PLACE), ARRAY_OF(*s, HERMITE_SPEED), i);
        REALS square[4] = {(REALS)(0), (REALS)(0), (REALS)(0), (REALS)(0)};
        for (int c = 0; c < 3; c++) {
            const long k = c * s->size + i;
            const REALS a = REALS_AT(ARRAY_OF(*s, HERMITE_PULL) + k), j = REALS_AT(ARRAY_OF(*s, HERMITE_JERK) + k);
            const REALS v = REALS_AT(s->speed + k), fewer = a - m.pull[c];
            const REALS gain = gain_of(a, j, m.pull[c], m.jerk[c], dt);
            SET_REALS(ARRAY_OF(*s, HERMITE_NEW_SPEED) + k, v + gain * s->widen);
            SET_REALS(ARRAY_OF(*s, HERMITE_NEW_PLACE) + k,
                      REALS_AT(s->place + k) + (v * s->narrow + gain / 2 + fewer * (dt / 12)) * dt);
            SET_REALS(ARRAY_OF(*s, HERMITE_NEW_PULL) + k, m.pull[c]);
            SET_REALS(ARRAY_OF(*s, HERMITE_NEW_JERK) + k, m.jerk[c]);
            add_squares(square, fewer, j, m.pull[c], m.jerk[c], dt);
        }
        most = fmax(most, rate_of_lanes(square, broken));
    }
    return most;
}

/* The step's end is where the next one begins. */
INLINE void take_step(const system *s)
{
    FOR_VECTORS(k, 3 * s->size)
    {
        SET_REALS(s->place + k, REALS_AT(ARRAY_OF(*s, HERMITE_NEW_PLACE) + k));
        SET_REALS(s->speed + k, REALS_AT(ARRAY_OF(*s, HERMITE_NEW_SPEED) + k));
        SET_REALS(ARRAY_OF(*s, HERMITE_PULL) + k, REALS_AT(ARRAY_OF(*s, HERMITE_NEW_PULL) + k));
        SET_REALS(ARRAY_OF(*s, HERMITE_JERK) + k, REALS_AT(ARRAY_OF(*s, HERMITE_NEW_JERK) + k));
    }
}

SYSTEM_KERNEL void nbody_begin(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, HERMITE_ARRAYS, clocks, size, bodies, active, softening, G, room);
    FOR_VECTORS(k, HERMITE_ARRAYS * 3 * size)
        SET_REALS(s.arrays + k, (REALS)(0));
    MEET; /* a vector of bodies is not one of coordinates */
    FOR_VECTORS(i, bodies)
    {
        const motion m = find_motion(&s, s.place, s.speed, i);
        for (int c = 0; c < 3; c++) {
            SET_REALS(ARRAY_OF(s, HERMITE_PULL) + c * size + i, m.pull[c]);
            SET_REALS(ARRAY_OF(s, HERMITE_JERK) + c * size + i, m.jerk[c]);
        }
    }
    begin_clock(&s, fabs(dt), adaptive == 0);
}

/* At most `most` steps of each system, refused ones included, until `goal` intervals are behind it. */
SYSTEM_KERNEL void nbody_steps(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive, T goal, long most)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, HERMITE_ARRAYS, clocks, size, bodies, active, softening, G, room);
    const T interval = fabs(dt), sign = dt < 0 ? -1 : 1;
    moment m = get_moment(&s);
    for (long count = 0; count < most && is_going(&m, goal); count++) {
        const T step = begin_step(&m, interval);
        T broken = 0;
        MEET;
        predict(&s, sign * step);
        MEET;
        T rate = correct(&s, sign * step, &broken);
        MEET;
        rate = group_max(&s, rate);
        const T length = adaptive > 0 ? sqrt(adaptive / rate) : interval;
        const T wanted = group_max(&s, broken) > 0 ? (T)NAN : length;
        if (!(wanted >= step / 4)) {
            refuse_step(&m, step, wanted, interval, adaptive == 0);
            continue;
        }
        take_step(&s);
        end_step(&m, step, sign, wanted, adaptive > 0 ? (T)GROWTH : 1);
    }
    put_moment(&s, &m);
}
