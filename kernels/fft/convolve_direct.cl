/* Convolutions by their sums: a work-item sums one result, on CPUs a run of neighbours in vectors. */
#include "abi/convolve.h"

#if GROUP == 1 && !defined(PART)
#define RUN CONVOLVE_RUN
#else
#define RUN 1
#endif

/* The pairs of axes that a result belongs to. */
typedef struct convolve_place {
    global const T *a, *b;
    global T *out;
} convolve_place;

/* Of the taps of an axis those that meet an element of a, for the result whose first tap meets element x. */
#define FOR_TAPS(p, axis, x)                                                                                           \
    for (long p = max(0L, (x)-s->in[axis] + 1), p##_last = min(s->taps[axis] - 1, (x)); p <= p##_last; p++)

inline void convolve_one(const convolve_shape *s, convolve_place at, long i, long j)
{
    const long x = i * s->step[0] + s->first[0], y = j * s->step[1] + s->first[1];
    COMPUTE sum = (COMPUTE)(0);
    FOR_TAPS(p, 0, x)
        FOR_TAPS(q, 1, y)
            sum += PRODUCT(LOAD(at.a, (x - p) * s->a_axis[0] + (y - q) * s->a_axis[1]),
                           LOAD(at.b, p * s->b_axis[0] + q * s->b_axis[1]));
    STORE(at.out, i * s->out_axis[0] + j * s->out_axis[1], sum);
}

#if RUN > 1
#define WIDTH 16
#define V JOIN(COMPUTE, 16)

#define EACH 4
#include "templates/convolve_vectors.cl"
#define EACH 1
#include "templates/convolve_vectors.cl"

/* The results from `first` to before `last`; the last vector may make some once more. */
inline void convolve_run(const convolve_shape *s, convolve_place at, long i, long first, long last)
{
    long j = first;
    for (; j + 4 * WIDTH <= last; j += 4 * WIDTH)
        convolve_4(s, at, i, j);
    for (; j < last; j += WIDTH)
        convolve_1(s, at, i, min(j, last - WIDTH));
}
#endif

KERNEL(GROUP) convolve_direct(global T *out, global const T *a, global const T *b, convolve_shape shape)
{
    const convolve_shape *s = &shape;
    const long runs = (s->size[1] + RUN - 1) / RUN;
    FOR_SPREAD(item, s->batch * s->size[0] * runs) {
        const long row = item / runs, i = row % s->size[0], place = row / s->size[0], from = item % runs * RUN;
        const convolve_place at = {a + s->a_at + layout_offset(&s->a_batch, place),
                                   b + s->b_at + layout_offset(&s->b_batch, place),
                                   out + s->out_at + layout_offset(&s->out_batch, place)};
        const long to = min(from + RUN, s->size[1]);
        long j = from;
#if RUN > 1
        const bool dense = s->step[1] == 1 && s->a_axis[1] == 1 && s->out_axis[1] == 1;
        const long first = max(from, s->taps[1] - 1 - s->first[1]), last = min(to, s->in[1] - s->first[1]);
        if (dense && first + WIDTH <= last) {
            for (; j < first; j++)
                convolve_one(s, at, i, j);
            convolve_run(s, at, i, first, last);
            j = last;
        }
#endif
        for (; j < to; j++)
            convolve_one(s, at, i, j);
    }
}
