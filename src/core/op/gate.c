/* A host's gates: a queue continues once its gate is opened, by any thread, for example one that waits for messages
 * from other machines. */
#include "base/error.h"
#include "device/companion.h"
#include "device/context.h"
#include "device/device.h"
#include "flow/queue.h"
#include "op/op_room.h"
#include "op/operation.h"

#include <stdatomic.h>
#include <stdlib.h>

struct lun_gate {
    cl_event event;
    lun_device *device; /* retained */
    atomic_bool open;
};

lun_status lun_gate_close(lun_gate **out, lun_queue *queue, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    lun_gate *made = calloc(1, sizeof *made);
    *out = NULL;
    if (device_refuses_gates(lun_queue_device(queue)))
        FAIL_DONE(LUN_MISUSE, "the driver of %s cannot wait for later events; PoCL's pthread can",
                  lun_queue_device(queue)->info.name);
    if (!made)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a gate");
    made->device = lun_device_retain(lun_queue_device(queue));
    CL_NEW_DONE(made->event, clCreateUserEvent, context_of(made->device));
    operation_init(&op, made->device, "gate", &(lun_call){.queue = queue});
    TRY_DONE(operation_begin(&op, err));
    clRetainEvent(made->event);
    operation_wait_for(&op, made->event);
    TRY_DONE(operation_mark(&op, err));
    TRY_DONE(operation_end(&op, err));
    *out = made;
    made = NULL;
done:
    operation_clear(&op);
    lun_gate_free(made);
    return status;
}

/* A second opening is an error, because an event ends only once. */
void lun_gate_open(lun_gate *gate)
{
    if (!atomic_exchange(&gate->open, true))
        clSetUserEventStatus(gate->event, CL_COMPLETE);
}

void lun_gate_free(lun_gate *gate)
{
    if (!gate)
        return;
    if (gate->event) {
        lun_gate_open(gate);
        clReleaseEvent(gate->event);
    }
    lun_device_release(gate->device);
    free(gate);
}
