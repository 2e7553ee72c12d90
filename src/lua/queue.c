/* Queues: further places to enqueue work. Which queue waits for which follows from the memory that the work touches. */
#include "call.h"
#include "check.h"
#include "request.h"

static lun_queue *check_queue(lua_State *L)
{
    queue_object *object = object_test(L, 1, CLASS_QUEUE);
    if (object == NULL)
        check_refuse(L, 1, "a queue");
    if (object->queue == NULL)
        misuse(L, "self: the queue was released");
    return object->queue;
}

/* dev:queue{profiling = true}; lun.queue{...} on the default device. Before there are too many queues, garbage is collected for
 * those that nobody holds. */
int device_queue(lua_State *L)
{
    lun_attempt tried;
    bool collected = false;
    lun_queue *queue;
    lun_device *device = check_device_or_default(L);
    lun_request *r = request_read(L, lun_operation_find(LUN_OF_DEVICE, "queue"), device, lua_gettop(L));
    const bool profiling = lun_request_truth(r, "profiling", true);
    request_keep(r);
    queue_object *object = object_push(L, CLASS_QUEUE, sizeof *object, 0);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried); collected = true) {
        tried.status = lun_queue_create(&queue, device, profiling, &tried.err);
        if (tried.status == LUN_MISUSE && !collected) {
            lua_gc(L, LUA_GCCOLLECT);
            tried.status = lun_queue_create(&queue, device, profiling, &tried.err);
        }
    }
    object->queue = queue;
    return 1;
}

/* The event of all that is on the queue so far. */
static int queue_event(lua_State *L)
{
    lun_attempt tried;
    lun_queue *queue = check_queue(L);
    check_end(L, 1);
    event_object *event = event_push(L, 0);
    const lun_call call = {.queue = queue};
    for (lun_attempt_enqueue(&tried, lun_queue_device(queue), &call); call_goes_on(L, &tried);)
        tried.status = lun_event_of_queue(&event->event, check_queue(L), &tried.err);
    event->live = true;
    return 1;
}

static int queue_finish(lua_State *L)
{
    lun_queue *queue = check_queue(L);
    check_end(L, 1);
    call_finish(L, lun_queue_device(queue), queue);
    return 0;
}

static int queue_device(lua_State *L)
{
    check_end(L, 1);
    device_push(L, lun_queue_device(check_queue(L)));
    return 1;
}

/* :release(), __gc and __close: its work goes on. Never waits, never raises but for surplus arguments. */
static int queue_release(lua_State *L)
{
    check_release(L);
    queue_object *object = object_test(L, 1, CLASS_QUEUE);
    if (object != NULL) {
        lun_queue *queue = object->queue;
        object->queue = NULL;
        lun_queue_release(queue);
    }
    return 0;
}

static int queue_tostring(lua_State *L)
{
    const queue_object *object = object_test(L, 1, CLASS_QUEUE);
    if (object == NULL || object->queue == NULL)
        lua_pushliteral(L, "lunarray.queue (released)");
    else
        lua_pushfstring(L, "lunarray.queue: %I in flight (%s)", (LUAI_UACINT)lun_queue_pending(object->queue),
                        lun_device_info_get(lun_queue_device(object->queue))->name);
    return 1;
}

const luaL_Reg queue_methods[] = {
    {"event", queue_event}, {"finish", queue_finish}, {"device", queue_device}, {"release", queue_release},
    {NULL, NULL},
};

const luaL_Reg queue_metamethods[] = {
    {"__gc", queue_release},
    {"__close", queue_release},
    {"__tostring", queue_tostring},
    {NULL, NULL},
};
