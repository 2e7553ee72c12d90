/* Users' operators in requests: a:reduce{map =, combine =, identity =}, a:scan{combine = ...}. */
#pragma once

#include "call/request.h"

/* An expression of the array alone: `x` and the operator that combines its values, or for ops of the library the array
 * in another dtype. */
typedef struct own_expression {
    lun_expression e;
    lun_own_op op;
    lun_reduction reduction;
    const lun_array *arrays[1];
    const char *names[1], *texts[1];
    lun_node nodes[5];
    lun_number numbers[1];
    unsigned results[LUN_MAP_RESULTS];
} own_expression;

/* The request's array, that many times, cast to that dtype; LUN_DTYPES: not cast. */
lun_status own_of_array(own_expression **out, lun_request *r, lun_dtype as, size_t count, lun_error *err);

/* Reads the texts among the options; `combine` is required. */
lun_status own_read(own_expression **out, lun_request *r, lun_error *err);
/* Only the texts: *map is NULL if there is none. */
lun_status own_read_texts(const char **map, lun_own_op *op, const lun_request *r, lun_error *err);
/* LUN_MISUSE for options that only the library's ops have. */
lun_status own_check_options(const lun_reduction *reduction, lun_error *err);
/* LUN_MISUSE if they are given with an op of the library. */
lun_status own_refuse(const lun_request *r, lun_error *err);
/* err, an unknown op; if the name is not a word, the message adds that an operator belongs in a table, as in `own`. */
lun_status own_refuse_op(const char *name, const char *own, lun_error *err);
/* Reduces by it. */
lun_status own_bind(own_expression **out, lun_request *r, const lun_reduction *reduction, lun_error *err);

/* Each result of an expression, reduced: describes the results, and makes them. ops: NULL if the reduction has a user's
 * operator. */
lun_status fold_bind(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, lun_reduction *reduction,
                     lun_error *err);
/* The same for a reduction whose axes are known. `numbers`: it reduces all axes, and no array is requested. */
lun_status fold_tell(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, const lun_reduction *reduction,
                     bool numbers, bool keepdims, lun_error *err);
lun_status fold_run(bool *more, lun_request *r, const lun_expression *e, const lun_reduce_op *ops,
                    const lun_reduction *reduction, lun_array *const *out, lun_error *err);
