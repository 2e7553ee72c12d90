/* Tickets: the recent operations in a queue's ring, and which of them have ended. */
#include "base/error.h"
#include "device/device.h"
#include "flow/failure_room.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/verdict_room.h"
#include "flow/wait.h"

#include <stdlib.h>

/* The time within which a driver must end an operation that waits for a failed one, and report the state of an
 * operation. */
#define FORGOTTEN_SECONDS 250e-3

/* ---- slots of the ring ------------------------------------------------------------------------------------------ */

bool slot_waits(const lun_queue *queue, const slot *entry)
{
    bool waits = false;
    for (unsigned i = 0; i < entry->after.count; i++)
        waits = waits || entry->after.of[i].queue != queue;
    return waits;
}

static void drop_events(slot *entry)
{
    if (entry->first && entry->first != entry->last)
        clReleaseEvent(entry->first);
    if (entry->last)
        clReleaseEvent(entry->last);
    entry->first = entry->last = NULL;
}

/* When the commands before it have ended, PoCL 3.1 uses an event that failed before its turn once more, without holding
 * a reference, and nothing shows when it has done so. Such an event is never released. */
void slot_retire(lun_queue *queue, slot *entry)
{
    if (slot_waits(queue, entry) && queue_command_failure(queue, entry->serial))
        entry->first = entry->last = NULL;
    else
        drop_events(entry);
}

void holds_drop(hold **list)
{
    while (*list) {
        hold *next = (*list)->next;
        (*list)->let_go((*list)->what);
        free(*list);
        *list = next;
    }
}

void slot_keep_holds(lun_queue *queue, slot *entry)
{
    hold **end = &queue->kept;
    while (*end)
        end = &(*end)->next;
    *end = entry->holds;
    entry->holds = NULL;
}

/* ---- filing ----------------------------------------------------------------------------------------------------- */

uint64_t queue_newest(const lun_queue *queue) { return queue->next - 1; }
const char *queue_newest_op(const lun_queue *queue) { return queue->ring[queue_newest(queue) % QUEUE_RING].op; }
bool queue_is_fresh(const lun_queue *queue) { return queue->next == queue->since; }
bool queue_has_ended(const lun_queue *queue, uint64_t serial) { return serial <= queue->done; }
void queue_note_unrecorded(lun_queue *queue) { queue->unrecorded = true; }
void queue_unrecorded_ended(lun_queue *queue) { queue->unrecorded = false; }

bool queue_takes_silent(const lun_queue *queue)
{
    return queue->next < queue->done + SILENT_MOST || queue_event(queue, queue->next + 1 - SILENT_MOST);
}

/* How long a host may wait without allowing interrupts. */
#ifdef LUN_FAULTS
#define QUICK_SECONDS 1e-7
#else
#define QUICK_SECONDS (LUN_SLICE / 2)
#endif

/* Quick operations that together take long are as slow as one of those. */
static void note_slow(lun_queue *queue, const enqueued *operation, uint64_t serial)
{
    queue->quick += operation->seconds;
    if (operation->quick && queue->quick < QUICK_SECONDS)
        return;
    queue->slow = serial;
    queue->quick = 0;
}

uint64_t queue_file(lun_queue *queue, const enqueued *operation)
{
    const uint64_t serial = queue->next;
    slot *newest = slot_of(queue, serial - 1), *entry = slot_of(queue, serial);
    if (newest->serial <= queue->done)
        slot_retire(queue, newest);
    tickets_clear(&entry->after);
    *entry = (slot){.serial = serial,
                    .first = operation->first,
                    .last = operation->last,
                    .op = operation->op,
                    .holds = operation->holds,
                    .verdict = operation->verdict,
                    .unjudged = operation->unjudged,
                    .after = operation->after};
    queue->flow->facts.unjudged += slot_is_unjudged(entry);
    note_slow(queue, operation, serial);
    queue->next++;
    return serial;
}

bool queue_is_unjudged(const lun_queue *queue, uint64_t serial)
{
    const slot *entry = &queue->ring[serial % QUEUE_RING];
    return serial > queue->done && slot_is_unjudged(entry);
}

/* ---- showing ---------------------------------------------------------------------------------------------------- */

/* The first slot from `serial` on that has an event; its completion implies that of `serial`. NULL: there is none. */
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
    slot *newest = slot_of(queue, queue_newest(queue));
    if (serial <= queue->done || serial >= queue->next || queue_event(queue, serial))
        return LUN_OK;
    CL(clEnqueueMarkerWithWaitList, queue->cl, 0, NULL, &newest->last);
    newest->first = newest->first ? newest->first : newest->last;
    queue->flushed = smaller(queue->flushed, newest->serial - 1);
    return LUN_OK;
}

/* ---- ending ----------------------------------------------------------------------------------------------------- */

/* Does the operation wait for unfinished operations of other queues? */
static bool has_producers(const slot *entry)
{
    for (unsigned i = 0; i < entry->after.count; i++) {
        const ticket *each = &entry->after.of[i];
        queue_reap_until(each->queue, each->serial);
        if (!queue_has_ended(each->queue, each->serial))
            return true;
    }
    return false;
}

/* Has the operation been suspected for FORGOTTEN_SECONDS? */
static bool is_suspected_long(lun_queue *queue, const slot *entry)
{
    if (queue->suspect != entry->serial) {
        queue->suspect = entry->serial;
        queue->suspected = clock_now();
        queue->refusals = 0;
    }
    return clock_now() > queue->suspected + FORGOTTEN_SECONDS;
}

/* Then the queue's operations are no longer waited for. */
static bool outlasts_suspicion(lun_queue *queue, const slot *entry)
{
    queue->stuck = is_suspected_long(queue, entry) || queue->stuck;
    return queue->stuck;
}

/* The same if the driver refused to report the state of the operation. It may still be running, and elapsed time alone
 * proves nothing, because a host may sleep between two checks, or check often. So a number of consecutive checks must
 * also have been refused, each some time after the one before. */
#define LEAST_REFUSALS 16
#define REFUSAL_SECONDS 0.005
static bool outlasts_refusals(lun_queue *queue, const slot *entry)
{
    const bool is_long = is_suspected_long(queue, entry);
    const double now = clock_now();
    if (queue->refusals == 0 || now > queue->refused + REFUSAL_SECONDS) {
        queue->refusals++;
        queue->refused = now;
    }
    queue->stuck = queue->stuck || (is_long && queue->refusals >= LEAST_REFUSALS);
    return queue->stuck;
}

/* PoCL never ends a command that was enqueued after an event of its wait list had failed, nor the commands after it:
 * their status stays CL_QUEUED. With other drivers such a command fails at once. So the command gets FORGOTTEN_SECONDS
 * before it counts as forgotten. A producer may also count as failed although its own event has not failed; then the
 * command runs as usual, and is not forgotten while it may wait for another producer or has been submitted to the
 * device. */
static bool is_forgotten(lun_queue *queue, const slot *entry, cl_int state)
{
    if (queue->stuck || state <= CL_SUBMITTED || !failure_of_producers(entry) || has_producers(entry))
        return queue->stuck;
    return outlasts_suspicion(queue, entry);
}

/* The operation's execution status, by the event of `shower`. An operation that is after a failed one in its queue, or
 * waits for a failed one, counts as failed even if the driver ran it: it may have read what the failed one should have
 * written. A silent operation counts as failed if its shower has failed, because its own status is unknown. */
static cl_int outcome(lun_queue *queue, const slot *entry, const slot *shower)
{
    cl_int code;
    const ending shown = ending_of(queue, entry->serial, shower->last);
    cl_int state = ending_state(&shown, &code);
    if (code != CL_SUCCESS) /* an operation that waits for another queue is not given up before that queue's work */
        return !has_producers(entry) && outlasts_refusals(queue, entry) ? code : CL_QUEUED;
    queue->refusals = 0;
    if (state == CL_RUNNING && queue->suspect == entry->serial)
        queue->suspect = 0; /* it runs: an earlier refusal meant nothing */
    bool taken = state == CL_COMPLETE ? queue->failing || failure_of_producers(entry)
                                      : state > CL_COMPLETE && is_forgotten(queue, entry, state);
    return taken ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : state;
}

void queue_reap_until(lun_queue *queue, uint64_t last)
{
    while (queue->done < last && queue_has_work(queue) && queue->looked != queue->flow->looks) {
        slot *entry = slot_of(queue, queue->done + 1);
        const slot *shower = shown_by(queue, entry->serial);
        cl_int state = shower ? outcome(queue, entry, shower) : CL_QUEUED;
        if (state == CL_COMPLETE && slot_is_unjudged(entry) && !slot_judge(queue, entry))
            state = CL_RUNNING;
        if (state > CL_COMPLETE) {
            queue->looked = queue->flow->looks;
            break;
        }
        if (state < 0)
            failure_note(queue, entry, shower->op, state);
        slot_settle(queue, entry);
        if (queue->stuck)
            slot_keep_holds(queue, entry);
        else
            holds_drop(&entry->holds);
        if (entry->serial + 1 < queue->next)
            slot_retire(queue, entry); /* the newest keeps its event, for event_of_newest */
        queue->done++;
    }
}

/* Each reaping is a new check. Within it a queue whose oldest operation is running is not queried again, however many
 * operations of other queues wait for it. */
void queue_reap(lun_queue *queue)
{
    if (queue->cl)
        queue->flow->looks++;
    queue_reap_until(queue, UINT64_MAX);
}

bool queue_is_ahead(lun_queue *queue)
{
    const slot *newest = slot_of(queue, queue_newest(queue));
    cl_int code;
    if (!queue_has_work(queue) || !newest->last || !slot_waits(queue, newest))
        return false;
    const ending shown = ending_of(queue, newest->serial, newest->last);
    return ending_state(&shown, &code) < 0;
}

/* Codes that say nothing about the queue: the driver was short of memory for the wait itself. */
static bool is_shortage(cl_int code) { return code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES; }

bool queue_may_go_on(lun_queue *queue, cl_int code)
{
    queue_reap(queue);
    if (!is_shortage(code) || !queue_has_work(queue) || queue->stuck)
        return false;
    const slot *entry = slot_of(queue, queue->done + 1), *shower = shown_by(queue, entry->serial);
    cl_int refused = CL_SUCCESS, state = CL_QUEUED;
    if (shower) {
        const ending shown = ending_of(queue, entry->serial, shower->last);
        state = ending_state(&shown, &refused);
    }
    return (refused == CL_SUCCESS && state == CL_RUNNING) || has_producers(entry) || !outlasts_refusals(queue, entry);
}

bool queue_is_idle(lun_queue *queue)
{
    if (queue_has_work(queue))
        queue_reap(queue);
    return !queue_has_work(queue);
}

bool queue_is_busy(lun_queue *queue) { return queue->cl && lun_queue_pending(queue) > 0; }

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
