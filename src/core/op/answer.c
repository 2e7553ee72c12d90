/* Answers: numbers that a call waits for. If the device has memory that the host sees while it stays mapped, kernels
 * write them there; otherwise one blocking read fetches them. Either is faster than an array, an event and a read. */
#include "op/answer.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "flow/queue.h"
#include "flow/wait.h"
#include "memory/block.h"
#include "op/arguments.h"
#include "op/at_once.h"
#include "op/kept.h"
#include "op/op_room.h"
#include "op/operation.h"
#include "op/tables.h"

#include <stdlib.h>
#include <string.h>

#define BYTES (LUN_MOST_BYTES * ANSWERS)
#define TRIAL 0xa5

struct answers {
    cl_mem mem;
    void *host;       /* the mapped memory; NULL if it is not mapped */
    lun_block *block; /* a block of the same memory, for arrays in it; its uses are not recorded */
};

/* A mapping may be a copy, whatever the device reports. So a command writes to mapped memory here, and the host checks
 * whether it sees the write. The command runs in its own queue, because other queues may have long work. */
static lun_status try_sharing(struct answers *made, const lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    const cl_uchar pattern = TRIAL;
    cl_command_queue queue = NULL;
    TRY_DONE(context_queue(&queue, device, MAIN_UNIT, 0, err));
    CL_NEW_DONE(made->host, clEnqueueMapBuffer, queue, made->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0,
                NULL, NULL);
    memset(made->host, 0, BYTES);
    CL_DONE(clEnqueueFillBuffer, queue, made->mem, &pattern, 1, 0, BYTES, 0, NULL, NULL);
    CL_DONE(clFinish, queue);
    const unsigned char *seen = made->host;
    if (seen[0] != TRIAL || seen[BYTES - 1] != TRIAL)
        made->host = NULL; /* the memory stays mapped, and commands only read it */
done:
    if (queue)
        clReleaseCommandQueue(queue);
    return status;
}

lun_status answer_block(lun_block **out, lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    struct answers *made = NULL;
    if (!state_of(device)->answers) {
        bool shared = device->info.unified_memory;
        TRY_DONE(device_open(device, err));
        made = NEW_DONE(1, sizeof *made, "the record of a device's answers");
        TRY_DONE(context_buffer(&made->mem, device, CL_MEM_READ_WRITE | (shared ? CL_MEM_ALLOC_HOST_PTR : 0), BYTES,
                                NULL, err));
        if (shared)
            TRY_DONE(try_sharing(made, device, err));
        made->block = OR_LEAVE(FAIL_DONE, block_around(device, made->mem), "the record of a device's answers");
        state_of(device)->answers = made;
    }
    *out = state_of(device)->answers->block;
done:
    if (status != LUN_OK && made) {
        if (made->mem)
            clReleaseMemObject(made->mem);
        free(made);
    }
    return status;
}

bool answer_polled(const lun_device *device) { return state_of(device)->answers && state_of(device)->answers->host; }

/* Polls for the end of the commands: sleeping would wake two threads, which may take as long as a small reduction. */
static lun_status await(const operation *op, lun_error *err)
{
    if (op->last && wait_awake(op->last))
        CL(clWaitForEvents, 1, &op->last); /* the command's writes are guaranteed to be visible only after this call */
    else
        CL(clFinish, operation_queue(op));
    return LUN_OK;
}

lun_status answer_read(void *data, operation *op, size_t bytes, lun_error *err)
{
    const struct answers *answers = state_of(op->device)->answers;
    const double start = op->at_once ? 0 : recording_now(op->device);
    if (answers->host) {
        TRY(await(op, err));
        memcpy(data, answers->host, bytes);
    } else {
        CL(clEnqueueReadBuffer, operation_queue(op), answers->mem, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    }
    recording_waited(op->device, op->name, start);
    op->ended = true;
    queues_note_wait(op->device);
    if (op->at_once) {
        companion_leave(op);
        return LUN_OK;
    }
    queue_unrecorded_ended(op->queue);
    queue_reap(op->queue); /* earlier operations have ended too, also those of queues that were waited for */
    for (unsigned i = 0; i < op->after.count; i++)
        queue_reap(op->after.of[i].queue);
    return LUN_OK;
}

/* ---- what op/ keeps of a device --------------------------------------------------------------------------------- */

void **op_kept(lun_device *device) { return &state_of(device)->expression; }

static void close_own(lun_device *device)
{
    struct answers *answers = state_of(device)->answers;
    tables_clear(device);
    arguments_clear(device);
    free(state_of(device)->expression);
    if (!device_in_child(device))
        companion_close(device);
    if (!answers || device_in_child(device))
        return;
    clReleaseMemObject(answers->mem);
    free(answers->block);
    free(answers);
}

static void trim_own(lun_device *device)
{
    tables_clear(device);
    arguments_clear(device);
}

const room_part op_part = {.bytes = sizeof(op_state), .trim = trim_own, .close = close_own};
