/* The operations: reductions, transposes, products and gravity. */
#include "call.h"
#include "check.h"
#include "task.h"
#include "view.h"

#include <string.h>

/* ---- reduce ------------------------------------------------------------------------------------------- */

#define REDUCE_LIST LUN_REDUCE_NUMBERS /* ops in one list */

/* Pushes the results over all axes, where they are there in a moment; else returns false. */
static bool reduce_at_once(lua_State *L, const lun_array *array, const lun_reduction *reduction, int count,
                           const lun_reduce_op *ops, const lun_call *call)
{
    lun_number numbers[REDUCE_LIST];
    attempt tried = {0};
    bool sound;
    if (!lun_reduce_is_quick(array, call))
        return false;
    while (lun_reduce_numbers(&sound, numbers, array, reduction, ops, (size_t)count, call, &tried.err) != LUN_OK)
        call_failed(L, array->device, &tried);
    for (int i = 0; i < count && sound; i++)
        number_push(L, numbers[i]);
    return sound;
}

/* Reduces self by each op; options stand at `index`, or beside the list of ops at `list` (0: none). */
static int reduce(lua_State *L, int count, const lun_reduce_op *ops, int index, int list)
{
    options o;
    task t;
    attempt tried = {0};
    const lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    lun_reduction reduction = {0};

    options_read(L, &o, lua_tostring(L, UP_NAME), index, list);
    task_begin(L, &t, &o, device, count);
    reduction.accurate = option_boolean(L, &o, "accurate");
    bool keepdims = option_boolean(L, &o, "keepdims"), whole = true;
    lun_array *out = option_array(L, &o, "out");
    int first = lua_gettop(L) + (out == NULL); /* where the results start */
    if (out != NULL && count != 1)
        misuse(L, "out takes the result of one op, and there are %d", count);
    if (option_push(L, &o, "axis") != 0) {
        check_axes(L, -1, array, reduction.axis);
        lua_pop(L, 1);
    } else {
        for (int i = 0; i < array->ndim; i++)
            reduction.axis[i] = true;
    }
    for (int i = 0; i < array->ndim; i++)
        whole = whole && reduction.axis[i];
    bool numbers = whole && !keepdims && out == NULL;

    luaL_checkstack(L, 2 * count + LUA_MINSTACK, NULL);
    if (numbers && t.event == NULL) {
        call_begin(L, device, &t.call);
        if (reduce_at_once(L, array, &reduction, count, ops, &t.call))
            return count;
    }
    for (int i = 0; i < count && out == NULL; i++) {
        if (numbers)
            array_push_private(L);
        else
            array_push(L);
    }
    for (int i = 0; i < count; i++) {
        call_begin(L, device, &t.call);
        lun_array *result = lua_touserdata(L, first + i);
        reduction.op = ops[i];
        if (out == NULL) {
            lun_dtype dtype;
            int ndim;
            size_t shape[LUN_MAX_AXES];
            if (lun_reduce_result(&dtype, &ndim, shape, array, &reduction, keepdims, &tried.err) != LUN_OK)
                call_raise(L, device, &tried.err);
            task_create(L, result, device, dtype, ndim, shape);
        }
        while (lun_reduce(result, array, &reduction, &t.call, &tried.err) != LUN_OK)
            call_failed(L, device, &tried);
    }
    return numbers ? task_return_numbers(L, &t, first, count) : task_return(L, &t, first, count);
}

static lun_reduce_op check_op(lua_State *L, const char *name)
{
    lun_reduce_op op;
    lun_error err;
    if (lun_reduce_find(&op, name, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return op;
}

/* a:reduce(op [, options]), a:reduce({op, ...} [, options]) */
static int array_reduce(lua_State *L)
{
    lun_reduce_op ops[REDUCE_LIST];
    if (lua_type(L, 2) != LUA_TTABLE) {
        if (lua_type(L, 2) != LUA_TSTRING)
            check_refuse(L, 2, "the name of an op or a list of them");
        ops[0] = check_op(L, check_string(L, 2, "the name of an op"));
        return reduce(L, 1, ops, 3, 0);
    }
    size_t count = lua_rawlen(L, 2);
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

/* ---- transpose --------------------------------------------------------------------------------------- */

/* Reads a:transpose([perm] [, options]): the permutation as numbers, a list or nil; without any it may be
 * left out before the options. */
static void read_permutation(lua_State *L, const char *method, const lun_array *array, int *axes, options *o)
{
    int count = 0;
    while (lua_type(L, 2 + count) == LUA_TNUMBER)
        count++;
    view_permutation(L, 2, count, array, axes);
    if (count > 0)
        options_read(L, o, method, 2 + count, 0);
    else
        options_read(L, o, method, 3, 2);
}

static int array_transpose(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    int axes[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    read_permutation(L, "transpose", array, axes, &o);
    task_begin(L, &t, &o, device, 1);
    lun_array *out = option_array(L, &o, "out");
    bool given = out != NULL;
    if (!given)
        out = array_push(L);
    int result = lua_gettop(L);
    call_begin(L, device, &t.call);
    for (int i = 0; i < array->ndim; i++)
        shape[i] = array->shape[axes[i]];
    if (!given)
        task_create(L, out, device, array->dtype, array->ndim, shape);
    while (lun_transpose(out, array, axes, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return task_return(L, &t, result, 1);
}

static int array_transpose_(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    int axes[LUN_MAX_AXES];
    lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    read_permutation(L, "transpose_", array, axes, &o);
    task_begin(L, &t, &o, device, 1);
    call_begin(L, device, &t.call);
    while (lun_transpose_in_place(array, axes, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return task_return(L, &t, 1, 1);
}

/* ---- matmul ------------------------------------------------------------------------------------------ */

static int array_matmul(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *a = check_array(L, 1), *b = check_array(L, 2);
    lun_device *device = a->device;
    lun_number alpha = number_integer(1), beta = number_integer(0);
    options_read(L, &o, "matmul", 3, 0);
    option_number(L, &o, "alpha", &alpha);
    option_number(L, &o, "beta", &beta);
    task_begin(L, &t, &o, device, 1);
    lun_array *out = option_array(L, &o, "out");
    bool given = out != NULL;
    if (!given && beta.real != 0)
        misuse(L, "beta goes with out, and there is none");
    if (lun_matmul_result(&ndim, shape, a, b, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    if (!given)
        out = ndim == 0 ? array_push_private(L) : array_push(L);
    int result = lua_gettop(L);
    call_begin(L, device, &t.call);
    if (!given)
        task_create(L, out, device, a->dtype, ndim, shape);
    while (lun_matmul(out, a, b, alpha, beta, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    if (ndim == 0 && !given)
        return task_return_numbers(L, &t, result, 1);
    return task_return(L, &t, result, 1);
}

/* ---- gravity ----------------------------------------------------------------------------------------- */

static void read_gravity(lua_State *L, lun_gravity_options *gravity, const options *o)
{
    *gravity = (lun_gravity_options){
        .softening = option_real(L, o, "softening", 0),
        .G = option_real(L, o, "G", 1),
    };
}

static void drop_run(void *pointer) { lun_nbody_free(pointer); }

/* pos:nbody(vel, {dt, steps, softening, G, integrator}): advances both, returns pos. */
static int array_nbody(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1), *vel = check_array(L, 2);
    lun_device *device = pos->device;
    lun_number dt;
    options_read(L, &o, "nbody", 3, 0);
    read_gravity(L, &gravity, &o);
    if (!option_number(L, &o, "dt", &dt))
        misuse(L, "the option dt (the time step) is missing");
    lua_Integer steps = option_integer(L, &o, "steps", 1);
    if (steps < 0)
        misuse(L, "option 'steps': a whole number from 0 is wanted, got %I", (LUAI_UACINT)steps);
    gravity.dt = dt.real;
    gravity.steps = (uint64_t)steps;
    gravity.integrator = option_text(L, &o, "integrator");
    task_begin(L, &t, &o, device, 1);
    holder_object *run = holder_push(L, drop_run);

    call_begin(L, device, &t.call);
    lun_nbody *started;
    while (lun_nbody_start(&started, pos, vel, &gravity, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    run->pointer = started;
    call_begin(L, device, &t.call);
    for (bool more = gravity.steps > 0; more; call_begin(L, device, &t.call))
        while (lun_nbody_advance(&more, started, &tried.err) != LUN_OK)
            call_failed(L, device, &tried);
    while (lun_nbody_finish(started, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    holder_drop(run);
    return task_return(L, &t, 1, 1);
}

/* pos:gravity{softening, G, out}: n x 4, acceleration and potential. */
static int array_gravity(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1);
    lun_device *device = pos->device;
    options_read(L, &o, "gravity", 2, 0);
    read_gravity(L, &gravity, &o);
    task_begin(L, &t, &o, device, 1);
    lun_array *out = option_array(L, &o, "out");
    bool given = out != NULL;
    if (!given)
        out = array_push(L);
    int result = lua_gettop(L);
    call_begin(L, device, &t.call);
    if (!given)
        task_create(L, out, device, pos->dtype, pos->ndim, pos->shape);
    while (lun_gravity(out, pos, &gravity, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return task_return(L, &t, result, 1);
}

/* pos:energy(vel, {softening, G}): the kinetic and the potential energy, two numbers. */
static int array_energy(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1), *vel = check_array(L, 2);
    lun_device *device = pos->device;
    options_read(L, &o, "energy", 3, 0);
    read_gravity(L, &gravity, &o);
    task_begin(L, &t, &o, device, 1);
    lun_array *out = array_push_private(L);
    int result = lua_gettop(L);
    call_begin(L, device, &t.call);
    task_create(L, out, device, pos->dtype, 1, (size_t[]){2});
    while (lun_energy(out, pos, vel, &gravity, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return task_return_numbers(L, &t, result, 1);
}

const luaL_Reg operation_methods[] = {
    {"reduce", array_reduce},         {"transpose", array_transpose},
    {"transpose_", array_transpose_}, {"matmul", array_matmul},
    {"nbody", array_nbody},           {"gravity", array_gravity},
    {"energy", array_energy},         {NULL, NULL},
};
