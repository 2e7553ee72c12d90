/* Forces among few bodies on GPUs (nbody_few.cl): one group does many steps in a launch. */
#include "op/interface.h"
#include "op/nbody/force.h"

/* Of integrators with kernels of their own: the group of a system, which has a work-item for each body, or for each two. */
#define OWN_FEW ((size_t)64)
#define OWN_FEW_ITEMS 64
#define OWN_ITEMS 256

/* Measured on an H200: bench/NOTES.md, "Gravity of few bodies". */
typedef struct few_tuning {
    size_t most; /* bodies */
    double rate; /* interactions a second of the group */
} few_tuning;

static const few_tuning for_f32 = {.most = 512, .rate = 1e10};
static const few_tuning for_f64 = {.most = 256, .rate = 3e9};

static const few_tuning *find_tuning(lun_dtype dtype) { return dtype == LUN_f64 ? &for_f64 : &for_f32; }

bool force_few_applies(const lun_device *device, const void *problem)
{
    const force_problem *p = problem;
    /* Of each body four numbers, of each work-item three, and the factors. */
    const size_t local = (4 * for_f32.most + 3 * NBODY_FEW_ITEMS + 2 * NBODY_FACTORS) * sizeof(double);
    return device->info.max_group >= NBODY_FEW_ITEMS && device->info.local_memory >= local &&
           (!p || p->own || (!p->forced && p->of->count <= find_tuning(p->of->dtype)->most));
}

lun_status force_few_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const few_tuning *tuning = find_tuning(p->of->dtype);
    force *f = p->out;
    if (p->own)
        return force_own_plan(out, row, p, p->of->count <= OWN_FEW ? OWN_FEW_ITEMS : OWN_ITEMS, tuning->rate, err);
    force_init(f, row, p, p->fields ? FORCE_FIELDS : row->file);
    f->kernel = "nbody_steps";
    f->advance = force_advance_alone;
    f->items = NBODY_FEW_ITEMS;
    f->rate = tuning->rate;
    force_define(f, "TILE", tuning->most);
    force_define(f, "BLOCK", NBODY_FEW_ITEMS);
    return force_find_kernels(f, out->op->device, p->fields, err);
}
