/* Forces on GPUs (nbody_pairs.cl): each pair of bodies once, by blocks of bodies that meet around a ring. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

static const pairs_tuning *find_tuning(const bodies *b, const lun_device *device)
{
    const pairs_tuning *row = nbody_tuned(device)->pairs[b->dtype == LUN_f64];
    while (row->most && b->count > row->most)
        row++;
    return row;
}

bool force_pairs_applies(const lun_device *device, const void *problem)
{
    const size_t block = 256; /* the largest; each item has 4 numbers twice, 3 for its sums and one to pass on */
    const force_problem *p = problem;
    if (p && (p->own || bodies_are_passive(p->of) || p->of->has_softs)) /* the ring is of equals */
        return false;
    return device->info.max_group >= block && device->info.local_memory >= block * (4 * 2 + 4) * sizeof(double);
}

/* Units of work are places on the ring. */
static lun_status evaluate(plan *out, const force *f, cl_kernel kernel, size_t system, size_t first, size_t count,
                           lun_error *err)
{
    const bodies *b = f->of;
    const size_t blocks = NBODY_GROUPS(b->count, f->at_once);
    return plan_launch(out, &(launch){kernel, 1, {blocks * NBODY_GROUPS(count, f->span), 1, 1}, {f->items, 1, 1}},
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(f->pull.block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(first), ARG_LONG(first + count), ARG_LONG(f->span), ARG_LONG(f->parts),
                            ARG_LONG(system), bodies_real(b, f->softening)),
                       err);
}

/* The places are shared evenly among launches that are short and need no more memory than `part_bytes`; a group does
 * several places where there are many groups. */
static void share_places(force *f, const force_problem *p, const lun_device *device)
{
    const nbody_tuning *tuned = nbody_tuned(device);
    const size_t blocks = NBODY_GROUPS(f->of->count, f->at_once),
                 part = 3 * f->of->size * lun_dtype_bytes(f->of->dtype);
    f->units = NBODY_PLACES(blocks);
    const double unit_seconds = force_seconds(f, device) / (double)f->units;
    const size_t fit = (size_t)(tuned->pairs_launch / unit_seconds) + 1, room = tuned->part_bytes / 2 / part + 1;
    const size_t all = p->shares ? NBODY_GROUPS(f->units, p->shares) : f->units;
    const size_t launches = NBODY_GROUPS(all, smaller(fit, room));
    const size_t share = NBODY_GROUPS(all, launches);
    f->span = 1;
    while (f->span < 8 && blocks * share / f->span > 64 * device->info.units)
        f->span *= 2;
    f->least = f->most = share;
    f->parts = NBODY_GROUPS(share, f->span) + share; /* one to a group of a block, then one to a place */
}

lun_status force_pairs_plan(plan *out, const variant *row, const void *problem, lun_error *err)
{
    const force_problem *p = problem;
    const pairs_tuning *tuned = find_tuning(p->of, out->op->device);
    force *f = p->out;
    force_init(f, row, p, p->fields ? FORCE_FIELDS : row->file);
    f->kernel = "nbody_pull";
    f->evaluate = evaluate;
    f->items = p->fields ? nbody_tuned(out->op->device)->blocks[p->of->dtype == LUN_f64].block : tuned->block;
    f->at_once = tuned->block * tuned->each;
    f->rate = tuned->rate;
    force_define(f, "BLOCK", f->items);
    force_define(f, "EACH", tuned->each);
    force_define(f, "STEPS", tuned->steps);
    share_places(f, p, out->op->device);
    return force_find_kernels(f, p, out->op->device, err);
}
