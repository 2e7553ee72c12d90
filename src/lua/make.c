/* Makers: new arrays from Lua's data, from constants and from files. */
#include "make.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "transfer.h"

#include <string.h>

#define DTYPE_WANTED "a dtype (a string, as \"f64\") or a table of options"

/* ---- what all makers do ----------------------------------------------------------------------------- */

void maker_begin(lua_State *L, maker *m, const char *method)
{
    *m = (maker){.method = method};
    m->device = check_device_or_default(L);
}

void maker_options(lua_State *L, maker *m, int index, int list, lun_dtype missing)
{
    options_read(L, &m->options, m->method, index, list);
    const char *name = option_text(L, &m->options, "dtype");
    if (name != NULL && m->dtype_name != NULL)
        misuse(L, "the dtype is given twice: \"%s\" and the option \"%s\"", m->dtype_name, name);
    if (name != NULL)
        m->dtype_name = name;
    m->dtype = m->dtype_name != NULL ? check_dtype(L, m->dtype_name) : missing;
}

/* Pushes arguments as they are written: "3, 3". They are numbers. [-0, +1] */
static const char *push_written(lua_State *L, int first, int count)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = first; i < first + count; i++) {
        luaL_addstring(&text, i > first ? ", " : "");
        number_text(L, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

/* How many numbers stand there, one behind the other. */
static int count_numbers(lua_State *L, int first)
{
    int count = 0;
    while (lua_type(L, first + count) == LUA_TNUMBER)
        count++;
    return count;
}

void maker_create(lua_State *L, maker *m, int ndim, const size_t *shape)
{
    task_begin(L, &m->task, &m->options, m->device, 1);
    m->out = task_out(L, &m->task, &m->options);
    task_make(L, &m->task, m->dtype, ndim, shape);
}

int maker_give(lua_State *L, const maker *m) { return task_give(L, &m->task); }

/* ---- from data --------------------------------------------------------------------------------------- */

/* The product of the sizes, or SIZE_MAX when it is larger than that. */
static size_t count_elements(int ndim, const size_t *shape)
{
    size_t count = 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] != 0 && count > SIZE_MAX / shape[i])
            return SIZE_MAX;
        count *= shape[i];
    }
    return count;
}

/* Data with `count` elements has to fit the shape. */
static void check_count(lua_State *L, int ndim, const size_t *shape, size_t count)
{
    char text[128];
    size_t wanted = count_elements(ndim, shape);
    if (wanted != count)
        misuse(L, "the shape %s has %I elements, the data %I", lun_shape_text(text, sizeof text, ndim, shape),
               (LUAI_UACINT)wanted, (LUAI_UACINT)count);
}

static int array_from_table(lua_State *L, maker *m, int ndim, const size_t *shape)
{
    size_t nested[LUN_MAX_AXES];
    int depth = convert_shape(L, 2, nested);
    if (ndim >= 0)
        check_count(L, ndim, shape, count_elements(depth, nested));
    maker_create(L, m, ndim >= 0 ? ndim : depth, ndim >= 0 ? shape : nested);
    transfer_write_table(L, m->out, 2, depth, nested, &m->task.call);
    return maker_give(L, m);
}

static int array_from_string(lua_State *L, maker *m, int ndim, size_t *shape)
{
    size_t length = lua_rawlen(L, 2), bytes = lun_dtype_bytes(m->dtype);
    if (ndim >= 0) {
        transfer_check_string(L, length, m->dtype, ndim, shape);
    } else {
        if (length % bytes != 0)
            misuse(L, "the string has %I bytes, no multiple of the %I of %s", (LUAI_UACINT)length, (LUAI_UACINT)bytes,
                   lun_dtype_name(m->dtype));
        ndim = 1;
        shape[0] = length / bytes;
    }
    maker_create(L, m, ndim, shape);
    transfer_write_string(L, m->out, 2, &m->task.call);
    return maker_give(L, m);
}

static int array_from_array(lua_State *L, maker *m, int ndim, const size_t *shape)
{
    const lun_array *in = check_array(L, 2);
    const lun_array *target;
    if (ndim >= 0)
        check_count(L, ndim, shape, in->size);
    maker_create(L, m, ndim >= 0 ? ndim : in->ndim, ndim >= 0 ? shape : in->shape);
    target = m->out;
    if (ndim >= 0) { /* copied through a view that has the source's shape */
        lun_error err;
        lun_array *view = array_push_private(L);
        if (lun_array_reshape(view, m->out, in->ndim, in->shape, &err) != LUN_OK)
            call_raise(L, m->device, &err);
        target = view;
    }
    transfer_copy(L, target, in, &m->task.call);
    return maker_give(L, m);
}

/* Raises for sizes in the dtype's place: array(1, 2, 3), array(t, 3, 4), array(t, {3, 4}). */
static void check_no_shape(lua_State *L)
{
    const int count = count_numbers(L, 2);
    if (count > 1)
        misuse(L, "elements stand in a table: array{%s}", push_written(L, 2, count));
    if (lua_type(L, 3) == LUA_TNUMBER || (lua_type(L, 3) == LUA_TTABLE && lua_rawlen(L, 3) > 0))
        misuse(L,
               "argument 2 is the dtype; sizes stand behind it, array(data, \"f32\", {2, 3}), or in the option shape");
}

/* dev:array(data [, dtype [, shape]] [, options]) */
static int make_array(lua_State *L)
{
    maker m;
    size_t shape[LUN_MAX_AXES];
    int index = 3, ndim = -1;
    maker_begin(L, &m, "array");
    check_no_shape(L);
    check_given(L, index, DTYPE_WANTED);
    if (lua_type(L, index) == LUA_TSTRING)
        m.dtype_name = check_string(L, index++, "a dtype");
    else if (lua_isnil(L, index))
        index++;
    bool sizes = lua_type(L, index) == LUA_TTABLE && !options_named(L, index);
    if (index == 4 && (sizes || lua_type(L, index) == LUA_TNUMBER)) {
        check_list(L, index, NULL, false);
        ndim = check_shape(L, index++, shape);
    }
    const lun_array *source = object_test(L, 2, CLASS_ARRAY);
    maker_options(L, &m, index, 2, source != NULL ? source->dtype : LUN_f32);
    if (option_push(L, &m.options, "shape") != 0) {
        if (ndim >= 0)
            misuse(L, "the shape is given twice");
        check_list(L, lua_gettop(L), "shape", false);
        ndim = check_shape(L, lua_gettop(L), shape);
    }
    if (source != NULL)
        return array_from_array(L, &m, ndim, shape);
    switch (lua_type(L, 2)) {
    case LUA_TSTRING:
        return array_from_string(L, &m, ndim, shape);
    case LUA_TTABLE:
    case LUA_TNUMBER:
        return array_from_table(L, &m, ndim, shape);
    default:
        check_refuse(L, 2, "a table, a string of bytes, a number or an array");
    }
}

const luaL_Reg make_methods[] = {{"array", make_array}, {NULL, NULL}};
