/* Runs of nbody: bodies are advanced on scratch memory, slice by slice, and the user's arrays are written at the end. */
#include "op/nbody/run.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/event.h"
#include "flow/queue.h"

#include <stdlib.h>

#define MOST_STEPS ((uint64_t)1 << 53) /* up to here doubles count them */

/* ---- start ------------------------------------------------------------------------------------------------------- */

static lun_status check(lun_nbody *run, const lun_array *pos, const lun_array *vel, const lun_gravity_options *options,
                        lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(integrator_find(&run->integrator, options->integrator, err));
    TRY(bodies_describe(&run->bodies, pos, options, err));
    TRY(force_check_options(options, err));
    if (options->steps > MOST_STEPS)
        FAIL(LUN_MISUSE, "%llu steps are too many", (unsigned long long)options->steps);
    TRY(bodies_check_like(vel, "the velocities", pos, err));
    if (lun_array_overlap(pos, vel))
        FAIL(LUN_MISUSE, "positions and velocities overlap; give each memory of its own");
done:
    return status;
}

/* The scratch arrays, and the load of positions and velocities into them. */
static lun_status load(lun_nbody *run, operation *op, plan *p, const lun_array *softenings, lun_error *err)
{
    lun_status status = LUN_OK;
    bodies *b = &run->bodies;
    force *f = &run->force;
    TRY(operation_reads(op, &run->pos, err));
    TRY(operation_reads(op, &run->vel, err));
    if (softenings)
        TRY(operation_reads(op, softenings, err));
    TRY(lun_array_create(&b->rows, op->device, b->dtype, 2, (const size_t[]){NBODY_ROWS, b->size}, err));
    TRY(lun_array_create(&f->pull, op->device, b->dtype, 3, (const size_t[]){f->parts, 3, b->size}, err));
    TRY(operation_writes(op, &b->rows, err));
    TRY(bodies_plan_load(p, b, &f->program, &run->pos, &run->vel, softenings, err));
    TRY(operation_run(op, p, err));
done:
    return status;
}

/* Chooses how forces are computed and makes all that the steps need. */
static lun_status begin(lun_nbody *run, const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    const variant *row;
    lun_device *device = run->pos.device;
    const force_problem problem = {
        .of = &run->bodies, .softening = options->softening, .G = options->G, .out = &run->force};
    operation_init(&op, device, "nbody",
                   &(lun_call){.queue = run->queue, .event = run->watched ? &run->started : NULL});
    plan_init(&p, &op);
    if (run->at.done) { /* a variant's name is looked at all the same */
        TRY(variant_choose(&row, &nbody_variants, device, &problem, variant_named(call), err));
        goto done;
    }
    TRY(plan_variant(&p, &nbody_variants, &problem, variant_named(call), err));
    TRY(run->integrator->kind->init(run, err));
    TRY(load(run, &op, &p, options->softenings, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}

lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_nbody *run = calloc(1, sizeof *run);
    *out = NULL;
    if (!run)
        FAIL(LUN_NO_MEMORY, "out of host memory for a run of nbody");
    TRY(check(run, pos, vel, options, err));
    run->dt = options->dt;
    run->steps = options->steps;
    run->at.done = run->steps == 0 || run->bodies.count == 0;
    run->queue = call ? call->queue : NULL;
    run->watched = call && call->event;
    TRY(lun_array_view(&run->pos, pos, err));
    TRY(lun_array_view(&run->vel, vel, err));
    TRY(begin(run, options, call, err));
    *out = run;
done:
    if (status != LUN_OK)
        lun_nbody_free(run);
    return status;
}

void lun_nbody_free(lun_nbody *run)
{
    if (!run)
        return;
    if (run->integrator)
        run->integrator->kind->free(run->state);
    lun_event_clear(&run->started);
    lun_array_clear(&run->force.pull);
    lun_array_clear(&run->bodies.rows);
    lun_array_clear(&run->vel);
    lun_array_clear(&run->pos);
    free(run);
}

/* ---- slices ------------------------------------------------------------------------------------------------------- */

/* The run moves on once its commands are enqueued: after a refusal the same slice can be asked for again. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    nbody_progress next = run->at;
    *more = false;
    if (run->at.done)
        return LUN_OK;
    operation_init(&op, run->pos.device, "nbody", &(lun_call){.queue = run->queue});
    plan_init(&p, &op);
    TRY(operation_reads_writes(&op, &run->bodies.rows, err));
    TRY(operation_reads_writes(&op, &run->force.pull, err));
    TRY(run->integrator->kind->step(&p, &next, run, err));
    TRY(operation_run(&op, &p, err));
    run->at = next;
    *more = !run->at.done;
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}

lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    if (!run->at.done)
        FAIL(LUN_MISUSE, "the run has steps left");
    operation_init(&op, run->pos.device, "nbody", call);
    plan_init(&p, &op);
    if (run->bodies.rows.block)
        TRY(operation_reads(&op, &run->bodies.rows, err));
    TRY(operation_reads_writes(&op, &run->pos, err));
    TRY(operation_reads_writes(&op, &run->vel, err));
    if (run->bodies.rows.block)
        TRY(bodies_plan_store(&p, &run->bodies, &run->force.program, &run->pos, &run->vel, err));
    TRY(operation_run(&op, &p, err));
    if (call && call->event)
        event_begin_with(call->event, &run->started);
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
