/* Forces: the table of their variants, and what all of them share. */
#include "packages/nbody/force.h"
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_ACCURACY 1e-6
#define MOST_ACCURACY 0.1
#define LEAST_TARGETS 32 /* of nbody_field to a group: its work-items of one share are whole warps */
#define LEAST_SHARED 128 /* bodies that attract, of which a share is worth a sum in local memory */
#define FIELD_GROUPS 4   /* to a compute unit, until which targets are shared */

/* tree_cpu      a tree, where an accuracy is given and there are many bodies: CPUs.
 * tree_nvidia   as tree_gpu, with the root of few_nvidia.
 * tree_gpu      likewise: GPUs; anywhere by name.
 * small         many steps in a launch, by one core: so few bodies that waking the others takes longer. CPUs.
 * cpu           each pair of bodies once, tiles in a core's nearest cache, units of work that cores claim: CPUs.
 * few_nvidia    as few, with a reciprocal root of one instruction in f32 (PTX).
 * few           many steps in a launch, by one group with the bodies in local memory: up to some hundred of them. GPUs.
 * pairs_nvidia  each pair of bodies once, the pull on one passed on from item to item of a warp in registers (PTX).
 * nvidia        as gpu, with the root of few_nvidia: where pairs_nvidia is refused.
 * gpu           both bodies of a pair by themselves, tiles through local memory: other GPUs; anywhere by name.
 * pairs         as pairs_nvidia in OpenCL C alone, barriers around each value passed on: slower than gpu, by name only.
 * plain         every device. */

static const variant rows[] = {
    {.name = "tree_cpu", .file = "tree_cpu", ON_CPU, .applies = force_tree_cpu_applies, .plan = force_tree_cpu_plan},
    {.name = "tree_nvidia",
     .file = "tree_gpu",
     ON_NVIDIA(7),
     .applies = force_tree_gpu_applies,
     .plan = force_tree_gpu_plan},
    {.name = "tree_gpu", .file = "tree_gpu", ON_GPU, .applies = force_tree_gpu_applies, .plan = force_tree_gpu_plan},
    {.name = "small", .file = "nbody_cpu", ON_CPU, .applies = force_small_applies, .plan = force_small_plan},
    {.name = "cpu", .file = "nbody_cpu", ON_CPU, .applies = force_cpu_applies, .plan = force_cpu_plan},
    {.name = "few_nvidia", .file = "nbody_few", ON_NVIDIA(7), .applies = force_few_applies, .plan = force_few_plan},
    {.name = "few", .file = "nbody_few", ON_GPU, .applies = force_few_applies, .plan = force_few_plan},
    {.name = "pairs_nvidia",
     .file = "nbody_pairs",
     ON_NVIDIA(7),
     .applies = force_pairs_applies,
     .plan = force_pairs_plan},
    {.name = "nvidia", .file = "nbody_gpu", ON_NVIDIA(7), .applies = force_gpu_applies, .plan = force_gpu_plan},
    {.name = "gpu", .file = "nbody_gpu", ON_GPU, .applies = force_gpu_applies, .plan = force_gpu_plan},
    {.name = "pairs",
     .file = "nbody_pairs",
     ON_GPU,
     .by_name = true,
     .applies = force_pairs_applies,
     .plan = force_pairs_plan},
    {.name = "plain", .file = "nbody_plain", .applies = force_plain_applies, .plan = force_plain_plan, .rounds = true},
};
const variants nbody_variants = {rows, COUNT(rows)};

/* ---- what rows share ---------------------------------------------------------------------------------------------- */

void force_define(force *f, const char *name, size_t value)
{
    const size_t used = strlen(f->defines);
    snprintf(f->defines + used, sizeof f->defines - used, "#define %s %zu\n", name, value);
}

void force_init(force *out, const variant *row, const force_problem *p, const char *file)
{
    *out = (force){.of = p->of,
                   .softening = p->softening,
                   .G = p->G,
                   .accuracy = p->accuracy,
                   .units = 1,
                   .least = 1,
                   .most = 1,
                   .parts = p->own ? 0 : 1};
    out->program = (program_key){.file = file, .dtype = p->of->dtype, .defines = out->defines};
    if (row->nvidia)
        force_define(out, "NVIDIA", 1);
    if (bodies_are_passive(p->of))
        force_define(out, "ACTIVE", 1);
    if (p->of->has_softs)
        force_define(out, "SOFTS", 1);
}

lun_status force_kernel(cl_kernel *out, const force *f, lun_device *device, const char *name, lun_error *err)
{
    return program_kernel(out, device, &f->program, name, err);
}

/* Work-items that share a target, where bodies are too few to fill the device: by those of a system alone, so that neither other
 * systems nor a split of the targets change any bits. */
static void share_targets(force *f, const bodies *of, const lun_device *device)
{
    size_t shares = 1;
    while (of->active >= LEAST_SHARED && f->items / shares > LEAST_TARGETS &&
           of->count * shares < FIELD_GROUPS * device->info.units * f->items)
        shares *= 2;
    f->targets = f->items / shares;
    force_define(f, "SHARES", shares);
}

lun_status force_find_kernels(force *f, const force_problem *p, lun_device *device, lun_error *err)
{
    cl_kernel kernel;
    f->targets = 1;
    if (p->fields && f->items && !f->field)
        share_targets(f, p->of, device);
    return force_kernel(&kernel, f, device, p->fields && !f->field ? "nbody_field" : f->kernel, err);
}

lun_status force_uses(operation *op, const force *f, lun_error *err)
{
    for (size_t i = 0; i < FORCE_KEPT; i++)
        if (f->kept[i].block)
            TRY(operation_reads_writes(op, &f->kept[i], err));
    return LUN_OK;
}

void force_clear(force *f)
{
    for (size_t i = 0; i < FORCE_KEPT; i++)
        lun_array_clear(&f->kept[i]);
    lun_array_clear(&f->pull);
}

lun_status force_advance_alone(plan *out, const force *f, cl_kernel kernel, const force_factors *factors,
                               uint64_t stages, lun_error *err)
{
    const bodies *b = f->of;
    const bool is_f64 = b->dtype == LUN_f64;
    float narrow[2][NBODY_FACTORS] = {{0}};
    for (size_t i = 0; i < factors->count; i++) {
        narrow[0][i] = (float)factors->kick[i];
        narrow[1][i] = (float)factors->drift[i];
    }
    double wide[2][NBODY_FACTORS];
    memcpy(wide[0], factors->kick, sizeof wide[0]);
    memcpy(wide[1], factors->drift, sizeof wide[1]);
    return plan_launch(out, &(launch){kernel, 1, {b->systems, 1, 1}, {larger(f->items, 1), 1, 1}},
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(f->pull.block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(b->active), bodies_real(b, f->softening),
                            ARG_BYTES(is_f64 ? (const void *)wide : narrow, is_f64 ? sizeof wide : sizeof narrow),
                            ARG_LONG(factors->count), ARG_LONG(factors->again), ARG_LONG(stages)),
                       err);
}

bool force_is_own(const force_problem *p) { return p && p->own; }

const char *force_own_kernel(const force_problem *p) { return p->wide ? "nbody_correct" : "nbody_steps"; }

lun_status force_own_plan(plan *out, const variant *row, const force_problem *p, size_t items, double rate,
                          lun_error *err)
{
    force *f = p->out;
    force_init(f, row, p, p->own);
    f->kernel = force_own_kernel(p);
    f->items = items;
    f->rate = rate;
    force_define(f, "ITEMS", items);
    return force_find_kernels(f, p, out->op->device, err);
}

double force_interactions(const bodies *b) { return (double)larger(b->count, 1) * (double)larger(b->active, 1); }

double force_weight(const bodies *b, const lun_device *device, double evaluations)
{
    const nbody_tuning *tuned = nbody_tuned(device);
    const double one = force_interactions(b) / tuned->tiled[b->dtype == LUN_f64].rate + tuned->advanced;
    return 1e9 * evaluations * one * (double)b->systems;
}

double force_seconds(const force *f, const lun_device *device)
{
    return f->seconds > 0 ? f->seconds : force_interactions(f->of) / (f->rate * device->info.units);
}

lun_status force_check_options(const lun_gravity_options *options, lun_error *err)
{
    char number[LUN_NUMBER_TEXT];
    if (!(options->softening >= 0 && isfinite(options->softening)))
        FAIL(LUN_MISUSE, "softening must be a finite number, 0 or more, not %s",
             lun_number_digits(number, options->softening));
    if (!isfinite(options->G))
        FAIL(LUN_MISUSE, "G must be a finite number, not %s", lun_number_digits(number, options->G));
    if (!isfinite(options->dt))
        FAIL(LUN_MISUSE, "dt must be a finite number, not %s", lun_number_digits(number, options->dt));
    if (options->accuracy != 0 && !(options->accuracy >= LEAST_ACCURACY && options->accuracy <= MOST_ACCURACY))
        FAIL(LUN_MISUSE, "accuracy must be a number from 1e-6 to 0.1, not %s",
             lun_number_digits(number, options->accuracy));
    return LUN_OK;
}
