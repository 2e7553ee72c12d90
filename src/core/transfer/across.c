/* Copying an array to another one of its shape, on one device or between two.
 *
 * Between devices, bytes go through the host's memory in pieces: each piece is read while the one before is written.
 * The host does not wait, unless a device does not support gates. A context cannot wait for another context's events,
 * so each write waits for a gate that opens when the read has ended, and a read into a used place waits for a gate that
 * opens when the write from that place has ended. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/order.h"
#include "base/shape.h"
#include "device/companion.h"
#include "device/context.h"
#include "flow/watch.h"
#include "graph/graph.h"
#include "memory/staging.h"
#include "op/move/move.h"
#include "op/plan.h"
#include "transfer/transfer_room.h"

#include <stdlib.h>

/* The largest size of a piece in bytes, and the number of places for pieces in the host's memory. */
#ifdef LUN_FAULTS
#define PIECE ((size_t)1 << 10)
#else
#define PIECE ((size_t)16 << 20)
#endif
#define PLACES 4
#define GRAIN ((size_t)4096) /* pieces begin at multiples of it */

/* ---- what the write needs until it has ended -------------------------------------------------------------------- */

/* The read's event holds its device with its records of failures. */
typedef struct origin {
    lun_event read;
    lun_staging *staging;
} origin;

static void let_go(void *what)
{
    origin *self = what;
    if (self->staging)
        staging_let_go(self->staging);
    lun_event_clear(&self->read);
    free(self);
}

static lun_status hold_origin(origin **out, operation *op, lun_error *err)
{
    origin *made = calloc(1, sizeof *made);
    hold *entry = malloc(sizeof *entry);
    if (!made || !entry) {
        free(made);
        free(entry);
        return fail(err, LUN_NO_MEMORY, "out of host memory for a transfer's record");
    }
    *entry = (hold){made, let_go, op->holds};
    op->holds = entry;
    *out = made;
    return LUN_OK;
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

typedef struct crossing {
    size_t piece; /* bytes of one */
    operation read, write;
    plan gather, scatter;     /* kernels before the read, for elements with gaps, and after the write */
    lun_array from, to;       /* contiguous */
    lun_staging *staging;     /* the source's device's */
    cl_event written[PLACES]; /* the last write from each place */
} crossing;

typedef struct piece {
    cl_mem mem;
    size_t at, bytes;
    void *place;
} piece;

static cl_int call_read(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event)
{
    const piece *p = data;
    return clEnqueueReadBuffer(queue, p->mem, CL_FALSE, p->at, p->bytes, p->place, wait_count, waits, event);
}

static cl_int call_write(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                         cl_event *event)
{
    const piece *p = data;
    return clEnqueueWriteBuffer(queue, p->mem, CL_FALSE, p->at, p->bytes, p->place, wait_count, waits, event);
}

/* Waits here. The status of the event is reported by its own operation. */
static lun_status wait_here(cl_event event, lun_error *err)
{
    cl_command_queue queue;
    CL(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
    CL(clFlush, queue);
    (void)clWaitForEvents(1, &event);
    return LUN_OK;
}

static lun_status wait_across(operation *op, lun_device *other, cl_event event, lun_error *err)
{
    cl_event gate;
    if (device_refuses_gates(op->device))
        return wait_here(event, err);
    const lun_status status = watch_gate(&gate, other, event, context_of(op->device), err);
    if (status == LUN_OK)
        operation_wait_for(op, gate);
    return status;
}

static lun_status enqueue_piece(crossing *c, size_t number, lun_error *err)
{
    static const enqueuer reader = {.name = "clEnqueueReadBuffer", .says = "read", .call = call_read},
                          writer = {.name = "clEnqueueWriteBuffer", .says = "write", .call = call_write};
    cl_event *written = &c->written[number % PLACES];
    const size_t at = number * c->piece;
    piece p = {.mem = block_memory(c->from.block),
               .at = byte_offset(&c->from) + at,
               .bytes = smaller(c->piece, lun_array_bytes(&c->from) - at),
               .place = (char *)c->staging->data + number % PLACES * c->piece};
    if (*written) {
        TRY(wait_across(&c->read, c->write.device, *written, err));
        clReleaseEvent(*written);
        *written = NULL;
    }
    TRY(operation_enqueue(&c->read, &reader, &p, true, err));
    TRY(wait_across(&c->write, c->read.device, c->read.last, err));
    p.mem = block_memory(c->to.block);
    p.at = byte_offset(&c->to) + at;
    TRY(operation_enqueue(&c->write, &writer, &p, true, err));
    clRetainEvent(c->write.last);
    *written = c->write.last;
    return LUN_OK;
}

static lun_status enqueue_pieces(crossing *c, lun_error *err)
{
    TRY(plan_enqueue(&c->gather, err));
    for (size_t i = 0; i * c->piece < lun_array_bytes(&c->from); i++)
        TRY(enqueue_piece(c, i, err));
    return plan_enqueue(&c->scatter, err);
}

/* ---- both operations -------------------------------------------------------------------------------------------- */

/* A small copy also has several pieces, so that its read and its write overlap; but no piece is so small that waiting
 * for it takes longer than copying it. */
static size_t piece_of(size_t bytes)
{
    const size_t part = ceil_div(ceil_div(bytes, PLACES), GRAIN) * GRAIN;
    return smaller(larger(part, PIECE / 16), PIECE);
}

static lun_status prepare_read(crossing *c, const lun_array *in, lun_error *err)
{
    if (lun_array_is_contiguous(in))
        TRY(use_transfer_queue_beside(&c->read, err));
    TRY(operation_reads(&c->read, in, err));
    TRY(dense_part(&c->from, &c->read, in, err));
    if (c->from.block != in->block)
        TRY(plan_array_copy(&c->gather, &c->from, in, err));
    c->piece = piece_of(lun_array_bytes(in));
    TRY(lun_staging_create(&c->staging, in->device, smaller(lun_array_bytes(in), PLACES * c->piece), err));
    return operation_hold(&c->read, c->staging, err);
}

static lun_status prepare_write(crossing *c, const lun_array *out, origin *kept, lun_error *err)
{
    if (lun_array_is_contiguous(out) && !(c->write.call && c->write.call->queue))
        TRY(use_transfer_queue_beside(&c->write, err));
    TRY(operation_writes(&c->write, out, err));
    TRY(dense_part(&c->to, &c->write, out, err));
    if (c->to.block != out->block)
        TRY(plan_array_copy(&c->scatter, out, &c->to, err));
    kept->staging = c->staging;
    c->staging->held++;
    return LUN_OK;
}

/* The code that detects the end of the write also checks that of the read: slot_judge. */
static lun_status end_both(crossing *c, lun_error *err)
{
    TRY(operation_end(&c->read, err));
    TRY(queue_flush(c->read.queue, err));
    if (c->write.commands && !tickets_add(&c->write.unjudged, c->read.queue, queue_newest(c->read.queue)))
        FAIL(LUN_NO_MEMORY, "out of host memory for an operation's record");
    TRY(operation_end(&c->write, err));
    return queue_flush(c->write.queue, err);
}

/* The driver has refused a command: waits for the accepted ones, so that their failure is not attributed to a later
 * write of the array. */
static void await_taken(lun_queue *writing, lun_queue *reading)
{
    bool done;
    lun_error ignored;
    if (queue_flush(reading, &ignored) == LUN_OK)
        (void)queue_wait(&done, writing, queue_newest(writing), -1, &ignored);
}

static void crossing_clear(crossing *c)
{
    lun_queue *const cut = c->write.commands && !c->write.ended ? c->write.queue : NULL, *const reading = c->read.queue;
    for (unsigned i = 0; i < PLACES; i++)
        if (c->written[i])
            clReleaseEvent(c->written[i]);
    plan_clear(&c->gather);
    plan_clear(&c->scatter);
    operation_clear(&c->write);
    operation_clear(&c->read);
    if (cut)
        await_taken(cut, reading);
    lun_staging_release(c->staging);
}

/* dtypes are equal, too. */
static lun_status copy_elements(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_call reading = {.queue = NULL};
    ENDED_BY(crossing_clear) crossing c = {.staging = NULL};
    origin *kept = NULL;
    operation_init(&c.write, out->device, "write", call);
    operation_init(&c.read, in->device, "read", &reading);
    plan_init(&c.gather, &c.read);
    plan_init(&c.scatter, &c.write);
    TRY(hold_origin(&kept, &c.write, err));
    reading.event = &kept->read;
    TRY(prepare_read(&c, in, err));
    TRY(prepare_write(&c, out, kept, err));
    TRY(operation_begin(&c.read, err));
    TRY(operation_begin(&c.write, err));
    TRY(enqueue_pieces(&c, err));
    return end_both(&c, err);
}

static lun_status copy_across(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    ENDED_BY(lun_array_clear) lun_array there = {0};
    if (out->dtype == in->dtype)
        return copy_elements(out, in, call, err);
    TRY(lun_array_create(&there, out->device, in->dtype, in->ndim, in->shape, err));
    TRY(copy_elements(&there, in, NULL, err));
    return move_copy(out, &there, call, err);
}

lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    char to[200], from[200];
    TRY(array_check_live(out, "the array", err));
    TRY(array_check_live(in, "the source", err));
    if (!shape_equal(out, in))
        FAIL(LUN_MISUSE, "shapes differ: %s into %s", array_shape_text(from, sizeof from, in),
             array_shape_text(to, sizeof to, out));
    TRY(dtype_check_cast(out->dtype, in->dtype, err));
    if (array_is_traced(out))
        return graph_note_copy(out, in, err);
    status = out->device == in->device ? move_copy(out, in, call, err) : copy_across(out, in, call, err);
    return status;
}
