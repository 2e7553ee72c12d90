/* A run of nbody under way, as integrators see it. */
#pragma once

#include "packages/nbody/force.h"
#include "packages/nbody/integrator.h"
#include "packages/nbody/state.h"

/* What a force of the host's own gets, n x 4 in the user's units: positions and velocities of now; and what it gives. */
typedef struct outside_force {
    lun_array pos, vel, more;
} outside_force;

struct lun_nbody {
    const integrator *integrator;
    const integrator_kind *kind; /* the integrator's, or its `wide` */
    void *state;                 /* the integrator's own */
    bodies bodies;
    force force;
    double dt, origin;
    double adaptive;        /* the option; negative: it was not given */
    uint64_t steps, before; /* in the run; and since the time of `origin` */
    nbody_progress at;
    bool at_once; /* is what begins it done at once? Then all of it is */
    bool forced;  /* somebody adds a force, the host or other devices: */
    outside_force outside;
    shared_pull *shared;        /* NULL: the bodies' device computes their pulls */
    lun_nbody_state *handed_on; /* borrowed, NULL: no other run goes on */
    nbody_kept kept;            /* what it gets when the run ends */
    lun_queue *queue;
    bool watched;       /* its caller gets an event */
    bool unchecked;     /* the word about its bodies is yet to come */
    lun_event started;  /* of its first command: where the whole run's event begins */
    lun_array pos, vel; /* views of the user's arrays */
    lun_array softenings;
    bool is_pulled;   /* does it begin with the accelerations of its bodies in `force.pull`, */
    bool ends_pulled; /* and does it leave them there? */
};

/* Plans what the host's force is needed for: velocities as the pull and what the force gave last make them in `time`. 0: as
 * they are. */
lun_status run_plan_look(plan *out, const lun_nbody *run, double time, lun_error *err);
/* Plans the kick of what the host's force has given, over `time`. */
lun_status run_plan_push(plan *out, const lun_nbody *run, double time, lun_error *err);

/* Before the memory of `force.pull` is made, and once the bodies are stored: left.c. */
void run_take_pull(lun_nbody *run);
void run_leave(lun_nbody *run);

/* Of integrators with kernels of their own (own_integrator.c): are the arrays that the state has those of this run's bodies? */
lun_status own_check(const lun_nbody *run, lun_error *err);

/* For runs with such a force (outside.c): its arrays, the masses among them; and that an operation uses them. */
lun_status outside_init(lun_nbody *run, operation *op, plan *p, lun_error *err);
lun_status outside_uses(lun_nbody *run, operation *op, lun_error *err);
void outside_clear(lun_nbody *run);
