/* Transfers: host bytes to an array and back. */
#include "transfer/transfer.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/pinned.h"
#include "flow/failure.h"
#include "flow/flag.h"
#include "flow/queue.h"
#include "memory/block.h"
#include "memory/staging.h"
#include "op/at_once.h"
#include "op/move/move.h"
#include "op/operation.h"
#include "transfer/gather.h"
#include "transfer/stream.h"
#include "transfer/transfer_room.h"

#include <string.h>

/* From that many bytes on a transfer goes to the queue for transfers (goes_apart), and array_write_from writes
 * without staging memory where the device shares the host's memory. */
#ifdef LUN_FAULTS
#define APART_LEAST ((size_t)4 << 10)
#define DIRECT_LEAST ((size_t)64 << 10)
#else
#define APART_LEAST ((size_t)1 << 20)
#define DIRECT_LEAST ((size_t)256 << 10)
#endif

size_t byte_offset(const lun_array *array) { return (size_t)array->offset * lun_dtype_bytes(array->dtype); }

lun_status dense_part(lun_array *out, operation *op, const lun_array *array, lun_error *err)
{
    if (lun_array_is_contiguous(array)) {
        *out = *array;
        return LUN_OK;
    }
    return operation_scratch_array(op, out, array->dtype, array->ndim, array->shape, err);
}

/* ---- the device's queue for transfers --------------------------------------------------------------------------- */

static lun_status transfer_queue(lun_queue **out, lun_device *device, lun_error *err)
{
    TRY(device_open(device, err));
    TRY(queue_ready(device, TRANSFER_QUEUE, err));
    *out = queue_at(device, TRANSFER_QUEUE);
    return LUN_OK;
}

static lun_status use_transfer_queue(operation *op, lun_error *err)
{
    return transfer_queue(&op->queue, op->device, err);
}

lun_status use_transfer_queue_beside(operation *op, lun_error *err)
{
    queues_overlap(op->device);
    return use_transfer_queue(op, err);
}

/* Are there unfinished transfers on the queue for transfers? They may wait for operations of any length, and so would a
 * new one. */
static bool transfers_wait(lun_device *device) { return queue_is_busy(queue_at(device, TRANSFER_QUEUE)); }

lun_queue *lun_event_reader(const lun_event *event)
{
    lun_error ignored;
    lun_queue *queue = NULL;
    if (!event->device || transfer_queue(&queue, event->device, &ignored) != LUN_OK)
        return NULL;
    if (transfers_wait(event->device))
        queue = queue_at(event->device, event->queue);
    return queue_is_open(queue) ? queue : NULL;
}

/* Nanoseconds of the part that the caller waits for in any case: a copy by the host, and before it a gathering copy of
 * elements with gaps. */
static double read_weight(const lun_array *array) { return lun_array_is_contiguous(array) ? 0 : (double)array->size; }

/* If the device has a copy engine, a large asynchronous transfer uses the queue for transfers, concurrently with
 * kernels. */
static bool goes_apart(const lun_array *array, const lun_call *call)
{
    return call && call->event && !call->queue && device_is_apart(array->device) &&
           lun_array_bytes(array) >= APART_LEAST && lun_array_is_contiguous(array);
}

typedef struct move_command {
    const lun_array *array; /* contiguous */
    const void *from;       /* host memory, of a write */
    void *to;               /* of a read */
    bool waits;             /* the call returns when the transfer has ended */
} move_command;

static cl_int call_write(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                         cl_event *event)
{
    const move_command *c = data;
    return clEnqueueWriteBuffer(queue, block_memory(c->array->block), c->waits, byte_offset(c->array),
                                lun_array_bytes(c->array), c->from, wait_count, waits, event);
}

static cl_int call_read(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event)
{
    const move_command *c = data;
    return clEnqueueReadBuffer(queue, block_memory(c->array->block), c->waits, byte_offset(c->array),
                               lun_array_bytes(c->array), c->to, wait_count, waits, event);
}

static const enqueuer writer = {.name = "clEnqueueWriteBuffer", .says = "write", .call = call_write},
                      reader = {.name = "clEnqueueReadBuffer", .says = "read", .call = call_read};
static const enqueuer awaited_writer = {.name = "clEnqueueWriteBuffer",
                                        .says = "write",
                                        .blocks = true,
                                        .call = call_write},
                      awaited_reader = {
                          .name = "clEnqueueReadBuffer", .says = "read", .blocks = true, .call = call_read};

/* The stream's threads wait for the events of its chunks. The operation's own events are those of markers before and
 * after them. */
static lun_status enqueue_stream(operation *op, const lun_array *array, void *data, bool to_device, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY_DONE(operation_mark(op, err));
    const double start = recording_now(op->device);
    TRY_DONE(stream_run(op->queue, block_memory(array->block), byte_offset(array), data, lun_array_bytes(array),
                        to_device, err));
    recording_command(op->device, &(recorded_command){.operation = op->name,
                                                      .command = to_device ? "write" : "read",
                                                      .queue = queue_index(op->queue),
                                                      .start = start});
    TRY_DONE(operation_mark(op, err));
    if (!ends_show_late(op->queue))
        CL_DONE(clWaitForEvents, 1, &op->last);
done:
    op->refusal = status != LUN_OK ? err->code : CL_SUCCESS;
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Would a write to the array wait for operations of other queues, or for transfers that wait? */
static lun_status find_use(bool *used, const lun_array *array, lun_error *err)
{
    ENDED_BY(tickets_clear) tickets after = {0};
    size_t from, to;
    array_span(array, &from, &to);
    const bool fits = block_after(&after, array->block, from, to, true, queue_at(array->device, TRANSFER_QUEUE));
    *used = transfers_wait(array->device);
    for (unsigned i = 0; i < after.count && !*used; i++) {
        queue_reap(after.of[i].queue);
        *used = !queue_has_ended(after.of[i].queue, after.of[i].serial);
    }
    return fits ? LUN_OK : fail(err, LUN_NO_MEMORY, "out of host memory for a transfer's record");
}

lun_status array_write_from(bool *written, const lun_array *array, const void *data, const lun_call *call,
                            lun_error *err)
{
    ENDED_BY(operation_clear) operation op = {0};
    size_t bytes = lun_array_bytes(array);
    bool used;
    *written = false;
    TRY(array_check_live(array, "the array", err));
    bool streams = stream_applies(array->device, bytes);
    bool direct = !device_is_apart(array->device) && bytes >= DIRECT_LEAST;
    if (!(streams || direct) || !lun_array_is_contiguous(array) || (call && call->queue))
        return LUN_OK;
    TRY(device_open(array->device, err));
    TRY(find_use(&used, array, err));
    if (used)
        return LUN_OK;
    operation_init(&op, array->device, "write", call);
    op.moves = true;
    operation_quick(&op);
    TRY(use_transfer_queue(&op, err));
    TRY(operation_writes(&op, array, err));
    if (!streams)
        operation_weigh_awaited(&op, 0);
    TRY(operation_begin(&op, err));
    if (streams) {
        TRY(enqueue_stream(&op, array, (void *)(uintptr_t)data, true, err));
    } else {
        const move_command write = {.array = array, .from = data, .waits = true};
        TRY(operation_enqueue(&op, &awaited_writer, &write, true, err));
    }
    TRY(operation_end(&op, err));
    if (streams && ends_show_late(op.queue)) {
        flag_ask(op.queue); /* the next part is written the same way only if this one is known to have ended
                             * (find_use) */
        CL(clFinish, queue_cl(op.queue));
    }
    *written = true;
    return LUN_OK;
}

lun_status lun_array_write(const lun_array *array, lun_staging *staging, const lun_call *call, lun_error *err)
{
    lun_array dense;
    TRY(array_check_live(array, "the array", err));
    PLANNED(op, p, array->device, "write", call);
    op.moves = true;
    if (staging->bytes != lun_array_bytes(array))
        FAIL(LUN_MISUSE, "got %zu bytes; the array has %zu", staging->bytes, lun_array_bytes(array));
    if (goes_apart(array, call))
        TRY(use_transfer_queue_beside(&op, err));
    TRY(operation_writes(&op, array, err));
    operation_weigh(&op, read_weight(array) + 2 * operation_bytes_weight(&op));
    if (op.at_once && block_host(array->block) && !(call && call->event)) {
        gather_write(array, staging->data);
        block_wrote(array->block);
        return LUN_OK;
    }
    TRY(dense_part(&dense, &op, array, err));
    if (dense.block != array->block)
        TRY(plan_array_copy(&p, array, &dense, err));
    TRY(operation_hold(&op, staging, err));
    TRY(operation_begin(&op, err));
    if (array->size) {
        const move_command write = {.array = &dense, .from = staging->data, .waits = false};
        TRY(operation_enqueue(&op, &writer, &write, true, err));
    }
    TRY(plan_enqueue(&p, err));
    TRY(operation_end(&op, err));
    return LUN_OK;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

typedef enum read_time {
    LATER,
    AT_ONCE,
    STREAMED
} read_time; /* LATER only enqueues; the others return when the read has ended */

/* Enqueues the read of a whole array. */
static lun_status enqueue_read(void *data, operation *op, const lun_array *array, read_time when, lun_error *err)
{
    ENDED_BY(plan_clear) plan p = {0};
    lun_array dense;
    plan_init(&p, op);
    TRY(operation_reads(op, array, err));
    if (when == AT_ONCE)
        operation_weigh_awaited(op, read_weight(array));
    else if (when == LATER)
        operation_weigh(op, read_weight(array) + 2 * operation_bytes_weight(op));
    if (op->at_once && when == AT_ONCE && block_host(array->block)) {
        gather_read(data, array);
        return LUN_OK;
    }
    TRY(dense_part(&dense, op, array, err));
    if (dense.block != array->block)
        TRY(plan_array_copy(&p, &dense, array, err));
    TRY(operation_begin(op, err));
    TRY(plan_enqueue(&p, err));
    if (when == STREAMED) {
        TRY(enqueue_stream(op, array, data, false, err));
    } else if (array->size) {
        const move_command read = {.array = &dense, .to = data, .waits = when == AT_ONCE};
        TRY(operation_enqueue(op, read.waits ? &awaited_reader : &reader, &read, true, err));
    }
    return operation_end(op, err);
}

lun_status lun_array_read_async(lun_staging *staging, const lun_array *array, const lun_call *call, lun_error *err)
{
    ENDED_BY(operation_clear) operation op = {0};
    TRY(array_check_live(array, "the array", err));
    operation_init(&op, array->device, "read", call);
    op.moves = true;
    if (staging->bytes < lun_array_bytes(array))
        FAIL(LUN_MISUSE, "got %zu bytes of host memory; the array has %zu", staging->bytes, lun_array_bytes(array));
    if (goes_apart(array, call))
        TRY(use_transfer_queue_beside(&op, err));
    TRY(operation_hold(&op, staging, err));
    return enqueue_read(staging->data, &op, array, LATER, err);
}

static lun_status check_contents(const lun_array *array, lun_error *err)
{
    size_t from, to;
    array_span(array, &from, &to);
    return array->block ? block_check_whole(array->block, from, to, err) : LUN_OK;
}

/* Waits for other queues' operations on the array. A blocking OpenCL call must not wait for them: a host cannot
 * interrupt it, and PoCL's never returns if one of them fails meanwhile. */
static lun_status await_others(bool *ready, const lun_array *array, bool write, const lun_queue *own, double seconds,
                               lun_error *err)
{
    ENDED_BY(tickets_clear) tickets after = {0};
    size_t from, to;
    *ready = true;
    array_span(array, &from, &to);
    if (!block_after(&after, array->block, from, to, write, own))
        FAIL(LUN_NO_MEMORY, "out of host memory for a transfer's record");
    for (unsigned i = 0; i < after.count && *ready; i++)
        TRY(queue_wait(ready, after.of[i].queue, after.of[i].serial, seconds, err));
    return LUN_OK;
}

lun_status lun_array_await(bool *ready, const lun_array *array, lun_access access, const lun_call *call, double seconds,
                           lun_error *err)
{
    *ready = true;
    TRY(array_check_live(array, "the array", err));
    lun_queue *queue = call && call->queue ? call->queue : queue_at(array->device, DEFAULT_QUEUE);
    if (!array->block)
        return LUN_OK;
    TRY(block_check_memory(array->block, err));
    TRY(device_open(array->device, err));
    if (companion_may(array, access & LUN_WRITE, read_weight(array)))
        return LUN_OK;
    TRY(queue_wait_slow(ready, queue, seconds, err)); /* a blocking call may wait for quick operations itself */
    if (*ready)
        TRY(await_others(ready, array, access & LUN_WRITE, queue, seconds, err));
    return LUN_OK;
}

lun_status lun_array_read(void *data, const lun_array *array, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    bool ready;
    TRY_DONE(lun_array_await(&ready, array, LUN_READ, call, -1, err));
    operation_init(&op, array->device, "read", call ? &(lun_call){.queue = call->queue} : NULL);
    op.moves = true;
    operation_quick(&op);
    bool streams = stream_applies(array->device, lun_array_bytes(array)) && lun_array_is_contiguous(array) &&
                   !(call && call->queue) && !transfers_wait(array->device);
    if (streams) {
        TRY_DONE(await_others(&ready, array, false, queue_at(array->device, TRANSFER_QUEUE), -1, err));
        TRY_DONE(use_transfer_queue(&op, err));
    }
    stream_into_fresh(array->device, data, lun_array_bytes(array));
    TRY_DONE(enqueue_read(data, &op, array, streams ? STREAMED : AT_ONCE, err));
    queues_note_wait(array->device);
    if (array->size && !op.at_once)
        TRY_DONE(failure_check(op.queue, queue_newest(op.queue), err));
    TRY_DONE(check_contents(array, err));
done:
    if (status == LUN_FAILED) { /* if an earlier operation has spoiled the contents, the message names it */
        lun_error cause;
        for (unsigned i = 0; i < DEVICE_QUEUES; i++)
            queue_reap(queue_at(array->device, i));
        if (check_contents(array, &cause) == LUN_FAILED)
            *err = cause;
    }
    operation_clear(&op);
    return status;
}
