/* Reductions that pick elements by their rank, which op/sort/quantile.c makes, for op/reduce. */
#ifndef LUN_OP_RANKED_H
#define LUN_OP_RANKED_H

#include "lunarray.h"

/* As lun_reduce_result and lun_reduce, of the ops for which lun_reduce_is_rank is true. */
lun_status ranked_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                         const lun_reduction *reduction, bool keepdims, lun_error *err);
lun_status ranked_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction,
                         const lun_call *call, lun_error *err);

#endif
