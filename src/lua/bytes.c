/* Large strings that are filled in place, without a copy of their bytes.
 *
 * Lua makes strings by copying, and copying some hundred megabytes, in one thread to memory that the system clears
 * first, takes far longer than the transfer from the device. So the memory is allocated here, with the state's
 * allocator and in the same way as by Lua, and filled. When Lua then allocates a string of that length, it gets this
 * memory, and "copies" bytes that are already there: C libraries skip a copy to the same address. If Lua's layout of
 * strings differs from the expected one, they are copied as usual. */
#include "bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define IN_PLACE_LEAST ((size_t)64 << 10)
#define LONG 100 /* bytes; strings that Lua shares are shorter */

typedef struct draft {
    char *memory; /* Lua's header, the bytes, a zero; NULL once Lua has it */
    size_t size, header, bytes;
    lua_Alloc allocate; /* the state's allocator */
    void *state;
} draft;

/* An allocator that takes the place of the state's for one call: the first allocation of lua_pushlstring is the string's. */
typedef struct stand_in {
    lua_State *L;
    lua_Alloc allocate;
    void *state;
    draft *gives; /* the draft whose memory it gives; NULL: it calls the state's allocator, and notes the size */
    char *memory;
    size_t size;
} stand_in;

static void *allocate_once(void *data, void *block, size_t old, size_t size)
{
    stand_in *self = data;
    lua_setallocf(self->L, self->allocate, self->state);
    bool is_string = block == NULL && old == LUA_TSTRING;
    if (is_string && self->gives != NULL && self->gives->size == size) {
        self->memory = self->gives->memory;
        self->gives->memory = NULL;
    } else {
        self->memory = self->allocate(self->state, block, old, size);
    }
    self->size = is_string ? size : 0;
    return self->memory;
}

/* [-0, +1] */
static const char *push_string(lua_State *L, stand_in *self, const char *bytes, size_t count)
{
    self->L = L;
    self->allocate = lua_getallocf(L, &self->state);
    lua_setallocf(L, allocate_once, self);
    const char *made = lua_pushlstring(L, bytes, count);
    lua_setallocf(L, self->allocate, self->state);
    return made;
}

/* How many bytes Lua puts before a long string's own; 0 for a Lua that is built in another way. [-0, +0] */
static size_t header_size(lua_State *L)
{
    char text[LONG];
    stand_in noted = {0};
    memset(text, 'x', sizeof text);
    const char *made = push_string(L, &noted, text, sizeof text);
    bool usual = noted.size > LONG && made + LONG + 1 == noted.memory + noted.size;
    lua_pop(L, 1);
    return usual ? noted.size - LONG - 1 : 0;
}

static void drop_draft(void *pointer)
{
    draft *self = pointer;
    if (self->memory != NULL)
        self->allocate(self->state, self->memory, self->size, 0);
    free(self);
}

/* Allocates the draft's memory; raises as Lua itself does where there is none. */
static void allocate(lua_State *L, draft *self)
{
    self->allocate = lua_getallocf(L, &self->state);
    self->memory = self->allocate(self->state, NULL, LUA_TSTRING, self->size);
    if (self->memory != NULL)
        return;
    lua_newuserdatauv(L, self->size, 0);
    lua_pop(L, 1);
    lua_gc(L, LUA_GCCOLLECT);
    self->memory = self->allocate(self->state, NULL, LUA_TSTRING, self->size);
    if (self->memory == NULL) /* an allocator that gives memory for other things than strings */
        luaL_error(L, "not enough memory");
}

char *bytes_begin(lua_State *L, size_t bytes)
{
    luaL_checkstack(L, 4, NULL);
    holder_object *holder = holder_push(L, drop_draft);
    size_t header = bytes >= IN_PLACE_LEAST ? header_size(L) : 0;
    draft *self = calloc(1, sizeof *self);
    if (self == NULL)
        luaL_error(L, "not enough memory");
    holder->pointer = self;
    self->bytes = bytes;
    self->header = header;
    self->size = header + bytes + 1;
    allocate(L, self);
    return self->memory + header;
}

void bytes_end(lua_State *L)
{
    holder_object *holder = lua_touserdata(L, -1);
    draft *self = holder->pointer;
    if (self->header > 0)
        push_string(L, &(stand_in){.gives = self}, self->memory + self->header, self->bytes);
    else
        lua_pushlstring(L, self->memory, self->bytes);
    holder_drop(holder);
    lua_remove(L, -2);
}
