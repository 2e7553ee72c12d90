/* Integrators: how bodies are advanced through time by their accelerations. */
#ifndef LUN_NBODY_INTEGRATOR_H
#define LUN_NBODY_INTEGRATOR_H

#include "op/plan.h"

/* How far a run is. */
typedef struct nbody_progress {
    uint64_t evaluation; /* of all accelerations: as many are enqueued whole */
    size_t unit;         /* of work: as many of the next evaluation are enqueued */
    bool done;
} nbody_progress;

typedef struct integrator integrator;

/* What rows of one kind do. */
typedef struct integrator_kind {
    /* Makes run->state for the steps and the step size of the run. */
    lun_status (*init)(lun_nbody *run, lun_error *err);
    /* Plans the next slice, short enough that a host lets interrupts in after it, and moves *at on. The run stays as it is:
     * it takes *at over once the slice is enqueued. */
    lun_status (*step)(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err);
    void (*free)(void *state); /* NULL is fine */
} integrator_kind;

struct integrator {
    const char *name;
    unsigned order; /* the error over a given time falls as dt to the power of it */
    const char *about;
    const integrator_kind *kind;
    const double *numbers; /* what they mean is up to the kind */
    size_t count;
};

/* NULL: the default. */
lun_status integrator_find(const integrator **out, const char *name, lun_error *err);

/* symplectic.c: the numbers are lengths of the parts of a step, in steps. A part is half a kick, a drift and half a kick;
 * half a drift, a kick and half a drift; or a kick and a drift. */
extern const integrator_kind kick_drift_kick, drift_kick_drift, kick_drift;

#endif
