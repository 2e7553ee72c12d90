/* Enqueueing: every command of an operation is enqueued by operation_enqueue, which has its wait list. */
#include "base/error.h"
#include "op/operation.h"

void operation_wait_for(operation *op, cl_event gate)
{
    op->gate = gate;
    op->waits[op->wait_count++] = gate;
}

void operation_drop_gate(operation *op)
{
    if (op->gate)
        clReleaseEvent(op->gate);
    op->gate = NULL;
}

static cl_int call(const operation *op, const enqueuer *by, const void *command, cl_event *event)
{
    return by->call(operation_queue(op), command, op->wait_count, op->wait_count ? op->waits : NULL, event);
}

/* NVIDIA's driver refuses to wait for a failed event, and does so a moment before the event's status shows the failure.
 * The wait list is then rebuilt without that event. */
lun_status operation_enqueue(operation *op, const enqueuer *by, const void *command, bool shown, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_event event = NULL;
    const bool kept = op->at_once ? operation_has_events(op) : shown;
    const double start = by->says ? recording_now(op->device) : 0;
    cl_event *const place = kept || (start != 0 && !op->at_once) ? &event : NULL;
    bool anew = true;
    cl_int code = fault_code();
    if (code == CL_SUCCESS)
        code = call(op, by, command, place);
    while (code != CL_SUCCESS && op->wait_count && anew) {
        TRY_DONE(operation_wait_anew(&anew, op, err));
        if (anew)
            code = call(op, by, command, place);
    }
    if (code != CL_SUCCESS)
        status = fail_cl(err, code, by->name);
    else if (start != 0)
        operation_record_command(op, by, command, event, op->wait_count != 0, start);
    if (code == CL_SUCCESS && event && !kept) { /* it was only for the recording */
        clReleaseEvent(event);
        event = NULL;
    }
    if (code == CL_SUCCESS)
        operation_enqueued(op, event);
done:
    op->refusal = status != LUN_OK ? err->code : CL_SUCCESS;
    return status;
}

static cl_int call_marker(cl_command_queue queue, const void *command, cl_uint wait_count, const cl_event *waits,
                          cl_event *event)
{
    (void)command;
    return clEnqueueMarkerWithWaitList(queue, wait_count, waits, event);
}

lun_status operation_mark(operation *op, lun_error *err)
{
    static const enqueuer marker = {.name = "clEnqueueMarkerWithWaitList", .call = call_marker};
    return operation_enqueue(op, &marker, NULL, true, err);
}
