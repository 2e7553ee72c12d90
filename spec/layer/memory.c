/* Refuses Lua the memory that it asks for: an allocator that a script puts before that of its own state. */
#include "module.h"

#include <stdlib.h>

typedef struct allocator {
    lua_Alloc inner;
    void *data;
    unsigned long asked;        /* requests for more since layer.refuse */
    unsigned long after, times; /* the first that is refused, 0: none; and how many are */
    unsigned long refused;
    int every; /* each request is refused once, and granted when the collector has run and Lua asks again */
    int again;
    struct allocator *next;
} allocator;

static allocator *all; /* a state frees with its allocator to its very end, so that these stay */

static int is_refused(allocator *self)
{
    if (self->every)
        return self->again = !self->again;
    return self->after && self->asked >= self->after && self->asked - self->after < self->times;
}

/* Memory that shrinks is never refused: no allocator does so. */
static void *allocate(void *data, void *block, size_t old, size_t bytes)
{
    allocator *self = data;
    const int grows = bytes > 0 && (!block || bytes > old);
    if (grows) {
        self->asked++;
        if (is_refused(self)) {
            self->refused++;
            return NULL;
        }
    }
    return self->inner(self->data, block, old, bytes);
}

static allocator *allocator_of(lua_State *L)
{
    void *data;
    lua_Alloc current = lua_getallocf(L, &data);
    if (current == allocate)
        return data;
    allocator *made = calloc(1, sizeof *made);
    if (!made)
        luaL_error(L, "no memory for an allocator");
    *made = (allocator){.inner = current, .data = data, .next = all};
    all = made;
    lua_setallocf(L, allocate, made);
    return made;
}

static lua_Integer option(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    lua_Integer value = luaL_optinteger(L, -1, 0);
    lua_pop(L, 1);
    return value;
}

/* layer.refuse{after =, times =}: refuses this state the after-th request from now and those behind it, so many in all.
 * One alone is made good by Lua, which collects all garbage and asks again; two are an error. layer.refuse{every = true}
 * refuses each request once. */
static int layer_refuse(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const lua_Integer after = option(L, "after"), times = option(L, "times");
    lua_getfield(L, 1, "every");
    allocator *self = allocator_of(L);
    self->every = lua_toboolean(L, -1);
    self->again = 0;
    self->asked = self->refused = 0;
    self->times = (unsigned long)times;
    self->after = (unsigned long)after;
    return 0;
}

/* layer.grant(): nothing is refused from now on. Gives how many requests were, and how many there were. */
static int layer_grant(lua_State *L)
{
    allocator *self = allocator_of(L);
    self->after = 0;
    self->every = 0;
    lua_pushinteger(L, (lua_Integer)self->refused);
    lua_pushinteger(L, (lua_Integer)self->asked);
    return 2;
}

const luaL_Reg memory_functions[] = {{"refuse", layer_refuse}, {"grant", layer_grant}, {NULL, NULL}};
