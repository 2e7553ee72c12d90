/* A clock for the benchmark: os.clock counts the time of all threads, os.time whole seconds.
 * Lua's functions are declared here, so that this compiles where its headers are not installed. */
#include <time.h>

typedef struct lua_State lua_State;
void lua_pushnumber(lua_State *L, double n);
void lua_pushcclosure(lua_State *L, int (*f)(lua_State *L), int n);

/* Seconds since some start. */
static int clock_now(lua_State *L)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    lua_pushnumber(L, (double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
    return 1;
}

int luaopen_clock(lua_State *L);
int luaopen_clock(lua_State *L)
{
    lua_pushcclosure(L, clock_now, 0);
    return 1;
}
