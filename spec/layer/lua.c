/* The module "layer", by which a Lua script counts OpenCL objects, makes calls fail, and runs scripts in new states. */
#include "layer.h"
#include "module.h"

static const char *const kinds[] = {"context", "queue", "mem", "program", "kernel", "event"};

/* layer.live(): how many objects of each kind are live. */
static int layer_live(lua_State *L)
{
    lua_newtable(L);
    for (int kind = 0; kind < LAYER_KINDS; kind++) {
        lua_pushinteger(L, (lua_Integer)layer_count((layer_kind)kind).live);
        lua_setfield(L, -2, kinds[kind]);
    }
    return 1;
}

/* layer.made(): how many objects of each kind were made so far. */
static int layer_made(lua_State *L)
{
    lua_newtable(L);
    for (int kind = 0; kind < LAYER_KINDS; kind++) {
        lua_pushinteger(L, (lua_Integer)layer_count((layer_kind)kind).made);
        lua_setfield(L, -2, kinds[kind]);
    }
    return 1;
}

#define MOST 4096

struct list {
    unsigned count;
    const char *makers[MOST];
    layer_kind kind[MOST];
};

static void see(void *data, layer_kind kind, const char *maker)
{
    struct list *list = data;
    if (list->count == MOST)
        return;
    list->makers[list->count] = maker;
    list->kind[list->count++] = kind;
}

/* layer.list(): what is live, as a table of "kind by function" to a number. */
static int layer_list(lua_State *L)
{
    struct list *list = lua_newuserdatauv(L, sizeof *list, 0);
    list->count = 0;
    layer_each_live(see, list);
    lua_newtable(L);
    for (unsigned i = 0; i < list->count; i++) {
        lua_pushfstring(L, "%s by %s", kinds[list->kind[i]], list->makers[i]);
        lua_pushvalue(L, -1);
        lua_gettable(L, -3);
        lua_pushinteger(L, lua_tointeger(L, -1) + 1);
        lua_remove(L, -2);
        lua_settable(L, -3);
    }
    return 1;
}

/* layer.finish_at_exit(): the process waits for its queues when it exits, as some drivers let it. */
static int layer_finish_at_exit_(lua_State *L)
{
    (void)L;
    layer_finish_at_exit();
    return 0;
}

/* layer.wrong(): how many retains and releases were of something that was not live, and the first of them. */
static int layer_wrong_(lua_State *L)
{
    unsigned long times;
    const char *first = layer_wrong(&times);
    lua_pushinteger(L, (lua_Integer)times);
    lua_pushstring(L, first);
    return 2;
}

static lua_Integer option(lua_State *L, const char *name, lua_Integer otherwise)
{
    lua_getfield(L, 1, name);
    lua_Integer value = luaL_optinteger(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

/* layer.fail{after =, call =, times =, pick =, code =, late =}: see layer.h. Counting of calls begins anew. */
static int layer_fail_(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    layer_fault wanted = {
        .after = (unsigned long)option(L, "after", 0),
        .times = (unsigned long)option(L, "times", 1),
        .pick = (unsigned)option(L, "pick", 1),
        .code = (cl_int)option(L, "code", 0),
    };
    lua_getfield(L, 1, "late");
    wanted.late = lua_toboolean(L, -1);
    lua_getfield(L, 1, "call");
    snprintf(wanted.call, sizeof wanted.call, "%s", luaL_optstring(L, -1, ""));
    luaL_argcheck(L, wanted.pick >= 1, 1, "pick counts from 1");
    layer_fail(&wanted);
    return 0;
}

/* layer.stop(): no call fails from now on. Gives how many did, and the function and the code of the first. */
static int layer_stop_(lua_State *L)
{
    layer_fired fired = layer_stop();
    lua_pushinteger(L, (lua_Integer)fired.times);
    lua_pushstring(L, fired.call);
    lua_pushinteger(L, fired.code);
    return 3;
}

/* layer.calls(): how often each function was called since layer.fail, and how many codes each has. */
static int layer_calls(lua_State *L)
{
    unsigned long made;
    size_t codes;
    lua_newtable(L);
    lua_newtable(L);
    for (unsigned i = 0; layer_call(i, &made, &codes); i++) {
        const char *name = layer_call(i, &made, &codes);
        lua_pushinteger(L, (lua_Integer)made);
        lua_setfield(L, -3, name);
        lua_pushinteger(L, (lua_Integer)codes);
        lua_setfield(L, -2, name);
    }
    return 2;
}

/* layer.installed(): has the loader put the layer in place? It does so at the first OpenCL call of the process. */
static int layer_installed_(lua_State *L)
{
    lua_pushboolean(L, layer_installed() != NULL);
    return 1;
}

static const luaL_Reg functions[] = {
    {"live", layer_live},
    {"made", layer_made},
    {"list", layer_list},
    {"wrong", layer_wrong_},
    {"fail", layer_fail_},
    {"stop", layer_stop_},
    {"calls", layer_calls},
    {"installed", layer_installed_},
    {"finish_at_exit", layer_finish_at_exit_},
    {NULL, NULL},
};

LUALIB_API int luaopen_layer(lua_State *L);

int luaopen_layer(lua_State *L)
{
    luaL_newlib(L, functions);
    luaL_setfuncs(L, memory_functions, 0);
    luaL_setfuncs(L, stop_functions, 0);
    luaL_setfuncs(L, state_functions, 0);
    return 1;
}
