/* Reductions of expressions as a part of other operations, which append them to their plans. */
#pragma once

#include "op/plan.h"

/* How many reductions go together: the library puts that many in one kernel by itself, of a pass (op/fold/passes.h) or of a step of a
 * graph. A caller of lun_fold may ask for more at once, up to FOLD_RESULTS (abi/fold.h): with one array at least these are
 * LUN_FOLD_ARRAYS, and a kernel that computes whole rows (op/fold/fused.h) has as many. An expression has up to PASSES_FOLDS in its
 * midst, which take several passes then. */
#define FOLDS_TOGETHER 6

/* Appends what lun_fold runs, of arrays that are not empty; the caller has checked the outputs and says what the operation touches. */
lun_status plan_fold(plan *out, const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                     const lun_reduction *reduction, const char *variant, lun_error *err);

/* Is that reduction of an array as it is made by kernels that need not be built for it alone? */
bool fold_has_kernels(const lun_array *in, const lun_reduction *reduction, lun_reduce_op op);
/* LUN_MISUSE where the op's results cannot have that dtype of the elements. */
lun_status fold_check_typed(lun_reduce_op op, lun_dtype dtype, lun_error *err);
/* Are values combined in their row-major order? In one pass with other ops that takes longer than a pass for each. */
bool fold_op_is_ordered(lun_reduce_op op);
/* The dtype of what the op gives of such an array without being told; LUN_DTYPES where it does not take it. */
lun_dtype fold_plain_dtype(lun_reduce_op op, const lun_array *in);
