/* What runs of nbody hand on, so that steps in several runs give the same bits as in one: arrays on the device by name. */
#pragma once

#include "call/interface.h"
#include "packages/nbody/shared_pull.h"

/* The arrays that may be handed on, in order of their names in state.c. A run that needs one more adds it there: it takes
 * what the state has, makes its own, and the state gets that once the run has ended. */
typedef enum kept_array {
    KEPT_UNITS,       /* of bodies, as NBODY_UNITS says: two elements */
    KEPT_INTEGRATION, /* the arrays of an integrator with kernels of its own, and its clocks (systems.c) */
    KEPT_CLOCKS,
    KEPT_ARRAYS
} kept_array;

/* Without elements: not there. */
typedef struct nbody_kept {
    lun_array arrays[KEPT_ARRAYS];
} nbody_kept;

/* The user's arrays as a run has left them: a view of each, and how many writes to its memory were recorded. */
typedef enum left_array { LEFT_POS, LEFT_VEL, LEFT_SOFTENINGS, LEFT_ARRAYS } left_array;
typedef struct left_bodies {
    bool known;
    lun_array arrays[LEFT_ARRAYS];
    uint64_t writes[LEFT_ARRAYS];
} left_bodies;

/* The accelerations where a run has left the bodies, and what they hold for. They are no more than saved work: another run
 * that has them gives the same bits as one that evaluates them. */
typedef struct left_pull {
    lun_array pull;
    double softening, accuracy;
    size_t active;
    char program[256]; /* that has computed them */
} left_pull;

struct lun_nbody_state {
    nbody_kept kept;
    left_bodies bodies;
    left_pull left;
    known_pull shared; /* of runs by several devices */
};

void nbody_kept_clear(nbody_kept *kept);
void nbody_left_clear(left_bodies *left);
/* Is the user's array the one that was left, and was it not written since? */
bool nbody_left_is(const left_bodies *left, left_array which, const lun_array *now);
/* The state takes the arrays over that are there. */
void nbody_state_take(lun_nbody_state *state, nbody_kept *kept);
/* Those of another simulation, or of a damaged file, will not do: of the dtype and device of the positions, and of that shape,
 * or not there. */
lun_status nbody_state_check(const lun_nbody_state *state, kept_array which, const lun_array *pos, int ndim,
                             const size_t *shape, lun_error *err);
/* One of the state's arrays; without elements if it has none, or is NULL. */
const lun_array *nbody_state_array(const lun_nbody_state *state, kept_array which);
