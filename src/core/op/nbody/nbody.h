/* What runs of gravity (nbody.c) and its fields (gravity.c) share: the plan of how a system is computed. */
#ifndef LUN_NBODY_H
#define LUN_NBODY_H

#include "base/shape.h"
#include "device/program.h"
#include "op/old.h"

#define NBODY_ROWS 8 /* arrays in the structure of arrays: see the kernels */

typedef struct nbody_tuning {
    const char *file;
    lun_dtype dtype;
    size_t block; /* bodies that a work-group of the pull and field kernels takes; 0: a work-item is a core's loop */
    size_t tile;  /* bodies that stay in a core's nearest cache while the others come by */
    size_t rows;  /* bodies that meet a tile in one unit of work */
    double rate;  /* interactions a second and compute unit */
    size_t each;  /* bodies that a work-item pulls at once, on a GPU; groups then share the others; 0: one */
    const char *rest; /* the file of all kernels but nbody_pull, nbody_kick and nbody_small, if it is another */
    size_t most;      /* bodies that this row is for; 0: any number */
    size_t steps;     /* of the pairs variant's walk that are unrolled */
} nbody_tuning;

typedef struct nbody_plan {
    const variant *row;
    const nbody_tuning *tuning;
    lun_dtype dtype;
    size_t bodies, width, size; /* size: of an array in the structure of arrays, in whole vectors of `width` */
    double softening, G;
    char defines[200];
} nbody_plan;

/* What the variants' `applicable` and `run` get. */
typedef struct nbody_problem {
    lun_dtype dtype;
    size_t bodies;
    lun_nbody *run; /* NULL while a variant is being chosen */
} nbody_problem;

/* pos: n x 4 and f32 or f64. The options are checked, too. */
lun_status nbody_make_plan(nbody_plan *out, const lun_array *pos, const lun_gravity_options *options,
                           const lun_call *call, lun_error *err);
/* Another n x 4 array must be as pos is. */
lun_status nbody_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err);
lun_status nbody_kernel(cl_kernel *out, lun_device *device, const nbody_plan *plan, const char *name, lun_error *err);
launch_arg nbody_real(const nbody_plan *plan, double x);
/* The row of the table in gravity.c. */
const nbody_tuning *nbody_find_tuning(const char *file, lun_dtype dtype, size_t bodies);
/* How many interactions the device does in that time. */
double nbody_work(const nbody_plan *plan, const lun_device *device, double seconds);
/* Enqueues pos, and vel unless it is NULL, into the structure of arrays; `kernel` is "nbody_load". */
lun_status nbody_load(operation *op, const nbody_plan *plan, cl_kernel kernel, const lun_array *body,
                      const lun_array *pos, const lun_array *vel, lun_error *err);

#define NBODY_VIEW(array)                                                                                              \
    ARG_BLOCK((array)->block), ARG_LONG((array)->offset), ARG_LONG((array)->stride[0]), ARG_LONG((array)->stride[1])

#endif
