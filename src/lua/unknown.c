/* Operators and uses that arrays and events do not have, and what lua/lunarray/unknown.lua asks about names. */
#include "call.h"
#include "check.h"

/* _classes(): the tables of methods by the types of the user's objects, and what messages call an object of each. */
static int unknown_classes(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    for (int id = 0; id < CLASSES; id++) {
        const object_class *class = class_of((class_id)id);
        if (class->type == NULL)
            continue;
        set_text(L, class->type, class->kind);
        lua_getiuservalue(L, UP_BINDING, id + 1);
        lua_getfield(L, -1, "__index");
        if (lua_isfunction(L, -1))
            lua_getupvalue(L, -1, 4);
        lua_setfield(L, 1, class->type);
        lua_settop(L, 2);
    }
    return 2;
}

/* _nearest(name, table): which of its string keys is nearest, or nil. */
static int unknown_nearest(lua_State *L)
{
    lun_near near = {.to = luaL_checkstring(L, 1)};
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            lun_near_try(&near, lua_tostring(L, -2));
    lua_pushstring(L, near.nearest[0] != '\0' ? near.nearest : NULL);
    return 1;
}

/* _dtype_meant(name): the dtype that other libraries call so, or nil. */
static int unknown_dtype(lua_State *L)
{
    lua_pushstring(L, lun_dtype_meant(luaL_checkstring(L, 1)));
    return 1;
}

const luaL_Reg unknown_functions[] = {
    {"_classes", unknown_classes}, {"_nearest", unknown_nearest}, {"_dtype_meant", unknown_dtype}, {NULL, NULL}};

int unknown_event_operator(lua_State *L) { misuse(L, "an event is not an array or a number; " EVENT_HINT); }

static int no_order(lua_State *L)
{
    misuse(L,
           "Lua would convert a comparison to one boolean; a:lt(b), le, gt, ge, eq and ne compare element by element, "
           "and a:maximum(b) and minimum choose");
}

static int no_pairs(lua_State *L)
{
    misuse_as(
        L, "pairs(a)",
        "an array is not a table: a:totable() copies its elements to one; a:host() maps them, from h[1] to h[#h]");
}

static int no_call(lua_State *L)
{
    misuse_as(
        L, "a(i)",
        "an array cannot be called: a:get(i, j) reads one element, a:slice(...) views a part, a:totable() gives a "
        "table to go through");
}

static int no_concatenation(lua_State *L)
{
    misuse(L, "an array is not a string: tostring(a) gives one; "
              "lun.concat{a, b} joins arrays, and lun.stack{a, b} along a new axis");
}

const luaL_Reg array_refusals[] = {
    {"__lt", no_order},    {"__le", no_order},  {"__concat", no_concatenation},
    {"__pairs", no_pairs}, {"__call", no_call}, {NULL, NULL},
};
