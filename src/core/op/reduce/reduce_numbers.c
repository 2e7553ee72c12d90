/* Reductions whose results the host waits for as numbers: at once if the device has nothing to wait for, otherwise by way
 * of arrays. */
#include "flow/failure.h"
#include "op/answer.h"
#include "op/expression/expression.h"
#include "op/planning.h"
#include "op/reduce/reduce.h"

#include <stdlib.h>

/* What is asked for: numbers of an array, op by op, or of an expression in one pass. */
typedef struct request {
    const lun_expression *e; /* its arrays alone where op by op */
    bool by_op;
    const lun_reduction *reduction;
    const lun_reduce_op *ops;
    size_t count;
    const lun_call *call;
    lun_dtype
        pair; /* of two results along an axis, which are the parts of one complex number; LUN_DTYPES: each is a number */
} request;

/* May the host block for the numbers? That is, are the inputs small, and no work under way that could fail or take long? */
static bool is_quick(const request *r)
{
    lun_error ignored;
    const lun_expression *e = r->e;
    size_t elements = 0;
    for (size_t k = 0; k < e->array_count; k++)
        if (!lun_array_is_live(e->arrays[k]) || e->arrays[k]->size == 0)
            return false;
    lun_device *device = e->arrays[0]->device;
    bool quick = true;
    for (size_t i = 0; i < r->count && r->by_op; i++)
        quick = quick && fold_has_kernels(e->arrays[0], r->reduction, r->ops[i]);
    failures_sweep(device);
    for (size_t k = 0; k < e->array_count && quick; k++) {
        const lun_array *in = e->arrays[k];
        bool ready = false;
        elements = larger(elements, in->size * lun_dtype_bytes(in->dtype));
        quick = in->device == device && lun_array_await(&ready, in, LUN_READ, r->call, 0, &ignored) == LUN_OK && ready;
    }
    return quick && elements <= reduce_quick_bytes(device) && !failures_known(device);
}

/* The memory of the answer at `position` as an array. */
static lun_array answer_array(lun_device *device, lun_block *answers, size_t position, lun_dtype dtype, bool pair)
{
    const lun_array answer = {.device = device,
                              .block = answers,
                              .dtype = dtype,
                              .size = 1,
                              .offset = (int64_t)(position * LUN_MOST_BYTES / lun_dtype_bytes(dtype))};
    return pair ? array_parts(&answer) : answer;
}

/* The number that a result is, which has that dtype. */
static lun_number load_number(const void *element, const request *r, lun_dtype dtype)
{
    return lun_number_load(element, r->pair == LUN_DTYPES ? dtype : r->pair);
}

/* The expression of a pass: of one op by itself, or of all. */
static lun_expression pass_of(const request *r)
{
    lun_expression e = *r->e;
    e.result_count = r->by_op ? 1 : r->count;
    return e;
}

static const lun_reduce_op *ops_from(const request *r, size_t i) { return r->ops ? r->ops + i : NULL; }

/* Plans the reductions, whose results go to the answers. */
static lun_status plan_answers(plan *out, const lun_array *to, const request *r, lun_error *err)
{
    const lun_expression e = pass_of(r);
    const lun_array *outs[ANSWERS];
    for (size_t i = 0; i < r->count; i++)
        outs[i] = &to[i];
    for (size_t i = 0; i < r->count; i += e.result_count)
        TRY(plan_fold(out, outs + i, &e, ops_from(r, i), r->reduction, variant_named(r->call), err));
    return LUN_OK;
}

/* The dtypes of the results; checks what is asked for. */
static lun_status find_dtypes(lun_dtype *out, const request *r, lun_error *err)
{
    const lun_expression e = pass_of(r);
    int ndim;
    size_t shape[LUN_MAX_AXES];
    for (size_t i = 0; i < r->count; i += e.result_count)
        TRY(lun_fold_result(out + i, &ndim, shape, &e, ops_from(r, i), r->reduction, false, err));
    return LUN_OK;
}

/* Computes the numbers and blocks for them. Call only after is_quick. If !*sound, an operation has failed meanwhile:
 * discard the numbers and go by way of arrays. */
static lun_status numbers_at_once(bool *sound, lun_number *out, const request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    char data[ANSWERS][LUN_MOST_BYTES];
    operation op = {0};
    plan p = {0};
    lun_block *answers;
    lun_array to[ANSWERS];
    lun_dtype dtypes[ANSWERS];
    lun_device *device = r->e->arrays[0]->device;
    for (size_t k = 0; k < r->e->array_count; k++)
        TRY_DONE(array_check_live(r->e->arrays[k], "the array", err));
    TRY_DONE(find_dtypes(dtypes, r, err));
    TRY_DONE(answer_block(&answers, device, err));
    for (size_t i = 0; i < r->count; i++)
        to[i] = answer_array(device, answers, i, r->pair == LUN_DTYPES ? dtypes[i] : r->pair, r->pair != LUN_DTYPES);
    operation_init(&op, device, r->by_op && r->count == 1 ? lun_reduce_name(r->ops[0]) : r->e->name, r->call);
    operation_unrecorded(&op, answer_polled(device));
    plan_init(&p, &op);
    for (size_t k = 0; k < r->e->array_count; k++)
        TRY_DONE(operation_reads(&op, r->e->arrays[k], err));
    expression_weigh(&op, r->e, r->reduction->own, true);
    TRY_DONE(plan_answers(&p, to, r, err));
    TRY_DONE(operation_begin(&op, err));
    TRY_DONE(plan_enqueue(&p, err));
    TRY_DONE(answer_read(data, &op, r->count * LUN_MOST_BYTES, err));
    for (size_t i = 0; i < r->count; i++)
        out[i] = load_number(data[i], r, dtypes[i]);
    *sound = !failures_known(device) && !operation_is_unjudged(&op);
done:
    if (status != LUN_OK && op.begun)
        clFinish(operation_queue(&op));
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

/* Enqueues the next op, or all where they are one pass. */
static lun_status enqueue_numbers(lun_numbers *to, const request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t from = to->enqueued, count = r->by_op ? from + 1 : r->count;
    const lun_array *outs[LUN_REDUCE_NUMBERS];
    lun_reduction each = *r->reduction;
    lun_dtype dtypes[LUN_REDUCE_NUMBERS];
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    each.op = r->ops ? r->ops[from] : each.op;
    if (r->by_op)
        TRY_DONE(lun_reduce_result(&dtypes[from], &ndim, shape, r->e->arrays[0], &each, false, err));
    else
        TRY_DONE(lun_fold_result(dtypes, &ndim, shape, r->e, r->ops, r->reduction, false, err));
    for (size_t i = from; i < count; i++) {
        outs[i] = &to->results[i];
        TRY_DONE(lun_array_create(&to->results[i], r->e->arrays[0]->device, dtypes[i], ndim, shape, err));
    }
    if (r->by_op)
        TRY_DONE(lun_reduce(outs[from], r->e->arrays[0], &each, r->call, err));
    else
        TRY_DONE(lun_fold(outs, r->e, r->ops, r->reduction, r->call, err));
    to->enqueued = count;
done:
    for (size_t i = from; i < count && status != LUN_OK; i++)
        lun_array_clear(&to->results[i]);
    return status;
}

/* *ready: has the last result been computed? The others come before it in the queue. */
static lun_status read_numbers(bool *ready, lun_number *out, const lun_numbers *from, const request *r, lun_error *err)
{
    char element[LUN_MOST_BYTES];
    const lun_call reading = {.queue = r->call ? r->call->queue : NULL};
    TRY(lun_array_await(ready, &from->results[from->enqueued - 1], LUN_READ, &reading, LUN_SLICE, err));
    for (size_t i = 0; i < from->enqueued && *ready; i++) {
        TRY(lun_array_read(element, &from->results[i], &reading, err));
        out[i] = load_number(element, r, from->results[i].dtype);
    }
    return LUN_OK;
}

static lun_status give_numbers(bool *more, lun_number *out, lun_numbers **pending, const request *r, lun_error *err)
{
    bool done = false;
    *more = false;
    if (!*pending && is_quick(r))
        TRY(numbers_at_once(&done, out, r, err));
    if (done)
        return LUN_OK;
    if (!*pending)
        *pending = NEW(1, sizeof **pending, "the results of a reduction");
    if ((*pending)->enqueued < r->count)
        TRY(enqueue_numbers(*pending, r, err));
    else
        TRY(read_numbers(&done, out, *pending, r, err));
    *more = !done;
    if (done) {
        lun_numbers_free(*pending);
        *pending = NULL;
    }
    return LUN_OK;
}

lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err)
{
    lun_array parts;
    lun_reduction of_parts;
    lun_dtype pair = LUN_DTYPES;
    if (count == 1 && in->size && reduce_is_of_parts(ops[0], reduction, in) &&
        !reduce_joins_parts(ops[0], reduction, in)) {
        lun_reduction one = *reduction;
        one.op = ops[0];
        pair = reduce_keeps_parts(ops[0]) ? in->dtype : pair;
        reduce_to_parts(&parts, &of_parts, in, &one);
        in = &parts;
        reduction = &of_parts;
    }
    const bool by_op = !lun_reduce_is_one_pass(in, reduction, ops, count, call);
    const lun_expression e = ARRAY_ALONE(in, count);
    return give_numbers(more, out, pending, &(request){&e, by_op, reduction, ops, count, call, pair}, err);
}

lun_status lun_fold_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_expression *e,
                            const lun_reduce_op *ops, const lun_reduction *reduction, const lun_call *call,
                            lun_error *err)
{
    return give_numbers(more, out, pending, &(request){e, false, reduction, ops, e->result_count, call, LUN_DTYPES},
                        err);
}
