/* lun.scope: every array made inside a function goes with it, but for those that it returns.
 *
 * A scope's mark is a to-be-closed userdata below the function's call, so that an error passes on uncaught, with
 * its traceback. While the scope runs, SLOT_SCOPE holds its mark, and each array made is a key of the mark's
 * table, whose keys are weak: an array that the collector takes first leaves the table by itself.
 *
 * A coroutine that dies of an error leaves its scopes open until somebody closes it, perhaps never. Such a scope
 * takes no more arrays: it is dropped from the chain when it is met.
 */
#include "call.h"
#include "check.h"

/* User values of a mark. */
enum { SCOPE_ARRAYS = 1, SCOPE_OUTER, SCOPE_THREAD, SCOPE_VALUES = SCOPE_THREAD };

/* Makes the value on the top (a mark or nil) the innermost scope. [-1, +0] */
static void enter(lua_State *L)
{
    binding_of(L)->scoped = !lua_isnil(L, -1);
    lua_setiuservalue(L, UP_BINDING, SLOT_SCOPE);
}

/* The innermost scope of a coroutine that lives: its mark, or nil. [-0, +1] */
static void push_innermost(lua_State *L)
{
    while (lua_getiuservalue(L, UP_BINDING, SLOT_SCOPE) != LUA_TNIL) {
        lua_getiuservalue(L, -1, SCOPE_THREAD);
        bool lives = lua_status(lua_tothread(L, -1)) == LUA_OK;
        lua_pop(L, 1);
        if (lives)
            return;
        lua_getiuservalue(L, -1, SCOPE_OUTER);
        enter(L);
        lua_pop(L, 1);
    }
}

void scope_note(lua_State *L)
{
    luaL_checkstack(L, 6, NULL);
    push_innermost(L);
    if (!lua_isnil(L, -1)) {
        lua_getiuservalue(L, -1, SCOPE_ARRAYS);
        lua_pushvalue(L, -3);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Takes the mark at index 1 out of the chain of scopes, if it is there. [-0, +0] */
static void leave(lua_State *L)
{
    int top = lua_gettop(L);
    push_innermost(L);
    if (lua_rawequal(L, -1, 1)) {
        lua_getiuservalue(L, 1, SCOPE_OUTER);
        enter(L);
    }
    lua_settop(L, top);
}

/* __close of the mark: clears the arrays that are still noted, and makes the outer scope the innermost one again. */
static int scope_close(lua_State *L)
{
    bool *open = object_test(L, 1, CLASS_SCOPE);
    if (open == NULL || !*open)
        return 0;
    *open = false;
    lua_settop(L, 1);
    leave(L);
    lua_getiuservalue(L, 1, SCOPE_ARRAYS);
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        lun_array *array = object_test(L, -2, CLASS_ARRAY);
        if (array != NULL)
            lun_array_clear(array);
    }
    return 0;
}

#define KEEP_DEPTH 100 /* of tables in tables that a scope returns */

/* Where scope_keep finds the inner and the outer scope's arrays and the tables already seen. */
typedef struct keeper {
    int inner, outer, seen;
    int depth;
} keeper;

/* Moves the array on the top from the inner scope's arrays to the outer's. [-0, +0] */
static void keep_array(lua_State *L, const keeper *k)
{
    lua_pushvalue(L, -1);
    if (lua_rawget(L, k->inner) != LUA_TNIL) {
        lua_pushvalue(L, -2);
        lua_pushnil(L);
        lua_rawset(L, k->inner);
        if (lua_istable(L, k->outer)) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, k->outer);
        }
    }
    lua_pop(L, 1);
}

/* Keeps the arrays in the value on the top: an array, an event's results, a table's values. [-0, +0] */
static void scope_keep(lua_State *L, keeper *k)
{
    luaL_checkstack(L, 8, NULL);
    if (object_test(L, -1, CLASS_ARRAY) != NULL) {
        keep_array(L, k);
        return;
    }
    const event_object *event = object_test(L, -1, CLASS_EVENT);
    if (event != NULL) {
        for (int i = 1; i <= event->results; i++) {
            lua_getiuservalue(L, -1, i);
            scope_keep(L, k);
            lua_pop(L, 1);
        }
        return;
    }
    if (lua_type(L, -1) != LUA_TTABLE)
        return;
    lua_pushvalue(L, -1);
    bool seen = lua_rawget(L, k->seen) != LUA_TNIL;
    lua_pop(L, 1);
    if (seen)
        return;
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, k->seen);
    if (++k->depth > KEEP_DEPTH)
        misuse(L, "the returned tables are nested deeper than %d", KEEP_DEPTH);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        scope_keep(L, k);
    k->depth--;
}

/* lun.scope(f, ...) returns what f returns. */
static int scope_run(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TFUNCTION)
        misuse(L, "argument 1: a function is needed, got %s", object_kind(L, 1));
    int arguments = lua_gettop(L) - 1;
    luaL_checkstack(L, arguments + 16, NULL);

    bool *open = object_push(L, CLASS_SCOPE, sizeof *open, SCOPE_VALUES);
    lua_insert(L, 1);
    lua_newtable(L);
    lua_getiuservalue(L, UP_BINDING, SLOT_WEAK);
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, 1, SCOPE_ARRAYS);
    push_innermost(L);
    lua_setiuservalue(L, 1, SCOPE_OUTER);
    lua_pushthread(L);
    lua_setiuservalue(L, 1, SCOPE_THREAD);
    *open = true;
    lua_toclose(L, 1);
    lua_pushvalue(L, 1);
    enter(L);

    lua_call(L, arguments, LUA_MULTRET);

    int results = lua_gettop(L) - 1;
    if (results > 0) {
        keeper k = {0};
        luaL_checkstack(L, 16, NULL);
        lua_getiuservalue(L, 1, SCOPE_ARRAYS);
        if (lua_getiuservalue(L, 1, SCOPE_OUTER) != LUA_TNIL) {
            lua_getiuservalue(L, -1, SCOPE_ARRAYS);
            lua_remove(L, -2);
        }
        lua_newtable(L);
        k.seen = lua_gettop(L);
        k.outer = k.seen - 1;
        k.inner = k.seen - 2;
        for (int i = 2; i <= 1 + results; i++) {
            lua_pushvalue(L, i);
            scope_keep(L, &k);
            lua_pop(L, 1);
        }
        lua_settop(L, 1 + results);
    }
    return results;
}

const luaL_Reg scope_functions[] = {{"scope", scope_run}, {NULL, NULL}};

const object_class scope_class = {
    .kind = "a scope",
    .metamethods = (const luaL_Reg[]){{"__close", scope_close}, {NULL, NULL}},
};
