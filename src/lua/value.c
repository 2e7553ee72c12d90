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

/* A list without its elements, and what it has beside these. [-0, +0] */
static void begin_list(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    const int top = lua_gettop(L);
    *out = (lun_value){.kind = LUN_VALUE_LIST};
    const char *odd = list_push_odd(L, index, names);
    if (odd != NULL) {
        char *copy = lun_request_memory(r, strlen(odd) + 1);
        out->list.odd = copy != NULL ? strcpy(copy, odd) : "odd keys";
    }
    lua_settop(L, top);
}

void value_read_data(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    if (!value_is_table(L, index)) {
        value_read(L, out, r, index, names);
        return;
    }
    begin_list(L, out, r, index, names);
    r->data.ndim = convert_shape(L, index, r->data.shape);
}

/* A list with its elements. Metamethods of the table are not asked. [-0, +n] */
static void read_list(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    const size_t count = lua_rawlen(L, index);
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
        value_read(L, &out->list.items[i], r, lua_gettop(L), false);
        if (type != LUA_TUSERDATA && type != LUA_TSTRING && type != LUA_TTABLE)
            lua_pop(L, 1);
        else if (count > LIST_SHORT && type != LUA_TTABLE)
            lua_rawseti(L, kept, (lua_Integer)i + 1);
    }
}

void value_read(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    out->hint = NULL;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        out->kind = LUN_VALUE_NUMBER;
        out->number = check_number(L, index);
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
    case LUA_TTABLE:
        if (!value_is_table(L, index))
            break;
        read_list(L, out, r, index, names);
        return;
    case LUA_TUSERDATA:
        out->array = object_test(L, index, CLASS_ARRAY);
        out->kind = LUN_VALUE_ARRAY;
        if (out->array != NULL)
            return;
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
        out->hint = object_test(L, index, CLASS_EVENT) != NULL ? EVENT_HINT : NULL;
        break;
    }
    out->kind = LUN_VALUE_OTHER;
    out->text = object_kind(L, index);
}

/* A copy of the key at `index` as text; of one that is no name, no name either. */
static const char *copy_key(lua_State *L, lun_request *r, int index)
{
    const bool cut = lua_type(L, index) == LUA_TSTRING && strlen(lua_tostring(L, index)) != lua_rawlen(L, index);
    const char *text = cut ? lua_pushfstring(L, "%s...", lua_tostring(L, index)) : value_text(L, index);
    char *copy = lun_request_memory(r, strlen(text) + 1);
    if (copy == NULL)
        value_no_memory(L);
    lua_pop(L, 1);
    return strcpy(copy, text);
}

bool value_read_named(lua_State *L, lun_value *out, lun_request *r, const lun_operand *row, int index)
{
    size_t count = 0, at = 0;
    const bool named = row->named && lua_rawlen(L, index) == 0 && options_named(L, index);
    if (row->kind != LUN_OPTION_NAMED && !named)
        return false;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        count++;
    count = count < LUN_NAMES ? count : LUN_NAMES;
    const char **names = lun_request_memory(r, (count + 1) * sizeof *names);
    *out = (lun_value){.kind = LUN_VALUE_LIST, .list = {.count = count, .names = names}};
    out->list.items = lun_request_list(r, count + 1);
    if (names == NULL || out->list.items == NULL)
        value_no_memory(L);
    luaL_checkstack(L, (int)count + 2 * LUA_MINSTACK, NULL);
    for (lua_pushnil(L); at < count && lua_next(L, index) != 0; at++) {
        names[at] = copy_key(L, r, lua_gettop(L) - 1);
        lua_insert(L, -2); /* values stay below the key */
        const int key = lua_gettop(L);
        value_read(L, &out->list.items[at], r, key - 1, false);
        lua_settop(L, key);
    }
    out->list.count = at;
    return true;
}

bool value_is_table(lua_State *L, int index)
{
    if (!lua_istable(L, index) || luaL_getmetafield(L, index, FUSED) == LUA_TNIL)
        return lua_istable(L, index);
    lua_pop(L, 1);
    return false;
}

void value_read_for(lua_State *L, lun_value *out, lun_request *r, lun_option_kind kind, int index, const char *what)
{
    if (kind == LUN_OPTION_HOST)
        *out = (lun_value){.kind = LUN_VALUE_OTHER, .text = object_kind(L, index)};
    if (kind == LUN_OPTION_HOST)
        return;
    if (kind != LUN_OPTION_POSITIONS || lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) == 0) {
        value_read(L, out, r, index, false);
        return;
    }
    *out = (lun_value){.kind = LUN_VALUE_ARRAY};
    out->array = index_from_list(L, index, what, r->device, 0);
}
