/* Counting: shared functions, and how often each integer occurs. */
#include "op/planning.h"
#include "op/sort/count_room.h"

#include <stdio.h>

/* ---- what the operations share ---------------------------------------------------------------------------------- */

lun_dtype lun_count_dtype(const lun_array *weights) { return weights ? dtype_summed(weights->dtype) : LUN_i64; }

lun_status count_check(const lun_array *out, const lun_array *in, const lun_array *weights, lun_error *err)
{
    char has[200], wanted[200];
    TRY(array_check_live(in, "the array", err));
    if (weights) {
        TRY(array_check_live(weights, "the array of weights", err));
        TRY(array_check_same_device(weights, in, "the array of weights", err));
        if (!shape_equal(weights, in))
            FAIL(LUN_MISUSE, "the weights have shape %s; the array has %s", array_shape_text(has, sizeof has, weights),
                 array_shape_text(wanted, sizeof wanted, in));
        TRY(array_check_apart(out, weights, err));
    }
    TRY(sort_check_out(out, in, lun_count_dtype(weights), 1, out->shape, err));
    if (out->size > INT32_MAX)
        FAIL(LUN_MISUSE, "%zu bins are too many; at most %d are possible", out->size, INT32_MAX);
    return LUN_OK;
}

lun_status count_begin(counting *c, const char *name, const lun_array *out, const lun_array *in,
                       const lun_array *weights, const lun_call *call, lun_error *err)
{
    const variant *row;
    if (weights && variant_named_of(call, weights->dtype) && !call->variant) /* parts of sums depend on the device */
        TRY(variant_refuse_reproducible(err));
    operation_init(&c->op, in->device, name, call);
    plan_init(&c->plan, &c->op);
    TRY(operation_touches(&c->op, ARRAYS(in, weights), ARRAYS(out), err));
    return variant_choose(&row, &count_variants, in->device, NULL, variant_named(call), err);
}

lun_status count_dense(counting *c, const lun_array *out, const lun_array *in, const lun_array *weights, lun_error *err)
{
    operation_weigh(&c->op, sort_weight(in->size + out->size, 1));
    TRY(plan_array_dense(&c->in, &c->plan, in, in->dtype, err));
    if (weights)
        TRY(plan_array_dense(&c->weights, &c->plan, weights, weights->dtype, err));
    return plan_array_result(&c->out, &c->plan, out, err);
}

lun_status count_finish(counting *c, const lun_array *out, bool weights, const lun_call *call, lun_error *err)
{
    const count_problem problem = {.sources = c->sources,
                                   .source_count = c->source_count,
                                   .weights = weights ? &c->weights : NULL,
                                   .out = &c->out,
                                   .size = c->in.size};
    if (out->size) {
        TRY(plan_variant(&c->plan, &count_variants, &problem, variant_named(call), err));
        TRY(plan_array_give(&c->plan, out, &c->out, err));
    }
    sort_quick(&c->op, c->in.size);
    return operation_run(&c->op, &c->plan, err);
}

void count_clear(counting *c)
{
    plan_clear(&c->plan);
    operation_clear(&c->op);
}

/* ---- bincount --------------------------------------------------------------------------------------------------- */

static void say_from_1(char *text, size_t room, const lun_verdict *found, int64_t last)
{
    snprintf(text, room, "value %lld at position %lld is out of range 1..%lld%s", (long long)found->value,
             (long long)found->position + 1, (long long)last,
             found->value == 0 ? "; position 1 counts the value 1, or 0 with from = 0" : "");
}

static void say_from_0(char *text, size_t room, const lun_verdict *found, int64_t last)
{
    snprintf(text, room, "value %lld at position %lld is out of range 0..%lld", (long long)found->value,
             (long long)found->position + 1, (long long)last);
}

lun_status lun_bincount(const lun_array *out, const lun_array *in, const lun_array *weights, int64_t base,
                        const lun_call *call, lun_error *err)
{
    ENDED_BY(count_clear) counting c = {0};
    TRY(count_check(out, in, weights, err));
    if (!dtype_is_whole(in->dtype))
        FAIL(LUN_MISUSE, "the array is %s; integers are needed", lun_dtype_name(in->dtype));
    if (base != 0 && base != 1)
        FAIL(LUN_MISUSE, "from is %lld; 0 or 1 is needed", (long long)base);
    TRY(count_begin(&c, "bincount", out, in, weights, call, err));
    TRY(count_dense(&c, out, in, weights, err));
    TRY(plan_verdict(&c.plan, base ? say_from_1 : say_from_0, base + (int64_t)out->size - 1, err));
    c.sources[c.source_count++] = (bins_source){
        .in = c.in,
        .shape = {.from = c.in.offset, .size = (cl_long)in->size, .bins = (cl_long)out->size, .base = base}};
    return count_finish(&c, out, weights != NULL, call, err);
}
