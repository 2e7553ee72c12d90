/* Forces on CPUs (nbody_cpu.cl): each pair of bodies once, by all cores, or by one core that does many steps in a launch. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

static const tiled_tuning *find_tuning(const lun_device *device, lun_dtype dtype)
{
    return &nbody_tuned(device)->tiled[dtype == LUN_f64];
}

static void init(force *out, const variant *row, const force_problem *p, const tiled_tuning *tuned)
{
    force_init(out, row, p, p->own ? p->own : row->file);
    out->rate = tuned->rate;
    force_define(out, "WIDTH", p->of->width);
    /* How many bodies meet a vector of others at once: AVX-512 has registers for two. */
    force_define(out, "BODIES", p->of->width * lun_dtype_bytes(p->of->dtype) == 64 ? 2 : 1);
    force_define(out, "TILE", tuned->tile);
    force_define(out, "ROWS", tuned->rows);
}

/* ---- all cores ---------------------------------------------------------------------------------------------------- */

bool force_cpu_applies(const lun_device *device, const void *problem)
{
    return variant_on_cpu(device, problem) && !force_is_own(problem);
}

/* Units in the triangle of pairs: each tile meets itself and all bodies before it that attract, `rows` of them at a time. */
static size_t count_units(const bodies *b, const tiled_tuning *tuned)
{
    size_t units = 0;
    const size_t sources = NBODY_GROUPS(b->active, b->width) * b->width;
    for (size_t from = 0; from < b->size; from += tuned->tile)
        units += NBODY_GROUPS(smaller(smaller(from + tuned->tile, b->size), sources), tuned->rows);
    return units;
}

/* Workers that share the units: one to a core, or several, so that a slow core claims fewer, but not so many that adding up
 * their sums takes as long as the units. */
static size_t count_workers(const force *f, const lun_device *device)
{
    const nbody_tuning *tuned = nbody_tuned(device);
    const size_t cores = device->info.units, system = 3 * f->of->size * lun_dtype_bytes(f->of->dtype),
                 most = tuned->worker_bytes / (larger(f->of->systems, 1) * system);
    size_t workers = cores;
    while (2 * workers <= most && workers < 8 * cores && 2 * workers * tuned->worker_units <= f->units &&
           2 * workers * tuned->worker_bodies <= f->of->active)
        workers *= 2;
    return workers;
}

static lun_status evaluate(plan *out, const force *f, cl_kernel kernel, size_t system, size_t first, size_t count,
                           lun_error *err)
{
    const bodies *b = f->of;
    const size_t groups = smaller(f->parts, out->op->device->info.units);
    return plan_launch(out, &(launch){kernel, 1, {groups, 1, 1}, {1, 1, 1}},
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(f->pull.block), ARG_LONG(b->size), ARG_LONG(b->active),
                            ARG_LONG(f->parts), ARG_LONG(first), ARG_LONG(first + count), ARG_LONG(system),
                            bodies_real(b, f->softening), ARG_COUNTERS),
                       err);
}

lun_status force_cpu_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const tiled_tuning *tuned = find_tuning(out->op->device, p->of->dtype);
    force *f = p->out;
    init(f, row, p, tuned);
    f->kernel = "nbody_pull";
    f->evaluate = evaluate;
    f->units = f->most = count_units(p->of, tuned);
    f->least = f->parts = count_workers(f, out->op->device); /* with fewer units some workers had nothing to do */
    return force_find_kernels(f, p, out->op->device, err);
}

/* ---- one core ------------------------------------------------------------------------------------------------------ */

/* One core does many steps of a system in a launch: of a batch, or where that takes no longer than all cores and their launches. */
bool force_small_applies(const lun_device *device, const void *problem)
{
    const force_problem *p = problem;
    if (!variant_on_cpu(device, problem) || !p)
        return variant_on_cpu(device, problem);
    if (p->own)
        return true;
    if (p->forced)
        return false;
    const tiled_tuning *tuned = find_tuning(device, p->of->dtype);
    const double cores = device->info.units, alone = force_interactions(p->of) / tuned->rate;
    return p->of->count <= tuned->tile &&
           (p->of->systems > 1 || alone <= alone / cores + cores * nbody_tuned(device)->core_start);
}

lun_status force_small_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    force *f = p->out;
    init(f, row, p, find_tuning(out->op->device, p->of->dtype));
    f->kernel = force_own_kernel(p);
    f->advance = force_advance_alone;
    return force_find_kernels(f, p, out->op->device, err);
}
