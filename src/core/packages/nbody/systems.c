/* Integrators with kernels of their own, of which one work-group takes a whole system through many steps in a launch
 * (parts/nbody_system.cl). Where they choose their steps, the device alone knows how many there are: after each slice the host
 * reads whether all systems have come to the end. */
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"
#include "packages/nbody/own_integrator.h"

#include <math.h>
#include <stdlib.h>

static void clear(void *pointer)
{
    if (pointer)
        own_clear(pointer);
    free(pointer);
}

static lun_status init(lun_nbody *run, lun_error *err)
{
    run->state = NEW(1, sizeof(own_state), "an integrator");
    return own_init(run->state, run, NBODY_VERDICT, err);
}

/* Steps that fit a slice: systems share the device's units. */
static size_t steps_of_slice(const lun_nbody *run, const lun_device *device)
{
    const bodies *b = &run->bodies;
    const double in_turn = ceil((double)b->systems / device->info.units);
    const nbody_tuning *tuned = nbody_tuned(device);
    const double evaluation = force_interactions(b) / run->force.rate + (double)b->count * tuned->body;
    const double step = in_turn * ((double)run->kind->evaluations * evaluation + tuned->step);
    return (size_t)(SLICE_SECONDS / step) + 1;
}

/* A slice: steps of all systems, then what has come of them. */
static lun_status step(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const own_state *s = run->state;
    const bodies *b = &run->bodies;
    const launch_arg goal = bodies_real(b, (double)run->steps);
    cl_kernel judge;
    TRY(own_uses(s, out->op, err));
    if (at->stage == 0)
        TRY(s->goes_on ? own_plan_resume(out, s, run, err)
                       : own_plan(out, s, run, "nbody_begin", b->systems, NULL, 0, err));
    TRY(own_plan(out, s, run, "nbody_steps", b->systems, ARGS(goal, ARG_LONG(steps_of_slice(run, out->op->device))),
                 err));
    TRY(force_kernel(&judge, &run->force, out->op->device, "nbody_judge", err));
    TRY(plan_launch(out, &(launch){judge, 1, {1, 1, 1}, {larger(run->force.items, 1), 1, 1}},
                    ARGS(ARG_BLOCK(s->report.block), ARG_BLOCK(s->clocks.block), ARG_LONG(b->systems), goal), err));
    at->stage++;
    return LUN_OK;
}

/* The slice before: has it ended, and what has come of it? */
static lun_status look(bool *ready, lun_nbody *run, lun_error *err)
{
    own_state *s = run->state;
    double report[NBODY_VERDICT];
    *ready = true;
    if (s->heard == run->at.stage)
        return LUN_OK;
    TRY(own_read_report(ready, report, s, run, err));
    run->at.done = *ready && report[NBODY_GOING] == 0;
    return LUN_OK;
}

const integrator_kind hermite = {.init = init,
                                 .step = step,
                                 .look = look,
                                 .free = clear,
                                 .file = "nbody_hermite",
                                 .arrays = HERMITE_ARRAYS,
                                 .evaluations = 2,
                                 .most = 8192,
                                 .wide = &hermite_wide};
const integrator_kind gauss_radau = {.init = init,
                                     .step = step,
                                     .look = look,
                                     .free = clear,
                                     .file = "nbody_ias15",
                                     .arrays = IAS15_ARRAYS,
                                     .evaluations = 30,
                                     .most = 2048,
                                     .wide = &gauss_radau_wide};
