/* Reductions anywhere, of any view: a work-item walks the elements of one output, or of a part of it, one by one.
 * Short runs are combined straight, and the runs in pairs, pairs of pairs and so on (a binary counter), so that a sum's
 * error grows as log n. */
#include "parts/reduce_values.cl"

#define RUN 16
#define LEVELS 64

/* A value; for accurate sums a pair, of the value and the sum of its rounding errors: the exact sum of two floats is a
 * float and an error, itself a float. */
#ifdef ACCURATE
typedef JOIN(ACC, 2) item;

inline item item_join(item a, item b)
{
    const ACC sum = a.x + b.x, part = sum - a.x;
    return (item)(sum, (a.y + b.y) + ((a.x - (sum - part)) + (b.x - part)));
}

#define ITEM(value) ((item)(value, 0))
#define FINISH(state) (isnan((state).y) ? (state).x : (state).x + (state).y) /* infinities have no rest */
#else
typedef ACC item;

inline item item_join(item a, item b)
{
    return COMBINE(a, b);
}

#define ITEM(value) (value)
#define FINISH(state) (state)
#endif

/* Counts one more run in binary: level k holds 2^k runs where bit k of count is set. */
inline void push(item *level, long count, item run)
{
    for (; count & 1; count >>= 1, level++)
        run = item_join(*level, run);
    *level = run;
}

inline item total(const item *level, long count)
{
    item sum = ITEM((ACC)(IDENTITY));
    for (; count > 0; count >>= 1, level++)
        if (count & 1)
            sum = item_join(*level, sum);
    return sum;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_plain(global OUT *out, global ACC *partial, global const T *in, lun_layout kept, lun_layout kept_out,
                  lun_layout reduced, reduce_plain_shape plan)
{
    const long jobs = plan.outputs * plan.parts;
    const long inner = reduced.ndim > 0 ? reduced.size[reduced.ndim - 1] : 1;
    const long step = reduced.ndim > 0 ? reduced.stride[reduced.ndim - 1] : 0;
    FOR_SPREAD(job, jobs)
    {
        item level[LEVELS];
        long runs = 0;
        const long output = job / plan.parts;
        global const T *p = in + plan.in + layout_offset(&kept, output);
        const long end = min(plan.elements, (job % plan.parts + 1) * plan.part);
        for (long i = job % plan.parts * plan.part; i < end;) {
            const long at = layout_offset(&reduced, i);
            const long count = min(min(end - i, (long)RUN), inner - i % inner);
            item run = ITEM(MAPPED(p, at));
            for (long k = 1; k < count; k++) {
                const item x = ITEM(MAPPED(p, at + k * step));
                run = item_join(run, x);
            }
            push(level, runs++, run);
            i += count;
        }
        const item result = total(level, runs);
        if (plan.parts == 1) {
            STORE_OUT(out, plan.out + layout_offset(&kept_out, output), FINISH(result));
        } else {
#ifdef ACCURATE
            partial[job] = result.x;
            partial[jobs + job] = result.y;
#else
            partial[job] = result;
#endif
        }
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_plain_combine(global OUT *out, global const ACC *partial, lun_layout kept_out, reduce_plain_shape plan)
{
    FOR_SPREAD(output, plan.outputs)
    {
        item level[LEVELS];
        for (long part = 0; part < plan.parts; part++) {
            const long at = output * plan.parts + part;
#ifdef ACCURATE
            const item x = (item)(partial[at], partial[plan.outputs * plan.parts + at]);
#else
            const item x = partial[at];
#endif
            push(level, part, x);
        }
        const item result = total(level, plan.parts);
        STORE_OUT(out, plan.out + layout_offset(&kept_out, output), FINISH(result));
    }
}
