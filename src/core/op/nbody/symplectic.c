/* Symplectic integrators: a step has parts, each of kicks (v += length dt a) and drifts (x += length dt v), one part after
 * the other. So a run is a row of stages: evaluate all accelerations, kick, drift. */
#include "base/error.h"
#include "device/device.h"
#include "op/nbody/run.h"

#include <stdlib.h>

#define KICK_SECONDS 5e-6     /* that the two launches of an evaluation cost besides its work */
#define ADVANCED_SECONDS 2e-7 /* likewise, an evaluation in a launch that does many */

typedef struct stage {
    double kick, drift;
} stage;

typedef struct symplectic {
    uint64_t evaluations; /* of all accelerations in the run */
    size_t period;        /* evaluations in a step */
    size_t extra; /* evaluations in the run besides those: 1 where its first and last stage are unlike all others */
    size_t shift; /* stage e of the run is number (e + shift) % period of the repeated ones */
    stage first, last, stages[];
} symplectic;

static lun_status create(lun_nbody *run, size_t extra, lun_error *err)
{
    const size_t period = run->integrator->count;
    symplectic *made = calloc(1, sizeof *made + period * sizeof *made->stages);
    if (!made)
        return fail(err, LUN_NO_MEMORY, "out of host memory for an integrator");
    made->period = period;
    made->extra = extra;
    made->evaluations = run->steps * period + extra;
    run->state = made;
    return LUN_OK;
}

/* The kick that ends a part and the one that begins the next are at the same positions, and become one. The run ends with
 * an evaluation for its last kick. */
static lun_status init_kick_drift_kick(lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const double *length = run->integrator->numbers;
    const size_t count = run->integrator->count;
    TRY(create(run, 1, err));
    symplectic *s = run->state;
    for (size_t i = 0; i < count; i++) {
        const double before = length[i > 0 ? i - 1 : count - 1];
        s->stages[i] = (stage){.kick = before / 2 + length[i] / 2, .drift = length[i]};
    }
    s->first = (stage){.kick = length[0] / 2, .drift = length[0]};
    s->last = (stage){.kick = length[count - 1] / 2, .drift = 0};
done:
    return status;
}

/* The drift that ends a part and the one that begins the next become one. The run begins with an evaluation that does not
 * count, for its first drift. */
static lun_status init_drift_kick_drift(lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const double *length = run->integrator->numbers;
    const size_t count = run->integrator->count;
    TRY(create(run, 1, err));
    symplectic *s = run->state;
    s->shift = count - 1;
    for (size_t i = 0; i < count; i++) {
        const double after = length[i + 1 < count ? i + 1 : 0];
        s->stages[i] = (stage){.kick = length[i], .drift = length[i] / 2 + after / 2};
    }
    s->first = (stage){.kick = 0, .drift = length[0] / 2};
    s->last = (stage){.kick = length[count - 1], .drift = length[count - 1] / 2};
done:
    return status;
}

static lun_status init_kick_drift(lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const double *length = run->integrator->numbers;
    const size_t count = run->integrator->count;
    TRY(create(run, 0, err));
    symplectic *s = run->state;
    for (size_t i = 0; i < count; i++)
        s->stages[i] = (stage){.kick = length[i], .drift = length[i]};
    s->first = s->stages[0];
    s->last = s->stages[count - 1];
done:
    return status;
}

/* Evaluation e's factors of acceleration and velocity. */
static stage factors_of(const lun_nbody *run, uint64_t e)
{
    const symplectic *s = run->state;
    stage made = e == 0 ? s->first : e + 1 == s->evaluations ? s->last : s->stages[(e + s->shift) % s->period];
    made.drift *= run->dt;
    made.kick *= run->dt * run->force.G;
    return made;
}

/* ---- slices ------------------------------------------------------------------------------------------------------ */

/* Plans as many units of the next evaluation as fit into `seconds`; *spent is what they take. */
static lun_status plan_units(plan *out, nbody_progress *at, const lun_nbody *run, cl_kernel pull, double seconds,
                             double *spent, lun_error *err)
{
    lun_status status = LUN_OK;
    const force *f = &run->force;
    const double unit_seconds = force_seconds(f, out->op->device) / (double)f->units, fit = seconds / unit_seconds;
    const size_t rest = f->units - at->unit, most = smaller(f->most, rest);
    size_t count = fit < (double)most ? (size_t)fit : most;
    count = smaller(larger(count, f->least), rest);
    TRY(f->evaluate(out, f, pull, at->unit, count, err));
    at->unit += count;
    *spent = (double)count * unit_seconds + KICK_SECONDS;
done:
    return status;
}

/* An evaluation is one launch or more for the accelerations and one for the kick and drift. */
static lun_status plan_evaluations(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const symplectic *s = run->state;
    const force *f = &run->force;
    cl_kernel pull, kick;
    double left = SLICE_SECONDS, spent;
    TRY(force_kernel(&pull, f, out->op->device, f->kernel, err));
    TRY(force_kernel(&kick, f, out->op->device, "nbody_kick", err));
    while (left > 0 && out->count.commands + 2 <= SLICE_LAUNCHES && at->evaluation < s->evaluations) {
        TRY(plan_units(out, at, run, pull, left, &spent, err));
        left -= spent;
        if (at->unit < f->units)
            continue;
        const stage factors = factors_of(run, at->evaluation);
        TRY(bodies_plan_kick(out, &run->bodies, kick, &f->pull, factors.kick, factors.drift, err));
        at->evaluation++;
        at->unit = 0;
    }
done:
    return status;
}

/* The pairs of factors for the next evaluations, at most `most` of them, in one launch; the result is how many it does. Where
 * these are more than pairs, the factors repeat from step to step, but for the run's first step and last evaluation. */
static uint64_t gather_factors(force_factors *out, const nbody_progress *at, const lun_nbody *run, uint64_t most)
{
    const symplectic *s = run->state;
    const uint64_t left = s->evaluations - at->evaluation;
    const size_t pairs = s->extra && at->evaluation == 0 ? 2 * s->period : s->period;
    uint64_t evaluations = left < most ? left : most;
    if (evaluations <= NBODY_FACTORS) {
        out->count = (size_t)evaluations;
    } else if (pairs > NBODY_FACTORS) {
        out->count = evaluations = NBODY_FACTORS;
    } else {
        out->count = pairs;
        evaluations -= evaluations == left ? s->extra : 0;
    }
    out->cycle = smaller(s->period, out->count);
    for (size_t i = 0; i < out->count; i++) {
        const stage factors = factors_of(run, at->evaluation + i);
        out->kick[i] = factors.kick;
        out->drift[i] = factors.drift;
    }
    return evaluations;
}

/* One launch, for as many evaluations as fit the slice. */
static lun_status plan_advance(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const symplectic *s = run->state;
    const force *f = &run->force;
    const double seconds = force_interactions(&run->bodies) / f->rate + ADVANCED_SECONDS;
    cl_kernel kernel;
    force_factors factors;
    const uint64_t whole_steps = (uint64_t)(SLICE_SECONDS / seconds) / s->period + 1;
    const uint64_t evaluations = gather_factors(&factors, at, run, whole_steps * s->period);
    TRY(force_kernel(&kernel, f, out->op->device, f->kernel, err));
    TRY(f->advance(out, f, kernel, &factors, evaluations, err));
    at->evaluation += evaluations;
done:
    return status;
}

static lun_status symplectic_step(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const symplectic *s = run->state;
    TRY(run->force.advance ? plan_advance(out, at, run, err) : plan_evaluations(out, at, run, err));
    at->done = at->evaluation == s->evaluations;
done:
    return status;
}

const integrator_kind kick_drift_kick = {init_kick_drift_kick, symplectic_step, free};
const integrator_kind drift_kick_drift = {init_drift_kick_drift, symplectic_step, free};
const integrator_kind kick_drift = {init_kick_drift, symplectic_step, free};
