/* Expressions on their way to the core: texts with their arguments, traced functions, and where results go. */
#ifndef LUNARRAY_EXPRESSION_H
#define LUNARRAY_EXPRESSION_H

#include "options.h"

/* The memory that an lun_expression points into; must not be moved while the expression is in use. */
typedef struct expression_arguments {
    lun_expression e;
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    const char *texts[LUN_MAP_ARRAYS], *array_names[LUN_MAP_ARRAYS], *number_names[LUN_MAP_NUMBERS];
} expression_arguments;

/* Reads an expression in OpenCL C, or a list of them, at `index`; the table of its arrays and numbers behind it; and the options of
 * `method` behind that one, of which `dtype` is the expression's. What stands at these places is to stay there. */
void expression_read(lua_State *L, expression_arguments *out, lun_device *device, int index, const char *method,
                     options *o);
/* The table of an expression's arrays and numbers alone, at `index`, and the options behind it; the texts are there already. */
void expression_read_arguments(lua_State *L, expression_arguments *out, lun_device *device, int index,
                               const char *method, options *o);
/* An expression that is the map of an own operator, of no arrays as yet. */
void expression_read_own(lua_State *L, expression_arguments *out, const char *map);
/* Checks the text on the top, which messages call `what`, as one expression of OpenCL C. [-0, +0] */
const char *expression_check(lua_State *L, const char *what);
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
