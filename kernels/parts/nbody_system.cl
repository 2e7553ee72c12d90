/* Integrators with kernels of their own: their time, and how bodies that are in lanes of vectors are walked through.
 * One work-group takes a whole system through many steps in a launch; or, with WIDE, all groups share one system, and a
 * launch is a small part of a step (parts/nbody_wide.cl). All numbers are f64. */
#ifndef DTYPE_f64 /* alone */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DTYPE_f64 1
#undef T
#define T double
#undef COMPUTE
#define COMPUTE double
#endif
#ifndef ITEMS
#define ITEMS 1 /* work-items in a group; 1 on CPUs, where a barrier would cost much */
#endif
#ifndef WIDTH
#define WIDTH 1 /* bodies in a vector */
#endif
#define LANES WIDTH
#include "parts/nbody_bodies.cl"

#define INLINE __attribute__((always_inline)) inline
#define SYSTEM_KERNEL kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))

/* The work-item among those that share a system, and the count of these. */
#ifdef WIDE
#define ITEM ((long)get_global_id(0))
#define ALL_ITEMS ((long)get_global_size(0))
#else
#define ITEM ((long)get_local_id(0))
#define ALL_ITEMS ((long)ITEMS)
#endif

/* Whole vectors of elements 0 .. n-1, shared by the system's work-items. */
#define FOR_VECTORS(k, n) for (long k = ITEM * LANES; k < (n); k += ALL_ITEMS * LANES)

#if ITEMS == 1
#define MEET
#else
#define MEET barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* A system as its group sees it. Places are in the units of `body`, velocities in the user's. */
typedef struct {
    global T *place, *speed;    /* 3 x size each */
    global const T *mass, *own; /* halves of squares of softenings, where bodies have their own */
    global T *arrays, *clock;
    long size, bodies, active;
    T soft;      /* the square of a softening that all have */
    T strength;  /* G in these units */
    T narrow, widen; /* a user's length in these units, and back: powers of two */
    local T *room;   /* ITEMS numbers */
} system;

#define ARRAY_OF(s, which) ((s).arrays + (which) * 3 * (s).size)

INLINE system get_system(global T *body, global T *arrays, long count, global T *clocks, long size, long bodies,
                         long active, T softening, T G, local T *room)
{
#ifdef WIDE
    const long which = 0;
#else
    const long which = get_group_id(0);
#endif
    system s;
    body = NBODY_SYSTEM(body, size, which);
    const int2 unit = get_units(body, size);
    s.place = body;
    s.speed = body + NBODY_VELOCITY * size;
    s.mass = body + NBODY_MASS * size;
    s.own = body + NBODY_SOFT * size;
    s.arrays = arrays + which * count * 3 * size;
    s.clock = clocks + which * NBODY_CLOCK;
    s.room = room;
    s.size = size, s.bodies = bodies, s.active = active;
    s.soft = own_soft(softening, unit);
    s.strength = ldexp(G, unit.y - 3 * unit.x);
    s.narrow = ldexp((T)1, -unit.x), s.widen = ldexp((T)1, unit.x);
    return s;
}

#ifdef SOFTS
#define SOFT_BETWEEN(s, soft, j) ((soft) + (s).own[j])
#define SOFT_AT(s, i) REALS_AT((s).own + (i))
#else
#define SOFT_BETWEEN(s, soft, j) (soft)
#define SOFT_AT(s, i) ((REALS)((s).soft))
#endif

/* sum += x, where `lost` is what rounding has added to the sum so far (Kahan). */
INLINE void add_exactly(REALS *sum, REALS *lost, REALS x)
{
    const REALS y = x - *lost, next = *sum + y;
    *lost = (next - *sum) - y;
    *sum = next;
}

/* ---- the group -------------------------------------------------------------------------------------------------- */

/* The largest of the group's numbers, to all of it; NaN does not count. */
INLINE T group_max(const system *s, T x)
{
#if ITEMS > 1
    const int item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    s->room[item] = x;
    for (int others = ITEMS / 2; others > 0; others /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < others)
            s->room[item] = fmax(s->room[item], s->room[item + others]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = s->room[0];
#else
    (void)s;
#endif
    return x;
}

/* The largest number of the vector, and 0; NaN does not count. */
INLINE T largest_lane(REALS v)
{
    T lane[LANES], most = 0;
    SET_REALS(lane, v);
    for (int k = 0; k < LANES; k++)
        most = fmax(most, lane[k]);
    return most;
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

/* What the group knows of its clock; all work-items have the same. */
typedef struct {
    T passed, left, rounded, next, last, trouble, steps;
} moment;

INLINE moment get_moment(const system *s)
{
    global const T *c = s->clock;
    return (moment){c[NBODY_PASSED], c[NBODY_LEFT], c[NBODY_ROUNDED], c[NBODY_NEXT],
                    c[NBODY_LAST],   c[NBODY_TROUBLE], c[NBODY_STEPS]};
}

INLINE void put_clock(const system *s, const moment *m)
{
    global T *c = s->clock;
    c[NBODY_PASSED] = m->passed, c[NBODY_LEFT] = m->left, c[NBODY_ROUNDED] = m->rounded;
    c[NBODY_NEXT] = m->next, c[NBODY_LAST] = m->last, c[NBODY_TROUBLE] = m->trouble, c[NBODY_STEPS] = m->steps;
}

INLINE void put_moment(const system *s, const moment *m)
{
    MEET;
    if (get_local_id(0) == 0)
        put_clock(s, m);
}

INLINE bool is_going(const moment *m, T goal) { return m->passed < goal && m->trouble == 0; }

/* The length of the step that begins now: none goes beyond the end of the interval, and the last two of it are
 * alike. */
INLINE T begin_step(moment *m, T interval)
{
    if (m->left == 0)
        m->left = interval, m->rounded = 0;
    return m->next >= m->left ? m->left : 2 * m->next > m->left ? m->left / 2 : m->next;
}

/* A step was taken. `wanted`: how long the next one should be, not more than `growth` times as long as this one, or as
 * what this one would have been without the interval's end. */
INLINE void end_step(moment *m, T step, T sign, T wanted, T growth)
{
    m->next = fmin(wanted, fmax(step * growth, m->next));
    m->last = step * sign;
    m->steps += 1;
    if (step == m->left) {
        m->left = 0;
        m->passed += 1;
        return;
    }
    const T y = -step - m->rounded, next = m->left + y;
    m->rounded = (next - m->left) - y;
    m->left = next;
}

/* A step was too long, and is to be tried once more, from where it began: as long as `wanted`, which is NaN where its
 * end was not finite. Steps that are `fixed` are refused for that alone, and not tried once more. */
INLINE void refuse_step(moment *m, T step, T wanted, T interval, bool fixed)
{
    const bool finite = wanted == wanted;
    m->next = finite ? wanted : step / 16;
    if (m->next <= NBODY_LEAST_STEP * interval || fixed)
        m->trouble = finite ? NBODY_TOO_SHORT : NBODY_NOT_FINITE;
}

/* One over the square of the shortest time in which a body of the work-item's share of first .. last-1 falls onto
 * another, or passes it by. Pairs without distance and softening do nothing to each other, and do not count. NaN does
 * not either. */
INLINE T largest_rate(const system *s, long first, long last)
{
    T most = 0;
    for (long i = first + ITEM; i < last; i += ALL_ITEMS)
        for (long j = 0; j < s->active; j++) {
            T r2 = 0, v2 = 0;
            for (long c = 0; c < 3; c++) {
                const T dx = s->place[c * s->size + j] - s->place[c * s->size + i];
                const T dv = (s->speed[c * s->size + j] - s->speed[c * s->size + i]) * s->narrow;
                r2 += dx * dx, v2 += dv * dv;
            }
#ifdef SOFTS
            const T soft = s->own[i] + s->own[j];
#else
            const T soft = s->soft;
#endif
            if (i != j && r2 + soft > 0) {
                r2 += soft;
                most = fmax(most, fmax(v2, fabs(s->strength) * (s->mass[i] + s->mass[j]) * rsqrt(r2)) / r2);
            }
        }
    return most;
}

/* The clock before the first step, which is a small part of the shortest time, one over the root of `rate`; 0: an
 * interval. */
INLINE moment first_moment(T interval, T rate)
{
    return (moment){0, 0, 0, rate > 0 ? fmin(interval, rsqrt(rate) / 64) : interval, 0, 0, 0};
}

/* Sets the clock before the first step; `fixed` steps are as long as an interval. */
INLINE void begin_clock(const system *s, T interval, bool fixed)
{
    const moment m = first_moment(interval, fixed ? 0 : group_max(s, largest_rate(s, 0, s->bodies)));
    put_moment(s, &m);
}

/* One group: the clocks of a run that goes on where another one has ended, at the end of an interval. */
SYSTEM_KERNEL void nbody_resume(global T *clocks, long systems)
{
    for (long k = get_local_id(0); k < systems; k += ITEMS)
        clocks[k * NBODY_CLOCK + NBODY_PASSED] = 0;
}

/* One group: what all systems together have come to. */
SYSTEM_KERNEL void nbody_judge(global T *verdict, global const T *clocks, long systems, T goal)
{
    local T going[ITEMS], which[ITEMS];
    const int item = get_local_id(0);
    T on = 0, first = 0;
    for (long k = item; k < systems; k += ITEMS) {
        global const T *c = clocks + k * NBODY_CLOCK;
        first = first == 0 && c[NBODY_TROUBLE] != 0 ? k + 1 : first;
        on += c[NBODY_PASSED] < goal;
    }
    going[item] = on, which[item] = first;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item > 0)
        return;
    for (int other = 1; other < ITEMS; other++) {
        on += going[other];
        first = which[other] != 0 && (first == 0 || which[other] < first) ? which[other] : first;
    }
    verdict[NBODY_GOING] = on;
    verdict[NBODY_WHICH] = first;
    verdict[NBODY_WHY] = first == 0 ? 0 : clocks[((long)first - 1) * NBODY_CLOCK + NBODY_TROUBLE];
}
