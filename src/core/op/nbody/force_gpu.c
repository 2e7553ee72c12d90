/* Forces on GPUs and anywhere (nbody_gpu.cl, nbody_plain.cl): each body by itself, all others come by in tiles. */
#include "op/interface.h"
#include "op/nbody/force.h"

typedef struct gpu_tuning {
    size_t block; /* work-items in a group, and bodies in a tile */
    size_t each;  /* bodies to a work-item */
    double rate;  /* interactions a second and compute unit */
} gpu_tuning;

/* Measured on an H200: bench/NOTES.md, "Gravity". */
static const gpu_tuning gpu_f32 = {.block = 256, .each = 2, .rate = 1e10};
static const gpu_tuning gpu_f64 = {.block = 256, .each = 1, .rate = 2e9};

/* Guesses between a GPU (a unit of an H200 does 3e9) and a core under PoCL (2e8). */
static const gpu_tuning plain_f32 = {.block = 64, .each = 1, .rate = 1e9};
static const gpu_tuning plain_f64 = {.block = 64, .each = 1, .rate = 5e8};

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
                 const gpu_tuning *tuning)
{
    force_init(out, row, p, p->fields ? FORCE_FIELDS : row->file);
    out->kernel = "nbody_pull";
    out->evaluate = evaluate;
    out->items = tuning->block;
    out->rate = tuning->rate;
    out->units = out->most = NBODY_GROUPS(p->of->count, tuning->block * tuning->each);
    out->least = 8 * device->info.units; /* groups: with fewer some compute units had nothing to do */
    force_define(out, "BLOCK", tuning->block);
    force_define(out, "EACH", tuning->each);
}

/* Parts: enough that every compute unit has several groups, none with less than a few tiles. */
static size_t count_parts(const force *f, const lun_device *device)
{
    const size_t units = larger(f->units, 1);
    const size_t wanted = NBODY_GROUPS(8 * device->info.units, units), most = f->of->active / (4 * f->items);
    return wanted < most ? wanted : larger(most, 1);
}

bool force_gpu_applies(const lun_device *device, const void *problem)
{
    return !force_is_own(problem) && device->info.max_group >= gpu_f32.block &&
           device->info.local_memory >= gpu_f32.block * 4 * sizeof(double); /* a tile of bodies */
}

lun_status force_gpu_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    force *f = p->out;
    init(f, row, p, out->op->device, p->of->dtype == LUN_f64 ? &gpu_f64 : &gpu_f32);
    f->parts = count_parts(f, out->op->device);
    return force_find_kernels(f, out->op->device, p->fields, err);
}

bool force_plain_applies(const lun_device *device, const void *problem) { return variant_anywhere(device, problem); }

lun_status force_plain_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    force *f = p->out;
    if (p->own)
        return force_own_plan(out, row, p, plain_f64.block, plain_f64.rate, err);
    init(f, row, p, out->op->device, p->of->dtype == LUN_f64 ? &plain_f64 : &plain_f32);
    return force_find_kernels(f, out->op->device, p->fields, err);
}
