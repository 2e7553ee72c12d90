/* Bodies on the device: a structure of arrays beside the user's n x 4 arrays, and the commands that move it. */
#ifndef LUN_NBODY_BODIES_H
#define LUN_NBODY_BODIES_H

#include "abi/nbody.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/plan.h"

typedef struct bodies {
    lun_dtype dtype;
    size_t count;
    size_t active;  /* the first bodies, which attract all; the others' masses do not count */
    bool has_softs; /* has each body a softening of its own? */
    size_t width;   /* of a vector of the device, in elements */
    size_t size;    /* of each of the arrays: `count` in whole vectors, at least one */
    lun_array rows; /* NBODY_ROWS x size, as abi/nbody.h says; made and cleared by whoever owns the bodies */
} bodies;

/* All but the rows, for positions n x 4 of f32 or f64: others are LUN_MISUSE, as are options that do not fit them. */
lun_status bodies_describe(bodies *out, const lun_array *pos, const lun_gravity_options *options, lun_error *err);
/* Is another n x 4 array like the positions? */
lun_status bodies_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err);
/* A number as a kernel's argument of type T. */
launch_arg bodies_real(const bodies *b, double x);

/* The key is of the program that computes the pull: bodies are kept in units that belong to it. Positions, and velocities and
 * softenings unless these are NULL: */
lun_status bodies_plan_load(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                            const lun_array *vel, const lun_array *softenings, lun_error *err);
lun_status bodies_plan_store(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                             const lun_array *vel, lun_error *err);
/* v += kick * a, x += drift * v with the kernel nbody_kick; pull: the accelerations in parts, parts x 3 x size. */
lun_status bodies_plan_kick(plan *out, const bodies *b, cl_kernel kernel, const lun_array *pull, double kick,
                            double drift, lun_error *err);
/* dst: two elements, kinetic and potential energy of the active bodies, from the potentials in column 4 of fields. */
lun_status bodies_plan_energy(plan *out, const bodies *b, const program_key *key, const lun_array *dst,
                              const lun_array *fields, lun_error *err);
/* An n x 4 array as kernels take it: its first element, and its strides. */
#define BODIES_VIEW(array)                                                                                             \
    ARG_BLOCK((array)->block), ARG_LONG((array)->offset), ARG_LONG((array)->stride[0]), ARG_LONG((array)->stride[1])

#endif
