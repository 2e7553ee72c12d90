/* What integrators with kernels of their own have in common: the state of a run, and how it is handed on. */
#include "op/nbody/own.h"
#include "base/error.h"

#include <stdio.h>

void own_clear(own_state *s)
{
    lun_array_clear(&s->told);
    lun_array_clear(&s->clocks);
    lun_array_clear(&s->arrays);
}

/* One of the arrays that are the state; to be handed on, it is made among those that the run keeps for that. */
static lun_status make(lun_array *out, lun_nbody *run, kept_array which, int ndim, const size_t *shape, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array *made = run->handed_on ? &run->kept.arrays[which] : out;
    TRY(nbody_state_check(run->handed_on, which, &run->pos, ndim, shape, err));
    TRY(lun_array_create(made, run->pos.device, run->bodies.dtype, ndim, shape, err));
    if (made != out)
        TRY(lun_array_view(out, made, err));
done:
    return status;
}

lun_status own_init(own_state *s, lun_nbody *run, size_t told, lun_error *err)
{
    lun_status status = LUN_OK;
    const bodies *b = &run->bodies;
    s->adaptive = run->adaptive >= 0 ? run->adaptive : run->integrator->numbers[0];
    s->goes_on = nbody_state_array(run->handed_on, KEPT_CLOCKS)->size > 0;
    if (s->goes_on != (nbody_state_array(run->handed_on, KEPT_INTEGRATION)->size > 0))
        FAIL(LUN_MISUSE, "of the state's arrays 'integration' and 'clocks' one is missing");
    TRY(make(&s->arrays, run, KEPT_INTEGRATION, 4, (const size_t[]){b->systems, run->kind->arrays, 3, b->size}, err));
    TRY(make(&s->clocks, run, KEPT_CLOCKS, 2, (const size_t[]){b->systems, NBODY_CLOCK}, err));
    TRY(lun_array_create(&s->told, run->pos.device, b->dtype, 1, &told, err));
done:
    return status;
}

lun_status own_uses(const own_state *s, operation *op, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(operation_reads_writes(op, &s->arrays, err));
    TRY(operation_reads_writes(op, &s->clocks, err));
    TRY(operation_reads_writes(op, &s->told, err));
done:
    return status;
}

lun_status own_plan(plan *out, const own_state *s, const lun_nbody *run, const char *name, size_t groups,
                    const launch_arg *tail, size_t tail_count, lun_error *err)
{
    lun_status status = LUN_OK;
    const bodies *b = &run->bodies;
    const force *f = &run->force;
    cl_kernel kernel;
    launch_arg args[OWN_ARGS + OWN_TAIL] = {
        ARG_BLOCK(b->rows.block), ARG_BLOCK(s->arrays.block), ARG_BLOCK(s->clocks.block),   ARG_LONG(b->size),
        ARG_LONG(b->count),       ARG_LONG(b->active),        bodies_real(b, f->softening), bodies_real(b, f->G),
        bodies_real(b, run->dt),  bodies_real(b, s->adaptive)};
    for (size_t i = 0; i < tail_count; i++) /* `tail` is NULL where there are none, which memcpy must not be given */
        args[OWN_ARGS + i] = tail[i];
    TRY(force_kernel(&kernel, f, out->op->device, name, err));
    TRY(plan_launch(out, &(launch){kernel, 1, {groups, 1, 1}, {larger(f->items, 1), 1, 1}}, args, OWN_ARGS + tail_count,
                    err));
done:
    return status;
}

lun_status own_plan_resume(plan *out, const own_state *s, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *arrays = nbody_state_array(run->handed_on, KEPT_INTEGRATION),
                    *clocks = nbody_state_array(run->handed_on, KEPT_CLOCKS);
    cl_kernel resume;
    TRY(operation_reads(out->op, arrays, err));
    TRY(operation_reads(out->op, clocks, err));
    TRY(force_kernel(&resume, &run->force, out->op->device, "nbody_resume", err));
    TRY(plan_array_copy(out, &s->arrays, arrays, err));
    TRY(plan_array_copy(out, &s->clocks, clocks, err));
    TRY(plan_launch(out, &(launch){resume, 1, {1, 1, 1}, {larger(run->force.items, 1), 1, 1}},
                    ARGS(ARG_BLOCK(s->clocks.block), ARG_LONG(run->bodies.systems)), err));
done:
    return status;
}

lun_status own_hear(bool *ready, double *told, own_state *s, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_call call = {.queue = run->queue};
    TRY(lun_array_await(ready, &s->told, LUN_READ, &call, LUN_SLICE, err));
    if (!*ready)
        return LUN_OK;
    TRY(lun_array_read(told, &s->told, &call, err));
    s->heard = run->at.stage;
    char which[40] = "";
    if (run->pos.ndim == 3)
        snprintf(which, sizeof which, " of system %.0f", told[NBODY_WHICH]);
    if (told[NBODY_WHICH] > 0 && told[NBODY_WHY] == NBODY_NOT_FINITE)
        FAIL(LUN_MISUSE, "the bodies%s are not at finite places, or their velocities, masses or forces are not finite",
             which);
    if (told[NBODY_WHICH] > 0)
        FAIL(LUN_MISUSE, "bodies%s come so near to each other that no step is short enough; give them a softening",
             which);
done:
    return status;
}
