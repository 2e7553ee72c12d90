/* Further Lua states in this process, one after another, side by side, and in threads; and further processes. */
#include "module.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    int is_number;
    double number;
    char text[500]; /* what came else, or the message */
} job;

static void *work(void *data)
{
    job *self = data;
    lua_State *state = open_state(self->path, self->cpath);
    self->is_number = !luaL_dostring(state, self->source) && lua_type(state, -1) == LUA_TNUMBER;
    if (self->is_number)
        self->number = lua_tonumber(state, -1);
    else
        strncpy(self->text, luaL_tolstring(state, -1, NULL), sizeof self->text - 1);
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
        if (jobs[i].is_number)
            lua_pushnumber(L, jobs[i].number);
        else
            lua_pushstring(L, jobs[i].text);
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

/* layer.state(source, argument): runs the source, with the string as its argument, in a Lua state of its own, which is
 * closed before this returns. True and what the source gave, a string; or false and the message. */
static int states_state(lua_State *L)
{
    const char *source = luaL_checkstring(L, 1), *argument = luaL_optstring(L, 2, "");
    lua_State *own = luaL_newstate();
    if (!own)
        return luaL_error(L, "no memory for a state");
    luaL_openlibs(own);
    lua_pushboolean(L, 1);
    int bad = luaL_loadbuffer(own, source, lua_rawlen(L, 1), "=state");
    if (!bad) {
        lua_pushstring(own, argument);
        bad = lua_pcall(own, 1, 1, 0);
    }
    size_t bytes;
    const char *outcome = luaL_tolstring(own, -1, &bytes);
    lua_pushlstring(L, outcome, bytes);
    lua_close(own);
    lua_pushboolean(L, !bad);
    lua_replace(L, -3);
    return 2;
}

/* ---- processes --------------------------------------------------------------------------------------------- */

/* fork(): the child's id, and 0 in the child. What is to be written must have been: both would write it. */
static int states_fork(lua_State *L)
{
    const pid_t child = fork();
    if (child < 0)
        return luaL_error(L, "fork: %s", strerror(errno));
    lua_pushinteger(L, child);
    return 1;
}

/* ended(child, seconds): how the child ended, "exit" or "signal" with the number; or "hang", and it is killed. */
static int states_ended(lua_State *L)
{
    const pid_t child = (pid_t)luaL_checkinteger(L, 1);
    int status = 0;
    for (lua_Integer left = 100 * luaL_checkinteger(L, 2); waitpid(child, &status, left ? WNOHANG : 0) == 0; left--) {
        poll(NULL, 0, 10);
        if (left == 1) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            lua_pushliteral(L, "hang");
            return 1;
        }
    }
    lua_pushstring(L, WIFSIGNALED(status) ? "signal" : "exit");
    lua_pushinteger(L, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 2;
}

const luaL_Reg state_functions[] = {
    {"state", states_state},     {"open", states_open}, {"close", states_close}, {"run", states_run},
    {"threads", states_threads}, {"fork", states_fork}, {"ended", states_ended}, {NULL, NULL},
};
