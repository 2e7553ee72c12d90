/* Forces on GPUs and anywhere (nbody_gpu.cl, nbody_plain.cl): each body by itself, all others come by in tiles. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

/* Units of work are blocks of bodies. Each is done by as many groups as there are parts: a share of the others each. */
static lun_status evaluate(plan *out, const force *f, cl_kernel kernel, size_t system, size_t first, size_t count,
                           lun_error *err)
{
    const bodies *b = f->of;
    return plan_launch(out, &(launch){kernel, 1, {count * f->parts, 1, 1}, {f->items, 1, 1}},
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(f->pull.block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(b->active), ARG_LONG(f->parts), ARG_LONG(first), ARG_LONG(first + count),
                            ARG_LONG(system), bodies_real(b, f->softening)),
                       err);
}

static void init(force *out, const variant *row, const force_problem *p, const lun_device *device,
                 const blocks_tuning *tuned)
{
    force_init(out, row, p, p->fields ? FORCE_FIELDS : row->file);
    out->kernel = "nbody_pull";
    out->evaluate = evaluate;
    out->items = tuned->block;
    out->rate = tuned->rate;
    out->units = out->most = NBODY_GROUPS(p->of->count, tuned->block * tuned->each);
    out->least = 8 * device->info.units; /* groups: with fewer some compute units had nothing to do */
    force_define(out, "BLOCK", tuned->block);
    force_define(out, "EACH", tuned->each);
}

/* Parts: enough that every compute unit has several groups, none with less than a few tiles. */
static size_t count_parts(const force *f, const force_problem *p, const lun_device *device)
{
    const size_t units = larger(p->shares ? f->units / p->shares : f->units, 1);
    const size_t wanted = NBODY_GROUPS(8 * device->info.units, units), most = f->of->active / (4 * f->items);
    return wanted < most ? wanted : larger(most, 1);
}

bool force_gpu_applies(const lun_device *device, const void *problem)
{
    const size_t block = nbody_tuned(device)->blocks[0].block;
    return !force_is_own(problem) && device->info.max_group >= block &&
           device->info.local_memory >= block * 4 * sizeof(double); /* a tile of bodies */
}

lun_status force_gpu_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    force *f = p->out;
    init(f, row, p, out->op->device, &nbody_tuned(out->op->device)->blocks[p->of->dtype == LUN_f64]);
    f->parts = count_parts(f, p, out->op->device);
    return force_find_kernels(f, p, out->op->device, err);
}

bool force_plain_applies(const lun_device *device, const void *problem) { return variant_anywhere(device, problem); }

lun_status force_plain_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const blocks_tuning *tuned = &nbody_tuned(out->op->device)->plain[p->of->dtype == LUN_f64];
    force *f = p->out;
    if (p->own)
        return force_own_plan(out, row, p, tuned->block, tuned->rate, err);
    init(f, row, p, out->op->device, tuned);
    return force_find_kernels(f, p, out->op->device, err);
}
