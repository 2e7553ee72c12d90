/* Writing to flattened positions: what put and add_at share. */
#pragma once

#include "op/index/index.h"

typedef struct put_problem {
    const lun_array *array;
    lun_array index; /* dense */
    index_values values;
    put_shape shape;
    bool named;       /* the call names a variant */
    lun_reduce_op op; /* by which add_at.c combines */
} put_problem;

/* Runs an operation on the array's elements at the index's positions. */
lun_status put_run(const char *name, const variants *of, const lun_array *array, const lun_array *index,
                   const lun_values *values, lun_reduce_op op, const lun_call *call, lun_error *err);
/* Groups for kernels whose work-items each own a range of the array, and look at all indices. */
launch put_launch_ranges(const lun_device *device, cl_kernel kernel, const put_problem *p);
/* The shape of a problem that has all else. */
void put_find_shape(put_problem *p);
bool put_gpu_applies(const lun_device *device, const void *problem);

/* add_fixed.c: `bins` as in add_at_plan_bins. */
bool add_fixed_applies(const lun_device *device, const void *problem);
lun_status add_fixed_plan(plan *out, const variant *row, const put_problem *p, bool bins, lun_error *err);
