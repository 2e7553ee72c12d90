/* Gravity by Gauss-Radau quadrature (parts/nbody_ias15.cl): one work-group takes a system through many steps. */
#include "parts/nbody_system.cl"
#include "parts/nbody_ias15.cl"

/* The b of the step that is tried, of all bodies. */
INLINE void predict(const system *s, T ratio)
{
    FOR_VECTORS(k, 3 * s->size)
        predict_at(s, k, ratio);
}

INLINE void place_bodies(const system *s, T h, T dt)
{
    FOR_VECTORS(k, 3 * s->size)
        place_at(s, k, h, dt);
}

/* The accelerations at spacing n lead to new coefficients; *most: the largest acceleration and change of b6. */
INLINE void correct(const system *s, int n, T *most)
{
    FOR_VECTORS(i, s->bodies)
    {
        REALS a[3];
        find_pull(s, i, a);
        for (int c = 0; c < 3; c++) {
            const REALS change = correct_at(s, c * s->size + i, n, a[c]);
            if (n == 7) {
                most[0] = fmax(most[0], largest_lane(fabs(a[c])));
                most[1] = fmax(most[1], largest_lane(fabs(change)));
            }
        }
    }
}

/* The polynomial of a step: iterates until its last coefficient has settled. */
INLINE void find_polynomial(const system *s, T dt)
{
    T before = INFINITY;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        T most[2] = {0, 0};
#pragma unroll 1 /* the forces in it are long, and seven of them take seconds to build */
        for (int n = 1; n <= 7; n++) {
            MEET;
            place_bodies(s, SPACING[n], dt);
            MEET;
            correct(s, n, most);
        }
        const T size = group_max(s, most[0]), change = group_max(s, most[1]);
        if (is_settled(iteration, change, size, before))
            return;
        before = change / size;
    }
}

/* How long the step should have been: the shortest of the bodies' times is taken. */
INLINE T choose_step(const system *s, T step, T adaptive, T interval)
{
    T most = 0, broken = 0;
    for (long i = ITEM; i < s->bodies; i += ALL_ITEMS)
        most = fmax(most, rate_of_body(s, i, &broken));
    most = group_max(s, most);
    return length_of_step(step, adaptive, most, group_max(s, broken), interval);
}

/* Moves all bodies to the step's end. */
INLINE void take_step(const system *s, T dt)
{
    FOR_VECTORS(k, 3 * s->size)
        take_at(s, k, dt);
    MEET;
}

SYSTEM_KERNEL void nbody_begin(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, IAS15_ARRAYS, clocks, size, bodies, active, softening, G, room);
    FOR_VECTORS(k, IAS15_ARRAYS * 3 * size)
        SET_REALS(s.arrays + k, (REALS)(0));
    begin_clock(&s, fabs(dt), adaptive == 0);
}

/* At most `most` steps of each system, refused ones included, until `goal` intervals are behind it. */
SYSTEM_KERNEL void nbody_steps(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive, T goal, long most)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, IAS15_ARRAYS, clocks, size, bodies, active, softening, G, room);
    const T interval = fabs(dt), sign = dt < 0 ? -1 : 1;
    global T *a0 = ARRAY_OF(s, IAS15_PULL);
    moment m = get_moment(&s);
    MEET;
    for (long count = 0; count < most && is_going(&m, goal); count++) {
        const T step = begin_step(&m, interval);
        predict(&s, m.last == 0 ? 0 : sign * step / m.last);
        place_bodies(&s, 0, 0);
        MEET; /* a vector of bodies is not one of coordinates */
        FOR_VECTORS(i, bodies)
        {
            REALS a[3];
            find_pull(&s, i, a);
            for (int c = 0; c < 3; c++)
                SET_REALS(a0 + c * size + i, a[c]);
        }
        MEET; /* else PoCL 3.1 drops what is before the loop with its barriers */
        find_polynomial(&s, sign * step);
        MEET;
        const T wanted = choose_step(&s, step, adaptive, interval);
        if (!(wanted >= step / 4)) { /* too long: once more, from where it began */
            refuse_step(&m, step, wanted, interval, adaptive == 0);
            continue;
        }
        take_step(&s, sign * step);
        end_step(&m, step, sign, wanted, adaptive > 0 ? 4 : 1);
    }
    put_moment(&s, &m);
}
