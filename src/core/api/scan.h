/* A part of lunarray.h: scans, which give each element what an op makes from it and those before it. */
#pragma once

#include "index.h"
#include "operation.h"

typedef struct lun_scan_options {
    lun_reduce_op op;
    int axis;                  /* or LUN_FLATTENED: the array as one row, row-major */
    bool exclusive;            /* an element's own value is left out: the first result is the op's identity */
    bool reverse;              /* from the end: an element and those behind it */
    bool typed;                /* as of a lun_reduction: lun_fold_scan alone takes it */
    const lun_own_op *own;     /* NULL, or what scans in place of op: lun_fold_scan alone takes it */
    const lun_array *segments; /* as of a lun_reduction: where the scan begins anew; lun_fold_scan alone takes it */
} lun_scan_options;

/* The op of that name, where arrays can be scanned by it. */
lun_status lun_scan_find(lun_reduce_op *out, const char *name, lun_error *err);
/* The dtype of the result, that of the reduction by the op; and its shape, the array's, or one axis where it is flattened. */
lun_status lun_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                           const lun_scan_options *options, lun_error *err);
/* out: as lun_scan_result says. It shares no element with `in`. */
lun_status lun_scan(const lun_array *out, const lun_array *in, const lun_scan_options *options, const lun_call *call,
                    lun_error *err);
/* The same of an expression with one result, by an operator of the user's or with segments, in one pass without arrays in between.
 * An operator without identity cannot scan exclusively. */
lun_status lun_fold_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_expression *expression,
                                const lun_scan_options *options, lun_error *err);
lun_status lun_fold_scan(const lun_array *out, const lun_expression *expression, const lun_scan_options *options,
                         const lun_call *call, lun_error *err);
