/* Making and recognising the userdata of each class. */
#include "binding.h"
#include "call.h"

#include <string.h>

void *object_test(lua_State *L, int index, class_id class)
{
    void *object = lua_touserdata(L, index);
    if (object == NULL || !lua_getmetatable(L, index))
        return NULL;
    bool same = lua_topointer(L, -1) == binding_of(L)->metatable[class];
    lua_pop(L, 1);
    return same ? object : NULL;
}

void set_text(lua_State *L, const char *field, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, field);
}

void set_number(lua_State *L, const char *field, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, field);
}

void set_count(lua_State *L, const char *field, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, field);
}

void set_flag(lua_State *L, const char *field, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, field);
}

const char *object_kind(lua_State *L, int index)
{
    for (int class = 0; class < CLASSES; class ++)
        if (object_test(L, index, (class_id) class) != NULL)
            return class_of((class_id) class)->kind;
    switch (lua_type(L, index)) {
    case LUA_TNONE:
        return "nothing";
    case LUA_TNIL:
        return "nil";
    case LUA_TBOOLEAN:
        return "a boolean";
    case LUA_TNUMBER:
        return "a number";
    case LUA_TSTRING:
        return "a string";
    case LUA_TTABLE:
        if (luaL_getmetafield(L, index, KIND) != LUA_TSTRING)
            return "a table";
        const char *kind = lua_tostring(L, -1); /* its metatable has it */
        lua_pop(L, 1);
        return kind;
    case LUA_TFUNCTION:
        return "a function";
    case LUA_TTHREAD:
        return "a coroutine";
    default:
        return "a userdata";
    }
}

const char *object_hint(lua_State *L, int index)
{
    if (object_test(L, index, CLASS_EVENT) != NULL)
        return EVENT_HINT;
    if (object_test(L, index, CLASS_SPARSE) != NULL)
        return "A:dense() is an array";
    if (!lua_istable(L, index) || luaL_getmetafield(L, index, HINT) == LUA_TNIL)
        return object_is_table(L, index) ? TABLE_HINT : NULL;
    const char *hint = lua_tostring(L, -1);
    lua_pop(L, 1);
    return hint;
}

bool object_is_table(lua_State *L, int index)
{
    if (!lua_istable(L, index) || luaL_getmetafield(L, index, KIND) == LUA_TNIL)
        return lua_istable(L, index);
    lua_pop(L, 1);
    return false;
}

void *object_push(lua_State *L, class_id class, size_t bytes, int user_values)
{
    void *object = lua_newuserdatauv(L, bytes, user_values);
    memset(object, 0, bytes);
    lua_getiuservalue(L, UP_BINDING, (int)class + 1);
    lua_setmetatable(L, -2);
    return object;
}

lun_array *array_push_private(lua_State *L) { return object_push(L, CLASS_ARRAY, sizeof(lun_array), 0); }

/* A coroutine that has yielded while it traced does not trace now. */
void trace_refuse(lua_State *L)
{
    if (!binding_of(L)->traced)
        return;
    luaL_checkstack(L, 3, NULL);
    lua_getiuservalue(L, UP_BINDING, SLOT_TRACER);
    const bool runs = lua_status(lua_tothread(L, -1)) == LUA_OK;
    lua_pop(L, 1);
    if (!runs)
        return;
    lua_getiuservalue(L, UP_BINDING, SLOT_REFUSAL);
    lua_pushvalue(L, UP_NAME);
    lua_call(L, 1, 0);
}

lun_array *array_push(lua_State *L)
{
    trace_refuse(L);
    return view_push(L);
}

lun_array *view_push(lua_State *L)
{
    lun_array *array = array_push_private(L);
    if (binding_of(L)->scoped)
        scope_note(L);
    return array;
}

event_object *event_push(lua_State *L, int results)
{
    event_object *event = object_push(L, CLASS_EVENT, sizeof *event, results);
    event->results = results;
    return event;
}

holder_object *holder_push(lua_State *L, void (*drop)(void *pointer))
{
    holder_object *holder = object_push(L, CLASS_HOLDER, sizeof *holder, 0);
    holder->drop = drop;
    return holder;
}

void holder_drop(holder_object *holder)
{
    void *pointer = holder->pointer;
    holder->pointer = NULL;
    if (pointer != NULL)
        holder->drop(pointer);
}

static void drop_holder(void *holder) { holder_drop(holder); }

const object_class holder_class = {.kind = "a holder", .closes = true, .drop = drop_holder};

/* Metamethods as the user writes them, and those of mappings. Lua converts a > b to b < a, and nothing shows which one
 * was written. */
static const char *const shown[][3] = {{"__index", "a[i]", "h[i]"}, {"__newindex", "a[i] =", "h[i] ="},
                                       {"__call", "k(...)"},        {"__len", "#a", "#h"},
                                       {"__add", "a + b"},          {"__sub", "a - b"},
                                       {"__mul", "a * b"},          {"__div", "a / b"},
                                       {"__mod", "a % b"},          {"__pow", "a ^ b"},
                                       {"__idiv", "a // b"},        {"__unm", "-a"},
                                       {"__band", "a & b"},         {"__bor", "a | b"},
                                       {"__bxor", "a ~ b"},         {"__bnot", "~a"},
                                       {"__shl", "a << b"},         {"__shr", "a >> b"},
                                       {"__lt", "a < b or a > b"},  {"__le", "a <= b or a >= b"},
                                       {"__concat", "a .. b"}};

enum { FIRST_OPERATOR = 3, SHOWN = sizeof shown / sizeof *shown };

/* The name by which messages call a function: a metamethod as above, or without its underscores. */
static const char *shown_name(const char *name, bool host)
{
    for (size_t i = 0; i < SHOWN; i++)
        if (strcmp(shown[i][0], name) == 0)
            return shown[i][host ? 2 : 1];
    return name[0] == '_' ? name + strspn(name, "_") : name;
}

void class_functions(lua_State *L, const luaL_Reg *functions, lua_Integer number)
{
    for (const luaL_Reg *row = functions; row->name != NULL; row++) {
        lua_pushvalue(L, UP_BINDING);
        lua_pushstring(L, shown_name(row->name, functions == host_class.metamethods));
        lua_pushinteger(L, number);
        lua_pushcclosure(L, row->func, 3);
        lua_setfield(L, -2, row->name);
    }
}

void class_refuse_operators(lua_State *L, lua_CFunction refuse)
{
    for (size_t i = FIRST_OPERATOR; i < SHOWN; i++) {
        const luaL_Reg operator[] = {{shown[i][0], refuse}, {NULL, NULL}};
        const bool has = lua_getfield(L, -1, shown[i][0]) != LUA_TNIL;
        lua_pop(L, 1);
        if (!has)
            class_functions(L, operator, 0);
    }
}
