/* Reductions of an array as it is by rows of REDUCE in reduce.def, which have kernels of their own: what their variants share. */
#pragma once

#include "abi/reduce.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/fold/fold.h"

/* Kept and reduced axes: each list is merged where it can be, the longest strides first. Strides of reduced axes are
 * positive. */
typedef struct reduce_problem {
    const lun_array *out, *in;
    const fold_row *op;
    lun_dtype combined; /* in which values are; integers that are added or multiplied wrap, so they are unsigned */
    int64_t first;      /* position of the first element that is read */
    layout kept, kept_out, reduced;
    size_t outputs, elements; /* elements of one output */
} reduce_problem;

/* A problem of a row of REDUCE in reduce.def, of an array as it is. */
reduce_problem reduce_problem_of(const fold_problem *p);

/* The kernel `name` of a kernel file, built for the op and the elements' dtype; `more` are further defines. Scans have it, too. */
lun_status reduce_kernel(cl_kernel *out, const fold_row *op, const lun_array *in, const char *file, const char *name,
                         const char *more, lun_error *err);
/* Scratch memory for `count` partial results of that many bytes each; *out is NULL for 0. */
lun_status reduce_partial(lun_block **out, plan *of, size_t count, size_t bytes, lun_error *err);
/* The stride of the innermost axis, `without` where there are no axes; and the layout without that axis. */
cl_long reduce_last_stride(const layout *l, cl_long without);
layout reduce_without_last(layout l);
size_t reduce_accumulator_bytes(const reduce_problem *p);
/* Rows of fold_variants.c: p is a fold_problem. */
bool reduce_cpu_applies(const lun_device *device, const void *p);
lun_status reduce_cpu_plan(plan *out, const variant *row, const void *p, lun_error *err);
bool reduce_gpu_applies(const lun_device *device, const void *p);
lun_status reduce_gpu_plan(plan *out, const variant *row, const void *p, lun_error *err);
