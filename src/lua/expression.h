/* Expressions on their way to the core: texts with their arguments, traced functions, and where results go. */
#ifndef LUNARRAY_EXPRESSION_H
#define LUNARRAY_EXPRESSION_H

#include "options.h"

/* The memory that an lun_expression points into; must not be moved while the expression is in use. */
typedef struct expression_arguments {
    lun_expression e;
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
} expression_arguments;

/* Raises as `err` says of an op that is not known by that name. Where the name is no word, the message adds that an operator of the
 * user's stands in a table such as `own`. */
_Noreturn void expression_refuse_op(lua_State *L, const char *name, const char *own, const lun_error *err);
/* Raises where an expression has more arrays and results together, or more numbers, than a kernel takes. */
void expression_check_room(lua_State *L, const char *what, size_t arrays, size_t numbers);
/* Pushes the arrays that results go to: the option `out`, an array or a list of arrays, or new ones. Returns whether the
 * option gave them. [-0, +count] */
bool expression_push_outs(lua_State *L, const options *o, size_t count, const lun_array **outs);

/* Reductions of expressions, in fold.c. Reads the names of ops in the list at `index`, as many as there are results. */
void fold_read_ops(lua_State *L, lun_reduce_op *ops, size_t count, int index);
/* Reduces the results by the ops, or by `own`; `o` has `out`, `variant`, `async` and `queue`, `shared` the options that all
 * reductions share. */
int fold_give(lua_State *L, const lun_expression *e, const lun_reduce_op *ops, const lun_own_op *own, const options *o,
              const options *shared);

#endif
