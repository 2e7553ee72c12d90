/* A part of lunarray.h: scans, which combine each element with those before it by an op. */
#pragma once

#include "index.h"
#include "operation.h"

typedef struct lun_scan_options {
    lun_reduce_op op;
    int axis;                  /* or LUN_FLATTENED: the array as one row, row-major */
    bool exclusive;            /* an element's own value is left out: the first result is the op's identity */
    bool reverse;              /* from the end: an element and those after it */
    bool typed;                /* as in lun_reduction: only for lun_fold_scan */
    const lun_own_op *own;     /* NULL, or an operator that replaces op: only for lun_fold_scan */
    const lun_array *segments; /* as in lun_reduction: where the scan begins anew; only for lun_fold_scan */
} lun_scan_options;

/* The op of that name, if it can scan arrays. */
lun_status lun_scan_find(lun_reduce_op *out, const char *name, lun_error *err);
/* The dtype of the result, that of the reduction by the op, and its shape: the array's, or one axis if it is
 * flattened. */
lun_status lun_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                           const lun_scan_options *options, lun_error *err);
/* out is as lun_scan_result describes it, and shares no element with `in`. */
lun_status lun_scan(const lun_array *out, const lun_array *in, const lun_scan_options *options, const lun_call *call,
                    lun_error *err);
/* The same for an expression with one result, by a user's operator or with segments, in one pass without intermediate
 * arrays. An operator without identity cannot scan exclusively. */
lun_status lun_fold_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_expression *expression,
                                const lun_scan_options *options, lun_error *err);
lun_status lun_fold_scan(const lun_array *out, const lun_expression *expression, const lun_scan_options *options,
                         const lun_call *call, lun_error *err);
