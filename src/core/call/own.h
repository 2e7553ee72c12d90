/* Operators of the host's user as requests have them: a:reduce{map =, combine =, identity =}, a:scan{combine = ...}. */
#pragma once

#include "call/request.h"

/* An expression of the array alone: `x` and what combines its values, or for ops of the library the array as another dtype. */
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

/* The request's array that many times, as that dtype; as it is with LUN_DTYPES. */
lun_status own_of_array(own_expression **out, lun_request *r, lun_dtype as, size_t count, lun_error *err);

/* Reads the texts among the options; `combine` has to be there. */
lun_status own_read(own_expression **out, lun_request *r, lun_error *err);
/* The texts alone: *map is NULL where there is none. */
lun_status own_read_texts(const char **map, lun_own_op *op, const lun_request *r, lun_error *err);
/* LUN_MISUSE for options of reductions that go with ops of the library's. */
lun_status own_check_options(const lun_reduction *reduction, lun_error *err);
/* LUN_MISUSE where they are beside an op of the library's. */
lun_status own_refuse(const lun_request *r, lun_error *err);
/* err, which says that there is no op of that name; of what is not a word it says that an operator belongs in a table, as `own`. */
lun_status own_refuse_op(const char *name, const char *own, lun_error *err);
/* Reduces by it. */
lun_status own_bind(own_expression **out, lun_request *r, const lun_reduction *reduction, lun_error *err);

/* Each result of an expression, reduced: says what comes, and makes it. ops: NULL where the reduction has an own operator. */
lun_status fold_bind(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, lun_reduction *reduction,
                     lun_error *err);
/* The same of a reduction whose axes are known: `numbers`: all, and nobody needs an array. */
lun_status fold_tell(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, const lun_reduction *reduction,
                     bool numbers, bool keepdims, lun_error *err);
lun_status fold_run(bool *more, lun_request *r, const lun_expression *e, const lun_reduce_op *ops,
                    const lun_reduction *reduction, lun_array *const *out, lun_error *err);
