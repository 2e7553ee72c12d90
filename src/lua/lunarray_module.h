/* What lunarray.core hands out to other C modules: a table of functions, so that a module of its own makes and reads arrays,
 * and gives events, without linking anything of lunarray.
 *
 *     lua_getfield(L, LUA_REGISTRYINDEX, LUNARRAY_MODULE);     after require "lunarray.core"
 *     const lunarray_module *lun = lua_touserdata(L, -1);
 *     if (lun == NULL || lun->version < LUNARRAY_MODULE_VERSION) ...
 *
 * Later versions append to it, and change nothing that is there. It belongs to the Lua state. An index may be negative, but no
 * pseudo-index; functions raise as those of lunarray do, and are called from a C function of Lua's, of the state's own thread, but
 * for `open`. */
#ifndef LUNARRAY_MODULE_H
#define LUNARRAY_MODULE_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

#define LUNARRAY_MODULE "lunarray.module"
#define LUNARRAY_MODULE_VERSION 1u

typedef struct lunarray_layout {
    const char *dtype; /* "f32" */
    int ndim;
    size_t shape[8];
    size_t size, bytes; /* elements of all, and what they take one behind the other */
    int contiguous;     /* do they appear so, in row-major order? */
} lunarray_layout;

typedef struct lunarray_gate lunarray_gate;

typedef struct lunarray_module {
    unsigned version;
    size_t bytes; /* of this struct */

    /* Is a live array there? 1, and its layout (NULL is fine); else 0. [-0, +0] */
    int (*test_array)(lua_State *L, int index, lunarray_layout *out);
    /* Pushes a new array, its elements as they come, on the device at `like`, or on that of the array there. [-0, +1] */
    void (*push_array)(lua_State *L, int like, const char *dtype, int ndim, const size_t *shape);
    /* Waits for the array's work and maps it: access is "r", "w" or "rw". Pushes the mapping, which ends when it is released,
     * closed or collected, and gives the elements, in row-major order; an array that is not contiguous is refused. [-0, +1] */
    void *(*map)(lua_State *L, int index, const char *access);

    /* Is an event there? 1, and whether it has ended; else 0. [-0, +0] */
    int (*test_event)(lua_State *L, int index, int *ended);
    /* Pushes the event of a read of the array, which is enqueued; gives where its elements will be, in row-major order, and a
     * descriptor that is readable then. Both hold as long as the event is neither released nor collected. NULL: there are none.
     * [-0, +1] */
    const void *(*read)(lua_State *L, int index, int *descriptor);
    /* Closes a gate on the queue at `queue`: what is enqueued there from now on waits until it is opened. Pushes who keeps it:
     * collected, it opens the gate. [-0, +1] */
    lunarray_gate *(*close)(lua_State *L, int queue);
    /* Pushes the event of a write by that queue to the array, which is enqueued, and gives where its elements are to be put before
     * the queue's gate is opened; NULL: there are none. The event gives the value at `result`. [-0, +1] */
    void *(*write)(lua_State *L, int index, int queue, int result);
    /* Opens the gate; a second time it does nothing. By any thread. */
    void (*open)(lunarray_gate *gate);

    /* Lets hooks in, as Ctrl-C sets one: for long waits in C, every 50 ms. [-0, +0] */
    void (*hooks)(lua_State *L);
    /* Raises "file:line: lunarray: method: message" with the position of the user's call. */
    void (*raise)(lua_State *L, const char *method, const char *message);
} lunarray_module;

#endif
