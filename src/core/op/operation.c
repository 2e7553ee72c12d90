/* Operations: beginning them, the events that the first command waits for, and the tickets. */
#include "op/operation.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "device/pinned.h"
#include "device/program.h"
#include "flow/event.h"
#include "flow/failure.h"
#include "flow/queue.h"
#include "flow/wait.h"
#include "memory/block.h"
#include "op/at_once.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

void operation_init(operation *op, lun_device *device, const char *name, const lun_call *call)
{
    memset(op, 0, sizeof *op);
    op->device = device;
    op->name = name;
    op->call = call;
    op->queue = call && call->queue ? call->queue : queue_at(device, DEFAULT_QUEUE);
    op->uses = op->few_uses;
    op->scratch = op->few_scratch;
    op->use_room = op->scratch_room = OPERATION_FEW;
    op->harmless = true;
    programs_for(device, MAIN_UNIT);
    programs_weigh(device, 0);
    if (call && call->event)
        lun_event_clear(call->event);
    if (device->recording)
        recording_call_begin(&op->recorded, device, name);
}

void operation_unrecorded(operation *op, bool watched)
{
    op->unrecorded = true;
    op->watched = watched;
}

void operation_quick(operation *op) { op->quick = true; }

/* ---- enqueueing ---------------------------------------------------------------------------------------------- */

/* Records failures on this queue before more work is enqueued, and releases the memory of operations that have
 * ended. */
static lun_status make_room(lun_queue *queue, lun_error *err)
{
    bool done;
    queue_reap(queue);
    failures_sweep(lun_queue_device(queue));
    TRY(queue_recover(queue, err));
    return queue_room(&done, queue, -1, err);
}

/* Makes room in the blocks' lists for the uses that take_ticket records there. */
static lun_status reserve_uses(operation *op, lun_error *err)
{
    for (unsigned i = 0; i < op->use_count; i++) {
        unsigned count = 0;
        for (unsigned j = 0; j < op->use_count; j++)
            count += op->uses[j].block == op->uses[i].block;
        TRY(block_reserve(op->uses[i].block, count, err));
    }
    for (unsigned i = 0; i < op->scratch_count; i++)
        TRY(block_reserve(op->scratch[i], 1, err));
    return LUN_OK;
}

/* Finds, for each other queue, its last ticket that conflicts with the operation's reads and writes. */
static lun_status find_producers(operation *op, lun_error *err)
{
    bool fits = true;
    for (unsigned i = 0; i < op->use_count; i++) {
        const operation_use *use = &op->uses[i];
        fits = block_after(&op->after, use->block, use->from, use->to, use->write, op->queue) && fits;
    }
    for (unsigned i = 0; i < op->scratch_count; i++)
        fits = block_after(&op->after, op->scratch[i], 0, block_bytes(op->scratch[i]), true, op->queue) && fits;
    return fits ? LUN_OK : fail(err, LUN_NO_MEMORY, "out of host memory for an operation's record");
}

static void reap_producers(const operation *op)
{
    for (unsigned i = 0; i < op->after.count; i++)
        if (!fault_blind())
            queue_reap(op->after.of[i].queue);
}

/* Handles the failures known so far. If a failed operation should have written an input, the call fails. If this
 * operation would only have waited for the failed one, it does not: with PoCL a wait for a failed event never ends. */
static lun_status look_at_failures(operation *op, lun_error *err)
{
    if (!failures_known(op->device))
        return LUN_OK;
    for (unsigned i = 0; i < op->scratch_count; i++)
        block_settle(op->scratch[i]);
    for (unsigned i = 0; i < op->use_count; i++) {
        const operation_use *use = &op->uses[i];
        block_settle(use->block);
        if (use->read)
            TRY(block_check_whole(use->block, use->from, use->to, err));
    }
    TRY(find_producers(op, err));
    reap_producers(op);
    return LUN_OK;
}

/* Makes the wait list. Another queue must be flushed before its event can be waited for. */
static lun_status find_waits(operation *op, lun_error *err)
{
    unsigned kept = 0;
    TRY(find_producers(op, err));
    reap_producers(op);
    TRY(look_at_failures(op, err));
    for (unsigned i = 0; i < op->after.count; i++) {
        const ticket each = op->after.of[i];
        TRY(queue_show(each.queue, each.serial, err));
        cl_event event = queue_event(each.queue, each.serial);
        if (!event) /* it has ended */
            continue;
        TRY(queue_flush(each.queue, err));
        op->waits[op->wait_count++] = event;
        op->after.of[kept++] = each;
    }
    op->after.count = kept;
    if (queues_unjudged(op->device))
        TRY(operation_find_unjudged(op, err));
    cl_event gate = fault_gate(context_of(op->device));
    if (gate)
        op->waits[op->wait_count++] = gate;
    if (op->gate)
        op->waits[op->wait_count++] = op->gate;
    return LUN_OK;
}

#define SHOWN_SECONDS 20e-3 /* at most, from an event's failure until its status shows it */

/* Has an event of the wait list failed? Waits up to SHOWN_SECONDS while some events have not ended. */
static bool some_wait_failed(const operation *op)
{
    const double start = clock_now();
    for (;;) {
        bool open = false;
        for (unsigned i = 0; i < op->wait_count; i++) {
            cl_int state = CL_COMPLETE;
            if (clGetEventInfo(op->waits[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) !=
                    CL_SUCCESS ||
                state < 0)
                return true;
            open = open || state != CL_COMPLETE;
        }
        if (!open || clock_now() - start > SHOWN_SECONDS)
            return false;
        sched_yield();
    }
}

lun_status operation_wait_anew(bool *anew, operation *op, lun_error *err)
{
    *anew = some_wait_failed(op);
    if (*anew) {
        op->wait_count = 0;
        for (unsigned i = 0; i < op->after.count; i++)
            queue_reap(op->after.of[i].queue);
        TRY(find_waits(op, err));
    }
    return LUN_OK;
}

void operation_risky(operation *op) { op->risky = true; }

/* Can the operation's commands do without events? Commands that may fail by themselves need events, so that the failure
 * names the operation. */
static bool is_silent(const operation *op)
{
    if (!device_is_apart(op->device) || queues_may_overlap(op->device) || failures_known(op->device) || op->risky ||
        op->holds || op->wait_count || (op->call && op->call->event))
        return false;
    return queue_takes_silent(op->queue);
}

lun_status operation_begin(operation *op, lun_error *err)
{
    TRY(device_open(op->device, err));
    if (op->at_once)
        return companion_begin(op, err);
    if (lun_queue_device(op->queue) != op->device)
        FAIL(LUN_MISUSE, "the queue is of another device");
    if (!queue_is_open(op->queue))
        FAIL(LUN_MISUSE, "the queue was released");
    TRY(make_room(op->queue, err));
    TRY(reserve_uses(op, err));
    bool timed = (queue_gives_times(op->queue) && op->call && op->call->event) || op->device->recording;
    op->swapped = timed && !queue_is_timed(op->queue);
    if (op->swapped && !tickets_raise(&op->after, op->queue, queue_newest(op->queue)))
        FAIL(LUN_NO_MEMORY, "out of host memory for an operation's record");
    TRY(find_waits(op, err));
    op->silent = is_silent(op);
    if (op->wait_count) /* the wait may fail: an event here shows that the operations before this one succeeded */
        TRY(queue_show(op->queue, queue_newest(op->queue), err));
    TRY(queue_keep_times(op->queue, timed, err));
    op->begun = true;
    return LUN_OK;
}

bool operation_has_events(const operation *op)
{
    if (op->at_once)
        return op->call && op->call->event;
    return !op->silent && (!op->unrecorded || op->watched);
}

cl_command_queue operation_queue(const operation *op)
{
    return op->at_once ? companion_queue(op) : queue_cl(op->queue);
}

void operation_enqueued(operation *op, cl_event event)
{
    operation_drop_gate(op);
    if (op->unrecorded && !op->at_once)
        queue_note_unrecorded(op->queue);
    if (op->last && op->last != op->first)
        clReleaseEvent(op->last);
    if (!op->first)
        op->first = event;
    op->last = event;
    op->commands++;
    op->harmless = false;
    op->wait_count = 0; /* the queue is in order: later commands start after the first and need no wait list */
}

/* ---- the ticket ------------------------------------------------------------------------------------------------ */

static void give_event(const operation *op, uint64_t serial)
{
    if (op->call && op->call->event)
        event_of_operation(op->call->event, op->queue, serial, op->name, op->first, op->last);
}

/* Will the operation end soon? One that waits for other queues may take long, or never end after a failure there. */
static bool is_quick(const operation *op)
{
    bool quick = op->quick;
    for (unsigned i = 0; i < op->after.count; i++)
        quick = quick && op->after.of[i].queue == op->queue;
    return quick;
}

/* Files the operation's events in the queue's ring, which owns them from now on, and its uses with their blocks. */
static uint64_t take_ticket(operation *op)
{
    if (op->recorded.of)
        operation_record_ticket(op, queue_newest(op->queue) + 1);
    const uint64_t serial = queue_file(op->queue, &(enqueued){.first = op->first,
                                                              .last = op->last,
                                                              .op = op->name,
                                                              .holds = op->holds,
                                                              .verdict = op->verdict,
                                                              .unjudged = op->unjudged,
                                                              .after = op->after,
                                                              .quick = is_quick(op),
                                                              .seconds = 1e-9 * op->weight / op->device->info.units});
    op->holds = NULL;
    op->unjudged = op->after = (tickets){0};
    for (unsigned i = 0; i < op->use_count; i++) {
        const operation_use *use = &op->uses[i];
        block_record(use->block, use->from, use->to, use->write, use->whole, op->queue, serial);
    }
    for (unsigned i = 0; i < op->scratch_count; i++)
        block_record(op->scratch[i], 0, block_bytes(op->scratch[i]), true, true, op->queue, serial);
    return serial;
}

static void release_events(operation *op)
{
    if (op->first && op->first != op->last)
        clReleaseEvent(op->first);
    if (op->last)
        clReleaseEvent(op->last);
    op->first = op->last = NULL;
}

/* Ends an operation that ran at once: it leaves no ticket, and its event has serial 0. But if its verdict is bad it
 * leaves a ticket, from which the operations that read its results get the failure. */
static lun_status end_at_once(operation *op, lun_error *err)
{
    uint64_t serial = 0;
    TRY(companion_finish(op, err));
    const bool bad = op->verdict && op->commands && verdict_seen(op->verdict)->found;
    if (bad) {
        TRY(make_room(op->queue, err));
        TRY(reserve_uses(op, err));
    }
    op->ended = true;
    companion_leave(op);
    if (bad) {
        serial = take_ticket(op);
        give_event(op, serial);
        TRY(queue_show(op->queue, serial, err));
        return LUN_OK;
    }
    if (op->verdict)
        op->verdict->clean = true;
    for (unsigned i = 0; i < op->use_count; i++)
        if (op->uses[i].write)
            block_wrote(op->uses[i].block);
    give_event(op, serial);
    release_events(op);
    return LUN_OK;
}

lun_status operation_end(operation *op, lun_error *err)
{
    uint64_t serial = queue_newest(op->queue);
    if (op->verdict && op->commands)
        TRY(operation_read_verdict(op, err));
    if (op->at_once)
        return end_at_once(op, err);
    if (op->commands)
        serial = take_ticket(op);
    else if (op->swapped) /* no command was enqueued that would wait for the other queue */
        queue_swap(op->queue);
    op->ended = true;
    give_event(op, serial);
    if (op->call && op->call->event)
        (void)queue_flush(op->queue, err); /* a waiter for the event flushes again, and reports a failure */
    return LUN_OK;
}

/* An operation that should have run at once is incomplete: its outputs may have neither their old nor their new
 * values. */
static void lose_outputs(operation *op)
{
    for (unsigned i = 0; i < op->use_count && op->commands && !op->harmless; i++)
        if (op->uses[i].write)
            block_lose(op->uses[i].block, op->uses[i].from, op->uses[i].to, op->name, op->refusal);
    release_events(op);
}

void operation_clear(operation *op)
{
    if (op->recorded.of)
        operation_record_end(op);
    if (op->at_once && !op->ended) {
        companion_leave(op);
        lose_outputs(op);
    } else if (op->begun && !op->ended) {
        queue_break(op->queue);
    }
    if (op->commands && !op->ended && !op->unrecorded && !op->at_once) {
        op->verdict = NULL; /* the command that reads the verdict was not enqueued */
        uint64_t serial = take_ticket(op);
        if (!op->harmless) /* the outputs may have neither their old nor their new values */
            failure_note_refusal(op->queue, serial, op->name, op->refusal);
    }
    if (op->watched)
        release_events(op);
    operation_drop_gate(op);
    tickets_clear(&op->unjudged);
    tickets_clear(&op->after);
    for (unsigned i = 0; i < op->use_count; i++)
        block_release(op->uses[i].block);
    for (unsigned i = 0; i < op->scratch_count; i++)
        block_release(op->scratch[i]);
    while (op->holds) {
        hold *next = op->holds->next;
        op->holds->let_go(op->holds->what);
        free(op->holds);
        op->holds = next;
    }
    if (op->uses != op->few_uses)
        free(op->uses);
    if (op->scratch != op->few_scratch)
        free(op->scratch);
    memset(op, 0, sizeof *op);
}
