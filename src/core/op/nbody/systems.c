/* Integrators with kernels of their own, of which one work-group takes a whole system through many steps in a launch
 * (parts/nbody_system.cl). Where they choose their steps, the device alone knows how many there are: after each slice the host
 * reads whether all systems have come to the end. */
#include "base/error.h"
#include "device/device.h"
#include "op/nbody/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP_SECONDS 2e-6 /* that a step costs besides its forces */
#define BODY_SECONDS 5e-8 /* likewise, for each body and evaluation of the forces */

/* The whole state of a run between two slices: with the run's bodies it is all that later steps depend on. */
typedef struct systems_state {
    lun_array
        arrays; /* systems x arrays of the kernel file x 3 x size: abi/nbody.h says which of them outlive a step */
    lun_array clocks; /* systems x NBODY_CLOCK */
    lun_array told;   /* NBODY_VERDICT, by nbody_judge */
    double adaptive;  /* 0: steps are as long as dt */
    uint64_t heard;   /* slices whose outcome the host has read */
    bool goes_on;     /* where a run before has ended, which has handed its arrays and clocks on */
} systems_state;

static void clear(void *pointer)
{
    systems_state *s = pointer;
    if (!s)
        return;
    lun_array_clear(&s->told);
    lun_array_clear(&s->clocks);
    lun_array_clear(&s->arrays);
    free(s);
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

static lun_status init(lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const integrator *row = run->integrator;
    const bodies *b = &run->bodies;
    lun_device *device = run->pos.device;
    systems_state *s = calloc(1, sizeof *s);
    run->state = s;
    if (!s)
        FAIL(LUN_NO_MEMORY, "out of host memory for an integrator");
    s->adaptive = run->adaptive >= 0 ? run->adaptive : row->numbers[0];
    s->goes_on = nbody_state_array(run->handed_on, KEPT_CLOCKS)->size > 0;
    if (s->goes_on != (nbody_state_array(run->handed_on, KEPT_INTEGRATION)->size > 0))
        FAIL(LUN_MISUSE, "of the state's arrays 'integration' and 'clocks' one is missing");
    TRY(make(&s->arrays, run, KEPT_INTEGRATION, 4, (const size_t[]){b->systems, row->kind->arrays, 3, b->size}, err));
    TRY(make(&s->clocks, run, KEPT_CLOCKS, 2, (const size_t[]){b->systems, NBODY_CLOCK}, err));
    TRY(lun_array_create(&s->told, device, b->dtype, 1, (const size_t[]){NBODY_VERDICT}, err));
done:
    return status;
}

/* Steps that fit a slice: systems share the device's units. */
static size_t steps_of_slice(const lun_nbody *run, const lun_device *device)
{
    const bodies *b = &run->bodies;
    const double in_turn = ceil((double)b->systems / device->info.units);
    const double evaluation = force_interactions(b) / run->force.rate + (double)b->count * BODY_SECONDS;
    const double step = in_turn * ((double)run->integrator->kind->evaluations * evaluation + STEP_SECONDS);
    return (size_t)(SLICE_SECONDS / step) + 1;
}

/* A launch for all systems; `tail` are the arguments behind those that all kernels have. */
static lun_status plan_systems(plan *out, const lun_nbody *run, const char *name, const launch_arg *tail,
                               size_t tail_count, lun_error *err)
{
    lun_status status = LUN_OK;
    const systems_state *s = run->state;
    const bodies *b = &run->bodies;
    const force *f = &run->force;
    cl_kernel kernel;
    launch_arg args[12] = {
        ARG_BLOCK(b->rows.block), ARG_BLOCK(s->arrays.block), ARG_BLOCK(s->clocks.block),   ARG_LONG(b->size),
        ARG_LONG(b->count),       ARG_LONG(b->active),        bodies_real(b, f->softening), bodies_real(b, f->G),
        bodies_real(b, run->dt),  bodies_real(b, s->adaptive)};
    for (size_t i = 0; i < tail_count; i++) /* `tail` is NULL where there are none, which memcpy must not be given */
        args[10 + i] = tail[i];
    TRY(force_kernel(&kernel, f, out->op->device, name, err));
    TRY(plan_launch(out, &(launch){kernel, 1, {b->systems, 1, 1}, {larger(f->items, 1), 1, 1}}, args, 10 + tail_count,
                    err));
done:
    return status;
}

/* Takes over what the run before has left: its clocks then count the intervals of this run. */
static lun_status plan_resume(plan *out, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const systems_state *s = run->state;
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

/* A slice: steps of all systems, then what has come of them. */
static lun_status step(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const systems_state *s = run->state;
    const bodies *b = &run->bodies;
    const launch_arg goal = bodies_real(b, (double)run->steps);
    cl_kernel judge;
    TRY(operation_reads_writes(out->op, &s->arrays, err));
    TRY(operation_reads_writes(out->op, &s->clocks, err));
    TRY(operation_writes(out->op, &s->told, err));
    if (at->stage == 0)
        TRY(s->goes_on ? plan_resume(out, run, err) : plan_systems(out, run, "nbody_begin", NULL, 0, err));
    TRY(plan_systems(out, run, "nbody_steps", ARGS(goal, ARG_LONG(steps_of_slice(run, out->op->device))), err));
    TRY(force_kernel(&judge, &run->force, out->op->device, "nbody_judge", err));
    TRY(plan_launch(out, &(launch){judge, 1, {1, 1, 1}, {larger(run->force.items, 1), 1, 1}},
                    ARGS(ARG_BLOCK(s->told.block), ARG_BLOCK(s->clocks.block), ARG_LONG(b->systems), goal), err));
    at->stage++;
done:
    return status;
}

/* The slice before: has it ended, and what has come of it? */
static lun_status look(bool *ready, lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    systems_state *s = run->state;
    const lun_call call = {.queue = run->queue};
    double told[NBODY_VERDICT];
    *ready = true;
    if (s->heard == run->at.stage)
        return LUN_OK;
    TRY(lun_array_await(ready, &s->told, LUN_READ, &call, LUN_SLICE, err));
    if (!*ready)
        return LUN_OK;
    TRY(lun_array_read(told, &s->told, &call, err));
    s->heard = run->at.stage;
    run->at.done = told[NBODY_GOING] == 0;
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

const integrator_kind hermite = {.init = init,
                                 .step = step,
                                 .look = look,
                                 .free = clear,
                                 .file = "nbody_hermite",
                                 .arrays = HERMITE_ARRAYS,
                                 .evaluations = 2,
                                 .most = 8192};
const integrator_kind gauss_radau = {.init = init,
                                     .step = step,
                                     .look = look,
                                     .free = clear,
                                     .file = "nbody_ias15",
                                     .arrays = IAS15_ARRAYS,
                                     .evaluations = 30,
                                     .most = 2048};
