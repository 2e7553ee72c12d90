/* Queues: OpenCL's queues in a device's places, tickets in a ring of recent operations, and waiting for one. */
#include "flow/queue.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/failure_room.h"
#include "flow/flag.h"
#include "flow/queue_room.h"
#include "flow/wait.h"

#include <stdlib.h>
#include <string.h>

#define ROOM (QUEUE_RING / 4)
#define FORGOTTEN_SECONDS 250e-3 /* after a failure, until what waited for it counts as failed without saying so */

/* ---- opening and closing ---------------------------------------------------------------------------------------- */

bool queues_create(lun_device *device)
{
    lun_queue *places = calloc(DEVICE_QUEUES, sizeof *places);
    for (unsigned i = 0; places && i < DEVICE_QUEUES; i++) {
        places[i].device = device;
        places[i].index = i;
        device->queues[i] = &places[i];
    }
    return places != NULL;
}

void queues_free(lun_device *device) { free(device->queues[0]); }

static void drop_counters(lun_queue *queue)
{
    if (queue->counters)
        clReleaseMemObject(queue->counters);
    queue->counters = NULL;
}

static lun_status create(cl_command_queue *out, const lun_device *device, bool timed, lun_error *err)
{
    lun_status status = LUN_OK;
    CL_NEW(*out, clCreateCommandQueue, device->context, device->id, timed ? CL_QUEUE_PROFILING_ENABLE : 0);
done:
    return status;
}

static void release(lun_queue *queue)
{
    if (queue->cl)
        clReleaseCommandQueue(queue->cl);
    if (queue->other)
        clReleaseCommandQueue(queue->other);
    queue->cl = queue->other = NULL;
    drop_counters(queue); /* a kernel that failed may have left them as they were */
}

static void close_queues(lun_device *device)
{
    for (unsigned i = 0; i < DEVICE_QUEUES; i++)
        queue_close(device->queues[i]);
}

static lun_status open_place(lun_queue *queue, bool profiling, lun_error *err)
{
    lun_status status = LUN_OK;
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
    device_closes(queue->device, PART_QUEUES, close_queues);
done:
    return status;
}

lun_status queue_ready(lun_device *device, unsigned index, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_queue *queue = device->queues[index];
    if (!queue->cl)
        TRY(open_place(queue, true, err));
    queue->open = true;
done:
    return status;
}

cl_command_queue queue_cl(const lun_queue *queue) { return queue->cl; }
unsigned queue_index(const lun_queue *queue) { return queue->index; }
bool queue_is_open(const lun_queue *queue) { return queue->open; }

static void drop_events(slot *entry)
{
    if (entry->first && entry->first != entry->last)
        clReleaseEvent(entry->first);
    if (entry->last)
        clReleaseEvent(entry->last);
    entry->first = entry->last = NULL;
}

static void drop_holds(hold **list)
{
    while (*list) {
        hold *next = (*list)->next;
        (*list)->let_go((*list)->what);
        free(*list);
        *list = next;
    }
}

/* What counts as ended though the driver has not said so may still run. */
static void keep_holds(lun_queue *queue, slot *entry)
{
    hold **end = &queue->kept;
    while (*end)
        end = &(*end)->next;
    *end = entry->holds;
    entry->holds = NULL;
}

bool slot_waits(const lun_queue *queue, const slot *entry)
{
    bool waits = false;
    for (unsigned i = 0; i < DEVICE_QUEUES; i++)
        waits = waits || (i != queue->index && entry->after[i]);
    return waits;
}

/* PoCL 3.1 looks at an event that failed before its turn once more, when what was before it ends: without a reference, and
 * when is not to be known. So such an event stays for good. */
static void retire_events(lun_queue *queue, slot *entry)
{
    if (slot_waits(queue, entry) && queue_failure(queue->device, queue->index, entry->serial))
        entry->first = entry->last = NULL;
    else
        drop_events(entry);
}

void queue_close(lun_queue *queue)
{
    if (!queue->cl)
        return;
    bool done;
    lun_error ignored;
    /* First by the events: a driver may have forgotten some of the commands, and never finish. */
    const bool ended = queue_wait(&done, queue, queue_newest(queue), -1, &ignored) == LUN_OK;
    if (ended && !queue->broken)
        clFinish(queue->cl);
    queue_reap(queue);
    for (unsigned i = 0; i < QUEUE_RING; i++) {
        retire_events(queue, &queue->ring[i]); /* those that the driver never ended, after a failure */
        keep_holds(queue, &queue->ring[i]);
    }
    if (ended) /* else the device may be at it for ever */
        drop_holds(&queue->kept);
    release(queue);
}

/* NVIDIA's driver takes 7 us more for each command whose times it keeps: only those do of which a host gets an event. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err)
{
    lun_status status = LUN_OK;
    bool busy = queue_has_work(queue) || queue->unrecorded;
    if (wanted == queue->timed || (!wanted && busy))
        return LUN_OK;
    if (!queue->other)
        TRY(create(&queue->other, queue->device, wanted, err));
    queue_swap(queue);
done:
    return status;
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

/* A place that nobody has, and whose work has ended. */
static lun_status find_free(lun_queue **out, lun_device *device, lun_error *err)
{
    bool busy = false;
    for (unsigned i = FIRST_HOST_QUEUE; i < DEVICE_QUEUES; i++) {
        *out = device->queues[i];
        if ((*out)->open)
            continue;
        if (!(*out)->cl || lun_queue_pending(*out) == 0)
            return LUN_OK;
        busy = true;
    }
    if (busy)
        return fail(err, LUN_NO_MEMORY,
                    "of the %d queues that the device can have, some were released, but are at work", HOST_QUEUES);
    return fail(err, LUN_MISUSE, "the device has %d queues, and cannot have more; release one first", HOST_QUEUES);
}

lun_status lun_queue_create(lun_queue **out, lun_device *device, bool profiling, lun_error *err)
{
    lun_status status = LUN_OK;
    *out = NULL;
    lun_queue *queue;
    TRY(device_open(device, err));
    TRY(find_free(&queue, device, err));
    device->overlaps = true;
    if (!queue->cl || queue->broken)
        TRY(open_place(queue, profiling, err));
    queue->profiling = profiling;
    queue->owned = queue->since = queue->next; /* what an earlier owner did is not its concern */
    queue->open = true;
    lun_device_retain(device);
    *out = queue;
done:
    return status;
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

uint64_t lun_queue_pending(lun_queue *queue)
{
    lun_error ignored;
    if (!device_in_child(queue->device)) {
        queue_reap(queue);
        if (!queue_event(queue, queue_newest(queue)) && queue_show(queue, queue_newest(queue), &ignored) == LUN_OK)
            (void)queue_flush(queue, &ignored);
    }
    return queue_newest(queue) - queue->done;
}

/* ---- tickets ------------------------------------------------------------------------------------------------------ */

uint64_t queue_newest(const lun_queue *queue) { return queue->next - 1; }
const char *queue_newest_op(const lun_queue *queue) { return queue->ring[queue_newest(queue) % QUEUE_RING].op; }
bool queue_is_fresh(const lun_queue *queue) { return queue->next == queue->since; }
bool queue_has_ended(const lun_queue *queue, uint64_t serial) { return serial <= queue->done; }
void queue_note_unrecorded(lun_queue *queue) { queue->unrecorded = true; }
void queue_unrecorded_ended(lun_queue *queue) { queue->unrecorded = false; }

bool queue_is_idle(lun_queue *queue)
{
    if (queue_has_work(queue))
        queue_reap(queue);
    return !queue_has_work(queue);
}

bool queue_is_busy(lun_queue *queue) { return queue->cl && lun_queue_pending(queue) > 0; }

bool queue_takes_silent(const lun_queue *queue)
{
    return queue->next < queue->done + SILENT_MOST || queue_event(queue, queue->next + 1 - SILENT_MOST);
}

uint64_t queue_file(lun_queue *queue, const enqueued *operation)
{
    const uint64_t serial = queue->next;
    slot *newest = slot_of(queue, serial - 1), *entry = slot_of(queue, serial);
    if (newest->serial <= queue->done)
        retire_events(queue, newest);
    *entry = (slot){.serial = serial,
                    .first = operation->first,
                    .last = operation->last,
                    .op = operation->op,
                    .holds = operation->holds};
    memcpy(entry->after, operation->after, sizeof entry->after);
    if (!operation->quick)
        queue->slow = serial;
    queue->next++;
    return serial;
}

/* Does it wait for what has not ended on other queues? */
static bool has_producers(lun_queue *queue, const slot *entry)
{
    for (unsigned i = 0; i < DEVICE_QUEUES; i++) {
        if (!entry->after[i])
            continue;
        queue_reap_until(queue->device->queues[i], entry->after[i]);
        if (!queue_has_ended(queue->device->queues[i], entry->after[i]))
            return true;
    }
    return false;
}

/* PoCL never ends a command that was enqueued when an event of its wait list had failed already, nor those behind, and
 * says that it is queued. Other drivers end it at once; it is given a while. One whose producers only count as failed runs
 * as ever: it is not forgotten as long as it may have to wait for another, or has been handed to the device. */
static bool is_forgotten(lun_queue *queue, const slot *entry, cl_int state)
{
    if (queue->stuck || state <= CL_SUBMITTED || !failure_of_producers(queue, entry) || has_producers(queue, entry))
        return queue->stuck;
    if (queue->suspect != entry->serial) {
        queue->suspect = entry->serial;
        queue->suspected = clock_now();
    }
    queue->stuck = clock_now() > queue->suspected + FORGOTTEN_SECONDS;
    return queue->stuck;
}

/* Whose event shows the end of that one, which has not ended: its own, or the next that has one. NULL: none yet. */
static const slot *shown_by(const lun_queue *queue, uint64_t serial)
{
    while (serial < queue->next && !queue->ring[serial % QUEUE_RING].last)
        serial++;
    return serial < queue->next ? &queue->ring[serial % QUEUE_RING] : NULL;
}

cl_event queue_event(const lun_queue *queue, uint64_t serial)
{
    const slot *shower = serial > queue->done ? shown_by(queue, serial) : NULL;
    return shower ? shower->last : NULL;
}

lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err)
{
    lun_status status = LUN_OK;
    slot *newest = slot_of(queue, queue_newest(queue));
    if (serial <= queue->done || serial >= queue->next || queue_event(queue, serial))
        return LUN_OK;
    CL(clEnqueueMarkerWithWaitList, queue->cl, 0, NULL, &newest->last);
    newest->first = newest->first ? newest->first : newest->last;
    queue->flushed = smaller(queue->flushed, newest->serial - 1);
done:
    return status;
}

/* CL_COMPLETE or a negative code once an operation has ended. All behind a failed one, and all that waited for one,
 * counts as failed, whether the driver ran it or not: it may have read what the other was to write. So do silent ones
 * before what has failed and shows their end: whether they ended well is not known. */
static cl_int outcome(lun_queue *queue, const slot *entry, const slot *shower)
{
    cl_int code;
    const ending shown = ending_of(queue, entry->serial, shower->last);
    cl_int state = ending_state(&shown, &code);
    if (code != CL_SUCCESS)
        return code;
    bool taken = state == CL_COMPLETE ? queue->failing || failure_of_producers(queue, entry)
                                      : state > CL_COMPLETE && is_forgotten(queue, entry, state);
    return taken ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : state;
}

void queue_reap_until(lun_queue *queue, uint64_t last)
{
    while (queue->done < last && queue_has_work(queue) && queue->looked != queue->device->looks) {
        slot *entry = slot_of(queue, queue->done + 1);
        const slot *shower = shown_by(queue, entry->serial);
        cl_int state = shower ? outcome(queue, entry, shower) : CL_QUEUED;
        if (state > CL_COMPLETE) {
            queue->looked = queue->device->looks;
            break;
        }
        if (state < 0)
            failure_note(queue, entry, shower->op, state);
        if (queue->stuck)
            keep_holds(queue, entry);
        else
            drop_holds(&entry->holds);
        if (entry->serial + 1 < queue->next)
            retire_events(queue, entry); /* the newest stays, for lun_event_of_queue */
        queue->done++;
    }
}

/* Each queue's oldest command is asked once a look, however many wait for it. */
void queue_reap(lun_queue *queue)
{
    if (queue->cl)
        queue->device->looks++;
    queue_reap_until(queue, UINT64_MAX);
}

/* Has a command failed, though others before it have not ended? A driver may start what is enqueued behind it at once. */
static bool is_ahead(lun_queue *queue)
{
    const slot *newest = slot_of(queue, queue_newest(queue));
    cl_int code;
    if (!queue_has_work(queue) || !newest->last || !slot_waits(queue, newest))
        return false;
    const ending shown = ending_of(queue, newest->serial, newest->last);
    return ending_state(&shown, &code) < 0;
}

/* ---- waiting ------------------------------------------------------------------------------------------------------ */

lun_status queue_flush(lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    if (queue->flushed + 1 < queue->next) {
        CL(clFlush, queue->cl);
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
    for (double left = seconds;;) {
        *done = serial <= queue->done || serial >= queue->next;
        if (*done)
            break;
        TRY(queue_show(queue, serial, err));
        double slice = left < 0 || left > LOOK_SECONDS ? LOOK_SECONDS : left;
        TRY(queue_flush(queue, err));
        flag_ask(queue); /* which may find that it has ended */
        const ending shown = ending_of(queue, serial, queue_event(queue, serial));
        *done = shown.event == NULL;
        if (*done)
            break;
        TRY(wait_end(done, &state, queue->device->waker, &shown, slice, calm, err));
        queue_reap(queue);
        /* If it has failed before its turn, what is before it is waited for as well. */
        if (*done && serial > queue->done) {
            const ending oldest = ending_of(queue, queue->done + 1, queue_event(queue, queue->done + 1));
            TRY(wait_end(done, &state, queue->device->waker, &oldest, slice, calm, err));
            queue_reap(queue);
            *done = serial <= queue->done;
        }
        if (*done || (left >= 0 && (left -= slice) <= 0))
            break;
    }
done:
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

/* For ROOM places at once, calmly: on a CPU device a host that yields for each is one more thread that wants to run, and
 * the system then keeps the others on one core while another is idle. What is left in the ring lasts until it is back. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err)
{
    *room = queue->next <= queue->done + QUEUE_RING;
    return *room ? LUN_OK : wait_for(room, queue, queue->next - QUEUE_RING + ROOM - 1, seconds, true, err);
}

/* Nothing more is to be expected of what the queue has not ended. */
static void give_up(lun_queue *queue, cl_int code)
{
    queue_reap(queue);
    for (; queue_has_work(queue); queue->done++) {
        slot *entry = slot_of(queue, queue->done + 1);
        failure_note(queue, entry, entry->op, code);
        if (entry->serial + 1 < queue->next)
            retire_events(queue, entry);
        keep_holds(queue, entry);
    }
}

lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_uint *zeros = NULL;
    if (!queue->counters) {
        zeros = calloc(QUEUE_COUNTERS, sizeof *zeros);
        if (!zeros)
            FAIL(LUN_NO_MEMORY, "out of host memory for %d counters", QUEUE_COUNTERS);
        CL_NEW(queue->counters, clCreateBuffer, queue->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
               QUEUE_COUNTERS * sizeof *zeros, zeros);
    }
    *out = queue->counters;
done:
    free(zeros);
    return status;
}

void queue_break(lun_queue *queue) { queue->broken = true; }

/* A queue on which something failed takes no more work on some drivers: it gets a fresh one once it is empty. */
lun_status queue_recover(lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    bool ended;
    queue->broken = queue->broken || is_ahead(queue);
    if (!queue->broken)
        return LUN_OK;
    if (queue_wait(&ended, queue, queue_newest(queue), -1, err) != LUN_OK)
        give_up(queue, err->code);
    TRY(open_place(queue, queue->profiling, err));
done:
    return status;
}

lun_status lun_queue_room(bool *room, lun_device *device, lun_queue *queue, double seconds, lun_error *err)
{
    *room = true;
    if (device_in_child(device)) /* device_open will say so */
        return LUN_OK;
    if (!queue)
        queue = device->queues[DEFAULT_QUEUE];
    queue->broken = queue->broken || is_ahead(queue);
    if (queue->broken) { /* queue_recover will say what is wrong with it */
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
    lun_status status = LUN_OK;
    TRY(device_open(queue->device, err));
    TRY(queue_wait(done, queue, queue_newest(queue), seconds, err));
    if (*done)
        TRY(failure_report(queue->device, queue, err));
done:
    return status;
}

lun_status lun_device_drain(bool *done, lun_device *device, double seconds, lun_error *err)
{
    lun_status status = LUN_OK;
    *done = true;
    if (!device->open)
        return LUN_OK;
    TRY(device_open(device, err));
    for (unsigned i = 0; i < DEVICE_QUEUES && *done; i++)
        if (queue_has_work(device->queues[i]))
            TRY(queue_wait(done, device->queues[i], queue_newest(device->queues[i]), seconds, err));
done:
    return status;
}

lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(lun_device_drain(done, device, seconds, err));
    if (*done)
        TRY(failure_report(device, NULL, err));
done:
    return status;
}
