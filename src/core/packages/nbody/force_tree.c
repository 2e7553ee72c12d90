/* Forces by a tree (tree_build.cl, and tree_cpu.cl for the walk): a cell of far bodies stands for all of them. */
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"
#include "packages/nbody/tree.h"

#include <math.h>

#define MOST_BODIES ((size_t)INT32_MAX) /* orders and cells count in 32 bits */

/* The factor alpha (tree_cpu.cl) with which 99 of 100 relative errors are below the accuracy. The errors of many cells add up
 * at random and there are more of them where alpha is smaller, so errors fall as its power 2/3. On surfaces they are alike, and
 * grow with the number of bodies. Measured with 2e4 to 1e6 bodies in a Plummer sphere, a cube, two clusters, a disc, a shell,
 * and with half of them in others' places. */
static double alpha_of(double accuracy, size_t sources)
{
    const double more = fmax((double)sources / 1e5, 1);
    return pow(7.5 * accuracy * pow(more, -0.06), 1.5);
}

static lun_status plan_walk(plan *out, const force *f, cl_kernel kernel, tree_targets targets, const launch_arg *to,
                            size_t to_count, size_t first, size_t count, lun_error *err)
{
    const bodies *b = f->of;
    launch_arg args[24];
    const launch_arg rest[] = {ARG_BLOCK(b->rows.block),
                               ARG_LONG(b->size),
                               ARG_BLOCK(f->kept[TREE_CELLS].block),
                               ARG_BLOCK(f->kept[TREE_KEYS].block),
                               ARG_BLOCK(f->kept[TREE_SOFTS].block),
                               ARG_BLOCK(f->kept[TREE_SOURCES].block),
                               ARG_BLOCK(tree_order(f, targets)),
                               ARG_LONG(targets.first),
                               ARG_LONG(targets.count),
                               ARG_LONG(first),
                               ARG_LONG(first + count),
                               bodies_real(b, f->softening),
                               bodies_real(b, alpha_of(f->accuracy, b->active)),
                               ARG_COUNTERS};
    const size_t rest_count = COUNT(rest) - (f->items ? 1 : 0); /* a GPU's groups claim nothing */
    for (size_t i = 0; i < to_count; i++)
        args[i] = to[i];
    for (size_t i = 0; i < rest_count; i++)
        args[to_count + i] = rest[i];
    const size_t groups = f->items ? count : smaller(count, out->op->device->info.units);
    return plan_launch(out, &(launch){kernel, 1, {groups, 1, 1}, {larger(f->items, 1), 1, 1}}, args,
                       to_count + rest_count, err);
}

static lun_status evaluate(plan *out, const force *f, cl_kernel kernel, size_t system, size_t first, size_t count,
                           lun_error *err)
{
    (void)system; /* there is one */
    return plan_walk(out, f, kernel, tree_all_targets(f), ARGS(ARG_BLOCK(f->pull.block)), first, count, err);
}

static lun_status build(plan *out, const force *f, lun_error *err)
{
    return tree_plan_build(out, f, tree_all_targets(f), err);
}

static lun_status field(plan *out, const force *f, const lun_array *dst, size_t first_row, size_t rows, lun_error *err)
{
    const tree_targets targets = {first_row, rows};
    cl_kernel kernel;
    TRY(tree_plan_build(out, f, targets, err));
    TRY(force_kernel(&kernel, f, out->op->device, "tree_field", err));
    const size_t units = ceil_div(targets.count, f->at_once);
    const size_t step = larger(
        (size_t)(nbody_tuned(out->op->device)->walk_launch / force_seconds(f, out->op->device) * (double)f->units), 1);
    for (size_t first = 0; first < units; first += step)
        TRY(plan_walk(out, f, kernel, targets,
                      ARGS(ARG_BLOCK(dst->block), ARG_LONG(dst->offset), ARG_LONG(bodies_stride(dst, 2)),
                           ARG_LONG(bodies_stride(dst, 1)), bodies_real(f->of, f->G)),
                      first, smaller(step, units - first), err));
    return LUN_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static bool applies(const force_problem *p, const tree_tuning *tuned)
{
    return !p->own && p->accuracy > 0 && p->of->systems == 1 && p->of->active > 0 && p->of->size <= MOST_BODIES &&
           (p->named || p->of->active >= tuned->least);
}

static void init(force *f, const variant *row, const force_problem *p, const lun_device *device,
                 const tree_tuning *tuned)
{
    force_init(f, row, p, row->file);
    f->kernel = "tree_pull";
    f->prepare = build;
    f->evaluate = evaluate;
    f->field = field;
    f->at_once = tuned->targets * tuned->unit;
    f->units = f->most = ceil_div(larger(p->of->count, 1), f->at_once);
    f->seconds = (double)p->of->count / (tuned->rate * device->info.units) * pow(3e-3 / p->accuracy, 0.5);
}

/* Finds the kernels and makes what is kept. */
static lun_status prepare(force *f, plan *out, const force_problem *p, lun_error *err)
{
    lun_device *device = out->op->device;
    TRY(force_find_kernels(f, p, device, err));
    TRY(tree_find_kernels(f, out, err));
    return tree_create(f, device, p->fields ? (tree_targets){p->first_target, p->target_count} : tree_all_targets(f),
                       err);
}

static const tree_tuning *cpu_tuning(const lun_device *device, lun_dtype dtype)
{
    return &nbody_tuned(device)->tree_cpu[dtype == LUN_f64];
}

bool force_tree_cpu_applies(const lun_device *device, const void *problem)
{
    const force_problem *p = problem;
    return variant_on_cpu(device, problem) && (!p || applies(p, cpu_tuning(device, p->of->dtype)));
}

lun_status force_tree_cpu_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const tree_tuning *tuned = cpu_tuning(out->op->device, p->of->dtype);
    force *f = p->out;
    init(f, row, p, out->op->device, tuned);
    f->least = smaller(f->units, 8 * (size_t)out->op->device->info.units);
    force_define(f, "WIDTH", p->of->width);
    force_define(f, "TARGETS", tuned->targets);
    force_define(f, "UNIT", tuned->unit);
    return prepare(f, out, p, err);
}

static const tree_tuning *gpu_tuning(const lun_device *device, lun_dtype dtype)
{
    return &nbody_tuned(device)->tree_gpu[dtype == LUN_f64];
}

bool force_tree_gpu_applies(const lun_device *device, const void *problem)
{
    const force_problem *p = problem;
    /* Of each item: places on the stack and in lists, a body, a cell, and what a scan needs. */
    const size_t item = (TREE_LEVELS + TREE_LEAF + 6) * sizeof(cl_int) + 16 * sizeof(double) + 2 * sizeof(cl_ulong);
    return device->info.max_group >= radix_bytes.items &&
           device->info.local_memory >= gpu_tuning(device, LUN_f32)->targets * item &&
           (!p || applies(p, gpu_tuning(device, p->of->dtype)));
}

lun_status force_tree_gpu_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const tree_tuning *tuned = gpu_tuning(out->op->device, p->of->dtype);
    force *f = p->out;
    init(f, row, p, out->op->device, tuned);
    f->items = tuned->targets;
    f->least = smaller(f->units, 16 * (size_t)out->op->device->info.units);
    force_define(f, "BLOCK", tuned->targets);
    return prepare(f, out, p, err);
}
