/* Runs whose accelerations several devices evaluate. */
#pragma once

#include "call/interface.h"

struct integrator;

/* Accelerations, n x 3 on the first device, and what they hold for. */
typedef struct known_pull {
    lun_array pull;
    const struct integrator *integrator; /* which leaves the bodies where they were pulled last, or does not */
    double softening, accuracy, G;
    uint64_t active;
} known_pull;

typedef struct shared_pull {
    lun_gravity_options asked; /* but for its array: */
    lun_array softenings;      /* a view, or without elements */
    char variant[32];
    known_pull known; /* of the bodies where they were pulled last */
    bool is_due;      /* are accelerations wanted that were not added yet? */
    bool is_for_host; /* does the host add a force as well? */
    size_t count;
    lun_device *list[]; /* retained */
} shared_pull;

/* The run's options without what the devices do: it moves the bodies, and one of them attracts, with no strength. */
lun_gravity_options shared_moves(const lun_gravity_options *options, const lun_array *pos);
lun_status shared_create(shared_pull **out, const lun_array *pos, const lun_array *vel,
                         const lun_gravity_options *options, const lun_call *call, lun_error *err);
void shared_free(shared_pull *shared); /* NULL is fine */
/* The accelerations that the run before has left in the state, if they hold; and for the next run. */
void shared_take(shared_pull *shared, lun_nbody_state *state, const lun_array *pos);
void shared_leave(shared_pull *shared, lun_nbody_state *state);
/* Adds the accelerations of bodies at `pos` to the columns of `more`. `stays`: the bodies are where they were pulled last. */
lun_status shared_add(shared_pull *shared, const lun_array *pos, const lun_array *more, bool stays, lun_error *err);
