/* Symplectic integrators: a step has parts, each of kicks (v += length dt a) and drifts (x += length dt v), one part after
 * the other. So a step is a row of stages: evaluate all accelerations, kick, drift. All steps are alike, and what ends one
 * is not joined with what begins the next: steps in several runs give the same bits as in one. */
#include "call/interface.h"
#include "packages/nbody/nbody_run.h"
#include "packages/nbody/nbody_tuning.h"

#include <math.h>
#include <stdlib.h>

typedef struct stage {
    bodies_stage by; /* in steps */
    double time;     /* when its kick is, in steps from where the step begins */
    bool again;      /* its accelerations are those of the stage before: the bodies are where they were */
} stage;

typedef struct symplectic {
    uint64_t all; /* stages in the run */
    size_t count; /* in a step */
    stage stages[];
} symplectic;

static lun_status create(symplectic **out, lun_nbody *run, size_t count, lun_error *err)
{
    *out = calloc(1, sizeof **out + count * sizeof *(*out)->stages);
    if (!*out)
        return fail(err, LUN_NO_MEMORY, "out of host memory for an integrator");
    (*out)->count = count;
    (*out)->all = run->steps * count;
    run->state = *out;
    return LUN_OK;
}

/* Appends a stage behind the first `at` ones. */
static void set_stage(symplectic *s, size_t at, double kick, double drift)
{
    stage *made = &s->stages[at];
    made->by = (bodies_stage){kick, drift};
    made->time = at > 0 ? made[-1].time + made[-1].by.drift : 0;
}

/* Within a step, the kick that ends a part and the one that begins the next are at the same positions, and become one. A step
 * ends with an evaluation for its last kick, which the next step's first one has too. */
static lun_status init_kick_drift_kick(lun_nbody *run, lun_error *err)
{
    const double *length = run->integrator->numbers;
    const size_t parts = run->integrator->count;
    symplectic *s;
    TRY(create(&s, run, parts + 1, err));
    for (size_t i = 0; i <= parts; i++) {
        const double before = i > 0 ? length[i - 1] : 0, after = i < parts ? length[i] : 0;
        set_stage(s, i, before / 2 + after / 2, after);
    }
    s->stages[0].again = true;
    run->ends_pulled = true;
    return LUN_OK;
}

/* Within a step, the drift that ends a part and the one that begins the next become one. A step begins with a drift, a stage
 * whose kick is none. */
static lun_status init_drift_kick_drift(lun_nbody *run, lun_error *err)
{
    const double *length = run->integrator->numbers;
    const size_t parts = run->integrator->count;
    symplectic *s;
    TRY(create(&s, run, parts + 1, err));
    for (size_t i = 0; i <= parts; i++) {
        const double before = i > 0 ? length[i - 1] : 0, after = i < parts ? length[i] : 0;
        set_stage(s, i, before, before / 2 + after / 2);
    }
    s->stages[0].again = true;
    return LUN_OK;
}

static lun_status init_kick_drift(lun_nbody *run, lun_error *err)
{
    const double *length = run->integrator->numbers;
    symplectic *s;
    TRY(create(&s, run, run->integrator->count, err));
    for (size_t i = 0; i < s->count; i++)
        set_stage(s, i, length[i], length[i]);
    return LUN_OK;
}

static const stage *stage_of(const lun_nbody *run, uint64_t number)
{
    const symplectic *s = run->state;
    return &s->stages[number % s->count];
}

/* Its factors of acceleration and velocity. */
static bodies_stage factors_of(const lun_nbody *run, const stage *of)
{
    return (bodies_stage){.kick = of->by.kick * run->dt * run->force.G, .drift = of->by.drift * run->dt};
}

/* ---- slices ------------------------------------------------------------------------------------------------------ */

/* Plans as many units of the next evaluation as fit into `seconds`; *spent is what they take. */
static lun_status plan_units(plan *out, nbody_progress *at, const lun_nbody *run, cl_kernel pull, double seconds,
                             double *spent, lun_error *err)
{
    const force *f = &run->force;
    const double unit_seconds = force_seconds(f, out->op->device) / (double)f->units, fit = seconds / unit_seconds;
    const size_t first = at->unit % f->units, rest = f->units - first, most = smaller(f->most, rest);
    size_t count = fit < (double)most ? (size_t)fit : most;
    count = smaller(larger(count, f->least), rest);
    if (first == 0 && f->prepare)
        TRY(f->prepare(out, f, err));
    TRY(f->evaluate(out, f, pull, at->unit / f->units, first, count, err));
    at->unit += count;
    *spent = (double)count * unit_seconds + nbody_tuned(out->op->device)->kick;
    return LUN_OK;
}

/* Must its accelerations be evaluated? Those of a run's first stage must, unless they are there or of no use. */
static bool is_evaluated(const lun_nbody *run, const stage *of, uint64_t number)
{
    return !of->again || (number == 0 && of->by.kick != 0 && !run->is_pulled);
}

/* Plans the next stage, whose accelerations are there, and the one behind it if it has the same ones; moves *at behind them. */
static lun_status plan_stages(plan *out, nbody_progress *at, const lun_nbody *run, bool two, lun_error *err)
{
    const symplectic *s = run->state;
    const stage *first = stage_of(run, at->stage), *second = stage_of(run, at->stage + 1);
    const size_t parts = first->by.kick == 0 ? 0 : run->force.pull.shape[1];
    bodies_stage both[2] = {factors_of(run, first), {0, 0}};
    cl_kernel kick;
    two = two && second->again && at->stage + 1 < s->all;
    if (two)
        both[1] = factors_of(run, second);
    TRY(force_kernel(&kick, &run->force, out->op->device, "nbody_kick", err));
    TRY(bodies_plan_kick(out, &run->bodies, kick, &run->force.pull, parts, both, err));
    at->stage += two ? 2 : 1;
    at->unit = 0;
    return LUN_OK;
}

/* A stage is one launch or more for the accelerations and one for the kick and drift. */
static lun_status plan_evaluations(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const symplectic *s = run->state;
    const force *f = &run->force;
    cl_kernel pull;
    double left = SLICE_SECONDS, spent;
    TRY(force_kernel(&pull, f, out->op->device, f->kernel, err));
    while (left > 0 && out->count.commands + 2 <= SLICE_LAUNCHES && at->stage < s->all) {
        if (is_evaluated(run, stage_of(run, at->stage), at->stage)) {
            TRY(plan_units(out, at, run, pull, left, &spent, err));
            left -= spent;
            if (at->unit < f->units * run->bodies.systems)
                continue;
        }
        TRY(plan_stages(out, at, run, true, err));
    }
    return LUN_OK;
}

/* One launch, for as many steps as fit the slice. */
static lun_status plan_advance(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const symplectic *s = run->state;
    const force *f = &run->force;
    const double in_turn = ceil((double)run->bodies.systems / out->op->device->info.units);
    const double seconds =
        in_turn * (force_interactions(&run->bodies) / f->rate + nbody_tuned(out->op->device)->advanced);
    const uint64_t fit = ((uint64_t)(SLICE_SECONDS / seconds) / s->count + 1) * s->count, left = s->all - at->stage;
    const uint64_t stages = fit < left ? fit : left;
    cl_kernel kernel;
    force_factors factors = {.count = s->count};
    for (size_t i = 0; i < s->count; i++) {
        const bodies_stage by = factors_of(run, &s->stages[i]);
        factors.kick[i] = by.kick;
        factors.drift[i] = by.drift;
        factors.again |= (uint64_t)s->stages[i].again << i;
    }
    TRY(force_kernel(&kernel, f, out->op->device, f->kernel, err));
    TRY(f->advance(out, f, kernel, &factors, stages, err));
    at->stage += stages;
    return LUN_OK;
}

/* With a force of the host's own. A kick takes the force twice: the velocities that it makes half-way through, with the
 * force of the velocities before, are those that the force is then wanted for (the midpoint rule). So forces that depend on
 * velocities, which the order of an integrator does not hold for, are of second order. */
static lun_status plan_forced(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const symplectic *s = run->state;
    const force *f = &run->force;
    const stage *now = stage_of(run, at->stage);
    const double kick = now->by.kick * run->dt;
    cl_kernel pull;
    double spent;
    if (is_evaluated(run, now, at->stage) && at->unit < f->units) {
        TRY(force_kernel(&pull, f, out->op->device, f->kernel, err));
        TRY(plan_units(out, at, run, pull, SLICE_SECONDS, &spent, err));
        if (at->unit < f->units)
            return LUN_OK;
    }
    if (kick != 0 && at->asked < 2) {
        TRY(run_plan_look(out, run, at->asked == 0 ? 0 : kick / 2, err));
        at->time = run->origin + ((double)(run->before + at->stage / s->count) + now->time) * run->dt;
        at->wants_force = true;
        at->stays = at->asked > 0 || now->again;
        at->asked++;
        return LUN_OK;
    }
    if (kick != 0)
        TRY(run_plan_push(out, run, kick, err));
    TRY(plan_stages(out, at, run, false, err));
    at->asked = 0;
    return LUN_OK;
}

static lun_status symplectic_step(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const symplectic *s = run->state;
    at->wants_force = at->stays = false;
    TRY(run->forced          ? plan_forced(out, at, run, err)
        : run->force.advance ? plan_advance(out, at, run, err)
                             : plan_evaluations(out, at, run, err));
    at->done = at->stage == s->all;
    return LUN_OK;
}

const integrator_kind kick_drift_kick = {.init = init_kick_drift_kick, .step = symplectic_step, .free = free};
const integrator_kind drift_kick_drift = {.init = init_drift_kick_drift, .step = symplectic_step, .free = free};
const integrator_kind kick_drift = {.init = init_kick_drift, .step = symplectic_step, .free = free};
