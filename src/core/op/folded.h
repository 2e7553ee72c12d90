/* Reductions of expressions, as a part of the plans of other operations. */
#pragma once

#include "op/plan.h"

/* Limits of the number of reductions. The library itself puts up to the first number into one kernel, of a pass
 * (op/fold/passes.h) or of a step of a graph. A call of lun_fold may have more, up to FOLD_RESULTS (abi/fold.h): with
 * at least one array these are LUN_FOLD_ARRAYS, which is also the limit of a kernel for whole rows (op/fold/fused.h).
 * An expression may contain up to PASSES_FOLDS reductions, which then take several passes. */
#define FOLDS_TOGETHER 6

/* Appends the commands of lun_fold for arrays that are not empty; the caller has checked the outputs, and declares the
 * memory that the operation touches. */
lun_status plan_fold(plan *out, const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                     const lun_reduction *reduction, const char *variant, lun_error *err);

/* Are there shared kernels for that reduction of an array, which need not be built for it? */
bool fold_has_kernels(const lun_array *in, const lun_reduction *reduction, lun_reduce_op op);
/* LUN_MISUSE if the op's results cannot have the dtype of the elements. */
lun_status fold_check_typed(lun_reduce_op op, lun_dtype dtype, lun_error *err);
/* Are values combined in row-major order? Such ops are faster in passes of their own than in one pass with others. */
bool fold_op_is_ordered(lun_reduce_op op);
/* The default dtype of the op's result for such an array; LUN_DTYPES if the op does not take it. */
lun_dtype fold_plain_dtype(lun_reduce_op op, const lun_array *in);
