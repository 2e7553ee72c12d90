/* A Lua module for the specs: further Lua states in this process, one after another, side by side, and in threads. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <string.h>

/* A new state with the libraries and this one's package paths. */
static lua_State *open_state(const char *path, const char *cpath)
{
    lua_State *state = luaL_newstate();
    luaL_openlibs(state);
    lua_getglobal(state, "package");
    lua_pushstring(state, path);
    lua_setfield(state, -2, "path");
    lua_pushstring(state, cpath);
    lua_setfield(state, -2, "cpath");
    lua_settop(state, 0);
    return state;
}

/* Pushes package.path and package.cpath. */
static void push_paths(lua_State *L)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    lua_getfield(L, -2, "cpath");
}

static int states_open(lua_State *L)
{
    push_paths(L);
    lua_pushlightuserdata(L, open_state(lua_tostring(L, -2), lua_tostring(L, -1)));
    return 1;
}

static int states_close(lua_State *L)
{
    lua_close(lua_touserdata(L, 1));
    return 0;
}

/* run(source [, state]): what the source returns, a number; without a state in a new one, which is closed. */
static int states_run(lua_State *L)
{
    const char *source = luaL_checkstring(L, 1);
    lua_State *state = lua_touserdata(L, 2);
    int fresh = state == NULL;
    if (fresh) {
        push_paths(L);
        state = open_state(lua_tostring(L, -2), lua_tostring(L, -1));
    }
    int failed = luaL_dostring(state, source);
    if (failed)
        lua_pushstring(L, luaL_tolstring(state, -1, NULL));
    else
        lua_pushnumber(L, lua_tonumber(state, -1));
    lua_settop(state, 0);
    if (fresh)
        lua_close(state);
    return failed ? lua_error(L) : 1;
}

typedef struct job {
    pthread_t thread;
    const char *source, *path, *cpath;
    double result;
    char problem[500];
} job;

static void *work(void *data)
{
    job *self = data;
    lua_State *state = open_state(self->path, self->cpath);
    if (luaL_dostring(state, self->source))
        strncpy(self->problem, luaL_tolstring(state, -1, NULL), sizeof self->problem - 1);
    else
        self->result = lua_tonumber(state, -1);
    lua_close(state);
    return NULL;
}

/* threads(list): each source in a thread and state of its own, all at the same time; the list of what they return. */
static int states_threads(lua_State *L)
{
    int count = (int)luaL_len(L, 1);
    push_paths(L);
    const char *path = lua_tostring(L, -2), *cpath = lua_tostring(L, -1);
    job *jobs = lua_newuserdatauv(L, (size_t)count * sizeof *jobs, 0);
    memset(jobs, 0, (size_t)count * sizeof *jobs);
    for (int i = 0; i < count; i++) {
        lua_geti(L, 1, i + 1);
        jobs[i].source = lua_tostring(L, -1); /* the list keeps it */
        lua_pop(L, 1);
        jobs[i].path = path;
        jobs[i].cpath = cpath;
        pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
    }
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        pthread_join(jobs[i].thread, NULL);
        if (jobs[i].problem[0] != '\0')
            lua_pushstring(L, jobs[i].problem);
        else
            lua_pushnumber(L, jobs[i].result);
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

int luaopen_states(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"open", states_open}, {"close", states_close}, {"run", states_run}, {"threads", states_threads}, {NULL, NULL},
    };
    luaL_newlib(L, functions);
    return 1;
}
