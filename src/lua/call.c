/* Raising errors, for all of the Lua side; collecting garbage and calling again; waits that hooks can interrupt. */
#include "call.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- raising -------------------------------------------------------------------------------------- */

/* Is the function of that frame one of lunarray's own Lua files? */
static bool own_source(lua_State *L, lua_Debug *frame)
{
    lua_getiuservalue(L, UP_BINDING, SLOT_SOURCES);
    lua_pushstring(L, frame->source);
    bool own = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 2);
    return own;
}

/* The level of the user's function on the stack; -1: there is none. */
static int find_user_frame(lua_State *L, lua_Debug *frame)
{
    for (int level = 0; lua_getstack(L, level, frame); level++) {
        lua_getinfo(L, "Sl", frame);
        if (frame->currentline > 0 && !own_source(L, frame))
            return level;
    }
    return -1;
}

bool call_user_frame(lua_State *L, lua_Debug *frame) { return find_user_frame(L, frame) >= 0; }

/* Is the function on the top one that users call, of the module or of a class? [-0, +0] */
static bool is_public(lua_State *L)
{
    const int function = lua_gettop(L);
    bool found = false;
    for (int slot = 0; slot <= CLASSES && !found; slot++) {
        lua_getiuservalue(L, UP_BINDING, slot == 0 ? SLOT_MODULE : slot);
        if (slot > 0 && lua_istable(L, -1)) {
            lua_pushliteral(L, "__index");
            lua_rawget(L, -2);
        }
        if (lua_istable(L, -1))
            for (lua_pushnil(L); !found && lua_next(L, -2) != 0; lua_pop(L, 1))
                found = lua_rawequal(L, -1, function) != 0;
        lua_settop(L, function);
    }
    return found;
}

/* Did the user's function at that level call a function that has ended in a tail call, `return f(x)`? Lua keeps only a
 * mark of that. Tail calls in the library's own files do not count. */
static bool is_tail_call(lua_State *L, int level)
{
    lua_Debug called;
    if (level < 1 || !lua_getstack(L, level - 1, &called))
        return false;
    lua_getinfo(L, "ft", &called);
    const bool is = called.istailcall && is_public(L);
    lua_pop(L, 1);
    return is;
}

/* "file:line: " of the user's function, or "". [-0, +1] */
static void push_position(lua_State *L)
{
    lua_Debug frame;
    if (call_user_frame(L, &frame))
        lua_pushfstring(L, "%s:%d: ", frame.short_src, frame.currentline);
    else
        lua_pushliteral(L, "");
}

/* Raises a string made of the position, the method and the message, which is on the top. */
_Noreturn static void raise_text(lua_State *L, const char *method)
{
    lua_Debug frame;
    const char *hint = is_tail_call(L, find_user_frame(L, &frame)) ? " (a tail call: the line is its caller's)" : "";
    push_position(L);
    lua_pushfstring(L, "%slunarray: %s: %s%s", lua_tostring(L, -1), method, lua_tostring(L, -2), hint);
    lua_error(L);
    abort(); /* lua_error does not return */
}

void misuse_as(lua_State *L, const char *method, const char *format, ...)
{
    luaL_checkstack(L, 8, NULL);
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    raise_text(L, method);
}

static int error_tostring(lua_State *L)
{
    lua_settop(L, 1);
    lua_getfield(L, 1, "position");
    lua_getfield(L, 1, "method");
    lua_getfield(L, 1, "message");
    lua_getfield(L, 1, "log");
    lua_pushfstring(L, "%slunarray: %s: %s%s%s", luaL_tolstring(L, 2, NULL), luaL_tolstring(L, 3, NULL),
                    luaL_tolstring(L, 4, NULL), lua_isnil(L, 5) ? "" : "\n",
                    lua_isnil(L, 5) ? "" : luaL_tolstring(L, 5, NULL));
    return 1;
}

void call_push_error_class(lua_State *L)
{
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, error_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "lunarray.error");
    lua_setfield(L, -2, "__name");
}

/* Removes the operation's name at the beginning of its message, if the method has the same name. */
static const char *without_method(lua_State *L, const char *message)
{
    const char *method = lua_tostring(L, UP_NAME);
    const size_t length = strlen(method);
    const bool is_same = strncmp(message, method, length) == 0 && strncmp(message + length, ": ", 2) == 0;
    return is_same ? message + length + 2 : message;
}

/* Raises an error object: OpenCL's own failures. */
_Noreturn static void raise_object(lua_State *L, const lun_device *device, const lun_error *err)
{
    lua_createtable(L, 0, 8);
    set_text(L, "op", err->op[0] != '\0' ? err->op : lua_tostring(L, UP_NAME));
    set_text(L, "method", lua_tostring(L, UP_NAME));
    set_text(L, "message", without_method(L, err->message));
    lua_pushinteger(L, err->code);
    lua_setfield(L, -2, "code");
    if (err->code != 0 || err->status == LUN_NO_MEMORY)
        set_text(L, "name", err->code != 0 ? lun_error_name(err->code) : "LUN_NO_MEMORY");
    if (err->status == LUN_BUILD && device != NULL)
        set_text(L, "log", lun_device_build_log(device));
    push_position(L);
    lua_setfield(L, -2, "position");
    luaL_traceback(L, L, NULL, 0);
    lua_setfield(L, -2, "traceback");
    lua_getiuservalue(L, UP_BINDING, SLOT_ERROR);
    lua_setmetatable(L, -2);
    lua_error(L);
    abort(); /* lua_error does not return */
}

void call_raise(lua_State *L, const lun_device *device, const lun_error *err)
{
    static const char *const hints[] = {
        [LUN_HINT_NONE] = "",
        [LUN_HINT_BRING_OVER] = "; copy it with :to(device)",
        [LUN_HINT_MAKE_CONTIGUOUS] = "; call :contiguous() first",
    };
    luaL_checkstack(L, 10, NULL);
    lua_pushnil(L); /* releases what the call's request owns now, not only at the next call */
    lua_setiuservalue(L, UP_BINDING, SLOT_REQUEST);
    switch (err->status) {
    case LUN_NO_MEMORY:
    case LUN_FAILED:
    case LUN_BUILD:
        raise_object(L, device, err);
    default:
        misuse(L, "%s%s", err->message, hints[err->hint]);
    }
}

/* ---- collecting and trying again ------------------------------------------------------------------ */

#define ARRAY_SHARE 32  /* bytes of new arrays that count as one of Lua's: a few hundredths of their time */
#define MOST_OF_HEAP 12 /* a cycle in few long steps may miss, in Lua 5.4.4, what waits for its finalizer */

/* Advances the collector as if Lua had allocated a part of the arrays' memory. Unused results, such as a * 2 in a * 2 +
 * 1, are then released a few at a time, and new ones get recently used memory: otherwise they take twice the time. */
static void collect_some(lua_State *L, lun_device *device)
{
    const uint64_t wanted = device == NULL ? 0 : lun_device_made(device) / ARRAY_SHARE >> 10;
    if (wanted == 0 || !lua_gc(L, LUA_GCISRUNNING))
        return;
    const int most = lua_gc(L, LUA_GCCOUNT) / MOST_OF_HEAP;
    lua_gc(L, LUA_GCSTEP, wanted < (uint64_t)most ? (int)wanted : most);
}

bool call_goes_on(lua_State *L, lun_attempt *attempt)
{
    const binding *b = binding_of(L);
    lun_recording *recording = b->system != NULL ? lun_system_recording(b->system) : NULL;
    if (recording != NULL)
        recording_note_line(L, recording);
    for (;;) {
        switch (lun_attempt_next(attempt)) {
        case LUN_STEP_CALL:
            collect_some(L, attempt->device);
            return true;
        case LUN_STEP_DONE:
            return false;
        case LUN_STEP_COLLECT:
            lua_gc(L, LUA_GCCOLLECT);
            break;
        case LUN_STEP_INTERRUPTS:
            call_hooks(L);
            break;
        case LUN_STEP_RAISE:
            call_raise(L, attempt->device, &attempt->err);
        }
    }
}

/* ---- waits ---------------------------------------------------------------------------------------- */

static int nothing(lua_State *L)
{
    (void)L;
    return 0;
}

#define HOOK_STEPS 10000 /* instructions of Lua that a slice stands for, at most: some 50 us with a hook */

void call_push_steps(lua_State *L)
{
    static const char steps[] = "for _ = 1, ... do end";
    if (luaL_loadbuffer(L, steps, sizeof steps - 1, "=lunarray waits") != LUA_OK)
        lua_error(L);
}

/* Calls the function below its arguments, so that hooks run in it, and records an error of theirs. [-(1 + arguments),
 * +0] */
static void let_in(lua_State *L, int arguments)
{
    if (lua_pcall(L, arguments, 0, 0) == LUA_OK)
        return;
    binding_of(L)->interrupted = true;
    lua_error(L);
}

/* Hooks of calls and returns run at any call; count hooks only after that many instructions of a Lua function. */
void call_hooks(lua_State *L)
{
    luaL_checkstack(L, 3, NULL);
    lua_pushcfunction(L, nothing);
    let_in(L, 0);
    if ((lua_gethookmask(L) & LUA_MASKCOUNT) != 0) {
        int count = lua_gethookcount(L);
        lua_getiuservalue(L, UP_BINDING, SLOT_STEPS);
        lua_pushinteger(L, count < HOOK_STEPS ? count : HOOK_STEPS);
        let_in(L, 1);
    }
}

void call_await(lua_State *L, const lun_array *array, lun_access access, const lun_call *call)
{
    bool ready;
    lun_attempt t;
    for (lun_attempt_start(&t, array->device); call_goes_on(L, &t); t.more = !ready)
        t.status = lun_array_await(&ready, array, access, call, LUN_SLICE, &t.err);
}

double call_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool call_wait(lua_State *L, const event_object *event, double seconds)
{
    lun_error err;
    bool done = false;
    double until = seconds >= 0 ? call_clock() + seconds : 0;
    double slice = seconds >= 0 && seconds < LUN_SLICE ? seconds : LUN_SLICE;
    for (;;) {
        if (!event->live)
            misuse(L, "the event was released");
        if (lun_event_wait(&done, &event->event, slice, &err) != LUN_OK)
            call_raise(L, event->event.device, &err);
        if (done)
            return true;
        call_hooks(L);
        if (seconds >= 0) {
            double left = until - call_clock();
            if (left <= 0)
                return false;
            slice = left < LUN_SLICE ? left : LUN_SLICE;
        }
    }
}

void call_finish(lua_State *L, lun_device *device, lun_queue *queue)
{
    bool done;
    lun_attempt t;
    for (lun_attempt_start(&t, device); call_goes_on(L, &t); t.more = !done)
        t.status = queue != NULL ? lun_queue_finish(&done, queue, LUN_SLICE, &t.err)
                                 : lun_device_finish(&done, device, LUN_SLICE, &t.err);
}
