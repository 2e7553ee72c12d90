/* Forces: how the accelerations of bodies, or their fields, are computed on a device. The variants of nbody, gravity and
 * energy are its rows. */
#ifndef LUN_NBODY_FORCE_H
#define LUN_NBODY_FORCE_H

#include "op/nbody/bodies.h"
#include "op/variant.h"

typedef struct force force;

/* Pairs of factors (of kick and of drift) for many evaluations in one launch, as abi/nbody.h says. */
typedef struct force_factors {
    double kick[NBODY_FACTORS], drift[NBODY_FACTORS];
    size_t count, cycle;
} force_factors;

/* A row of the table of variants fills this in. It points into itself and to the bodies: both stay where they are. */
struct force {
    const bodies *of;
    double softening, G;
    program_key
        program; /* its kernels and those of the bodies; found anew for each plan, as programs may leave the cache */
    char defines[200];
    const char *kernel; /* that `evaluate` or `advance` launches */
    size_t items;       /* work-items in a group of that kernel and of nbody_field; 0: an item is a core's loop */
    size_t at_once;     /* bodies that a group keeps while the others come by */
    double rate;        /* interactions a second that a compute unit does */
    size_t units;       /* of work in an evaluation of all accelerations, alike */
    size_t least, most; /* units that a launch takes, but for the last of an evaluation */
    size_t parts;       /* that a body's acceleration is in: each is three arrays of `pull` */
    size_t span;        /* places of the ring that a group takes (pairs) */
    lun_array pull;     /* parts x 3 x size; made and cleared by whoever runs the force */

    /* Plans a launch of the units first .. first+count-1 of an evaluation, which leaves its sums in `pull`. */
    lun_status (*evaluate)(plan *out, const force *f, cl_kernel kernel, size_t first, size_t count, lun_error *err);
    /* Or else plans a launch that does many evaluations with their kicks and drifts. */
    lun_status (*advance)(plan *out, const force *f, cl_kernel kernel, const force_factors *factors,
                          uint64_t evaluations, lun_error *err);
};

/* What rows are chosen and planned by. A row's plan makes `out` and finds its kernels; it appends no command. */
typedef struct force_problem {
    const bodies *of;
    double softening, G;
    bool fields; /* accelerations and potentials are wanted for the user, not steps */
    force *out;
} force_problem;

/* ---- for those who use forces ---------------------------------------------------------------------------------- */

/* The file of nbody_field for rows of GPUs: tiles of as many bodies as `items`. */
#define FORCE_FIELDS "nbody_plain"

lun_status force_check_options(const lun_gravity_options *options, lun_error *err);
lun_status force_kernel(cl_kernel *out, const force *f, lun_device *device, const char *name, lun_error *err);
/* How many an evaluation of all accelerations has. */
double force_interactions(const bodies *b);
/* Seconds that the whole device takes for an evaluation of all accelerations. */
double force_seconds(const force *f, const lun_device *device);

/* ---- for the rows ------------------------------------------------------------------------------------------------ */

/* What all rows say alike; `file` has the kernels that are wanted. The row adds its own defines, at most 110 characters. */
void force_init(force *out, const variant *row, const force_problem *p, const char *file);
void force_define(force *f, const char *name, size_t value);
/* So that a compiler's refusal shows while the row is planned. */
lun_status force_find_kernels(const force *f, lun_device *device, bool fields, lun_error *err);

/* A force's `advance` by one group. */
lun_status force_advance_alone(plan *out, const force *f, cl_kernel kernel, const force_factors *factors,
                               uint64_t evaluations, lun_error *err);

#define FORCE_ROW(name)                                                                                                \
    bool force_##name##_applies(const lun_device *device, const void *problem);                                        \
    lun_status force_##name##_plan(plan *out, const variant *row, const void *problem, lun_error *err)

FORCE_ROW(small);
FORCE_ROW(cpu);
FORCE_ROW(few);
FORCE_ROW(pairs);
FORCE_ROW(gpu);
FORCE_ROW(plain);

#endif
