/* Integrators of which all work-groups of the device share one system (nbody_system.cl): a launch is a part of a step.
 * Between two of them a force of the host's own may come. What the groups find is joined by one of them, and the host
 * is reported what is next. Whatever is spread over groups does not depend on how many there are. */
#define WIDE
#include "parts/nbody_system.cl"

/* The parameters of all kernels. `body`, `size`, `bodies`, `active` are those of abi/nbody.h. */
#define WIDE_PARAMETERS                                                                                                \
    global T *body, global T *arrays, global T *clocks, long size, long bodies, long active, T softening, T G, T dt,   \
        T adaptive
#define WIDE_SYSTEM(room) get_system(body, arrays, 0, clocks, size, bodies, active, softening, G, room)

/* The vectors of bodies first .. last-1; `first` begins one. */
#define FOR_BODIES(i, first, last) for (long i = (first) + ITEM * LANES; i < (last); i += ALL_ITEMS * LANES)

/* ---- a force of the host's own ---------------------------------------------------------------------------------- */

/* Along axis c, of the bodies from i on: what the force has given, in units of places; 0 without one. Those that only
 * fill a vector go with the last body. */
INLINE REALS more_at(const system *s, global const T *more, long i, int c)
{
    T lane[LANES];
    for (long k = 0; k < LANES; k++)
        lane[k] = more ? more[4 * min(i + k, s->bodies - 1) + c] * s->narrow : 0;
    return REALS_AT(lane);
}

/* What the force gets, n x 4 in the user's units: places and velocities along axis c, and 0 to add to. */
INLINE void show(const system *s, long i, int c, REALS place, REALS speed, global T *pos, global T *vel, global T *more)
{
    T x[LANES], v[LANES];
    SET_REALS(x, place * s->widen);
    SET_REALS(v, speed);
    for (long k = 0; k < LANES && i + k < s->bodies; k++) {
        pos[4 * (i + k) + c] = x[k];
        vel[4 * (i + k) + c] = v[k];
        more[4 * (i + k) + c] = 0;
        more[4 * (i + k) + 3] = 0;
    }
}

/* ---- what groups find ------------------------------------------------------------------------------------------- */

/* The largest numbers of the group's work-items, to all of these; `room` is for as many of each. PoCL 3.1 does not end
 * where barriers are in loops and behind conditions: so there is one, and one work-item goes on alone behind it. */
INLINE void join_items(T *most, local T *room)
{
#if ITEMS > 1
    for (int k = 0; k < NBODY_MARKS; k++)
        room[NBODY_MARKS * get_local_id(0) + k] = most[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < ITEMS; other++)
        for (int k = 0; k < NBODY_MARKS; k++)
            most[k] = fmax(most[k], room[NBODY_MARKS * other + k]);
#endif
}

/* The group's largest numbers join those that it has found before; `fresh`: there are none. */
INLINE void put_marks(global T *marks, T *most, local T *room, bool fresh)
{
    join_items(most, room);
    for (int k = 0; k < NBODY_MARKS && get_local_id(0) == 0; k++) {
        global T *mark = marks + get_group_id(0) * NBODY_MARKS + k;
        *mark = fresh ? most[k] : fmax(*mark, most[k]);
    }
}

/* One group: the largest numbers of all groups. */
INLINE void join_marks(T *most, local T *room, global const T *marks, long groups)
{
    for (int k = 0; k < NBODY_MARKS; k++)
        most[k] = 0;
    for (long g = get_local_id(0); g < groups; g += ITEMS)
        for (int k = 0; k < NBODY_MARKS; k++)
            most[k] = fmax(most[k], marks[g * NBODY_MARKS + k]);
    join_items(most, room);
}

/* ---- what is next ----------------------------------------------------------------------------------------------- */

/* Reports to the host what has become of the step, and how long the next one is. */
INLINE void write_report(global T *report, moment m, T dt, T goal, T turn)
{
    const T interval = fabs(dt);
    report[NBODY_GOING] = m.passed < goal;
    report[NBODY_WHICH] = m.trouble != 0;
    report[NBODY_WHY] = m.trouble;
    report[NBODY_TURN] = turn;
    report[NBODY_STEP_LENGTH] = begin_step(&m, interval);
    report[NBODY_STEP_BEFORE] = m.last;
    report[NBODY_INTERVALS] = m.passed;
    report[NBODY_WITHIN] = interval - m.left;
    report[NBODY_ITERATION] = 0;
    report[NBODY_CHANGE] = INFINITY;
}

/* One work-item: the step that has ended should have been as long as `wanted`, NaN where it is not finite. The first
 * one, whose length does not know the force of the host's own, is not to be much longer; others may be, as their
 * lengths come from the steps before. */
INLINE void judge_step(const system *s, global T *report, T dt, T adaptive, T goal, T wanted, T growth)
{
    const T interval = fabs(dt);
    moment m = get_moment(s);
    const T step = begin_step(&m, interval);
    const bool refused = !(wanted >= step * (m.last == 0 ? (T)3 / 4 : (T)1 / 4));
    if (refused)
        refuse_step(&m, step, wanted, interval, adaptive == 0);
    else
        end_step(&m, step, dt < 0 ? -1 : 1, wanted, growth);
    put_clock(s, &m);
    write_report(report, m, dt, goal, refused ? NBODY_REFUSED : NBODY_TAKEN);
}

/* ---- the beginning ---------------------------------------------------------------------------------------------- */

SYSTEM_KERNEL void nbody_clear(WIDE_PARAMETERS, long count)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    FOR_VECTORS(k, count * 3 * size)
        SET_REALS(s.arrays + k, (REALS)(0));
}

/* How fast the bodies first .. last-1 pass others: for the first step. */
SYSTEM_KERNEL void nbody_rates(WIDE_PARAMETERS, global T *marks, long first, long last, long fresh)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS] = {largest_rate(&s, first, last), 0, 0, 0};
    put_marks(marks, most, room, fresh);
}

/* One group: sets the clock, unless it goes on where another run has ended, and shows the first step. */
SYSTEM_KERNEL void nbody_start(WIDE_PARAMETERS, global T *report, global const T *marks, long groups, T goal,
                               long goes_on)
{
    local T room[NBODY_MARKS * ITEMS];
    const system s = WIDE_SYSTEM(room);
    T most[NBODY_MARKS];
    join_marks(most, room, marks, groups);
    if (get_local_id(0) > 0)
        return;
    const moment m = goes_on ? get_moment(&s) : first_moment(fabs(dt), most[0]);
    put_clock(&s, &m);
    write_report(report, m, dt, goal, NBODY_REFUSED);
}
