/* Reductions whose results the host waits for as numbers: at once if the device has nothing to wait for, otherwise by way
 * of arrays. */
#include "base/error.h"
#include "device/device.h"
#include "flow/failure.h"
#include "flow/queue.h"
#include "memory/block.h"
#include "op/answer.h"
#include "op/reduce/reduce.h"

#include <stdlib.h>

/* May the host block for the numbers? That is, is the input small, and is no work under way that could fail or take long? */
static bool is_quick(const lun_array *in, const lun_call *call)
{
    lun_error ignored;
    bool ready = false;
    if (lun_array_is_live(in))
        failures_sweep(in->device);
    return lun_array_is_live(in) && in->size > 0 &&
           in->size * lun_dtype_bytes(in->dtype) <= reduce_quick_bytes(in->device) && !in->device->failures &&
           lun_array_await(&ready, in, LUN_READ, call, 0, &ignored) == LUN_OK && ready;
}

/* Plans one reduction, whose result goes to the answer at `position`. */
static lun_status plan_answer(plan *out, lun_block *answers, size_t position, const lun_array *in,
                              const lun_reduction *reduction, const lun_call *call, lun_error *err)
{
    lun_array to = {
        .device = in->device, .block = answers, .dtype = reduce_result_dtype(reduction->op, in->dtype), .size = 1};
    to.offset = (int64_t)(position * 8 / lun_dtype_bytes(to.dtype));
    const reduce_problem p = reduce_find_problem(&to, in, reduction);
    return plan_variant(out, &reduce_variants, &p, variant_named(call), err);
}

/* Computes the numbers and blocks for them. Call only after is_quick. If !*sound, an operation has failed meanwhile:
 * discard the numbers and go by way of arrays. */
static lun_status numbers_at_once(bool *sound, lun_number *out, const lun_array *in, const lun_reduction *reduction,
                                  const lun_reduce_op *ops, size_t count, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    char data[ANSWERS][8];
    operation op = {0};
    plan p = {0};
    lun_block *answers;
    lun_reduction each = *reduction;
    TRY(array_check_live(in, "the array", err));
    TRY(answer_block(&answers, in->device, err));
    operation_init(&op, in->device, "reduce", call);
    operation_unrecorded(&op, answer_polled(in->device));
    plan_init(&p, &op);
    TRY(operation_reads(&op, in, err));
    for (size_t i = 0; i < count; i++) {
        each.op = ops[i];
        TRY(plan_answer(&p, answers, i, in, &each, call, err));
    }
    TRY(operation_begin(&op, err));
    TRY(plan_enqueue(&p, err));
    TRY(answer_read(data, &op, count * 8, err));
    for (size_t i = 0; i < count; i++)
        out[i] = lun_number_load(data[i], reduce_result_dtype(ops[i], in->dtype));
    *sound = !in->device->failures && !operation_in_doubt(&op);
done:
    if (status != LUN_OK && op.begun)
        clFinish(queue_cl(op.queue));
    plan_clear(&p);
    operation_clear(&op);
    return status;
}

struct lun_numbers {
    lun_array results[LUN_REDUCE_NUMBERS];
    size_t enqueued;
};

void lun_numbers_free(lun_numbers *pending)
{
    for (size_t i = 0; pending && i < pending->enqueued; i++)
        lun_array_clear(&pending->results[i]);
    free(pending);
}

static lun_status enqueue_number(lun_numbers *to, const lun_array *in, const lun_reduction *reduction,
                                 const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array *result = &to->results[to->enqueued];
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, false, err));
    TRY(lun_array_create(result, in->device, dtype, ndim, shape, err));
    TRY(lun_reduce(result, in, reduction, call, err));
    to->enqueued++;
done:
    if (status != LUN_OK)
        lun_array_clear(result);
    return status;
}

/* *ready: has the last result been computed? The others come before it in the queue. */
static lun_status read_numbers(bool *ready, lun_number *out, const lun_numbers *from, const lun_call *call,
                               lun_error *err)
{
    lun_status status = LUN_OK;
    char element[8];
    const lun_call reading = {.queue = call ? call->queue : NULL};
    TRY(lun_array_await(ready, &from->results[from->enqueued - 1], LUN_READ, &reading, LUN_SLICE, err));
    for (size_t i = 0; i < from->enqueued && *ready; i++) {
        TRY(lun_array_read(element, &from->results[i], &reading, err));
        out[i] = lun_number_load(element, from->results[i].dtype);
    }
done:
    return status;
}

lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    bool done = false;
    lun_reduction each = *reduction;
    *more = false;
    bool folded = false;
    for (size_t i = 0; i < count; i++)
        folded = folded || reduce_is_folded(ops[i]);
    if (!*pending && !folded && is_quick(in, call))
        TRY(numbers_at_once(&done, out, in, reduction, ops, count, call, err));
    if (done)
        return LUN_OK;
    if (!*pending)
        *pending = calloc(1, sizeof **pending);
    if (!*pending)
        FAIL(LUN_NO_MEMORY, "out of host memory for the results of a reduction");
    if ((*pending)->enqueued < count) {
        each.op = ops[(*pending)->enqueued];
        TRY(enqueue_number(*pending, in, &each, call, err));
    } else {
        TRY(read_numbers(&done, out, *pending, call, err));
    }
    *more = !done;
    if (done) {
        lun_numbers_free(*pending);
        *pending = NULL;
    }
done:
    return status;
}
