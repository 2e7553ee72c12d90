/* What the n-body kernels share with their host. */
#ifndef LUN_ABI_NBODY_H
#define LUN_ABI_NBODY_H

/* Bodies are kept as a structure of arrays: rows of `size` elements each. Rows 0, 1, 2 are x, y, z. The first `active`
 * bodies attract, the others have no mass here, and kernels do not let them act on anything: even a NaN of theirs stays
 * theirs. */
#define NBODY_MASS 3
#define NBODY_VELOCITY 4 /* rows 4, 5, 6 are vx, vy, vz */
#define NBODY_UNITS 7    /* the exponents of the units of length and of mass, then nothing */
#define NBODY_SOFT 8     /* halves of the squares of the bodies' own softenings, where they have them */
#define NBODY_ROWS 9     /* where one system needs not all of the last, they are not there (bodies_elements) */
/* Of a batch, each system has such rows and units of its own; and `parts` parts of accelerations, three arrays each. */
#define NBODY_SYSTEM(body, size, system) ((body) + (system)*NBODY_ROWS * (size))
#define NBODY_SYSTEM_PULL(pull, size, parts, system) ((pull) + (system) * (parts)*3 * (size))

/* Stages of a step, kick and drift each, at most: 17 evaluations, after the last of which there is a second stage, are
 * 18. nbody_steps takes two rows of that many doubles, 384 bytes of arguments; OpenCL promises 1024. */
#define NBODY_FACTORS 24

/* How many groups of `each` make up `n`. */
#define NBODY_GROUPS(n, each) (((n) + (each)-1) / (each))

/* Integrators of one work-group to a system (parts/nbody_system.cl). Each system has a clock, that many numbers of
 * f64: */
#define NBODY_PASSED 0  /* the intervals `dt` that are behind it */
#define NBODY_LEFT 1    /* of the interval that it is in, positive; 0: it is at the end of one */
#define NBODY_ROUNDED 2 /* what the rounding of NBODY_LEFT added */
#define NBODY_NEXT 3    /* the next step's length, positive */
#define NBODY_LAST 4    /* the last step's length, with its sign; 0: there was none */
#define NBODY_TROUBLE 5 /* why it stands still: 0, or one of these: */
#define NBODY_NOT_FINITE 1
#define NBODY_TOO_SHORT 2 /* the step is less than NBODY_LEAST_STEP intervals */
#define NBODY_STEPS 6     /* that it has taken */
#define NBODY_CLOCK 7
#define NBODY_LEAST_STEP 0x1p-50
/* What nbody_judge reports about all systems: how many are on their way, and of the first in trouble its number from 1,
 * and why. */
#define NBODY_GOING 0
#define NBODY_WHICH 1
#define NBODY_WHY 2
#define NBODY_VERDICT 3

/* Where all groups share a system (parts/nbody_wide.cl), the host gets more behind these: */
#define NBODY_TURN 3        /* what has become of the step, one of: */
#define NBODY_AGAIN 0       /* another iteration of it */
#define NBODY_TAKEN 1       /* it is to be taken */
#define NBODY_REFUSED 2     /* it was too long: another one from where it began */
#define NBODY_STEP_LENGTH 4 /* of the next step, positive */
#define NBODY_STEP_BEFORE 5 /* NBODY_LAST of it */
#define NBODY_INTERVALS 6   /* that are behind it, NBODY_PASSED */
#define NBODY_WITHIN 7      /* the time that is behind it in the interval, positive */
#define NBODY_ITERATION 8   /* how many there were of the step; and for the next one: */
#define NBODY_CHANGE 9      /* the change of the last coefficient over the acceleration */
#define NBODY_REPORT 10
#define NBODY_MARKS 4 /* numbers that a group finds */

/* Beside its bodies each system has that many arrays of 3 x `size`, for x, y and z. nbody_hermite.cl: */
#define HERMITE_PULL 0 /* accelerations at the last step's end */
#define HERMITE_JERK 1 /* and their derivatives */
/* These outlive a step: with bodies and clock, the whole state. The others are scratch: */
#define HERMITE_PLACE 2     /* predicted positions */
#define HERMITE_SPEED 3     /* predicted velocities */
#define HERMITE_NEW_PLACE 4 /* corrected ones, and what follows from them */
#define HERMITE_NEW_SPEED 5
#define HERMITE_NEW_PULL 6
#define HERMITE_NEW_JERK 7
#define HERMITE_ARRAYS 8
/* nbody_hermite_wide.cl: those that are kept, then two more that are. */
#define WIDE_MORE 2      /* accelerations by the force of the host's own at the last step's end */
#define WIDE_MORE_JERK 3 /* and their derivatives, by differences */
/* Scratch: */
#define WIDE_PLACE 4
#define WIDE_SPEED 5
#define WIDE_NEW_PLACE 6
#define WIDE_NEW_SPEED 7
#define WIDE_NEW_PULL 8
#define WIDE_NEW_JERK 9
#define WIDE_NEW_MORE 10
#define WIDE_NEW_MORE_JERK 11
#define WIDE_HALF 12 /* the force in the middle of the step */
#define WIDE_ARRAYS 13
/* Its nodes: two before the first step, for the derivative of the force; then those of a step. */
#define WIDE_BEGIN 0
#define WIDE_SOON 1
#define WIDE_MIDDLE 2
#define WIDE_END 3
/* nbody_ias15.cl: */
#define IAS15_PLACE_LOST 0 /* what rounding has added to positions */
#define IAS15_SPEED_LOST 1 /* likewise, to velocities */
#define IAS15_B 2          /* 7: coefficients of the acceleration in the last step */
#define IAS15_E 9          /* 7: what they were predicted to be */
/* These outlive a step: with bodies and clock, the whole state. The others are scratch: */
#define IAS15_TRY_B 16     /* 7: of the step that is tried */
#define IAS15_TRY_E 23     /* likewise */
#define IAS15_G 30         /* 7: Newton's coefficients of the same polynomial */
#define IAS15_PULL 37      /* acceleration at the step's beginning */
#define IAS15_PLACE 38     /* positions within the step */
#define IAS15_PLACE_LOW 39 /* and what these lack */
#define IAS15_ARRAYS 40

/* nbody_few.cl: work-items of the one group. */
#define NBODY_FEW_ITEMS 512

/* nbody_pairs.cl: work-items that pass the pull on a body on to each other: a warp of NVIDIA's GPUs. */
#define NBODY_TEAM 32
/* A block of bodies meets those that are 0 .. blocks/2 places further on around a ring of blocks. */
#define NBODY_PLACES(blocks) ((blocks) / 2 + 1)

#endif
