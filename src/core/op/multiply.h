/* The product of matrices, as a part of the plans of other operations. */
#pragma once

#include "op/plan.h"

/* Appends out = alpha a b + beta out, for arrays of one dtype with matrices in their last two axes and batches before these, which
 * broadcast. `out` may be another part of the memory of a or b. */
lun_status plan_array_multiply(plan *p, const lun_array *out, const lun_array *a, const lun_array *b, double alpha,
                               double beta, lun_error *err);
/* The same for conjugated arrays, LUN_CONJUGATE_A and B, without a copy; real arrays are not changed. */
lun_status plan_array_multiply_conjugated(plan *p, const lun_array *out, const lun_array *a, const lun_array *b,
                                          unsigned conjugated, double alpha, double beta, lun_error *err);
