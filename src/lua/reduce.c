/* Reductions of an array: a:reduce(op), a:sum() and the like. */
#include "call.h"
#include "check.h"
#include "expression.h"
#include "task.h"

#define REDUCE_LIST LUN_REDUCE_NUMBERS /* ops in one list */
#define QUANTILES 1024                 /* numbers in one list: percentiles at each tenth, and some more */
#define QUANTILES_WANTED "a number from 0 to 1 or a list of them"

static void drop_numbers(void *pointer) { lun_numbers_free(pointer); }

/* Pushes the results over all axes; waits. */
static int reduce_to_numbers(lua_State *L, const lun_array *array, const lun_reduction *reduction, int count,
                             const lun_reduce_op *ops, const lun_call *call)
{
    lun_number numbers[REDUCE_LIST];
    lun_numbers *pending = NULL;
    lun_attempt tried;
    holder_object *holder = holder_push(L, drop_numbers);
    for (lun_attempt_enqueue(&tried, array->device, call); call_goes_on(L, &tried); holder->pointer = pending)
        tried.status =
            lun_reduce_numbers(&tried.more, numbers, &pending, array, reduction, ops, (size_t)count, call, &tried.err);
    for (int i = 0; i < count; i++)
        if (lun_reduce_is_truth(ops[i]))
            lua_pushboolean(L, numbers[i].integer != 0);
        else
            number_push(L, numbers[i]);
    return count;
}

/* Enqueues one op; its result is a new array unless it is given. */
static void reduce_to_array(lua_State *L, const task *t, const lun_array *array, const lun_reduction *reduction,
                            bool keepdims)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_attempt tried;
    if (lun_reduce_result(&dtype, &ndim, shape, array, reduction, keepdims, &tried.err) != LUN_OK && !t->given)
        call_raise(L, t->device, &tried.err);
    task_make(L, t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t->device, &t->call); call_goes_on(L, &tried);)
        tried.status = lun_reduce(t->out, array, reduction, &t->call, &tried.err);
}

/* Enqueues several ops in one pass, each to an array of its own. They stand at the top. */
static void reduce_list(lua_State *L, task *t, const lun_array *array, const lun_reduction *reduction, int count,
                        const lun_reduce_op *ops, bool keepdims)
{
    const lun_array *outs[REDUCE_LIST];
    const int first = lua_gettop(L) + 1 - count;
    lun_attempt tried;
    for (int i = 0; i < count; i++) {
        lun_reduction each = *reduction;
        lun_dtype dtype;
        int ndim;
        size_t shape[LUN_MAX_AXES];
        each.op = ops[i];
        if (lun_reduce_result(&dtype, &ndim, shape, array, &each, keepdims, &tried.err) != LUN_OK)
            call_raise(L, t->device, &tried.err);
        t->out = lua_touserdata(L, first + i);
        outs[i] = t->out;
        task_make(L, t, dtype, ndim, shape);
    }
    for (lun_attempt_enqueue(&tried, t->device, &t->call); call_goes_on(L, &tried);)
        tried.status = lun_reduce_list(outs, array, reduction, ops, (size_t)count, &t->call, &tried.err);
}

/* Makes room for that many quantiles, which the value pushed keeps. [-0, +1] */
static double *push_quantiles(lua_State *L, lun_reduction *reduction, size_t count)
{
    double *q = lua_newuserdatauv(L, count * sizeof *q, 0);
    reduction->q = q;
    reduction->q_count = count;
    return q;
}

/* Reads what a quantile wants, a number or a list of them, at `index`, which messages call `what`. The value pushed
 * keeps what was read. [-0, +1] */
static void read_quantiles(lua_State *L, lun_reduction *reduction, int index, const char *what)
{
    reduction->q_list = lua_type(L, index) == LUA_TTABLE;
    if (!reduction->q_list) {
        if (lua_type(L, index) != LUA_TNUMBER)
            misuse(L, "%s: %s is wanted, got %s", what, QUANTILES_WANTED, object_kind(L, index));
        *push_quantiles(L, reduction, 1) = lua_tonumber(L, index);
        return;
    }
    const char *odd = list_push_odd(L, index, false);
    if (odd != NULL)
        misuse(L, "%s: the table has %s", what, odd);
    const size_t count = lua_rawlen(L, index);
    if (count == 0 || count > QUANTILES)
        misuse(L, "%s: the list has %I numbers; from 1 to %d are wanted", what, (LUAI_UACINT)count, QUANTILES);
    double *q = push_quantiles(L, reduction, count);
    for (size_t i = 0; i < count; i++) {
        if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER)
            misuse(L, "%s: number %d of the list is %s; a number from 0 to 1 is wanted", what, (int)i + 1,
                   object_kind(L, -1));
        q[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

/* Reads the option q, which goes with a quantile among the ops. Its numbers stay on the stack. [-0, +(0|2)] */
static void read_option_q(lua_State *L, lun_reduction *reduction, const options *o, int count, const lun_reduce_op *ops)
{
    bool wanted = false;
    for (int i = 0; i < count; i++)
        wanted = wanted || ops[i] == LUN_REDUCE_quantile;
    const int index = option_push(L, o, "q");
    if (index == 0)
        return;
    if (!wanted)
        misuse(L, "q goes with the op quantile, and there is none");
    read_quantiles(L, reduction, index, "option 'q'");
}

/* The options of a reduction that are neither axes nor where results go; quantiles that are given already stay. */
static void read_reduction(lua_State *L, lun_reduction *reduction, const options *o)
{
    reduction->accurate = option_boolean(L, o, "accurate");
    reduction->reproducible = option_boolean(L, o, "reproducible");
    reduction->ddof = option_integer(L, o, "ddof", 0);
    reduction->base = 1;
}

/* Does the op give an array where others give numbers? A list of quantiles is one. */
static bool gives_array(const lun_reduction *reduction, lun_reduce_op op)
{
    return op == LUN_REDUCE_quantile && reduction->q_list;
}

/* Reduces by each op, with what of the reduction is not among the options. */
static int reduce_by(lua_State *L, const lun_array *array, lun_reduction *reduction, int count,
                     const lun_reduce_op *ops, const options *o)
{
    task t;
    bool numbers_alone = true;
    task_begin(L, &t, o, array->device, count);
    const lun_array axes = *array; /* whatever finalizers do; task_out and the core look whether the array is live */
    read_reduction(L, reduction, o);
    const bool keepdims = option_boolean(L, o, "keepdims"), out = option_push(L, o, "out") != 0;
    if (out && count != 1)
        misuse(L, "out takes the result of one op, and there are %d", count);
    bool numbers = task_read_axes(L, o, &axes, reduction->axis) && !keepdims && !out;
    reduction->segments = task_read_segments(L, o, &axes, reduction->axis);
    numbers = numbers && reduction->segments == NULL;
    for (int i = 0; i < count; i++)
        numbers_alone = numbers_alone && !gives_array(reduction, ops[i]);

    luaL_checkstack(L, 2 * count + LUA_MINSTACK, NULL);
    if (numbers && numbers_alone && t.event == NULL)
        return reduce_to_numbers(L, array, reduction, count, ops, &t.call);
    const int first = lua_gettop(L) + 1; /* where the results start */
    const bool at_once = count > 1 && lun_reduce_is_one_pass(array, reduction, ops, (size_t)count, &t.call);
    for (int i = 0; i < count; i++) {
        const bool as_array = !numbers || gives_array(reduction, ops[i]);
        if (as_array)
            task_out(L, &t, o);
        else
            task_private(L, &t);
        reduction->op = ops[i];
        t.truths |= (uint32_t)lun_reduce_is_truth(ops[i]) << i;
        t.arrays |= (uint32_t)as_array << i;
        if (!at_once)
            reduce_to_array(L, &t, array, reduction, keepdims);
    }
    if (at_once)
        reduce_list(L, &t, array, reduction, count, ops, keepdims);
    return numbers ? task_return_numbers(L, &t, first, count) : task_return(L, &t, first, count);
}

/* Reduces self by each op, or where there is none by an operator of the user's. Options stand at `index`, which is 2 in a method
 * by the op's name, or beside the list of ops
 * at `list` (0: none). */
static int reduce(lua_State *L, int count, const lun_reduce_op *ops, int index, int list)
{
    options o;
    const lun_array *array = check_array(L, 1);
    lun_reduction reduction = {.name = index == 2 ? lun_reduce_name(ops[0]) : NULL};
    options_read(L, &o, lua_tostring(L, UP_NAME), index, list);
    read_option_q(L, &reduction, &o, count, ops);
    if (count == 0)
        return fold_array_by_own(L, array, &o);
    fold_refuse_own(L, &o);
    return reduce_by(L, array, &reduction, count, ops, &o);
}

static lun_reduce_op check_op(lua_State *L, const char *name)
{
    lun_reduce_op op;
    lun_error err;
    if (lun_reduce_find(&op, name, &err) != LUN_OK)
        expression_refuse_op(L, name, "{combine = \"a + b\"}", &err);
    return op;
}

/* a:reduce(op [, options]), a:reduce({op, ...} [, options]), a:reduce{map =, combine =, identity =, ...} */
int array_reduce(lua_State *L)
{
    lun_reduce_op ops[REDUCE_LIST];
    if (lua_type(L, 2) != LUA_TTABLE) {
        if (lua_type(L, 2) != LUA_TSTRING)
            check_refuse(L, 2, "the name of an op or a list of them");
        ops[0] = check_op(L, check_string(L, 2, "the name of an op"));
        return reduce(L, 1, ops, 3, 0);
    }
    size_t count = lua_rawlen(L, 2);
    if (count == 0 && options_named(L, 2))
        return reduce(L, 0, ops, 3, 2);
    if (count == 0 || count > REDUCE_LIST)
        misuse(L, "the list has %I ops; from 1 to %d are wanted", (LUAI_UACINT)count, REDUCE_LIST);
    for (int i = 0; i < (int)count; i++) {
        if (lua_rawgeti(L, 2, i + 1) != LUA_TSTRING)
            misuse(L, "op %d of the list is %s; a name is wanted", i + 1, object_kind(L, -1));
        const char *what = lua_pushfstring(L, "op %d of the list", i + 1);
        ops[i] = check_op(L, check_text(L, -2, what));
        lua_pop(L, 2);
    }
    return reduce(L, (int)count, ops, 3, 2);
}

int array_reduce_by_name(lua_State *L)
{
    lun_reduce_op op = (lun_reduce_op)lua_tointeger(L, UP_NUMBER);
    return reduce(L, 1, &op, 2, 0);
}

/* a:median([options]) */
int array_median(lua_State *L)
{
    const lun_reduce_op op = LUN_REDUCE_median;
    return reduce(L, 1, &op, 2, 0);
}

/* a:quantile(q [, options]): q is a number, or a list of them; the results then have an axis for the list. */
int array_quantile(lua_State *L)
{
    options o;
    lun_reduction reduction = {0};
    const lun_reduce_op op = LUN_REDUCE_quantile;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "quantile", 3, 0);
    if (lua_isnone(L, 2))
        check_refuse(L, 2, QUANTILES_WANTED);
    read_quantiles(L, &reduction, 2, check_place(L, 2));
    return reduce_by(L, array, &reduction, 1, &op, &o);
}
