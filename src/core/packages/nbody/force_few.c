/* Forces among few bodies on GPUs (nbody_few.cl): one group does many steps in a launch. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

static const few_tuning *find_tuning(const lun_device *device, lun_dtype dtype)
{
    return &nbody_tuned(device)->few[dtype == LUN_f64];
}

/* Of integrators with kernels of their own: the group of a system. */
static size_t own_items(const lun_device *device, size_t count)
{
    const nbody_tuning *tuned = nbody_tuned(device);
    return count <= tuned->own_few ? tuned->own_few : tuned->own_items;
}

bool force_few_applies(const lun_device *device, const void *problem)
{
    const force_problem *p = problem;
    /* Of each body four numbers, of each work-item three, and the factors. */
    const size_t local =
        (4 * find_tuning(device, LUN_f32)->most + 3 * NBODY_FEW_ITEMS + 2 * NBODY_FACTORS) * sizeof(double);
    return device->info.max_group >= NBODY_FEW_ITEMS && device->info.local_memory >= local &&
           (!p || p->own || (!p->forced && p->of->count <= find_tuning(device, p->of->dtype)->most));
}

lun_status force_few_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const few_tuning *tuned = find_tuning(out->op->device, p->of->dtype);
    force *f = p->out;
    if (p->own)
        return force_own_plan(out, row, p, own_items(out->op->device, p->of->count), tuned->rate, err);
    force_init(f, row, p, p->fields ? FORCE_FIELDS : row->file);
    f->kernel = "nbody_steps";
    f->advance = force_advance_alone;
    f->items = NBODY_FEW_ITEMS;
    f->rate = tuned->rate;
    force_define(f, "TILE", tuned->most);
    force_define(f, "BLOCK", NBODY_FEW_ITEMS);
    return force_find_kernels(f, p, out->op->device, err);
}
