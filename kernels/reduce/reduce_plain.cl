/* Reductions anywhere, of any view: a work-item walks the elements of one output, or of a part of it, one by one.
 * Short runs are combined straight, and the runs in pairs, pairs of pairs and so on (a binary counter), so that a sum's
 * error grows as log n. */
#include "parts/reduce_values.cl"

#define RUN 16
#define LEVELS 64

/* Counts one more run in binary: level k holds 2^k runs where bit k of count is set. */
inline void push(ACC *level, long count, ACC run)
{
    for (; count & 1; count >>= 1, level++)
        run = COMBINE(*level, run);
    *level = run;
}

inline ACC total(const ACC *level, long count)
{
    ACC sum = (ACC)(IDENTITY);
    for (; count > 0; count >>= 1, level++)
        if (count & 1)
            sum = COMBINE(*level, sum);
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
        ACC level[LEVELS];
        long runs = 0;
        const long output = job / plan.parts;
        global const T *p = in + plan.in + layout_offset(&kept, output);
        const long end = min(plan.elements, (job % plan.parts + 1) * plan.part);
        for (long i = job % plan.parts * plan.part; i < end;) {
            const long at = layout_offset(&reduced, i);
            const long count = min(min(end - i, (long)RUN), inner - i % inner);
            ACC run = MAPPED(p, at);
            for (long k = 1; k < count; k++) {
                const ACC x = MAPPED(p, at + k * step);
                run = COMBINE(run, x);
            }
            push(level, runs++, run);
            i += count;
        }
        const ACC result = total(level, runs);
        if (plan.parts == 1) {
            STORE_OUT(out, plan.out + layout_offset(&kept_out, output), result);
        } else {
            partial[job] = result;
        }
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_plain_combine(global OUT *out, global const ACC *partial, lun_layout kept_out, reduce_plain_shape plan)
{
    FOR_SPREAD(output, plan.outputs)
    {
        ACC level[LEVELS];
        for (long part = 0; part < plan.parts; part++) {
            const long at = output * plan.parts + part;
            const ACC x = partial[at];
            push(level, part, x);
        }
        const ACC result = total(level, plan.parts);
        STORE_OUT(out, plan.out + layout_offset(&kept_out, output), result);
    }
}
