/* Gravity by Gauss-Radau quadrature (parts/nbody_ias15.cl): all groups share a system, and launches follow the nodes of
 * a step: its beginning, node 0, and the seven spacings. */
#include "parts/nbody_wide.cl"
#include "parts/nbody_ias15.cl"

/* Velocities at the spacing h of a step of length dt, in the user's units. */
INLINE REALS speed_at(const system *s, long k, T h, T dt)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B);
    REALS sum = REALS_AT(b + 6 * step + k) * (7 * h / 8);
    for (int j = 5; j >= 0; j--)
        sum = (REALS_AT(b + j * step + k) + sum) * ((j + 1) * h / (j + 2));
    sum = (sum + REALS_AT(ARRAY_OF(*s, IAS15_PULL) + k)) * (dt * h * s->widen);
    return REALS_AT(s->speed + k) + (sum - REALS_AT(ARRAY_OF(*s, IAS15_SPEED_LOST) + k));
}

/* Takes the step whose polynomial was found. */
SYSTEM_KERNEL void nbody_take(WIDE_PARAMETERS, T step)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    FOR_VECTORS(k, 3 * size)
        take_at(&s, k, step);
}

/* Bodies at a node of a step of length `step`, with its sign, and before the first node what the last step says of it;
 * before: the last step's length, 0 if there was none. */
SYSTEM_KERNEL void nbody_place(WIDE_PARAMETERS, long node, T step, T before, global T *pos, global T *vel,
                               global T *more)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    FOR_BODIES(i, 0, bodies)
        for (int c = 0; c < 3; c++) {
            const long k = c * size + i;
            if (node == 0)
                predict_at(&s, k, before == 0 ? 0 : step / before);
            place_at(&s, k, SPACING[node], node == 0 ? 0 : step);
            if (more)
                show(&s, i, c, REALS_AT(ARRAY_OF(s, IAS15_PLACE) + k), speed_at(&s, k, SPACING[node], step), pos, vel,
                     more);
        }
}

/* The accelerations of the bodies first .. last-1 at a node; of the last one marks, too. */
SYSTEM_KERNEL void nbody_correct(WIDE_PARAMETERS, long node, T step, global const T *more, global T *marks, long first,
                                 long last, long fresh)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS] = {0, 0, 0, 0};
    (void)step;
    FOR_BODIES(i, first, last)
    {
        REALS a[3];
        find_pull(&s, i, a);
        for (int c = 0; c < 3; c++) {
            const long k = c * size + i;
            a[c] += more_at(&s, more, i, c);
            if (node == 0) {
                SET_REALS(ARRAY_OF(s, IAS15_PULL) + k, a[c]);
                continue;
            }
            const REALS change = correct_at(&s, k, (int)node, a[c]);
            most[0] = fmax(most[0], largest_lane(fabs(a[c])));
            most[1] = fmax(most[1], largest_lane(fabs(change)));
        }
        for (long one = i; one < min(i + LANES, bodies) && node == 7; one++)
            most[2] = fmax(most[2], rate_of_body(&s, one, &most[3]));
    }
    if (node == 7)
        put_marks(marks, most, room, fresh);
}

/* One group: is the polynomial found, and was the step short enough? */
SYSTEM_KERNEL void nbody_decide(WIDE_PARAMETERS, global T *report, global const T *marks, long groups, T goal)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS];
    join_marks(most, room, marks, groups);
    if (get_local_id(0) > 0)
        return;
    const int iteration = (int)report[NBODY_ITERATION];
    const bool settled = is_settled(iteration, most[1], most[0], report[NBODY_CHANGE]);
    moment m = get_moment(&s);
    const T interval = fabs(dt), step = begin_step(&m, interval);
    if (settled) {
        const T wanted = length_of_step(step, adaptive, most[2], most[3], interval);
        judge_step(&s, report, dt, adaptive, goal, wanted, adaptive > 0 ? 4 : 1);
    } else {
        report[NBODY_TURN] = NBODY_AGAIN;
        report[NBODY_ITERATION] = iteration + 1;
        report[NBODY_CHANGE] = most[1] / most[0];
    }
}
