/* Reductions that select elements by rank, implemented by op/sort/quantile.c, for op/reduce. */
#pragma once

#include "api/reductions.h"
#include "lunarray.h"

/* Does it take the quantiles? */
static inline bool ranked_wants_q(lun_reduce_op op)
{
    return op == LUN_REDUCE_quantile || op == LUN_REDUCE_nanquantile;
}

/* The name of a reduction's q_method; NULL behind the last. */
#define RANKED_METHODS 16 /* names at most */
const char *ranked_method_at(unsigned method);
/* As lun_reduce_result and lun_reduce, for the ops for which lun_reduce_is_rank is true. */
lun_status ranked_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                         const lun_reduction *reduction, bool keepdims, lun_error *err);
lun_status ranked_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction,
                         const lun_call *call, lun_error *err);
