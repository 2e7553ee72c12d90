/* Queues: a device's places for queues, and the OpenCL queues in them. */
#include "flow/queue.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "flow/failure_room.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/verdict_room.h"

/* ---- places ----------------------------------------------------------------------------------------------------- */

lun_queue *queue_at(const lun_device *device, unsigned index) { return &flow_of(device)->queues[index]; }
cl_command_queue queue_cl(const lun_queue *queue) { return queue->cl; }
unsigned queue_index(const lun_queue *queue) { return queue->index; }
bool queue_is_open(const lun_queue *queue) { return queue->open; }

/* ---- opening and closing ---------------------------------------------------------------------------------------- */

static void drop_counters(lun_queue *queue)
{
    if (queue->counters)
        clReleaseMemObject(queue->counters);
    queue->counters = NULL;
}

static lun_status create(cl_command_queue *out, const lun_device *device, bool timed, lun_error *err)
{
    return context_queue(out, device, MAIN_UNIT, timed ? CL_QUEUE_PROFILING_ENABLE : 0, err);
}

static void release(lun_queue *queue)
{
    if (queue->cl)
        clReleaseCommandQueue(queue->cl);
    if (queue->other)
        clReleaseCommandQueue(queue->other);
    queue->cl = queue->other = NULL;
    drop_counters(queue); /* a kernel that failed may not have set them back to 0 */
}

lun_status queue_open(lun_queue *queue, bool profiling, lun_error *err)
{
    cl_command_queue fresh;
    TRY(create(&fresh, queue->device, false, err));
    if (queue->index != DEFAULT_QUEUE)
        flags_prepare(queue->device);
    release(queue);
    queue->cl = fresh;
    queue->timed = false;
    queue->profiling = profiling;
    queue->next = queue->next ? queue->next : 1;
    queue->since = queue->next;
    queue->broken = queue->failing = queue->stuck = queue->unrecorded = false;
    return LUN_OK;
}

lun_status queue_ready(lun_device *device, unsigned index, lun_error *err)
{
    lun_queue *queue = queue_at(device, index);
    if (!queue->cl)
        TRY(queue_open(queue, true, err));
    queue->open = true;
    return LUN_OK;
}

void queue_close(lun_queue *queue)
{
    if (!queue->cl)
        return;
    bool done;
    lun_error ignored;
    /* Events are waited for before clFinish, which never returns if the driver has forgotten an operation after a
     * failure. */
    const bool ended = queue_wait(&done, queue, queue_newest(queue), -1, &ignored) == LUN_OK;
    if (ended && !queue->broken)
        clFinish(queue->cl);
    queue_reap(queue);
    for (unsigned i = 0; i < QUEUE_RING; i++) {
        slot_settle(queue, &queue->ring[i]);
        slot_retire(queue, &queue->ring[i]); /* the newest operation, and those that the driver has forgotten */
        slot_keep_holds(queue, &queue->ring[i]);
        tickets_clear(&queue->ring[i].after);
    }
    if (ended) /* otherwise the device may still use what they hold */
        holds_drop(&queue->kept);
    release(queue);
}

/* Marks the queue's unfinished operations as failed, because their ends cannot be waited for. */
static void give_up(lun_queue *queue, cl_int code)
{
    queue_reap(queue);
    for (; queue_has_work(queue); queue->done++) {
        slot *entry = slot_of(queue, queue->done + 1);
        failure_note(queue, entry, entry->op, code);
        if (entry->serial + 1 < queue->next)
            slot_retire(queue, entry);
        slot_settle(queue, entry);
        slot_keep_holds(queue, entry);
    }
}

void queues_stop(lun_device *device)
{
    for (unsigned i = 0; i < DEVICE_QUEUES; i++)
        queue_close(queue_at(device, i));
}

void queues_overlap(lun_device *device) { flow_of(device)->overlaps = true; }
bool queues_may_overlap(const lun_device *device) { return flow_of(device)->overlaps; }

void queue_break(lun_queue *queue) { queue->broken = true; }

/* With some drivers an OpenCL queue accepts no more commands after one has failed. */
lun_status queue_recover(lun_queue *queue, lun_error *err)
{
    bool ended;
    queue->broken = queue->broken || queue_is_ahead(queue);
    if (!queue->broken)
        return LUN_OK;
    const lun_status status = queue_wait(&ended, queue, queue_newest(queue), -1, err);
    if (status != LUN_OK && queue_may_go_on(queue, err->code))
        return status;
    if (status != LUN_OK)
        give_up(queue, err->code);
    return queue_open(queue, queue->profiling, err);
}

lun_status counters_create(cl_mem *out, lun_device *device, lun_error *err)
{
    FREED cl_uint *zeros = NEW(QUEUE_COUNTERS, sizeof *zeros, "a queue's counters");
    return context_buffer(out, device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, QUEUE_COUNTERS * sizeof *zeros, zeros,
                          err);
}

lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err)
{
    if (!queue->counters)
        TRY(counters_create(&queue->counters, queue->device, err));
    *out = queue->counters;
    return LUN_OK;
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

/* NVIDIA's driver takes 7 us longer for each command with profiling, so times are kept only for events of hosts. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err)
{
    bool busy = queue_has_work(queue) || queue->unrecorded;
    if (wanted == queue->timed || (!wanted && busy))
        return LUN_OK;
    if (!queue->other)
        TRY(create(&queue->other, queue->device, wanted, err));
    queue_swap(queue);
    return LUN_OK;
}

void queue_swap(lun_queue *queue)
{
    cl_command_queue chosen = queue->other;
    queue->other = queue->cl;
    queue->cl = chosen;
    queue->timed = !queue->timed;
}

bool queue_gives_times(const lun_queue *queue) { return queue->profiling; }
bool queue_is_timed(const lun_queue *queue) { return queue->timed; }
bool queue_lacks_times(const lun_queue *queue) { return queue->profiling && !queue->timed && !queue->broken; }

/* ---- queues of a host ------------------------------------------------------------------------------------------- */

/* A place for a host's queue that has no owner, and whose operations have ended. */
static lun_status find_free(lun_queue **out, lun_device *device, lun_error *err)
{
    bool busy = false;
    for (unsigned i = FIRST_HOST_QUEUE; i < DEVICE_QUEUES; i++) {
        *out = queue_at(device, i);
        if ((*out)->open)
            continue;
        if (!(*out)->cl || lun_queue_pending(*out) == 0)
            return LUN_OK;
        busy = true;
    }
    if (busy)
        return fail(err, LUN_NO_MEMORY,
                    "the device can have %d queues, and some of the released ones are still at work", HOST_QUEUES);
    return fail(err, LUN_MISUSE, "the device has %d queues, and cannot have more; release one first", HOST_QUEUES);
}

lun_status lun_queue_create(lun_queue **out, lun_device *device, bool profiling, lun_error *err)
{
    *out = NULL;
    lun_queue *queue;
    TRY(device_open(device, err));
    TRY(find_free(&queue, device, err));
    queues_overlap(device);
    if (!queue->cl || queue->broken)
        TRY(queue_open(queue, profiling, err));
    queue->profiling = profiling;
    queue->owned = queue->since = queue->next; /* an earlier owner's operations are not reported to this one */
    queue->open = true;
    lun_device_retain(device);
    *out = queue;
    return LUN_OK;
}

void lun_queue_release(lun_queue *queue)
{
    if (!queue)
        return;
    lun_error ignored;
    queue->open = false;
    if (!device_in_child(queue->device))
        (void)queue_flush(queue, &ignored);
    lun_device_release(queue->device);
}

lun_device *lun_queue_device(const lun_queue *queue) { return queue->device; }
