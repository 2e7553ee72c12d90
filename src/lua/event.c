/* Events: waiting for enqueued work, and returning its results. */
#include "bytes.h"
#include "call.h"
#include "check.h"
#include "convert.h"

#include <limits.h>

static int event_wait(lua_State *L)
{
    event_object *event = check_self(L, CLASS_EVENT, 1);
    lua_pushboolean(L, call_wait(L, event, check_seconds(L, 2, -1)));
    return 1;
}

static int event_done(lua_State *L)
{
    lun_event_state state = lun_event_status(&((event_object *)check_self(L, CLASS_EVENT, 0))->event);
    lua_pushboolean(L, state == LUN_COMPLETE || state == LUN_EVENT_FAILED);
    return 1;
}

static const char *const event_states[] = {
    [LUN_QUEUED] = "queued",     [LUN_SUBMITTED] = "submitted", [LUN_RUNNING] = "running",
    [LUN_COMPLETE] = "complete", [LUN_EVENT_FAILED] = "failed",
};

static int event_status(lua_State *L)
{
    const event_object *event = check_self(L, CLASS_EVENT, 0);
    lua_pushstring(L, event_states[lun_event_status(&event->event)]);
    return 1;
}

static void drop_staging(void *pointer) { lun_staging_release(pointer); }

/* Pushes the table or string of a read that has ended. Making it may run the collector, and a finalizer may then release
 * the event: the staging memory is held meanwhile. An empty array has no staging memory. [-0, +2] */
static void push_read(lua_State *L, const event_object *event)
{
    holder_object *holder = holder_push(L, drop_staging);
    if (!event->live)
        misuse(L, "the event was released");
    event_object read = *event; /* only its layout is used */
    if (event->staging == NULL) {
        if (read.gives == GIVES_STRING)
            lua_pushliteral(L, "");
        else
            convert_to_table(L, &read.data);
        return;
    }
    lun_staging *staging = lun_staging_retain(event->staging);
    holder->pointer = staging;
    if (read.gives == GIVES_STRING) {
        lun_copy_bytes(staging->device, bytes_begin(L, staging->bytes), staging->data, staging->bytes);
        bytes_end(L);
    } else {
        read.data.memory = staging->data;
        convert_to_table(L, &read.data);
    }
    holder_drop(holder);
}

/* The elements of a live array, two at most, as numbers, read by that queue; waits. [-0, +size] */
static void push_numbers(lua_State *L, const lun_array *array, lun_queue *queue)
{
    char data[2 * LUN_MOST_BYTES];
    size_t received = 0;
    lun_attempt tried;
    const lun_call call = {.queue = queue};
    const size_t count = array->size <= 2 ? array->size : 2, bytes = lun_dtype_bytes(array->dtype);
    for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
        tried.status = lun_array_receive(&tried.more, &received, data, array, &call, &tried.err);
    for (size_t i = 0; i < count; i++)
        number_push(L, lun_number_load(data + i * bytes, array->dtype));
}

/* Pushes the results as the call itself would have given them. */
static int event_get(lua_State *L)
{
    event_object *event = check_self(L, CLASS_EVENT, 0);
    call_wait(L, event, -1);
    lua_settop(L, 1);
    if (event->gives == GIVES_TABLE || event->gives == GIVES_STRING) {
        push_read(L, event);
        return 1;
    }
    int results = event->results;
    luaL_checkstack(L, 3 * results + 4, NULL);
    for (int i = 1; i <= results; i++)
        lua_getiuservalue(L, 1, i);
    if (event->gives == GIVES_VALUES)
        return results;
    for (int i = 2; i <= 1 + results; i++)
        if (event->arrays >> (i - 2) & 1)
            lua_pushvalue(L, i);
        else
            push_numbers(L, lua_touserdata(L, i), lun_event_reader(&event->event));
    return lua_gettop(L) - 1 - results;
}

/* ---- event loops: cqueues' protocol, and a descriptor for others ------------------------------------- */

/* Collects garbage if descriptors have run out, because garbage may hold some. All errors are strings, because cqueues
 * shows no others. */
static int event_pollfd(lua_State *L)
{
    int descriptor;
    lun_error err;
    bool retried = false;
    while (lun_event_descriptor(&descriptor, &((event_object *)check_self(L, CLASS_EVENT, 0))->event, &err) != LUN_OK) {
        if (retried || err.status != LUN_NO_MEMORY)
            misuse(L, "%s", err.message);
        retried = true;
        lua_gc(L, LUA_GCCOLLECT);
    }
    lua_pushinteger(L, descriptor);
    return 1;
}

static int event_events(lua_State *L)
{
    (void)check_self(L, CLASS_EVENT, 0);
    lua_pushliteral(L, "r");
    return 1;
}

/* Gives nil: the descriptor reports every end, a failure's too. */
static int event_timeout(lua_State *L)
{
    (void)check_self(L, CLASS_EVENT, 0);
    lua_pushnil(L);
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- */

static int event_profile(lua_State *L)
{
    event_object *event = check_self(L, CLASS_EVENT, 0);
    call_wait(L, event, -1);
    lun_profile profile;
    lun_error err;
    if (lun_event_profile(&profile, &event->event, &err) != LUN_OK)
        call_raise(L, event->event.device, &err);
    lua_createtable(L, 0, 4);
    set_number(L, "queued", profile.queued);
    set_number(L, "submitted", profile.submitted);
    set_number(L, "started", profile.started);
    set_number(L, "ended", profile.ended);
    return 1;
}

static bool is_live(const void *object) { return ((const event_object *)object)->live; }

/* Drops the operation, which continues. */
static void drop(void *object)
{
    event_object *event = object;
    event->live = false;
    lun_event_clear(&event->event);
    lun_staging *staging = event->staging;
    event->staging = NULL;
    if (staging != NULL)
        lun_staging_release(staging);
}

static void describe(lua_State *L, const void *object)
{
    const lun_event *event = &((const event_object *)object)->event;
    lua_pushfstring(L, "%s (%s)", event->op[0] != '\0' ? event->op : "nothing to do",
                    event_states[lun_event_status(event)]);
}

const object_class event_class = {
    .kind = "an event",
    .type = "event",
    .lost = "%s: the event was released",
    .gone = "released",
    .closes = true,
    .lives = is_live,
    .drop = drop,
    .describe = describe,
    .methods = (const luaL_Reg[]){{"wait", event_wait},
                                  {"done", event_done},
                                  {"status", event_status},
                                  {"get", event_get},
                                  {"profile", event_profile},
                                  {"pollfd", event_pollfd},
                                  {"events", event_events},
                                  {"timeout", event_timeout},
                                  {NULL, NULL}},
    .no_operator = unknown_event_operator,
};

/* ---- several events --------------------------------------------------------------------------------- */

#define FIRST_EVENT 4 /* where the events of a list start on the stack */

/* Makes room for a self, so that the arguments (a list, seconds) are where a method's do, and
 * pushes the list's events, so that they stay anchored. Gives their number. */
static int event_push_list(lua_State *L)
{
    check_function(L, 2);
    lua_settop(L, 3);
    if (!object_is_table(L, 2))
        check_refuse(L, 2, "a list of events");
    check_list(L, 2, NULL);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    luaL_checkstack(L, count < INT_MAX - 8 ? (int)count + 8 : INT_MAX, "too many events");
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        const event_object *event = object_test(L, -1, CLASS_EVENT);
        if (event == NULL)
            misuse(L, "position %I of the list: an event is needed, got %s", (LUAI_UACINT)i, object_kind(L, -1));
        if (!event->live)
            misuse(L, "position %I of the list: the event was released", (LUAI_UACINT)i);
    }
    return (int)count;
}

static int event_wait_all(lua_State *L)
{
    int count = event_push_list(L);
    double seconds = check_seconds(L, 3, -1), until = call_clock() + seconds;
    for (int i = 0; i < count; i++) {
        double left = seconds < 0 ? -1 : until - call_clock();
        if (!call_wait(L, lua_touserdata(L, FIRST_EVENT + i), left < 0 && seconds >= 0 ? 0 : left)) {
            lua_pushboolean(L, 0);
            return 1;
        }
    }
    lua_pushboolean(L, 1);
    return 1;
}

static int event_wait_any(lua_State *L)
{
    int count = event_push_list(L);
    double seconds = check_seconds(L, 3, -1), until = call_clock() + seconds;
    if (count == 0)
        misuse(L, "the list is empty: there is nothing to wait for");
    const lun_event **events = lua_newuserdatauv(L, (size_t)count * sizeof *events, 0);
    size_t position = (size_t)count;
    lun_error err;
    for (;;) {
        for (int i = 0; i < count; i++) {
            const event_object *event = lua_touserdata(L, FIRST_EVENT + i);
            if (!event->live) /* a hook released it meanwhile */
                misuse(L, "position %d of the list: the event was released", i + 1);
            events[i] = &event->event;
        }
        double left = seconds < 0 ? LUN_SLICE : until - call_clock();
        double slice = left < 0 ? 0 : left < LUN_SLICE ? left : LUN_SLICE;
        if (lun_event_wait_any(&position, events, (size_t)count, slice, &err) != LUN_OK)
            call_raise(L, NULL, &err);
        if (position < (size_t)count) {
            lua_pushinteger(L, (lua_Integer)position + 1);
            return 1;
        }
        if (seconds >= 0 && left <= 0) {
            lua_pushnil(L);
            return 1;
        }
        call_hooks(L);
    }
}

const luaL_Reg event_functions[] = {
    {"wait_all", event_wait_all},
    {"wait_any", event_wait_any},
    {NULL, NULL},
};
