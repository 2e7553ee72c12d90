/* Lua's values as core takes them. */
#include "value.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "index.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void value_no_memory(lua_State *L)
{
    luaL_error(L, "not enough memory");
    abort(); /* luaL_error does not return */
}

#define VALUE_PARTS 3 /* of a range */

/* A copy of a text on the stack, for as long as the request lives. */
static const char *copy_text(lua_State *L, lun_request *r, const char *text)
{
    char *copy = lun_request_memory(r, strlen(text) + 1);
    if (copy == NULL)
        value_no_memory(L);
    return strcpy(copy, text);
}

/* A list without its elements, and what it has beside these. [-0, +0] */
static void begin_list(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    const int top = lua_gettop(L);
    *out = (lun_value){.kind = LUN_VALUE_LIST};
    const char *odd = list_push_odd(L, index, names);
    if (odd != NULL)
        out->list.odd = copy_text(L, r, odd);
    lua_settop(L, top);
}

void value_read_data(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    if (!object_is_table(L, index)) {
        value_read(L, out, r, index, names);
        return;
    }
    lun_number first;
    begin_list(L, out, r, index, names);
    r->data.ndim = convert_shape(L, index, r->data.shape, &first);
    r->data.dtype = lun_request_dtype(r, first);
}

static void read_value(lua_State *L, lun_value *out, lun_request *r, int index, bool names, int depth);

/* A list with its elements, within `depth` others. Metamethods of the table are not asked. [-0, +n] */
static void read_list(lua_State *L, lun_value *out, lun_request *r, int index, bool names, int depth)
{
    const size_t count = lua_rawlen(L, index);
    if (depth == LUN_MAX_AXES) /* it may be within itself */
        misuse(L, "the table is nested deeper than %d lists", LUN_MAX_AXES);
    begin_list(L, out, r, index, names);
    out->list.count = count;
    out->list.items = lun_request_list(r, count);
    if (out->list.items == NULL && count > 0)
        value_no_memory(L);
    if (count > LIST_SHORT) /* a table keeps the objects, as the stack could not */
        lua_createtable(L, 0, 0);
    const int kept = lua_gettop(L);
    for (size_t i = 0; i < count; i++) {
        luaL_checkstack(L, LUA_MINSTACK, NULL);
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        const int type = lua_type(L, -1);
        read_value(L, &out->list.items[i], r, lua_gettop(L), false, depth + 1);
        if (type != LUA_TUSERDATA && type != LUA_TSTRING && type != LUA_TTABLE)
            lua_pop(L, 1);
        else if (count > LIST_SHORT && type != LUA_TTABLE)
            lua_rawseti(L, kept, (lua_Integer)i + 1);
    }
}

static void read_value(lua_State *L, lun_value *out, lun_request *r, int index, bool names, int depth)
{
    out->hint = NULL;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        out->kind = LUN_VALUE_NUMBER;
        out->number = lua_isinteger(L, index) ? lun_integer(lua_tointeger(L, index)) : lun_real(lua_tonumber(L, index));
        return;
    case LUA_TBOOLEAN:
        out->kind = LUN_VALUE_BOOLEAN;
        out->truth = lua_toboolean(L, index);
        return;
    case LUA_TSTRING:
        out->text = lua_tostring(L, index);
        out->length = lua_rawlen(L, index);
        out->kind = strlen(out->text) == out->length ? LUN_VALUE_TEXT : LUN_VALUE_CUT;
        return;
    case LUA_TFUNCTION:
        out->kind = LUN_VALUE_FUNCTION;
        out->function = (size_t)lua_absindex(L, index);
        return;
    case LUA_TTABLE:
        if (traced_number(L, index, &out->number)) {
            out->kind = out->number.is_complex ? LUN_VALUE_COMPLEX : LUN_VALUE_NUMBER;
            return;
        }
        if (!object_is_table(L, index))
            break;
        read_list(L, out, r, index, names, depth);
        return;
    case LUA_TUSERDATA:
        out->array = object_test(L, index, CLASS_ARRAY);
        out->kind = LUN_VALUE_ARRAY;
        if (out->array != NULL)
            return;
        out->kind = LUN_VALUE_COMPLEX;
        if (scalar_test(L, index, &out->number))
            return;
        out->sparse = object_test(L, index, CLASS_SPARSE);
        out->kind = LUN_VALUE_SPARSE;
        if (out->sparse != NULL) {
            out->hint = object_hint(L, index);
            return;
        }
        const device_object *device = object_test(L, index, CLASS_DEVICE);
        out->kind = LUN_VALUE_DEVICE;
        out->device = device != NULL ? device->device : NULL;
        if (out->device != NULL)
            return;
        const queue_object *queue = object_test(L, index, CLASS_QUEUE);
        out->kind = LUN_VALUE_QUEUE;
        out->queue = queue != NULL ? queue->queue : NULL;
        if (queue != NULL)
            return;
        break;
    }
    out->kind = LUN_VALUE_OTHER;
    out->text = object_kind(L, index);
    out->hint = object_hint(L, index); /* core asks for those of sparse matrices, and of what it does not know */
}

void value_read(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    read_value(L, out, r, index, names, 0);
}

/* A copy of the key at `index`, a name. What is none is said of the list. [-0, +0] */
static const char *copy_key(lua_State *L, lun_value *list, lun_request *r, int index)
{
    const int top = lua_gettop(L);
    const bool text = lua_type(L, index) == LUA_TSTRING;
    const char *shown = value_text(L, index), *copy = copy_text(L, r, shown);
    if (!text && list->list.odd == NULL)
        list->list.odd = copy_text(L, r, lua_pushfstring(L, "the key %s; names are strings", shown));
    else if (text && strlen(copy) != lua_rawlen(L, index))
        list->list.odd = copy_text(L, r, lua_pushfstring(L, "the name '%s...', which has a zero byte", copy));
    lua_settop(L, top);
    return copy;
}

bool value_read_named(lua_State *L, lun_value *out, lun_request *r, const lun_operand *row, int index)
{
    size_t count = 0, at = 0;
    const bool named = row->named && lua_rawlen(L, index) == 0 && options_named(L, index);
    if (row->kind != LUN_OPTION_NAMED && !named)
        return false;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        count++;
    const char **names = lun_request_memory(r, (count + 1) * sizeof *names);
    *out = (lun_value){.kind = LUN_VALUE_LIST, .list = {.count = count, .names = names}};
    out->list.items = lun_request_list(r, count + 1);
    if (names == NULL || out->list.items == NULL)
        value_no_memory(L);
    luaL_checkstack(L, (int)count + 2 * LUA_MINSTACK, NULL);
    for (lua_pushnil(L); at < count && lua_next(L, index) != 0; at++) {
        names[at] = copy_key(L, out, r, lua_gettop(L) - 1);
        lua_insert(L, -2); /* values stay below the key */
        const int key = lua_gettop(L);
        value_read(L, &out->list.items[at], r, key - 1, false);
        lua_settop(L, key);
    }
    out->list.count = at;
    return true;
}

/* A table {from, to, step}, of which parts may be missing, into as many zeroed values. [-0, +0] */
static void read_range(lua_State *L, lun_value *out, lun_request *r, int index, lun_value *parts)
{
    const int top = lua_gettop(L);
    out->kind = LUN_VALUE_LIST;
    out->list.items = parts;
    out->list.count = VALUE_PARTS;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_settop(L, top + 1)) {
        const lua_Integer part = lua_isinteger(L, top + 1) ? lua_tointeger(L, top + 1) : 0;
        if (part < 1 || part > VALUE_PARTS)
            out->list.odd = copy_text(L, r, value_text(L, top + 1));
        else if (object_is_table(L, top + 2)) /* which no part may be */
            parts[part - 1].kind = LUN_VALUE_LIST;
        else
            value_read(L, &parts[part - 1], r, top + 2, false);
    }
}

void value_read_ranges(lua_State *L, lun_value *out, lun_request *r, int from, int last)
{
    const size_t count = (size_t)(last - from + 1);
    lun_value *items = lun_request_list(r, (1 + VALUE_PARTS) * count), *parts = items + count;
    if (items == NULL)
        value_no_memory(L);
    *out = (lun_value){.kind = LUN_VALUE_LIST, .list = {.items = items, .count = count, .spread = true}};
    for (int i = from; i <= last; i++, items++, parts += VALUE_PARTS)
        if (object_is_table(L, i))
            read_range(L, items, r, i, parts);
        else if (!lua_isnil(L, i))
            value_read(L, items, r, i, false);
}

/* An object of the library's that stands for a list, which its metatable's __parts gives: function(object, method). [-0, +(0|n)] */
static bool read_parts(lua_State *L, lun_value *out, lun_request *r, int index)
{
    if (lua_type(L, index) != LUA_TTABLE || object_is_table(L, index) ||
        luaL_getmetafield(L, index, "__parts") == LUA_TNIL)
        return false;
    lua_pushvalue(L, index);
    lua_pushvalue(L, UP_NAME);
    lua_call(L, 2, 1);
    value_read(L, out, r, lua_gettop(L), false);
    return true;
}

void value_read_for(lua_State *L, lun_value *out, lun_request *r, lun_option_kind kind, int index, const char *what)
{
    if (kind == LUN_OPTION_HOST)
        *out = (lun_value){.kind = LUN_VALUE_OTHER, .text = object_kind(L, index)};
    if (kind == LUN_OPTION_HOST || (kind == LUN_OPTION_VALUE && read_parts(L, out, r, index)))
        return;
    if (kind == LUN_OPTION_NAMED && object_is_table(L, index)) {
        (void)value_read_named(L, out, r, &(lun_operand){.kind = kind}, index);
        return;
    }
    const bool parameter = r->operation->owner == LUN_OF_STREAM && strcmp(what, "out") != 0 &&
                           (kind == LUN_OPTION_ARRAY || kind == LUN_OPTION_NUMBERS);
    if ((kind != LUN_OPTION_POSITIONS && !parameter) || !object_is_table(L, index) || lua_rawlen(L, index) == 0) {
        value_read(L, out, r, index, false);
        return;
    }
    const lun_dtype wide = lun_device_info_get(r->device)->fp64 ? LUN_f64 : LUN_f32;
    *out = (lun_value){.kind = LUN_VALUE_ARRAY};
    out->array = index_from_list(L, index, what, r->device, parameter ? wide : LUN_i64, 0);
}
