/* A force of the host's own beside gravity: what it gets, and the kicks of what it gives. */
#include "packages/nbody/nbody_run.h"
#include "packages/nbody/nbody_tuning.h"

lun_status outside_init(lun_nbody *run, operation *op, plan *p, lun_error *err)
{
    outside_force *o = &run->outside;
    lun_array *const made[] = {&o->pos, &o->vel, &o->more};
    for (size_t i = 0; i < COUNT(made); i++) {
        TRY(lun_array_create(made[i], op->device, run->pos.dtype, 2, run->pos.shape, err));
        TRY(operation_writes(op, made[i], err));
    }
    TRY(plan_array_copy(p, &o->pos, &run->pos, err)); /* the fourth columns stay so */
    return plan_array_copy(p, &o->vel, &run->vel, err);
}

lun_status outside_uses(lun_nbody *run, operation *op, lun_error *err)
{
    TRY(operation_reads_writes(op, &run->outside.pos, err));
    TRY(operation_reads_writes(op, &run->outside.vel, err));
    return operation_reads_writes(op, &run->outside.more, err);
}

void outside_clear(lun_nbody *run)
{
    lun_array_clear(&run->outside.pos);
    lun_array_clear(&run->outside.vel);
    lun_array_clear(&run->outside.more);
}

lun_status run_plan_look(plan *out, const lun_nbody *run, double time, lun_error *err)
{
    const bodies *b = &run->bodies;
    const lun_array *pull = &run->force.pull;
    cl_kernel kernel;
    TRY(force_kernel(&kernel, &run->force, out->op->device, "nbody_look", err));
    const launch spread = launch_spread(out->op->device, kernel, b->count, nbody_tuned(out->op->device)->looked);
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(pull->block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(time == 0 ? 0 : pull->shape[1]), ARG_BLOCK(run->outside.pos.block),
                            ARG_BLOCK(run->outside.vel.block), ARG_BLOCK(run->outside.more.block),
                            bodies_real(b, time * run->force.G), bodies_real(b, time)),
                       err);
}

lun_status run_plan_push(plan *out, const lun_nbody *run, double time, lun_error *err)
{
    const bodies *b = &run->bodies;
    cl_kernel kernel;
    TRY(force_kernel(&kernel, &run->force, out->op->device, "nbody_push", err));
    const launch spread = launch_spread(out->op->device, kernel, b->count, nbody_tuned(out->op->device)->looked);
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_BLOCK(run->outside.more.block), bodies_real(b, time)),
                       err);
}

bool lun_nbody_wants_force(double *time, const lun_nbody *run)
{
    *time = run->at.time;
    return run->at.wants_force && (!run->shared || run->shared->is_for_host);
}

lun_status lun_nbody_outside(lun_array *pos, lun_array *vel, lun_array *more, const lun_nbody *run, lun_error *err)
{
    TRY(lun_array_view(pos, &run->outside.pos, err));
    TRY(lun_array_view(vel, &run->outside.vel, err));
    return lun_array_view(more, &run->outside.more, err);
}
