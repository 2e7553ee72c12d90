/* A module of somebody else's, for spec/lua/modules_spec.lua: it links nothing of lunarray, and finds its table in the registry. */
#include "lunarray_module.h"

#include <lauxlib.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const lunarray_module *lun;

/* doubled(a): a new array of f32 on a's device, by the host's memory. */
static int doubled(lua_State *L)
{
    lunarray_layout layout;
    if (!lun->test_array(L, 1, &layout) || strcmp(layout.dtype, "f32") != 0)
        lun->raise(L, "doubled", "an array of f32 is needed");
    lua_settop(L, 1);
    lun->push_array(L, 1, layout.dtype, layout.ndim, layout.shape);
    if (layout.size > 0) {
        const float *from = lun->map(L, 1, "r");
        float *to = lun->map(L, 2, "w");
        for (size_t i = 0; i < layout.size; i++)
            to[i] = 2 * from[i];
        for (int i = 4; i >= 3; i--) {
            lua_getfield(L, i, "release");
            lua_pushvalue(L, i);
            lua_call(L, 1, 0);
        }
    }
    lua_settop(L, 2);
    return 1;
}

typedef struct job {
    pthread_t thread;
    const float *from;
    float *to;
    size_t count;
    int descriptor;
    lunarray_gate *gate;
} job;

static void *work(void *data)
{
    job *j = data;
    poll(&(struct pollfd){.fd = j->descriptor, .events = POLLIN}, 1, -1);
    for (size_t i = 0; i < j->count; i++)
        j->to[i] = 2 * j->from[i];
    lun->open(j->gate);
    return NULL;
}

static int join(lua_State *L)
{
    pthread_join(((job *)lua_touserdata(L, 1))->thread, NULL);
    return 0;
}

/* later(a, out, queue): the same by a thread; an event that gives `out`. The thread's end is waited for with the state's. */
static int later(lua_State *L)
{
    lunarray_layout layout;
    luaL_argcheck(L, lun->test_array(L, 1, &layout), 1, "an array");
    job *j = lua_newuserdatauv(L, sizeof *j, 3);
    memset(j, 0, sizeof *j);
    j->count = layout.size;
    j->from = lun->read(L, 1, &j->descriptor);
    lua_setiuservalue(L, 4, 1);
    j->gate = lun->close(L, 3);
    lua_setiuservalue(L, 4, 2);
    j->to = lun->write(L, 2, 3, 2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 4, 3);
    if (pthread_create(&j->thread, NULL, work, j) != 0)
        return luaL_error(L, "no thread");
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, join);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, 4);
    lua_pushvalue(L, 4); /* the keeper, too */
    return 2;
}

/* ended(x): has the event ended? nil for other values. Lets hooks in before. */
static int ended(lua_State *L)
{
    int is = 0;
    lun->hooks(L);
    if (!lun->test_event(L, 1, &is))
        return 0;
    lua_pushboolean(L, is);
    return 1;
}

int luaopen_doubled(lua_State *L)
{
    static const luaL_Reg functions[] = {{"doubled", doubled}, {"later", later}, {"ended", ended}, {NULL, NULL}};
    lua_getfield(L, LUA_REGISTRYINDEX, LUNARRAY_MODULE);
    lun = lua_touserdata(L, -1);
    if (lun == NULL || lun->version < LUNARRAY_MODULE_VERSION)
        return luaL_error(L, "lunarray.core is to be required before, of version %d at least", (int)LUNARRAY_MODULE_VERSION);
    luaL_newlib(L, functions);
    return 1;
}
