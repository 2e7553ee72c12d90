/* The event of everything that a queue has. */
#include "base/error.h"
#include "device/device.h"
#include "flow/queue.h"
#include "op/operation.h"

#include <stdio.h>

/* Times are those of a command of its own, where none have been kept of the newest. */
static lun_status event_of_marker(lun_event *out, lun_queue *queue, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_event event;
    operation_init(&op, queue->device, name, &(lun_call){.queue = queue, .event = out});
    TRY(operation_begin(&op, err));
    CL_WAITING(&op, clEnqueueMarkerWithWaitList, WAITS(&op), &event);
    operation_enqueued(&op, event);
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

lun_status lun_event_of_queue(lun_event *out, lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_event_clear(out);
    if (queue->next == queue->since)
        return LUN_OK;
    const slot *newest = &queue->ring[(queue->next - 1) % QUEUE_RING];
    queue_reap(queue);
    if (queue->profiling && !queue->timed && !queue->broken)
        return event_of_marker(out, queue, newest->op, err);
    TRY(queue_show(queue, newest->serial, err));
    TRY(queue_flush(queue, err));
    clRetainEvent(newest->first);
    clRetainEvent(newest->last);
    *out = (lun_event){.device = lun_device_retain(queue->device),
                       .first = newest->first,
                       .last = newest->last,
                       .serial = newest->serial,
                       .queue = queue->index};
    snprintf(out->op, sizeof out->op, "%s", newest->op);
    queue->device->events++;
done:
    return status;
}
