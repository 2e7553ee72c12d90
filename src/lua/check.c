/* Arguments: what came, what is wanted, and in which place. */
#include "check.h"
#include "call.h"

#include <math.h>
#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------------ */

const char *check_place(lua_State *L, int index)
{
    return index == 1 ? lua_pushliteral(L, "self") : lua_pushfstring(L, "argument %d", index - 1);
}

void check_refuse(lua_State *L, int index, const char *wanted)
{
    const char *came = object_kind(L, index);
    if (index == 1)
        misuse(L, "self: %s is wanted, got %s; is it called with a colon?", wanted, came);
    misuse(L, "%s: %s is wanted, got %s", check_place(L, index), wanted, came);
}

lun_array *check_array(lua_State *L, int index)
{
    lun_array *array = object_test(L, index, CLASS_ARRAY);
    if (array == NULL)
        check_refuse(L, index, "an array");
    if (!lun_array_is_live(array))
        misuse(L, "%s: the array was released", check_place(L, index));
    return array;
}

lun_device *check_device(lua_State *L, int index)
{
    device_object *object = object_test(L, index, CLASS_DEVICE);
    if (object == NULL)
        check_refuse(L, index, "a device");
    if (object->device == NULL)
        misuse(L, "the Lua state is closing");
    return object->device;
}

event_object *check_event(lua_State *L, int index)
{
    event_object *event = object_test(L, index, CLASS_EVENT);
    if (event == NULL)
        check_refuse(L, index, "an event");
    if (!event->live)
        misuse(L, "%s: the event was released", check_place(L, index));
    return event;
}

const char *check_string(lua_State *L, int index)
{
    if (lua_type(L, index) != LUA_TSTRING)
        check_refuse(L, index, "a string");
    const char *text = check_text(L, index, check_place(L, index));
    lua_pop(L, 1); /* the place */
    return text;
}

const char *check_text(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TSTRING)
        misuse(L, "%s: a string is wanted, got %s", what, object_kind(L, index));
    if (strlen(lua_tostring(L, index)) != lua_rawlen(L, index))
        misuse(L, "%s: the string has a zero byte", what);
    return lua_tostring(L, index);
}

lun_dtype check_dtype(lua_State *L, const char *name)
{
    lun_dtype dtype;
    lun_error err;
    if (lun_dtype_find(&dtype, name, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return dtype;
}

double check_seconds(lua_State *L, int index, double missing)
{
    if (lua_isnoneornil(L, index))
        return missing;
    if (lua_type(L, index) != LUA_TNUMBER)
        check_refuse(L, index, "a number of seconds");
    double seconds = lua_tonumber(L, index);
    if (isnan(seconds))
        misuse(L, "%s: a number of seconds is wanted, got nan", check_place(L, index));
    return seconds < 0 ? 0 : isinf(seconds) ? -1 : seconds;
}

/* ---- numbers -------------------------------------------------------------------------------------- */

lun_number number_integer(lua_Integer value)
{
    return (lun_number){.is_integer = true, .integer = value, .real = (double)value};
}

lun_number number_real(double value) { return (lun_number){.is_integer = false, .real = value}; }

void number_push(lua_State *L, lun_number number)
{
    if (number.is_integer)
        lua_pushinteger(L, number.integer);
    else
        lua_pushnumber(L, number.real);
}

bool number_integral(lua_State *L, int index, lua_Integer *out)
{
    int integral = 0;
    if (lua_type(L, index) == LUA_TNUMBER)
        *out = lua_tointegerx(L, index, &integral);
    return integral != 0;
}

lun_number check_number(lua_State *L, int index)
{
    if (lua_isinteger(L, index))
        return number_integer(lua_tointeger(L, index));
    if (lua_type(L, index) != LUA_TNUMBER)
        check_refuse(L, index, "a number");
    return number_real(lua_tonumber(L, index));
}

const char *number_text(lua_State *L, int index)
{
    if (lua_isinteger(L, index))
        return lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
    return lua_pushfstring(L, "%f", lun_number_shown(lua_tonumber(L, index)));
}

lua_Integer check_integer(lua_State *L, int index)
{
    lua_Integer value = 0;
    if (!number_integral(L, index, &value)) {
        if (lua_type(L, index) == LUA_TNUMBER)
            misuse(L, "%s: a whole number is wanted, got %s", check_place(L, index), number_text(L, index));
        check_refuse(L, index, "a whole number");
    }
    return value;
}

/* ---- shapes and axes ------------------------------------------------------------------------------ */

size_t check_size(lua_State *L, int index, const char *what, int position)
{
    lua_Integer size = 0;
    if (!number_integral(L, index, &size)) {
        if (lua_type(L, index) == LUA_TNUMBER)
            misuse(L, "%s %d is %s; sizes are whole numbers from 0", what, position, number_text(L, index));
        misuse(L, "%s %d is %s; sizes are whole numbers from 0", what, position, object_kind(L, index));
    }
    if (size < 0)
        misuse(L, "%s %d is %I; sizes are whole numbers from 0", what, position, (LUAI_UACINT)size);
    return (size_t)size;
}

int check_shape(lua_State *L, int index, size_t *shape)
{
    lua_Integer single;
    if (number_integral(L, index, &single)) { /* a number stands for a list of one */
        shape[0] = check_size(L, index, "size", 1);
        return 1;
    }
    if (lua_type(L, index) == LUA_TNUMBER)
        misuse(L, "%s: a whole number or a list of sizes is wanted, got %s", check_place(L, index),
               number_text(L, index));
    if (lua_type(L, index) == LUA_TSTRING)
        misuse(L, "%s: a whole number or a list of sizes is wanted, got the string \"%s\"", check_place(L, index),
               lua_tostring(L, index));
    if (lua_type(L, index) != LUA_TTABLE)
        check_refuse(L, index, "a whole number or a list of sizes");
    size_t count = lua_rawlen(L, index);
    if (count > LUN_MAX_AXES)
        misuse(L, "the shape has %d sizes; an array has at most %d axes", (int)count, LUN_MAX_AXES);
    for (int i = 0; i < (int)count; i++) {
        lua_rawgeti(L, index, i + 1);
        shape[i] = check_size(L, -1, "size", i + 1);
        lua_pop(L, 1);
    }
    return (int)count;
}

int check_axis(lua_State *L, int index, const lun_array *array)
{
    char shape[128];
    lua_Integer axis = 0;
    if (!number_integral(L, index, &axis))
        misuse(L, "axis: a whole number or a list of them is wanted, got %s",
               lua_type(L, index) == LUA_TNUMBER ? number_text(L, index) : object_kind(L, index));
    lua_Integer from_zero = axis < 0 ? axis + array->ndim : axis - 1;
    if (array->ndim == 0)
        misuse(L, "axis %I is out of range: the array has no axes", (LUAI_UACINT)axis);
    if (axis == 0 || from_zero < 0 || from_zero >= array->ndim)
        misuse(L, "axis %I is out of range: the array has %d %s (%s)", (LUAI_UACINT)axis, array->ndim,
               array->ndim == 1 ? "axis" : "axes", lun_shape_text(shape, sizeof shape, array->ndim, array->shape));
    return (int)from_zero;
}

void check_axes(lua_State *L, int index, const lun_array *array, bool *named)
{
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) {
        named[check_axis(L, index, array)] = true;
        return;
    }
    size_t count = lua_rawlen(L, index);
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        int axis = check_axis(L, -1, array);
        lua_pop(L, 1);
        if (named[axis])
            misuse(L, "axis %d is named twice", axis + 1);
        named[axis] = true;
    }
}
