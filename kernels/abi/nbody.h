/* What the n-body kernels share with their host. */
#ifndef LUN_ABI_NBODY_H
#define LUN_ABI_NBODY_H

/* Bodies are kept as a structure of arrays: rows of `size` elements each. Rows 0, 1, 2 are x, y, z. The first `active` bodies
 * attract, the others have no mass here, and kernels do not let them act on anything: even a NaN of theirs stays theirs. */
#define NBODY_MASS 3
#define NBODY_VELOCITY 4 /* rows 4, 5, 6 are vx, vy, vz */
#define NBODY_UNITS 7    /* the exponents of the units of length and of mass, then nothing */
#define NBODY_SOFT 8     /* squares of the bodies' own softenings, where they have them */
#define NBODY_ROWS 9

/* nbody_steps does many evaluations in a launch, and takes so many pairs of factors (of kick and of drift) for them. An
 * eighth-order step of 17 evaluations needs 34: the first step's, whose first kick is a half one, and those of the steps
 * behind it. Two rows of so many doubles are 640 bytes of arguments; OpenCL promises 1024. */
#define NBODY_FACTORS 40

/* How many groups of `each` make up `n`. */
#define NBODY_GROUPS(n, each) (((n) + (each)-1) / (each))

/* nbody_few.cl: work-items of the one group. */
#define NBODY_FEW_ITEMS 512

/* nbody_pairs.cl: work-items that pass the pull on a body on to each other: a warp of NVIDIA's GPUs. */
#define NBODY_TEAM 32
/* A block of bodies meets those that are 0 .. blocks/2 places further on around a ring of blocks. */
#define NBODY_PLACES(blocks) ((blocks) / 2 + 1)

#endif
