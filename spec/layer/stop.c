/* Stops a coroutine at one of its steps, or collects at each of them. */
#include "module.h"

#include <string.h>

/* One coroutine at a time. */
static struct {
    unsigned long left; /* steps before it stops */
    int fired;
} stop;

static void raise(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    if (stop.fired || --stop.left)
        return;
    stop.fired = 1;
    luaL_error(L, "interrupted");
}

/* Lua can leave its own functions alone, where no function in C has called them. */
static void leave(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    if (stop.left)
        stop.left--;
    if (stop.fired || stop.left || !lua_isyieldable(L))
        return;
    stop.fired = 1;
    lua_yield(L, 0);
}

/* With finalizers, which Lua's own emergency collections leave for later. */
static void collect(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    stop.fired = 1;
    lua_gc(L, LUA_GCCOLLECT);
}

static const struct {
    const char *name;
    lua_Hook hook;
    int mask;
} ways[] = {
    {"raise", raise, LUA_MASKCOUNT | LUA_MASKCALL | LUA_MASKRET},
    {"leave", leave, LUA_MASKCOUNT},
    {"collect", collect, LUA_MASKCOUNT | LUA_MASKCALL | LUA_MASKRET},
};

/* layer.step(coroutine, way [, after]): at the after-th step of the coroutine from now an error is raised ("raise") or
 * the coroutine yields ("leave"); or all garbage is collected at each ("collect"). A step is an instruction of Lua's or,
 * where it may be, the call or the return of a function, those in a wait of lunarray's too. */
static int layer_step(lua_State *L)
{
    lua_State *thread = lua_tothread(L, 1);
    const char *way = luaL_checkstring(L, 2);
    luaL_argcheck(L, thread, 1, "a coroutine is needed");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0) {
            stop.left = (unsigned long)luaL_optinteger(L, 3, 1);
            stop.fired = 0;
            lua_sethook(thread, ways[i].hook, ways[i].mask, 1);
            return 0;
        }
    return luaL_argerror(L, 2, "no such way");
}

/* layer.stepped(): has that happened? */
static int layer_stepped(lua_State *L)
{
    lua_pushboolean(L, stop.fired);
    return 1;
}

const luaL_Reg stop_functions[] = {{"step", layer_step}, {"stepped", layer_stepped}, {NULL, NULL}};
