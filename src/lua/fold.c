/* Reductions of expressions: dev:reduce, and reductions at the end of fused functions. */
#include "call.h"
#include "check.h"
#include "expression.h"
#include "task.h"

/* The op that the string on the top names; the string has to be kept elsewhere. [-0, +0] */
static lun_reduce_op op_of(lua_State *L, const char *what)
{
    lun_reduce_op op;
    lun_error err;
    if (lua_type(L, -1) != LUA_TSTRING)
        misuse(L, "%s is %s; a name is wanted", what, object_kind(L, -1));
    const char *name = check_text(L, lua_gettop(L), what);
    if (lun_fold_find(&op, name, &err) != LUN_OK)
        expression_refuse_op(L, name, "{map = \"x\", combine = \"a + b\"}", &err);
    return op;
}

void fold_read_ops(lua_State *L, lun_reduce_op *ops, size_t count, int index)
{
    for (size_t i = 0; i < count; i++) {
        const char *what = lua_pushfstring(L, "op %I of the list", (LUAI_UACINT)i + 1);
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        ops[i] = op_of(L, what);
        lua_pop(L, 2);
    }
}

/* Marks the axes that are reduced, of the shape to which the arrays broadcast, and finds segments. Returns whether numbers are left. */
static bool read_axes(lua_State *L, const options *shared, const lun_expression *e, lun_reduction *reduction)
{
    lun_dtype dtypes[LUN_MAP_ARRAYS];
    lun_error err;
    lun_array all = {.device = e->arrays[0]->device};
    if (lun_map_result(dtypes, &all.ndim, all.shape, e, &err) != LUN_OK)
        call_raise(L, e->arrays[0]->device, &err);
    const bool whole = task_read_axes(L, shared, &all, reduction->axis);
    reduction->segments = task_read_segments(L, shared, &all, reduction->axis);
    return whole && reduction->segments == NULL;
}

/* Pushes the arrays that results go to, as task.c does for one result: those of the option `out`, new ones, or private
 * ones behind Lua values. [-0, +count] */
static bool push_outs(lua_State *L, task *t, const options *o, size_t count, bool numbers, const lun_array **outs)
{
    if (!numbers)
        return expression_push_outs(L, o, count, outs);
    for (size_t i = 0; i < count; i++)
        outs[i] = task_private(L, t);
    return false;
}

static void drop_numbers(void *pointer) { lun_numbers_free(pointer); }

/* Pushes the results over all axes; waits. */
static int give_numbers(lua_State *L, const lun_expression *e, const lun_reduce_op *ops, const lun_reduction *reduction,
                        const lun_call *call)
{
    lun_number numbers[LUN_REDUCE_NUMBERS];
    lun_numbers *pending = NULL;
    lun_attempt tried;
    const int count = (int)e->result_count;
    holder_object *holder = holder_push(L, drop_numbers);
    for (lun_attempt_enqueue(&tried, e->arrays[0]->device, call); call_goes_on(L, &tried); holder->pointer = pending)
        tried.status = lun_fold_numbers(&tried.more, numbers, &pending, e, ops, reduction, call, &tried.err);
    luaL_checkstack(L, count, NULL);
    for (int i = 0; i < count; i++)
        if (reduction->own == NULL && lun_reduce_is_truth(ops[i]))
            lua_pushboolean(L, numbers[i].integer != 0);
        else
            number_push(L, numbers[i]);
    return count;
}

int fold_give(lua_State *L, const lun_expression *e, const lun_reduce_op *ops, const lun_own_op *own, const options *o,
              const options *shared)
{
    task t;
    lun_attempt tried;
    lun_dtype dtypes[LUN_MAP_ARRAYS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *outs[LUN_MAP_ARRAYS];
    lun_device *device = e->arrays[0]->device;
    const int count = (int)e->result_count;
    lun_reduction reduction = {.own = own,
                               .accurate = option_boolean(L, shared, "accurate"),
                               .reproducible = option_boolean(L, shared, "reproducible"),
                               .ddof = option_integer(L, shared, "ddof", 0),
                               .base = 1};
    if (own != NULL && (reduction.accurate || reduction.reproducible || reduction.ddof != 0))
        misuse(L, "accurate, reproducible and ddof say how ops of this library work, and not an operator of your own");
    const bool keepdims = option_boolean(L, shared, "keepdims"), out = option_push(L, o, "out") != 0;
    const bool numbers = read_axes(L, shared, e, &reduction) && !keepdims && !out;
    task_begin(L, &t, o, device, count);
    if (numbers && t.event == NULL)
        return give_numbers(L, e, ops, &reduction, &t.call);
    const bool given = push_outs(L, &t, o, e->result_count, numbers, outs);
    const int first = lua_gettop(L) + 1 - count;
    if (lun_fold_result(dtypes, &ndim, shape, e, ops, &reduction, keepdims, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    for (int i = 0; i < count && !given; i++) {
        t.out = lua_touserdata(L, first + i);
        task_make(L, &t, dtypes[i], ndim, shape);
        t.truths |= (uint32_t)(own == NULL && lun_reduce_is_truth(ops[i])) << i;
    }
    for (lun_attempt_enqueue(&tried, device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_fold(outs, e, ops, &reduction, &t.call, &tried.err);
    return numbers ? task_return_numbers(L, &t, first, count) : task_return(L, &t, first, count);
}
