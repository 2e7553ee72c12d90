/* Integrators: how bodies are advanced through time by their accelerations. */
#pragma once

#include "call/interface.h"

/* How far a run is. */
typedef struct nbody_progress {
    uint64_t stage; /* of steps: as many are enqueued whole; of integrators with kernels of their own, slices */
    size_t unit;    /* of work: as many of the next evaluation of all accelerations are enqueued, system after system */
    unsigned asked; /* how often the host has been asked for its force in this stage */
    bool wants_force;
    bool stays;  /* the bodies are where they were when it was needed last */
    double time; /* for which the force is needed */
    size_t node; /* of wide kinds: the node of a step that is next, */
    bool placed; /* and are the bodies there? */
    bool takes;  /* is the step behind it still to be taken? */
    bool done;
} nbody_progress;

typedef struct integrator integrator;

typedef struct integrator_kind integrator_kind;

/* What rows of one kind do. */
struct integrator_kind {
    /* Makes run->state for the steps and the step size of the run. */
    lun_status (*init)(lun_nbody *run, lun_error *err);
    /* Plans the next slice, short enough that a host lets interrupts in after it, and moves *at on. The run stays as it is:
     * it takes *at over once the slice is enqueued. */
    lun_status (*step)(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err);
    /* NULL, or reads what came of the slices so far, run->at.done too; *ready is false where the last one has not ended. Waits
     * a moment at most. */
    lun_status (*look)(bool *ready, lun_nbody *run, lun_error *err);
    void (*free)(void *state); /* NULL is fine */
    /* Of kinds with kernels of their own, for few bodies in f64, which take the option `adaptive`; 0 of others. */
    const char *file;     /* of these kernels */
    size_t arrays;        /* of 3 x size for each system */
    unsigned evaluations; /* of all accelerations in a step, about */
    size_t most; /* bodies of each system of a batch: a step of that many is some tenths of a second for one core */
    const integrator_kind *wide; /* that shares a system's steps among all groups, beside forces and for many bodies */
    /* Of wide ones: the nodes of a step, where accelerations are needed, as parts of it. Those before `first` come before the
     * first step only; an iteration begins at `again`. */
    const struct integrator_node *nodes;
    size_t node_count, first, again;
};

typedef struct integrator_node {
    double at;
    bool forced; /* nothing is to be done there without a force of the host's */
} integrator_node;

struct integrator {
    const char *name;
    const integrator_kind *kind;
    const double *numbers; /* what they mean is up to the kind */
    size_t count;
};

/* NULL: the default. */
lun_status integrator_find(const integrator **out, const char *name, lun_error *err);

/* symplectic.c: the numbers are lengths of the parts of a step, in steps. A part is half a kick, a drift and half a kick;
 * half a drift, a kick and half a drift; or a kick and a drift. */
extern const integrator_kind kick_drift_kick, drift_kick_drift, kick_drift;
/* The names of the rows that have kernels of their own, "hermite4 and ias15". */
char *integrator_own_names(char *text, size_t room);

/* systems.c, and wide.c what they name as `wide`: the number is the value of the option `adaptive` where it is not given; 0: steps are as long as dt. */
extern const integrator_kind hermite, gauss_radau, hermite_wide, gauss_radau_wide;
