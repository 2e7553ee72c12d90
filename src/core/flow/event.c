/* Events: the end of an operation, which a host can wait for, query and time. */
#include "flow/event.h"
#include "base/error.h"
#include "device/device.h"
#include "device/recording.h"
#include "flow/failure_room.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/wait.h"
#include "flow/watch.h"

#include <stdlib.h>
#include <string.h>

void lun_event_clear(lun_event *event)
{
    watch_free(event->watch, event->device);
    if (event->device && !device_in_child(event->device)) {
        if (event->first)
            clReleaseEvent((cl_event)event->first);
        if (event->last)
            clReleaseEvent((cl_event)event->last);
    }
    if (event->last) {
        flow_of(event->device)->events--;
        failures_changed(event->device);
    }
    lun_device_release(event->device);
    memset(event, 0, sizeof *event);
}

void event_begin_with(lun_event *event, const lun_event *earlier)
{
    if (!event->first || !earlier->first)
        return;
    clRetainEvent((cl_event)earlier->first);
    clReleaseEvent((cl_event)event->first);
    event->first = earlier->first;
}

void event_of_operation(lun_event *out, lun_queue *queue, uint64_t serial, const char *op, cl_event first,
                        cl_event last)
{
    *out = (lun_event){.device = lun_device_retain(queue->device),
                       .first = first,
                       .last = last,
                       .serial = serial,
                       .queue = queue->index};
    memcpy(out->op, op, strnlen(op, sizeof out->op - 1));
    if (!last)
        return;
    clRetainEvent(first);
    clRetainEvent(last);
    queue->flow->events++;
}

lun_status event_of_newest(lun_event *out, lun_queue *queue, lun_error *err)
{
    const slot *newest = slot_of(queue, queue_newest(queue));
    TRY(queue_show(queue, newest->serial, err));
    TRY(queue_flush(queue, err));
    event_of_operation(out, queue, newest->serial, newest->op, newest->first, newest->last);
    return LUN_OK;
}

static lun_queue *queue_of(const lun_event *event) { return queue_at(event->device, event->queue); }

/* The event's execution status, with two exceptions: the operation counts as failed if an earlier failure includes it,
 * and as running while operations before it run. A forked child cannot query the driver, and treats the operation as
 * failed. */
static cl_int state_of(const lun_event *event)
{
    cl_int state = CL_COMPLETE;
    if (!event->last || event->serial == 0) /* work done at once has no ticket */
        return CL_COMPLETE;
    if (device_in_child(event->device))
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    cl_int code;
    const ending shown = ending_of(queue_of(event), event->serial, event->last);
    state = ending_state(&shown, &code);
    const bool refused = code != CL_SUCCESS; /* this says nothing about the operation: the queue knows whether it has
                                              * ended */
    if (state > CL_COMPLETE && !refused)
        flag_ask(queue_of(event));
    if (event->serial > queue_of(event)->done || failures_known(event->device))
        queue_reap(queue_of(event));
    if (event->serial > queue_of(event)->done)
        return state > CL_COMPLETE && !refused ? state : CL_RUNNING;
    state = refused ? CL_COMPLETE : state;
    if (state >= 0 && queue_failure(queue_of(event), event->serial))
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return state;
}

/* How to detect the event's end: with a flag if the driver may report it late. If the event has failed before its
 * operation's turn, the wait is for the end of the queue's oldest operation. */
static ending asked(const lun_event *event)
{
    lun_queue *queue = queue_of(event);
    cl_int code;
    flag_ask(queue);
    ending shown = ending_of(queue, event->serial, event->last);
    if (event->serial > queue->done && ending_state(&shown, &code) <= CL_COMPLETE)
        shown = ending_of(queue, queue->done + 1, queue_event(queue, queue->done + 1));
    return shown;
}

lun_event_state lun_event_status(const lun_event *event)
{
    cl_int state = state_of(event);
    return state < 0               ? LUN_EVENT_FAILED
           : state == CL_COMPLETE  ? LUN_COMPLETE
           : state == CL_RUNNING   ? LUN_RUNNING
           : state == CL_SUBMITTED ? LUN_SUBMITTED
                                   : LUN_QUEUED;
}

/* The error of a failed event. The record of the failure knows whether an earlier operation caused it. */
static lun_status check_outcome(const lun_event *event, cl_int state, lun_error *err)
{
    if (state >= 0)
        return LUN_OK;
    queue_reap(queue_of(event));
    failure *known = queue_failure(queue_of(event), event->serial);
    return fail_command(err, known ? known : &(failure){.code = state, .op = event->op});
}

lun_status lun_event_wait(bool *done, const lun_event *event, double seconds, lun_error *err)
{
    cl_int state = CL_COMPLETE;
    *done = true;
    if (!event->last)
        return LUN_OK;
    TRY(device_open(event->device, err));
    TRY(queue_flush(queue_of(event), err));
    TRY(queue_wait(done, queue_of(event), event->serial, seconds, err));
    state = state_of(event);
    *done = state <= CL_COMPLETE;
    return check_outcome(event, state, err);
}

/* The position of the first event that has ended, or `count`. */
static size_t first_ended(const lun_event *const *events, size_t count)
{
    size_t i = 0;
    while (i < count && state_of(events[i]) > CL_COMPLETE)
        i++;
    return i;
}

lun_status lun_event_wait_any(size_t *position, const lun_event *const *events, size_t count, double seconds,
                              lun_error *err)
{
    lun_status status = LUN_OK;
    ending *shown = NULL;
    waker *shared = NULL;
    const double start = clock_now();
    *position = first_ended(events, count);
    if (*position < count || count == 0)
        return LUN_OK;
    const double noted = recording_now(events[0]->device);
    shown = malloc(count * sizeof *shown);
    if (!shown)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a list of %zu events", count);
    for (;;) {
        size_t shows;
        double left = seconds < 0 ? LOOK_SECONDS : start + seconds - clock_now();
        if (left < 0)
            break;
        for (size_t i = 0; i < count; i++) {
            TRY_DONE(device_open(events[i]->device, err));
            TRY_DONE(queue_flush(queue_of(events[i]), err));
            shown[i] = asked(events[i]);
            shared = shared ? shared : flow_of(events[i]->device)->waker;
        }
        TRY_DONE(wait_any(&shows, shared, shown, count, left < LOOK_SECONDS ? left : LOOK_SECONDS, err));
        *position = first_ended(events, count);
        if (*position < count)
            break;
    }
done:
    recording_waited(events[0]->device, events[0]->op, noted);
    free(shown);
    return status;
}

lun_status lun_event_descriptor(int *out, lun_event *event, lun_error *err)
{
    watch *made = event->watch;
    if (!made) {
        if (event->device)
            TRY(device_open(event->device, err));
        if (event->last)
            TRY(queue_flush(queue_of(event), err));
        bool ended = state_of(event) <= CL_COMPLETE || failure_is_due(queue_of(event), event->serial);
        const ending shown = ended ? (ending){0} : asked(event);
        TRY(watch_create(&made, event->device, &shown, err));
        event->watch = made;
    }
    *out = watch_descriptor(made);
    return LUN_OK;
}

static lun_status time_of(double *seconds, void *event, cl_profiling_info what, lun_error *err)
{
    cl_ulong nanoseconds = 0;
    CL(clGetEventProfilingInfo, (cl_event)event, what, sizeof nanoseconds, &nanoseconds, NULL);
    *seconds = 1e-9 * (double)nanoseconds;
    return LUN_OK;
}

lun_status lun_event_profile(lun_profile *out, const lun_event *event, lun_error *err)
{
    lun_status status = LUN_OK;
    memset(out, 0, sizeof *out);
    if (!event->last)
        return LUN_OK;
    TRY_DONE(device_open(event->device, err));
    cl_int state = state_of(event);
    if (state > CL_COMPLETE)
        FAIL_DONE(LUN_MISUSE, "the event is not complete yet; wait for it first");
    TRY_DONE(check_outcome(event, state, err));
    /* The flag may show the end before the driver has the times. */
    CL_DONE(clWaitForEvents, 1, (const cl_event *)&event->last);
    TRY_DONE(time_of(&out->queued, event->first, CL_PROFILING_COMMAND_QUEUED, err));
    TRY_DONE(time_of(&out->submitted, event->first, CL_PROFILING_COMMAND_SUBMIT, err));
    TRY_DONE(time_of(&out->started, event->first, CL_PROFILING_COMMAND_START, err));
    TRY_DONE(time_of(&out->ended, event->last, CL_PROFILING_COMMAND_END, err));
done:
    if (status == LUN_FAILED && err->code == CL_PROFILING_INFO_NOT_AVAILABLE && !queue_gives_times(queue_of(event)))
        status = fail(err, LUN_MISUSE, "its queue records no times: it was made with profiling = false");
    return status;
}
