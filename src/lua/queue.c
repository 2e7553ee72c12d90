/* Queues: further places to enqueue work. Which queue waits for which follows from the memory that the work touches. */
#include "call.h"
#include "check.h"
#include "request.h"

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
    const queue_object *self = check_self(L, CLASS_QUEUE, 0);
    event_object *event = event_push(L, 0);
    const lun_call call = {.queue = self->queue};
    for (lun_attempt_enqueue(&tried, lun_queue_device(self->queue), &call); call_goes_on(L, &tried);) {
        self = check_object(L, 1, CLASS_QUEUE); /* a finalizer may have released it */
        tried.status = lun_event_of_queue(&event->event, self->queue, &tried.err);
    }
    event->live = true;
    return 1;
}

static int queue_finish(lua_State *L)
{
    const queue_object *self = check_self(L, CLASS_QUEUE, 0);
    call_finish(L, lun_queue_device(self->queue), self->queue);
    return 0;
}

static int queue_device(lua_State *L)
{
    const queue_object *self = check_self(L, CLASS_QUEUE, 0);
    device_push(L, lun_queue_device(self->queue));
    return 1;
}

static void drop(void *queue) { lun_queue_release(queue); } /* its work goes on */

static void describe(lua_State *L, const void *object)
{
    lun_queue *queue = ((const queue_object *)object)->queue;
    lua_pushfstring(L, "%I in flight (%s)", (LUAI_UACINT)lun_queue_pending(queue),
                    lun_device_info_get(lun_queue_device(queue))->name);
}

const object_class queue_class = {
    .kind = "a queue",
    .type = "queue",
    .lost = "%s: the queue was released",
    .gone = "released",
    .closes = true,
    .drop_pointer = drop,
    .describe = describe,
    .methods =
        (const luaL_Reg[]){{"event", queue_event}, {"finish", queue_finish}, {"device", queue_device}, {NULL, NULL}},
};
