/* Waiting for a queue's operations: for one and all before it, for room in the ring, for all. */
#include "base/error.h"
#include "device/device.h"
#include "device/recording.h"
#include "flow/failure_room.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/wait.h"

#define ROOM (QUEUE_RING / 4) /* the number of slots that a wait for room frees, at least */

lun_status queue_flush(lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    if (queue->flushed + 1 < queue->next) {
        CL_DONE(clFlush, queue->cl);
        queue->flushed = queue_newest(queue);
    }
done:
    queue->broken = queue->broken || status != LUN_OK;
    return status;
}

static lun_status wait_for(bool *done, lun_queue *queue, uint64_t serial, double seconds, bool calm, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_int state;
    double start = 0;
    for (double left = seconds;;) {
        *done = serial <= queue->done || serial >= queue->next;
        if (*done)
            break;
        start = start != 0 ? start : recording_now(queue->device);
        TRY_DONE(queue_show(queue, serial, err));
        if (!calm) /* a caller that only waits for room continues to enqueue */
            queues_note_wait(queue->device);
        double slice = left < 0 || left > LOOK_SECONDS ? LOOK_SECONDS : left;
        TRY_DONE(queue_flush(queue, err));
        flag_ask(queue); /* reaps, so that queue_event may be NULL now */
        const ending shown = ending_of(queue, serial, queue_event(queue, serial));
        *done = shown.event == NULL;
        if (*done)
            break;
        TRY_DONE(wait_end(done, &state, queue->flow->waker, &shown, slice, calm, err));
        queue_reap(queue);
        /* An event that failed before its operation's turn ends early: the oldest operation is waited for then. */
        if (*done && serial > queue->done) {
            const ending oldest = ending_of(queue, queue->done + 1, queue_event(queue, queue->done + 1));
            TRY_DONE(wait_end(done, &state, queue->flow->waker, &oldest, slice, calm, err));
            queue_reap(queue);
            *done = serial <= queue->done;
        }
        if (*done || (left >= 0 && (left -= slice) <= 0))
            break;
    }
done:
    if (start != 0)
        recording_waited(queue->device, slot_of(queue, serial)->op, start);
    return status;
}

lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err)
{
    return wait_for(done, queue, serial, seconds, false, err);
}

lun_status queue_wait_slow(bool *done, lun_queue *queue, double seconds, lun_error *err)
{
    *done = queue->slow <= queue->done;
    return *done ? LUN_OK : queue_wait(done, queue, queue->slow, seconds, err);
}

/* Waits for ROOM slots, not for one, and calmly. With a CPU device, a host that yields for each slot is another
 * runnable thread, and the system then keeps the device's threads on one core while another is idle. The operations
 * left in the ring keep the device busy until the host continues. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err)
{
    *room = queue->next <= queue->done + QUEUE_RING;
    return *room ? LUN_OK : wait_for(room, queue, queue->next - QUEUE_RING + ROOM - 1, seconds, true, err);
}

lun_status lun_queue_room(bool *room, lun_device *device, lun_queue *queue, double seconds, lun_error *err)
{
    *room = true;
    if (!device || device_in_child(device)) /* the operation to come will fail, by device_open */
        return LUN_OK;
    if (!queue)
        queue = queue_at(device, DEFAULT_QUEUE);
    queue->broken = queue->broken || queue_is_ahead(queue);
    if (queue->broken) { /* queue_recover will make room, or say why it cannot */
        if (queue_wait(room, queue, queue_newest(queue), seconds, err) != LUN_OK)
            *room = true;
        return LUN_OK;
    }
    if (queue->next > queue->done + QUEUE_RING)
        queue_reap(queue);
    return queue_room(room, queue, seconds, err);
}

lun_status lun_queue_finish(bool *done, lun_queue *queue, double seconds, lun_error *err)
{
    TRY(device_open(queue->device, err));
    TRY(queue_wait(done, queue, queue_newest(queue), seconds, err));
    if (*done)
        TRY(failure_report(queue->device, queue, err));
    return LUN_OK;
}

lun_status lun_device_drain(bool *done, lun_device *device, double seconds, lun_error *err)
{
    lun_queue *queues = flow_of(device)->queues;
    *done = true;
    if (!device->open)
        return LUN_OK;
    TRY(device_open(device, err));
    for (unsigned i = 0; i < DEVICE_QUEUES && *done; i++)
        if (queue_has_work(&queues[i]))
            TRY(queue_wait(done, &queues[i], queue_newest(&queues[i]), seconds, err));
    return LUN_OK;
}

lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err)
{
    TRY(lun_device_drain(done, device, seconds, err));
    if (*done)
        TRY(failure_report(device, NULL, err));
    return LUN_OK;
}
