/* Events of more than one operation: of all work on a queue, and of a run. */
#include "base/error.h"
#include "call/interface.h"
#include "device/device.h"
#include "flow/event.h"
#include "flow/queue.h"

/* The event of a marker: if a queue has not kept the times of its newest operation, it has those of the marker. */
static lun_status event_of_marker(lun_event *out, lun_queue *queue, const char *name, lun_error *err)
{
    ENDED_BY(operation_clear) operation op = {0};
    operation_init(&op, lun_queue_device(queue), name, &(lun_call){.queue = queue, .event = out});
    TRY(operation_begin(&op, err));
    TRY(operation_mark(&op, err));
    return operation_end(&op, err);
}

lun_status lun_event_of_queue(lun_event *out, lun_queue *queue, lun_error *err)
{
    lun_event_clear(out);
    if (queue_is_fresh(queue))
        return LUN_OK;
    queue_reap(queue);
    if (queue_lacks_times(queue))
        return event_of_marker(out, queue, queue_newest_op(queue), err);
    return event_of_newest(out, queue, err);
}

void call_event_since(const lun_call *call, const lun_event *earlier)
{
    if (call && call->event)
        event_begin_with(call->event, earlier);
}
