/* Runs of nbody: bodies are advanced on scratch memory, slice by slice, and the user's arrays are written at the end. */
#include "packages/nbody/nbody_run.h"
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"

#include <stdlib.h>

#define MOST_STEPS ((uint64_t)1 << 53) /* up to here doubles count them */

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* What integrators with kernels of their own take, and others do not. */
static lun_status check_own(const integrator *row, const lun_gravity_options *options, const bodies *b, lun_error *err)
{
    char names[200], number[LUN_NUMBER_TEXT];
    if (options->has_adaptive && !row->kind->file)
        FAIL(LUN_MISUSE, "adaptive is for %s; the steps of %s are all dt", integrator_own_names(names, sizeof names),
             row->name);
    if (options->has_adaptive && !(options->adaptive >= 0 && options->adaptive <= 1))
        FAIL(LUN_MISUSE, "adaptive must be a number from 0 to 1, not %s", lun_number_digits(number, options->adaptive));
    if (row->kind->file && b->dtype != LUN_f64)
        FAIL(LUN_MISUSE, "%s is for f64, and the positions are %s; cast them, and the velocities", row->name,
             lun_dtype_name(b->dtype));
    if (row->kind->file && b->systems > 1 && b->count > row->kind->most)
        FAIL(LUN_MISUSE, "%s takes at most %zu bodies in each system of a batch, and there are %zu", row->name,
             row->kind->most, b->count);
    return LUN_OK;
}

static const integrator_kind *kind_of(const lun_nbody *run, const lun_gravity_options *options)
{
    const integrator_kind *kind = run->integrator->kind;
    const bool is_wide =
        options->forced || (run->bodies.systems == 1 && run->bodies.count > nbody_tuned(run->pos.device)->alone);
    return kind->wide && is_wide ? kind->wide : kind;
}

static lun_status check(lun_nbody *run, const lun_array *pos, const lun_array *vel, const lun_gravity_options *options,
                        lun_error *err)
{
    char shape[200];
    TRY(integrator_find(&run->integrator, options->integrator, err));
    TRY(bodies_describe(&run->bodies, pos, options, err));
    TRY(force_check_options(options, err));
    TRY(check_own(run->integrator, options, &run->bodies, err));
    run->kind = kind_of(run, options);
    if ((options->forced || options->state) && pos->ndim == 3)
        FAIL(LUN_MISUSE, "one system is needed, n x 4, and not a batch of %s",
             array_shape_text(shape, sizeof shape, pos));
    if (options->steps > MOST_STEPS)
        FAIL(LUN_MISUSE, "%llu steps are too many", (unsigned long long)options->steps);
    TRY(bodies_check_like(vel, "the velocities", pos, err));
    TRY(nbody_state_check(options->state, KEPT_UNITS, pos, 1, (const size_t[]){2}, err));
    if (lun_array_overlap(pos, vel))
        FAIL(LUN_MISUSE, "positions and velocities overlap; give each memory of its own");
    return LUN_OK;
}

/* Says what the bodies are read from, and what one core takes for the whole run. Of trees, of a force of the host's and of kernels of
 * integrators' own nobody knows it. */
static lun_status weigh(lun_nbody *run, operation *op, const lun_array *softenings, lun_error *err)
{
    const lun_array *units = nbody_state_array(run->handed_on, KEPT_UNITS);
    TRY(operation_reads(op, &run->pos, err));
    TRY(operation_reads(op, &run->vel, err));
    if (softenings)
        TRY(operation_reads(op, softenings, err));
    if (units->size)
        TRY(operation_reads(op, units, err));
    if (!run->kind->file && !run->forced && !run->unchecked)
        operation_weigh(
            op, force_weight(&run->bodies, op->device, (double)run->steps * (double)(run->integrator->count + 1)));
    run->at_once = op->at_once;
    return LUN_OK;
}

/* The units that the bodies of the first of several runs are in are those of all. */
static lun_status keep_units(lun_nbody *run, operation *op, plan *p, lun_error *err)
{
    const bodies *b = &run->bodies;
    lun_array *units = &run->kept.arrays[KEPT_UNITS];
    const size_t item = lun_dtype_bytes(b->dtype);
    TRY(operation_new_array(op, units, b->dtype, 1, (const size_t[]){2}, err));
    return plan_copy(p, block_memory(units->block), 0, block_memory(b->rows.block), NBODY_UNITS * b->size * item,
                     2 * item, err);
}

/* The scratch arrays, and the load of positions and velocities into them. */
static lun_status load(lun_nbody *run, operation *op, plan *p, const lun_array *softenings, lun_error *err)
{
    bodies *b = &run->bodies;
    force *f = &run->force;
    const lun_array *units = nbody_state_array(run->handed_on, KEPT_UNITS);
    TRY(operation_new_array(op, &b->rows, b->dtype, 1, (const size_t[]){bodies_elements(b)}, err));
    run_take_pull(run);
    if (!run->is_pulled)
        TRY(lun_array_create(&f->pull, op->device, b->dtype, 4, (const size_t[]){b->systems, f->parts, 3, b->size},
                             err));
    TRY(bodies_plan_load(p, b, &f->program, &run->pos, &run->vel, softenings, units, err));
    if (run->unchecked)
        TRY(tree_plan_check(p, b, err));
    if (run->forced)
        TRY(outside_init(run, op, p, err));
    if (run->handed_on && !units->size)
        TRY(keep_units(run, op, p, err));
    return operation_run(op, p, err);
}

/* Chooses how forces are computed and makes all that the steps need. */
static lun_status begin(lun_nbody *run, const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    const variant *row;
    lun_device *device = run->pos.device;
    const force_problem problem = {.of = &run->bodies,
                                   .softening = options->softening,
                                   .G = options->G,
                                   .accuracy = options->accuracy,
                                   .named = variant_named(call) != NULL,
                                   .forced = run->forced,
                                   .own = run->kind->file,
                                   .wide = run->kind->nodes != NULL,
                                   .out = &run->force};
    PLANNED(op, p, device, "nbody", &(lun_call){.queue = run->queue, .event = run->watched ? &run->started : NULL});
    if (run->at.done) { /* a variant's name is looked at all the same */
        TRY(variant_choose(&row, &nbody_variants, device, &problem, variant_named(call), err));
        return LUN_OK;
    }
    TRY(weigh(run, &op, options->softenings, err));
    TRY(plan_variant(&p, &nbody_variants, &problem, variant_named(call), err));
    TRY(run->kind->init(run, err));
    TRY(load(run, &op, &p, options->softenings, err));
    return LUN_OK;
}

lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_call moving = call ? *call : (lun_call){0};
    lun_gravity_options moves;
    const lun_array *softenings = options->softenings;
    *out = NULL;
    lun_nbody *run = NEW(1, sizeof *run, "a run of nbody");
    if (options->devices.count) {
        TRY_DONE(shared_create(&run->shared, pos, vel, options, call, err));
        moves = shared_moves(options, pos);
        moving.variant = NULL;
        options = &moves;
        call = &moving;
    }
    TRY_DONE(check(run, pos, vel, options, err));
    if (options->state)
        lun_nbody_state_review(options->state, pos, vel, softenings);
    if (options->state && run->shared)
        shared_take(run->shared, options->state, pos);
    run->dt = options->dt;
    run->adaptive = options->has_adaptive ? options->adaptive : -1;
    run->origin = options->origin;
    run->steps = options->steps;
    run->before = options->before;
    run->forced = options->forced;
    run->handed_on = options->state;
    run->at.done = run->steps == 0 || pos->size == 0 || (run->dt == 0 && run->kind->file);
    run->queue = call ? call->queue : NULL;
    run->watched = call && call->event;
    run->unchecked = options->accuracy > 0 && !run->at.done;
    TRY_DONE(lun_array_view(&run->pos, pos, err));
    TRY_DONE(lun_array_view(&run->vel, vel, err));
    if (run->kind->file)
        TRY_DONE(own_check(run, err));
    if (softenings)
        TRY_DONE(lun_array_view(&run->softenings, softenings, err));
    TRY_DONE(begin(run, options, call, err));
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
    if (run->kind)
        run->kind->free(run->state);
    lun_event_clear(&run->started);
    nbody_kept_clear(&run->kept);
    shared_free(run->shared);
    outside_clear(run);
    force_clear(&run->force);
    lun_array_clear(&run->bodies.rows);
    lun_array_clear(&run->softenings);
    lun_array_clear(&run->vel);
    lun_array_clear(&run->pos);
    free(run);
}

/* ---- slices ------------------------------------------------------------------------------------------------------- */

/* Waits for the word about the bodies, so that bad ones leave the user's arrays as good as they were. */
static lun_status await_check(bool *ready, lun_nbody *run, lun_error *err)
{
    TRY(lun_array_await(ready, &run->bodies.rows, LUN_READ, &(lun_call){.queue = run->queue}, LUN_SLICE, err));
    run->unchecked = !*ready;
    return LUN_OK;
}

/* What other devices give for the slice before; after a refusal it is asked for again. */
static lun_status add_shared(lun_nbody *run, lun_error *err)
{
    const outside_force *o = &run->outside;
    return run->shared && run->shared->is_due ? shared_add(run->shared, &o->pos, &o->more, run->at.stays, err) : LUN_OK;
}

/* The run moves on once its commands are enqueued: after a refusal the same slice can be asked for again. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err)
{
    bool ready = true;
    *more = false;
    if (run->at.done)
        return LUN_OK;
    if (run->shared && run->shared->is_due) {
        TRY(add_shared(run, err));
        *more = true;
        return LUN_OK;
    }
    if (run->unchecked)
        TRY(await_check(&ready, run, err));
    if (ready && run->kind->look)
        TRY(run->kind->look(&ready, run, err));
    if (run->at.done)
        return LUN_OK;
    if (!ready) {
        *more = true;
        return LUN_OK;
    }
    nbody_progress next = run->at;
    PLANNED(op, p, run->pos.device, "nbody", &(lun_call){.queue = run->queue});
    TRY(operation_reads_writes(&op, &run->bodies.rows, err));
    TRY(operation_reads_writes(&op, &run->force.pull, err));
    TRY(force_uses(&op, &run->force, err));
    if (run->forced)
        TRY(outside_uses(run, &op, err));
    if (run->at_once)
        operation_weigh(&op, 0);
    TRY(run->kind->step(&p, &next, run, err));
    TRY(operation_run(&op, &p, err));
    run->at = next;
    *more = !run->at.done;
    if (run->shared) {
        run->shared->is_due = run->at.wants_force;
        TRY(add_shared(run, err));
    }
    return LUN_OK;
}

lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err)
{
    if (!run->at.done)
        FAIL(LUN_MISUSE, "the run has steps left");
    PLANNED(op, p, run->pos.device, "nbody", call);
    if (run->bodies.rows.block)
        TRY(operation_reads(&op, &run->bodies.rows, err));
    TRY(operation_reads_writes(&op, &run->pos, err));
    TRY(operation_reads_writes(&op, &run->vel, err));
    if (run->at_once)
        operation_weigh(&op, 0);
    if (run->bodies.rows.block)
        TRY(bodies_plan_store(&p, &run->bodies, &run->force.program, &run->pos, &run->vel, err));
    TRY(operation_run(&op, &p, err));
    if (run->handed_on)
        nbody_state_take(run->handed_on, &run->kept);
    if (run->handed_on && run->shared)
        shared_leave(run->shared, run->handed_on);
    run_leave(run);
    call_event_since(call, &run->started);
    return LUN_OK;
}
