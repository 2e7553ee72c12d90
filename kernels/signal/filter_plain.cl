/* Recursive filters, in the transposed direct form II: SECTIONS filters in series.
 *
 * A line is divided into blocks, which run in parallel: filter_ends finds the final state of each block for the initial
 * state 0, filter_powers the final states of a block without input for each unit state, filter_starts, from both, the
 * initial state of each block, and filter_plain the results. LANES blocks are the lanes of a vector. */
#include "abi/filter.h"
#include "parts/verdict.cl"

#ifndef ACC /* what is computed with */
#ifdef PART
#define ACC COMPUTE
#define COMPLEX 1
#else
#define ACC float
#endif
#define ORDER 2
#define SECTIONS 1
#define LANES 1
#endif
#if LANES == 1
#define V ACC
#else
#define V JOIN(ACC, LANES)
#endif
#define LANE(v, l) (((ACC *)&(v))[l])
#ifdef COMPLEX
#define TIMES(c, v) pair_multiply(c, v)
#define OVER(x, y) pair_divide(x, y)
#define IS_FINITE(v) (isfinite((v).x) & isfinite((v).y))
#define IS_ZERO(v) (((v).x == 0) & ((v).y == 0))
#else
#define TIMES(c, v) ((c) * (v))
#define OVER(x, y) ((x) / (y))
#define IS_FINITE(v) isfinite(v)
#define IS_ZERO(v) ((v) == 0)
#endif
#define FROM_T(x) JOIN(convert_, ACC)(x)
#if defined(PACKED) && defined(HAS_F64)
#define TO_T(x) odd_of_double(x)
#else
#define TO_T(x) JOIN(convert_, COMPUTE)(x)
#endif
#define STATES (SECTIONS * (ORDER + 1)) /* of each section one more, which stays 0 */

typedef struct coefficients {
    ACC b[STATES], a[STATES];
} coefficients;

/* Divided by the first one of a. */
inline coefficients filter_read(global const ACC *b, global const ACC *a, const filter_shape *s)
{
    coefficients c;
    for (int i = 0; i < SECTIONS; i++)
        for (int k = 0; k <= ORDER; k++) {
            const ACC first = a[s->at[1] + i * s->section[1]];
            const long at = s->at[0] + i * s->section[0] + k * s->step[0];
            const long back = s->at[1] + i * s->section[1] + k * s->step[1];
            c.b[i * (ORDER + 1) + k] = k < s->count[0] ? OVER(b[at], first) : (ACC)(0);
            c.a[i * (ORDER + 1) + k] = k < s->count[1] ? OVER(a[back], first) : (ACC)(0);
        }
    return c;
}

inline V filter_step(V *z, const coefficients *c, V x)
{
#pragma unroll
    for (int i = 0; i < SECTIONS; i++) {
        const ACC *b = c->b + i * (ORDER + 1), *a = c->a + i * (ORDER + 1);
        V *own = z + i * (ORDER + 1);
        const V y = own[0] + TIMES(b[0], x);
#pragma unroll
        for (int k = 0; k < ORDER; k++)
            own[k] = own[k + 1] + TIMES(b[k + 1], x) - TIMES(a[k + 1], y);
        x = y;
    }
    return x;
}

/* Blocks of one or several lines, as lanes: their beginnings and lengths. */
typedef struct lanes {
    long in[LANES], out[LANES], count[LANES], least, most;
} lanes;

inline lanes filter_lanes(const filter_shape *s, long first)
{
    lanes w;
    w.least = s->block;
    w.most = 0;
    for (int l = 0; l < LANES; l++) {
        const long job = min(first + l, s->lines * s->blocks - 1), line = job / s->blocks;
        const long from = (job - line * s->blocks) * s->block;
        w.in[l] = s->in_at + layout_offset(&s->in, line) + from * s->in_step;
        w.out[l] = s->out_at + layout_offset(&s->out, line) + from * s->out_step;
        w.count[l] = min(s->block, s->n - from);
        w.least = min(w.least, w.count[l]);
        w.most = max(w.most, w.count[l]);
    }
    return w;
}

/* Runs the lanes; `out` NULL: only their states change. After the end of the shortest lane the others continue. */
inline void filter_run(V *z, const coefficients *c, const lanes *w, global T *out, global const T *in,
                       const filter_shape *s)
{
    V x;
    for (long i = 0; i < w->least; i++) {
#pragma unroll
        for (int l = 0; l < LANES; l++)
            LANE(x, l) = FROM_T(LOAD(in, w->in[l] + i * s->in_step));
        x = filter_step(z, c, x);
        if (out)
#pragma unroll
            for (int l = 0; l < LANES; l++)
                STORE(out, w->out[l] + i * s->out_step, TO_T(LANE(x, l)));
    }
    for (long i = w->least; i < w->most; i++) {
        V before[STATES];
        for (int k = 0; k < STATES; k++)
            before[k] = z[k];
        for (int l = 0; l < LANES; l++)
            LANE(x, l) = FROM_T(LOAD(in, w->in[l] + min(i, w->count[l] - 1) * s->in_step));
        x = filter_step(z, c, x);
        for (int l = 0; l < LANES; l++)
            if (i >= w->count[l])
                for (int k = 0; k < STATES; k++)
                    LANE(z[k], l) = LANE(before[k], l);
            else if (out)
                STORE(out, w->out[l] + i * s->out_step, TO_T(LANE(x, l)));
    }
}

#define EACH_STATE(k, at, s)                                                                                           \
    for (int k = 0; k < STATES; k++)                                                                                   \
        if (k % (ORDER + 1) < (s)->order)                                                                              \
            for (long at = k / (ORDER + 1) * (s)->order + k % (ORDER + 1), once = 1; once; once = 0)

KERNEL(GROUP) filter_ends(global ACC *ends, global const T *in, global const ACC *b, global const ACC *a,
                          filter_shape s)
{
    const coefficients c = filter_read(b, a, &s);
    const long jobs = s.lines * s.blocks, states = SECTIONS * s.order;
    FOR_SPREAD(group, (jobs + LANES - 1) / LANES)
    {
        const lanes w = filter_lanes(&s, group * LANES);
        V z[STATES];
        for (int k = 0; k < STATES; k++)
            z[k] = (V)(0);
        filter_run(z, &c, &w, 0, in, &s);
        EACH_STATE(k, at, &s)
            for (int l = 0; l < LANES; l++)
                ends[min(group * LANES + l, jobs - 1) * states + at] = LANE(z[k], l);
    }
}

/* powers[i * states + j]: the final state i of a block that begins with 1 in state j. */
KERNEL(GROUP) filter_powers(global ACC *powers, global const ACC *b, global const ACC *a, filter_shape s)
{
    const coefficients c = filter_read(b, a, &s);
    const long states = SECTIONS * s.order;
    FOR_SPREAD(group, (states + LANES - 1) / LANES)
    {
        V z[STATES];
        for (int k = 0; k < STATES; k++)
            z[k] = (V)(0);
        EACH_STATE(k, at, &s)
            for (int l = 0; l < LANES; l++)
                if (at == group * LANES + l)
#ifdef COMPLEX
                    LANE(z[k], l).x = 1;
#else
                    LANE(z[k], l) = 1;
#endif
        for (long i = 0; i < s.block; i++)
            filter_step(z, &c, (V)(0));
        EACH_STATE(k, at, &s)
            for (int l = 0; l < LANES; l++)
                if (group * LANES + l < states)
                    powers[at * states + group * LANES + l] = LANE(z[k], l);
    }
}

/* Converts the final states of blocks to initial ones. If a state is not finite, the block is run instead: in sums 0 *
 * inf is NaN, although in the filter the two numbers may never be multiplied. */
#if LANES == 1
KERNEL(GROUP) filter_starts(global ACC *ends, global const ACC *powers, global const ACC *initial, global const T *in,
                            global const ACC *b, global const ACC *a, filter_shape s)
{
    const long states = SECTIONS * s.order;
    FOR_SPREAD(line, s.lines)
    {
        V z[STATES], left[STATES];
        for (int k = 0; k < STATES; k++)
            z[k] = left[k] = (V)(0);
        if (initial)
            EACH_STATE(k, at, &s)
                z[k] = initial[line * states + at];
        for (long block = 0; block < s.blocks; block++) {
            global ACC *own = ends + (line * s.blocks + block) * states;
            bool finite = true;
            EACH_STATE(k, at, &s)
            {
                ACC sum = own[at];
                EACH_STATE(j, from, &s)
                    sum += TIMES(powers[at * states + from], z[j]);
                left[k] = sum;
                finite = finite && IS_FINITE(sum);
            }
            EACH_STATE(k, at, &s)
                own[at] = z[k];
            if (finite) {
                for (int k = 0; k < STATES; k++)
                    z[k] = left[k];
            } else if (block < s.blocks - 1) {
                const coefficients c = filter_read(b, a, &s);
                const lanes w = filter_lanes(&s, line * s.blocks + block);
                filter_run(z, &c, &w, 0, in, &s);
            }
        }
    }
}
#endif

/* `starts` has a state for each block, or is NULL: all are 0. `final` is NULL, or gets the final states of lines. */
KERNEL(GROUP) filter_plain(global T *out, global ACC *final, global const ACC *starts, global const T *in,
                           global const ACC *b, global const ACC *a, filter_shape s, VERDICT_PARAMETERS)
{
    const coefficients c = filter_read(b, a, &s);
    const long jobs = s.lines * s.blocks, states = SECTIONS * s.order;
    for (long i = 0; i < SECTIONS; i++)
        if (IS_ZERO(a[s.at[1] + i * s.section[1]]))
            verdict_say(VERDICT, i, 0);
    FOR_SPREAD(group, (jobs + LANES - 1) / LANES)
    {
        const lanes w = filter_lanes(&s, group * LANES);
        V z[STATES];
        for (int k = 0; k < STATES; k++)
            z[k] = (V)(0);
        if (starts)
            EACH_STATE(k, at, &s)
                for (int l = 0; l < LANES; l++)
                    LANE(z[k], l) = starts[min(group * LANES + l, jobs - 1) * states + at];
        filter_run(z, &c, &w, out, in, &s);
        if (final)
            EACH_STATE(k, at, &s)
                for (int l = 0; l < LANES; l++) {
                    const long job = min(group * LANES + l, jobs - 1);
                    if (job % s.blocks == s.blocks - 1)
                        final[job / s.blocks * states + at] = LANE(z[k], l);
                }
    }
}
