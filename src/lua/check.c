/* Checks of arguments; messages say what was passed, what is needed, and where. */
#include "check.h"
#include "call.h"

#include <math.h>
#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------------ */

int check_number_of(lua_State *L, int index) { return index - ((lua_tointeger(L, UP_NUMBER) & NUMBER_FUNCTION) == 0); }

const char *check_place(lua_State *L, int index)
{
    const int number = check_number_of(L, index);
    return number == 0 ? lua_pushliteral(L, "self") : lua_pushfstring(L, "argument %d", number);
}

void check_refuse(lua_State *L, int index, const char *wanted)
{
    const char *came = object_kind(L, index);
    if (check_number_of(L, index) == 0)
        misuse(L, "self: %s is needed, got %s; is it called with a colon?", wanted, came);
    const char *hint = strstr(wanted, "an array") != NULL ? object_hint(L, index) : NULL;
    misuse(L, "%s: %s is needed, got %s%s%s", check_place(L, index), wanted, came, hint != NULL ? "; " : "",
           hint != NULL ? hint : "");
}

void check_end(lua_State *L, int last)
{
    for (int index = last + 1; index <= lua_gettop(L); index++) {
        if (lua_isnil(L, index))
            continue;
        if (last == 1)
            check_refuse(L, index, "no argument");
        check_refuse(L, index, lua_pushfstring(L, "nothing after argument %d", last - 1));
    }
}

void check_given(lua_State *L, int index, const char *wanted)
{
    if (lua_isnil(L, index))
        check_refuse(L, index, wanted);
}

void check_function(lua_State *L, int most)
{
    lua_pushnil(L);
    lua_insert(L, 1);
    check_end(L, 1 + most);
}

lun_device *check_device(lua_State *L, int index)
{
    return ((device_object *)check_object(L, index, CLASS_DEVICE))->device;
}

lun_device *check_device_or_default(lua_State *L)
{
    if (lua_tointeger(L, UP_NUMBER) != 0) {
        device_push_default(L);
        lua_insert(L, 1);
    }
    return check_device(L, 1);
}

const char *check_string(lua_State *L, int index, const char *wanted)
{
    if (lua_type(L, index) != LUA_TSTRING)
        check_refuse(L, index, wanted);
    const char *text = check_text(L, index, check_place(L, index));
    lua_pop(L, 1); /* the place */
    return text;
}

const char *check_text(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TSTRING)
        misuse(L, "%s: a string is needed, got %s", what, object_kind(L, index));
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

/* Negative seconds count as 0: a time that the caller computed may have passed. */
double check_seconds(lua_State *L, int index, double missing)
{
    static const char wanted[] = "a number of seconds";
    if (lua_isnoneornil(L, index))
        return missing;
    if (lua_type(L, index) != LUA_TNUMBER)
        check_refuse(L, index, wanted);
    double seconds = lua_tonumber(L, index);
    if (isnan(seconds))
        misuse(L, "%s: %s is needed, got nan", check_place(L, index), wanted);
    return seconds < 0 ? 0 : isinf(seconds) ? -1 : seconds;
}

/* ---- numbers -------------------------------------------------------------------------------------- */

void number_push(lua_State *L, lun_number number)
{
    if (number.is_truth)
        lua_pushboolean(L, number.integer != 0);
    else if (number.is_complex)
        complex_push(L, number.real, number.imaginary);
    else if (number.is_integer)
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
        return lun_integer(lua_tointeger(L, index));
    if (lua_type(L, index) != LUA_TNUMBER)
        check_refuse(L, index, "a number");
    return lun_real(lua_tonumber(L, index));
}

bool scalar_test(lua_State *L, int index, lun_number *out)
{
    const complex_object *z;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        *out = check_number(L, index);
        return true;
    case LUA_TBOOLEAN:
        *out = lun_truth(lua_toboolean(L, index));
        return true;
    case LUA_TUSERDATA:
        z = object_test(L, index, CLASS_COMPLEX);
        *out = z != NULL ? lun_complex(z->real, z->imaginary) : (lun_number){0};
        return z != NULL;
    default:
        return false;
    }
}

bool traced_number(lua_State *L, int index, lun_number *out)
{
    if (lua_type(L, index) != LUA_TTABLE || luaL_getmetafield(L, index, FUSED) == LUA_TNIL)
        return false;
    lua_rawgeti(L, index, 1);
    lua_rawgeti(L, index, 2);
    const bool is = scalar_test(L, lua_gettop(L) - 1, out);
    out->argument = (uint16_t)lua_tointeger(L, -1);
    lua_rawgeti(L, index, 3);
    lua_getiuservalue(L, UP_BINDING, SLOT_TRACE);
    if (!binding_of(L)->traced || !lua_rawequal(L, -1, -2))
        misuse(L, "a number of a fused function is used after the function has returned, or in another one");
    lua_pop(L, 5);
    return is;
}

lun_number check_scalar(lua_State *L, int index)
{
    lun_number number;
    if (!scalar_test(L, index, &number))
        check_refuse(L, index, "a number");
    return number;
}

lua_Integer check_integer(lua_State *L, int index)
{
    lua_Integer value = 0;
    if (!number_integral(L, index, &value)) {
        if (lua_type(L, index) == LUA_TNUMBER)
            misuse(L, "%s: a whole number is needed, got %s", check_place(L, index), number_text(L, index));
        check_refuse(L, index, "a whole number");
    }
    return value;
}

/* ---- lists ---------------------------------------------------------------------------------------- */

/* Has the table elements or a length of its own making? */
static bool is_proxy(lua_State *L, int index)
{
    if (luaL_getmetafield(L, index, "__index") == LUA_TNIL && luaL_getmetafield(L, index, "__len") == LUA_TNIL)
        return false;
    lua_pop(L, 1);
    return true;
}

/* Pushes the next key behind the one on the top, in its place, if there is one. [-1, +(0|1)] */
static bool next_key(lua_State *L, int index)
{
    if (lua_next(L, index) == 0)
        return false;
    lua_pop(L, 1);
    return true;
}

/* Is element `at` in the list (0: its start), and is element at + 1 the next key of lua_next? [-0, +0] */
static bool follows(lua_State *L, int index, size_t at)
{
    if (at == 0) {
        lua_pushnil(L);
    } else {
        bool there = lua_rawgeti(L, index, (lua_Integer)at) != LUA_TNIL; /* lua_next raises for other keys */
        lua_pop(L, 1);
        if (!there)
            return false;
        lua_pushinteger(L, (lua_Integer)at);
    }
    if (!next_key(L, index))
        return false;
    bool next = lua_isinteger(L, -1) && lua_tointeger(L, -1) == (lua_Integer)at + 1;
    lua_pop(L, 1);
    return next;
}

#define LAST 4 /* elements at the end of a list that in_order looks at */

/* Does lua_next find the elements in order at the places where Lua's array part may end: at powers of two, and at the
 * end of the list? [-0, +0] */
static bool in_order(lua_State *L, int index, size_t length)
{
    bool ordered = follows(L, index, 0);
    for (size_t at = 1; ordered && at < length; at *= 2)
        ordered = follows(L, index, at);
    for (size_t at = length - LAST; ordered && at < length; at++)
        ordered = follows(L, index, at);
    return ordered;
}

/* Pushes a key that is neither an element nor, where names are allowed, a name, if there is one. lua_next goes through a
 * table's array part first, in order, and then through all other keys. So a long list in order is taken to be in the array
 * part, and only keys behind its last element are looked at, unless an element is among them. [-0, +(0|1)] */
static bool push_odd_key(lua_State *L, int index, size_t length, bool names)
{
    bool behind = length > LIST_SHORT && in_order(L, index, length);
    if (behind)
        lua_pushinteger(L, (lua_Integer)length);
    else
        lua_pushnil(L);
    while (next_key(L, index)) {
        bool element = lua_isinteger(L, -1) && (lua_Unsigned)lua_tointeger(L, -1) - 1 < length;
        if (element && behind) {
            behind = false; /* the list is not in the array part: look from its start */
            lua_pop(L, 1);
            lua_pushnil(L);
        } else if (!element && !(names && lua_type(L, -1) == LUA_TSTRING)) {
            return true;
        }
    }
    return false;
}

const char *list_push_odd(lua_State *L, int index, bool names)
{
    index = lua_absindex(L, index);
    size_t length = lua_rawlen(L, index);
    if (is_proxy(L, index) || !push_odd_key(L, index, length, names))
        return NULL;
    const char *quote = lua_type(L, -1) == LUA_TSTRING ? "'" : "", *key = value_text(L, -1);
    if (length == 0)
        return lua_pushfstring(L, "the key %s%s%s; elements are stored from 1 on", quote, key, quote);
    return lua_pushfstring(L, "the key %s%s%s; elements are stored at 1 to %I", quote, key, quote, (LUAI_UACINT)length);
}

void check_list(lua_State *L, int index, const char *option)
{
    const char *odd = object_is_table(L, index) ? list_push_odd(L, index, false) : NULL;
    if (odd != NULL && option != NULL)
        misuse(L, "option '%s': the table has %s", option, odd);
    if (odd != NULL)
        misuse(L, "%s: the table has %s", check_place(L, index), odd);
}
