/* Queues: tickets in a ring of recent operations, waiting for one, and what is known of failed ones. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

lun_status queue_open(lun_queue *queue, lun_device *device, unsigned index, lun_error *err)
{
    lun_status status = LUN_OK;
    queue->device = device;
    queue->index = index;
    if (queue->next == 0)
        queue->next = 1;
    CL_NEW(queue->cl, clCreateCommandQueue, device->context, device->id, CL_QUEUE_PROFILING_ENABLE);
done:
    return status;
}

static void drop_holds(slot *entry)
{
    while (entry->holds) {
        hold *next = entry->holds->next;
        staging_let_go(entry->holds->staging);
        free(entry->holds);
        entry->holds = next;
    }
}

static void drop_slot(slot *entry)
{
    if (entry->first && entry->first != entry->last)
        clReleaseEvent(entry->first);
    if (entry->last)
        clReleaseEvent(entry->last);
    entry->first = entry->last = NULL;
    drop_holds(entry);
}

/* What is enqueued behind a failed command fails with it, under these codes: one failure, not many. */
static bool is_collateral(cl_int code) { return code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || code == -1; }

static void note_failure(lun_queue *queue, const slot *entry, cl_int code)
{
    failure *latest = queue->device->failures;
    queue->broken = true;
    if (latest && latest->queue == queue->index && latest->last + 1 == entry->serial && is_collateral(code)) {
        latest->last = entry->serial;
        return;
    }
    failure *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return; /* no memory for the record: the event's own status still tells */
    *fresh = (failure){.queue = queue->index,
                       .first = entry->serial,
                       .last = entry->serial,
                       .code = code,
                       .op = entry->op,
                       .next = latest};
    queue->device->failures = fresh;
}

void queue_reap(lun_queue *queue)
{
    while (queue->done + 1 < queue->next) {
        slot *entry = &queue->ring[(queue->done + 1) % QUEUE_RING];
        cl_int state = CL_QUEUED;
        cl_int code = clGetEventInfo(entry->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (code != CL_SUCCESS)
            state = code;
        if (state > CL_COMPLETE)
            break;
        if (state < 0)
            note_failure(queue, entry, state);
        drop_slot(entry);
        queue->done++;
    }
}

cl_event queue_event(const lun_queue *queue, uint64_t serial)
{
    return serial > queue->done && serial < queue->next ? queue->ring[serial % QUEUE_RING].last : NULL;
}

static lun_status flush(lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    if (queue->flushed + 1 < queue->next) {
        CL(clFlush, queue->cl);
        queue->flushed = queue->next - 1;
    }
done:
    return status;
}

lun_status queue_flush(lun_queue *queue, lun_error *err) { return flush(queue, err); }

lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_int state;
    *done = true;
    cl_event event = queue_event(queue, serial);
    if (event) {
        TRY(flush(queue, err));
        TRY(wait_event(done, &state, queue->device->waker, event, seconds, err));
    }
    if (*done)
        queue_reap(queue);
done:
    return status;
}

failure *queue_failure(const lun_device *device, unsigned queue, uint64_t serial)
{
    failure *found = device->failures;
    while (found && !(found->queue == queue && found->first <= serial && serial <= found->last))
        found = found->next;
    return found;
}

/* A queue on which a command failed takes no more work on some drivers: it gets a fresh one once it is empty. */
lun_status queue_recover(lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    if (!queue->broken)
        return LUN_OK;
    bool ended;
    TRY(queue_wait(&ended, queue, queue->next - 1, -1, err));
    cl_command_queue old = queue->cl;
    TRY(queue_open(queue, queue->device, queue->index, err));
    clReleaseCommandQueue(old);
    queue->broken = false;
done:
    return status;
}

void queue_close(lun_queue *queue)
{
    if (!queue->cl)
        return;
    clFinish(queue->cl);
    queue_reap(queue);
    for (unsigned i = 0; i < QUEUE_RING; i++)
        drop_slot(&queue->ring[i]); /* those that the driver never ended, after a failure */
    clReleaseCommandQueue(queue->cl);
    queue->cl = NULL;
}

static bool in_use(const lun_device *device, unsigned index) { return device->queues[index].cl != NULL; }

lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err)
{
    lun_status status = LUN_OK;
    *done = true;
    if (!device->open)
        return LUN_OK;
    TRY(device_open(device, err));
    for (unsigned i = 0; i < DEVICE_QUEUES && *done; i++)
        if (in_use(device, i))
            TRY(queue_wait(done, &device->queues[i], device->queues[i].next - 1, seconds, err));
    if (!*done)
        return LUN_OK;
    for (failure *each = device->failures; each; each = each->next)
        if (!each->reported) {
            each->reported = true;
            return fail_command(err, each);
        }
done:
    return status;
}

lun_status lun_device_room(bool *room, lun_device *device, double seconds, lun_error *err)
{
    lun_queue *queue = &device->queues[0];
    *room = true;
    if (queue->next <= queue->done + QUEUE_RING)
        return LUN_OK;
    queue_reap(queue);
    if (queue->next <= queue->done + QUEUE_RING)
        return LUN_OK;
    return queue_wait(room, queue, queue->next - QUEUE_RING, seconds, err);
}
