/* Lua's values as core takes them. */
#include "value.h"
#include "call.h"
#include "check.h"
#include "index.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void value_no_memory(lua_State *L)
{
    luaL_error(L, "not enough memory");
    abort(); /* luaL_error does not return */
}

/* A list with its elements. Metamethods of the table are not asked. [-0, +n] */
static void read_list(lua_State *L, lun_value *out, lun_request *r, int index, bool names)
{
    const size_t count = lua_rawlen(L, index);
    const int top = lua_gettop(L);
    *out = (lun_value){.kind = LUN_VALUE_LIST, .list = {.count = count}};
    const char *odd = list_push_odd(L, index, names);
    if (odd != NULL) {
        char *copy = lun_request_memory(r, strlen(odd) + 1);
        out->list.odd = copy != NULL ? strcpy(copy, odd) : "odd keys";
    }
    lua_settop(L, top);
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
        out->kind = strlen(out->text) == lua_rawlen(L, index) ? LUN_VALUE_TEXT : LUN_VALUE_CUT;
        return;
    case LUA_TTABLE:
        if (luaL_getmetafield(L, index, FUSED) == LUA_TNIL) {
            read_list(L, out, r, index, names);
            return;
        }
        lua_pop(L, 1);
        break;
    case LUA_TUSERDATA:
        out->array = object_test(L, index, CLASS_ARRAY);
        out->kind = LUN_VALUE_ARRAY;
        if (out->array != NULL)
            return;
        out->kind = LUN_VALUE_COMPLEX;
        if (scalar_test(L, index, &out->number))
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

void value_read_for(lua_State *L, lun_value *out, lun_request *r, lun_option_kind kind, int index, const char *what)
{
    if (kind != LUN_OPTION_POSITIONS || lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) == 0) {
        value_read(L, out, r, index, false);
        return;
    }
    *out = (lun_value){.kind = LUN_VALUE_ARRAY};
    out->array = index_from_list(L, index, what, r->device);
}
