/* Bodies on the device: a structure of arrays beside the user's n x 4 arrays, and the commands that move it. */
#pragma once

#include "abi/nbody.h"
#include "call/interface.h"

/* A stage of a step: v += kick * a, then x += drift * v. */
typedef struct bodies_stage {
    double kick, drift;
} bodies_stage;

typedef struct bodies {
    lun_dtype dtype;
    size_t systems; /* that know nothing of each other: b of positions b x n x 4, else 1 */
    size_t count;   /* of bodies in each system */
    size_t points;  /* places behind the bodies that are only attracted; of one system */
    size_t active;  /* the first bodies, which attract all; the others' masses do not count */
    bool has_softs; /* has each body a softening of its own? */
    size_t width;   /* of a vector of the device, in elements */
    size_t size;    /* of each of the arrays: bodies and points in whole vectors, at least one */
    lun_array rows; /* as abi/nbody.h says, bodies_elements of them; made and cleared by whoever owns the bodies */
} bodies;

/* All but the rows, for positions n x 4 or b x n x 4 of f32 or f64: others are LUN_MISUSE, as are options that do not fit them. */
lun_status bodies_describe(bodies *out, const lun_array *pos, const lun_gravity_options *options, lun_error *err);
/* The elements of the rows. */
size_t bodies_elements(const bodies *b);
/* Points m x 3 or m x 4 of the positions' dtype, and one system? */
lun_status bodies_check_points(const lun_array *points, const lun_array *pos, lun_error *err);
/* Are there rows that do not attract? */
bool bodies_are_passive(const bodies *b);
/* Is another array like the positions? */
lun_status bodies_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err);
/* A number as a kernel's argument of type T. */
launch_arg bodies_real(const bodies *b, double x);

/* The key is of the program that computes the pull: bodies are kept in units that belong to it. Positions, and velocities and
 * softenings unless these are NULL. `units`: as NBODY_UNITS says, two elements; without elements: those that fit the bodies. */
lun_status bodies_plan_load(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                            const lun_array *vel, const lun_array *softenings, const lun_array *units, lun_error *err);
/* The points, m x 3 or m x 4, behind the bodies, which have been loaded without velocities. */
lun_status bodies_plan_points(plan *out, const bodies *b, const program_key *key, const lun_array *points,
                              lun_error *err);
lun_status bodies_plan_store(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                             const lun_array *vel, lun_error *err);
/* Two stages with the same accelerations, one after the other, with the kernel nbody_kick; pull: the accelerations, systems x
 * parts x 3 x size, in `parts` parts; 0: none, for stages without kicks. */
lun_status bodies_plan_kick(plan *out, const bodies *b, cl_kernel kernel, const lun_array *pull, size_t parts,
                            const bodies_stage *stages, lun_error *err);
/* dst: kinetic and potential energy of the active bodies, 2 or 2 x b, from the potentials in column 4 of fields. */
lun_status bodies_plan_energy(plan *out, const bodies *b, const program_key *key, const lun_array *dst,
                              const lun_array *fields, lun_error *err);
/* The stride of an array's axis, counted from 1 for the last; 0 where it has none. */
int64_t bodies_stride(const lun_array *array, int from_last);
/* An n x 4 or b x n x 4 array as kernels take it: its first element, and its strides of rows, columns and systems. */
#define BODIES_VIEW(array)                                                                                             \
    ARG_BLOCK((array)->block), ARG_LONG((array)->offset), ARG_LONG(bodies_stride(array, 2)),                           \
        ARG_LONG(bodies_stride(array, 1)), ARG_LONG(bodies_stride(array, 3))
