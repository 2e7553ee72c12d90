/* Reductions of expressions as a part of other operations, which append them to their plans. */
#ifndef LUN_OP_FOLDED_H
#define LUN_OP_FOLDED_H

#include "op/plan.h"

/* Appends what lun_fold runs, of arrays that are not empty; the caller has checked the outputs and says what the operation touches. */
lun_status plan_fold(plan *out, const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                     const lun_reduction *reduction, const char *variant, lun_error *err);

#endif
