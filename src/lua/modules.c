/* The table of functions for other C modules (lunarray_module.h). They are called from functions that lack the binding, which is
 * in the registry: what needs it runs as a closure over it. */
#include "binding.h"
#include "call.h"
#include "check.h"
#include "lunarray_module.h"

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* The object at `index`, if it is of that class. [-0, +0] */
static void *find(lua_State *L, int index, class_id class)
{
    const binding *b;
    void *object = lua_touserdata(L, index);
    luaL_checkstack(L, 4, NULL);
    if (object == NULL || !lua_getmetatable(L, index))
        return NULL;
    binding_push(L);
    b = lua_touserdata(L, -1);
    const bool same = b != NULL && lua_topointer(L, -2) == b->metatable[class];
    lua_pop(L, 2);
    return same ? object : NULL;
}

/* Calls f as a method of that name; its arguments are on the top. [-arguments, +results] */
static void call_as(lua_State *L, const char *name, lua_CFunction f, int arguments, int results)
{
    luaL_checkstack(L, 8, NULL);
    binding_push(L);
    lua_pushstring(L, name);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, f, 3);
    lua_insert(L, -1 - arguments);
    lua_call(L, arguments, results);
}

/* Pushes the method of the value at the absolute index, and the value. [-0, +2] */
static void push_method(lua_State *L, int index, const char *name)
{
    luaL_checkstack(L, 6, NULL);
    lua_getfield(L, index, name);
    lua_pushvalue(L, index);
}

static int raise_argument(lua_State *L) { misuse(L, "%s", lua_tostring(L, 1)); }

static void refuse(lua_State *L, const char *name, const char *message)
{
    luaL_checkstack(L, 1, NULL);
    lua_pushstring(L, message);
    call_as(L, name, raise_argument, 1, 0);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static int test_array(lua_State *L, int index, lunarray_layout *out)
{
    const lun_array *array = find(L, index, CLASS_ARRAY);
    if (array == NULL || !lun_array_is_live(array))
        return 0;
    if (out == NULL)
        return 1;
    *out = (lunarray_layout){.dtype = lun_dtype_name(array->dtype),
                             .ndim = array->ndim,
                             .size = array->size,
                             .bytes = lun_array_bytes(array),
                             .contiguous = lun_array_is_contiguous(array)};
    for (int i = 0; i < array->ndim; i++)
        out->shape[i] = array->shape[i];
    return 1;
}

static void push_array(lua_State *L, int like, const char *dtype, int ndim, const size_t *shape)
{
    like = lua_absindex(L, like);
    luaL_checkstack(L, 6, NULL);
    if (find(L, like, CLASS_ARRAY)) {
        push_method(L, like, "device");
        lua_call(L, 1, 1);
    } else {
        lua_pushvalue(L, like);
    }
    push_method(L, lua_gettop(L), "empty");
    lua_createtable(L, ndim, 0);
    for (int i = 0; i < ndim; i++) {
        lua_pushinteger(L, (lua_Integer)shape[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushstring(L, dtype);
    lua_call(L, 3, 1);
    lua_remove(L, -2);
}

static void *map(lua_State *L, int index, const char *access)
{
    const lun_array *array = find(L, index, CLASS_ARRAY);
    if (array == NULL || !lun_array_is_live(array))
        refuse(L, "map", "a live array is needed");
    else if (!lun_array_is_contiguous(array))
        refuse(L, "map", "the elements are not contiguous in row-major order");
    push_method(L, lua_absindex(L, index), "host");
    lua_pushstring(L, access);
    lua_call(L, 2, 1);
    const host_object *host = find(L, -1, CLASS_HOST);
    return lun_mapping_element(&host->mapping, 0);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static int test_event(lua_State *L, int index, int *ended)
{
    const event_object *event = find(L, index, CLASS_EVENT);
    if (event == NULL || !event->live)
        return 0;
    const lun_event_state state = lun_event_status(&event->event);
    *ended = state == LUN_COMPLETE || state == LUN_EVENT_FAILED;
    return 1;
}

static const void *read_later(lua_State *L, int index, int *descriptor)
{
    push_method(L, lua_absindex(L, index), "tobytes");
    lua_createtable(L, 0, 1);
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "async");
    lua_call(L, 2, 1);
    push_method(L, lua_gettop(L), "pollfd");
    lua_call(L, 1, 1);
    *descriptor = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    const event_object *event = find(L, -1, CLASS_EVENT);
    return event->staging ? event->staging->data : NULL;
}

static void drop_gate(void *gate) { lun_gate_free(gate); }

static int close_gate(lua_State *L)
{
    lun_attempt tried;
    lun_gate *gate;
    const queue_object *queue = object_test(L, 1, CLASS_QUEUE);
    if (queue == NULL || queue->queue == NULL)
        misuse(L, "a live queue is needed, got %s", object_kind(L, 1));
    holder_object *holder = holder_push(L, drop_gate);
    const lun_call call = {.queue = queue->queue};
    lun_attempt_enqueue(&tried, lun_queue_device(queue->queue), &call);
    tried.staging = 1; /* behind the gate no write waits for staging memory */
    while (call_goes_on(L, &tried))
        tried.status = lun_gate_close(&gate, queue->queue, &tried.err);
    holder->pointer = gate;
    return 1;
}

static lunarray_gate *close_queue(lua_State *L, int queue)
{
    luaL_checkstack(L, 1, NULL);
    lua_pushvalue(L, queue);
    call_as(L, "close", close_gate, 1, 1);
    return ((holder_object *)find(L, -1, CLASS_HOLDER))->pointer;
}

/* Arguments: array, queue, result. Gives the event and where the elements are to be put. Nothing in flight is waited for, as it
 * may be behind the same gate; the transfer keeps the staging memory. */
static int write_array(lua_State *L)
{
    lun_attempt tried;
    const lun_array *array = object_test(L, 1, CLASS_ARRAY);
    const queue_object *queue = object_test(L, 2, CLASS_QUEUE);
    if (array == NULL || !lun_array_is_live(array))
        misuse(L, "a live array is needed, got %s", object_kind(L, 1));
    if (queue == NULL || queue->queue == NULL)
        misuse(L, "a live queue is needed, got %s", object_kind(L, 2));
    event_object *event = event_push(L, 1);
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, -2, 1);
    const lun_call call = {.queue = queue->queue, .event = &event->event};
    lun_attempt_start(&tried, array->device);
    tried.retried = true;
    while (call_goes_on(L, &tried)) {
        tried.status = lun_staging_create_at_once(&event->staging, array->device, lun_array_bytes(array), &tried.err);
        if (tried.status == LUN_OK)
            tried.status = lun_array_write(array, event->staging, &call, &tried.err);
    }
    lua_pushlightuserdata(L, event->staging->data);
    lun_staging_release(event->staging);
    event->staging = NULL;
    event->live = true;
    return 2;
}

static void *write_later(lua_State *L, int index, int queue, int result)
{
    luaL_checkstack(L, 5, NULL);
    index = lua_absindex(L, index), queue = lua_absindex(L, queue), result = lua_absindex(L, result);
    lua_pushvalue(L, index);
    lua_pushvalue(L, queue);
    lua_pushvalue(L, result);
    call_as(L, "write", write_array, 3, 2);
    void *place = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return place;
}

static void open_gate(lunarray_gate *gate) { lun_gate_open((lun_gate *)gate); }

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static int let_hooks_in(lua_State *L)
{
    call_hooks(L);
    return 0;
}

static void hooks(lua_State *L) { call_as(L, "wait", let_hooks_in, 0, 0); }

static const lunarray_module table = {.version = LUNARRAY_MODULE_VERSION,
                                      .bytes = sizeof table,
                                      .test_array = test_array,
                                      .push_array = push_array,
                                      .map = map,
                                      .test_event = test_event,
                                      .read = read_later,
                                      .close = close_queue,
                                      .write = write_later,
                                      .open = open_gate,
                                      .hooks = hooks,
                                      .raise = refuse};

void modules_open(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&table);
    lua_setfield(L, LUA_REGISTRYINDEX, LUNARRAY_MODULE);
}
