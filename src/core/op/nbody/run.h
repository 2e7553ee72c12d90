/* A run of nbody under way, as integrators see it. */
#ifndef LUN_NBODY_RUN_H
#define LUN_NBODY_RUN_H

#include "op/nbody/force.h"
#include "op/nbody/integrator.h"

#define SLICE_SECONDS 0.02 /* of work that one lun_nbody_advance enqueues, about: a run can be left as fast */
#define SLICE_LAUNCHES 64  /* that one lun_nbody_advance enqueues at most: they share a ticket */

struct lun_nbody {
    const integrator *integrator;
    void *state; /* the integrator's own */
    bodies bodies;
    force force;
    double dt;
    uint64_t steps;
    nbody_progress at;
    lun_queue *queue;
    bool watched;       /* its caller gets an event */
    lun_event started;  /* of its first command: where the whole run's event begins */
    lun_array pos, vel; /* views of the user's arrays */
};

#endif
