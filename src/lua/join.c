/* Arranging into new arrays: joining, tiling, rolling, padding, diagonals and triangles. */
#include "arrange.h"
#include "call.h"
#include "check.h"
#include "task.h"

/* ---- joining ---------------------------------------------------------------------------------------- */

/* Reads the arrays of the list at index 2: pushes a block of pointers to them, and a table that keeps them. [-0, +2] */
static const lun_array **check_arrays(lua_State *L, size_t *count)
{
    *count = lua_rawlen(L, 2);
    if (*count == 0)
        misuse(L, "the list has no array; there is nothing to join");
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    const lun_array **arrays = lua_newuserdatauv(L, *count * sizeof *arrays, 0);
    lua_createtable(L, *count < INT32_MAX ? (int)*count : 0, 0);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        arrays[i] = object_test(L, -1, CLASS_ARRAY);
        if (arrays[i] == NULL)
            misuse(L, "element %d of the list: an array is wanted, got %s", (int)i + 1, object_kind(L, -1));
        if (!lun_array_is_live(arrays[i]))
            misuse(L, "element %d of the list: the array was released", (int)i + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return arrays;
}

typedef lun_status result_function(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays,
                                   size_t count, int axis, lun_error *err);
typedef lun_status join_function(const lun_array *out, const lun_array *const *arrays, size_t count, int axis,
                                 const lun_call *call, lun_error *err);

/* lun.concat(list [, axis] [, options]) and lun.stack, whose axis is a new one. */
static int join(lua_State *L, const char *method, bool new_axis, result_function *result, join_function *run)
{
    options o;
    task t;
    lun_attempt tried;
    lun_dtype dtype;
    int ndim, axis = 0, axes[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES], count;
    check_function(L, 3);
    if (lua_type(L, 2) != LUA_TTABLE)
        check_refuse(L, 2, "a list of arrays");
    const int named = options_read_axis(L, &o, method, 3, 2);
    const lun_array **arrays = check_arrays(L, &count);
    if (named != 0 && new_axis) {
        const int of_result = arrange_axes(L, named, arrays[0]->ndim, true, axes);
        if (of_result != 1)
            misuse(L, "arrays are stacked along one axis, and %d are named", of_result);
        axis = axes[0];
    } else if (named != 0) {
        axis = check_axis(L, named, arrays[0]);
    }
    task_begin(L, &t, &o, arrays[0]->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    if (result(&dtype, &ndim, shape, arrays, count, axis, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = run(out, arrays, count, axis, &t.call, &tried.err);
    return task_give(L, &t);
}

static int module_concat(lua_State *L) { return join(L, "concat", false, lun_concat_result, lun_concat); }

static int module_stack(lua_State *L) { return join(L, "stack", true, lun_stack_result, lun_stack); }

/* ---- tiling ----------------------------------------------------------------------------------------- */

/* a:tile(times, ... [, options]), or a list of times */
static int array_tile(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    int ndim, behind;
    size_t times[LUN_MAX_AXES], shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    if (lua_isnoneornil(L, 2))
        check_refuse(L, 2, "a whole number or a list of them");
    const int count = arrange_sizes(L, 2, "repetition", times, &behind);
    options_read(L, &o, "tile", behind, lua_type(L, 2) == LUA_TTABLE ? 2 : 0);
    task_begin(L, &t, &o, array->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    if (lun_tile_result(&ndim, shape, array, count, times, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, array->dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_tile(out, array, count, times, &t.call, &tried.err);
    return task_give(L, &t);
}

/* ---- rolling ---------------------------------------------------------------------------------------- */

/* The shift at `position` of the list at index 2, or the number there, which is for all axes. [-0, +0] */
static int64_t check_shift(lua_State *L, int position)
{
    lua_Integer shift = 0;
    if (lua_type(L, 2) != LUA_TTABLE)
        return check_integer(L, 2);
    lua_rawgeti(L, 2, position);
    if (!number_integral(L, -1, &shift))
        misuse(L, "shift %d is %s; a whole number is wanted", position,
               lua_type(L, -1) == LUA_TNUMBER ? number_text(L, -1) : object_kind(L, -1));
    lua_pop(L, 1);
    return shift;
}

/* Reads the shift of each of the axes that stand at `named`. */
static void check_shifts(lua_State *L, int named, const lun_array *array, int64_t *shifts)
{
    int axes[LUN_MAX_AXES];
    const int count = arrange_axes(L, named, array->ndim, false, axes);
    if (lua_type(L, 2) == LUA_TTABLE && (int)lua_rawlen(L, 2) != count)
        misuse(L, "the number of shifts is %d, and that of axes %d", (int)lua_rawlen(L, 2), count);
    for (int i = 0; i < count; i++)
        shifts[axes[i]] = check_shift(L, i + 1);
}

/* a:roll(shift [, axis] [, options]) */
static int array_roll(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    int64_t shifts[LUN_MAX_AXES] = {0}, flat = 0;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    const int named = options_read_axis(L, &o, "roll", 3, lua_type(L, 2) == LUA_TTABLE ? 2 : 0);
    if (named == 0 && lua_type(L, 2) == LUA_TTABLE)
        misuse(L, "a list of shifts goes with a list of axes");
    if (named != 0)
        check_shifts(L, named, array, shifts);
    else
        flat = check_integer(L, 2);
    task_begin(L, &t, &o, array->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    for (int i = 0; i < array->ndim; i++)
        shape[i] = array->shape[i];
    task_make(L, &t, array->dtype, array->ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = named != 0 ? lun_roll(out, array, shifts, &t.call, &tried.err)
                                  : lun_roll_flat(out, array, flat, &t.call, &tried.err);
    return task_give(L, &t);
}

/* ---- padding ---------------------------------------------------------------------------------------- */

/* The widths before and behind an axis: the pair on the top. [-0, +0] */
static void check_pair(lua_State *L, int position, size_t *before, size_t *after)
{
    int behind;
    size_t pair[LUN_MAX_AXES];
    const int index = lua_gettop(L);
    if (lua_type(L, index) != LUA_TTABLE)
        misuse(L, "pair %d is %s; {before, after} is wanted", position, object_kind(L, index));
    const char *odd = list_push_odd(L, index, false);
    if (odd != NULL)
        misuse(L, "pair %d has %s", position, odd);
    if (lua_rawlen(L, index) != 2)
        misuse(L, "pair %d has length %d; {before, after} is wanted", position, (int)lua_rawlen(L, index));
    arrange_sizes(L, index, lua_pushfstring(L, "pair %d: width", position), pair, &behind);
    lua_settop(L, index);
    *before = pair[0];
    *after = pair[1];
}

static void check_widths(lua_State *L, const lun_array *array, lun_padding *padding)
{
    if (lua_type(L, 2) != LUA_TTABLE) { /* one width for all axes, before and behind */
        const lua_Integer width = lua_type(L, 2) == LUA_TNUMBER ? check_integer(L, 2) : -1;
        if (lua_type(L, 2) != LUA_TNUMBER)
            check_refuse(L, 2, "a list of {before, after} or one width");
        if (width < 0)
            misuse(L, "the width is %I; a whole number from 0 is wanted", (LUAI_UACINT)width);
        for (int i = 0; i < array->ndim; i++)
            padding->before[i] = padding->after[i] = (size_t)width;
        return;
    }
    if ((int)lua_rawlen(L, 2) != array->ndim)
        misuse(L, "the number of pairs {before, after} is %d, and that of axes %d", (int)lua_rawlen(L, 2), array->ndim);
    for (int i = 0; i < array->ndim; i++) {
        lua_rawgeti(L, 2, i + 1);
        check_pair(L, i + 1, &padding->before[i], &padding->after[i]);
        lua_pop(L, 1);
    }
}

/* a:pad({{before, after}, ...} [, options]): the options may stand beside the pairs */
static int array_pad(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_padding padding = {.mode = LUN_PAD_CONSTANT, .value = lun_integer(0)};
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "pad", 3, lua_type(L, 2) == LUA_TTABLE ? 2 : 0);
    check_widths(L, array, &padding);
    const char *mode = option_text(L, &o, "mode");
    if (mode != NULL && lun_pad_mode_find(&padding.mode, mode, &tried.err) != LUN_OK)
        call_raise(L, array->device, &tried.err);
    if (option_number(L, &o, "value", &padding.value) && padding.mode != LUN_PAD_CONSTANT)
        misuse(L, "value goes with mode \"constant\", not with \"%s\"", mode);
    task_begin(L, &t, &o, array->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    if (lun_pad_result(shape, array, &padding, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, array->dtype, array->ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_pad(out, array, &padding, &t.call, &tried.err);
    return task_give(L, &t);
}

/* ---- diagonals and triangles ------------------------------------------------------------------------ */

/* Reads ([k] [, options]): which diagonal, 0 where it is left out. */
static int64_t read_diagonal(lua_State *L, const char *method, options *o)
{
    options_read(L, o, method, arrange_options(L, 2), 0);
    return lua_isnoneornil(L, 2) || o->table == 2 ? 0 : check_integer(L, 2);
}

/* a:diag([k] [, options]): a view of a matrix's diagonal, or a new matrix that has the vector as its diagonal. */
static int array_diag(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    size_t shape[2];
    const lun_array *array = check_array(L, 1);
    const int64_t k = read_diagonal(L, "diag", &o);
    if (array->ndim != 1 && array->ndim != 2)
        misuse(L, "a vector or a matrix is wanted; this array has %d axes", array->ndim);
    if (array->ndim == 2) {
        if (o.table != 0 && options_named(L, o.table))
            misuse(L, "the diagonal of a matrix is a view, which takes no options");
        lun_array *view = view_push(L);
        if (lun_array_diagonal(view, array, k, &tried.err) != LUN_OK)
            call_raise(L, array->device, &tried.err);
        return 1;
    }
    task_begin(L, &t, &o, array->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    if (lun_diagonal_matrix_result(shape, array, k, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, array->dtype, 2, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_diagonal_matrix(out, array, k, &t.call, &tried.err);
    return task_give(L, &t);
}

static int give_triangle(lua_State *L, const char *method, bool upper)
{
    options o;
    task t;
    lun_attempt tried;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    const int64_t k = read_diagonal(L, method, &o);
    if (array->ndim < 2)
        misuse(L, "an array with 2 axes or more is wanted; this one has %d", array->ndim);
    task_begin(L, &t, &o, array->device, 1);
    const lun_array *out = task_out(L, &t, &o);
    for (int i = 0; i < array->ndim; i++)
        shape[i] = array->shape[i];
    task_make(L, &t, array->dtype, array->ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_triangle(out, array, upper, k, &t.call, &tried.err);
    return task_give(L, &t);
}

static int array_tril(lua_State *L) { return give_triangle(L, "tril", false); }

static int array_triu(lua_State *L) { return give_triangle(L, "triu", true); }

const luaL_Reg join_methods[] = {
    {"tile", array_tile}, {"roll", array_roll}, {"pad", array_pad}, {"diag", array_diag},
    {"tril", array_tril}, {"triu", array_triu}, {NULL, NULL},
};

const luaL_Reg join_functions[] = {
    {"concat", module_concat},
    {"stack", module_stack},
    {NULL, NULL},
};
