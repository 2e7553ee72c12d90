/* softmax and log_softmax: exponentials as shares of their sum, less the largest, so that none overflows. */
#include "base/dtype.h"
#include "device/device.h"
#include "op/compose.h"

/* Floats of 16 bits are computed in f32, and rounded once. */
static unsigned rounded(composed *x, const lun_array *in, unsigned value)
{
    return dtype_is_whole(in->dtype) || dtype_computed(in->dtype) == in->dtype ? value : of_cast(x, in->dtype, value);
}

static unsigned less(composed *x, const lun_array *in, const lun_array *top)
{
    const unsigned a = of_measured(x, in);
    return top ? of_op(x, LUN_MAP_sub, a, of_measured(x, top)) : a;
}

static lun_status shares(composing *c, bool logarithm, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_reduce_op sum = LUN_REDUCE_sum;
    const lun_array *in = c->r->arguments[0].array, *top = NULL, *total = NULL;
    composed_axes over = {.keepdims = true};
    composed x = {0};
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(compose_axes(&over, c, in, err));
    over.keepdims = true;
    c->numbers = false;
    if (in->size) {
        TRY(compose_reduce(&top, c, in, LUN_REDUCE_max, &over, err));
        x.results[0] = of_op1(&x, LUN_MAP_exp, less(&x, in, top));
        TRY(compose_fold(&total, c, &x, &sum, &over, err));
        x = (composed){0};
    }
    const unsigned apart = less(&x, in, top);
    const unsigned value = !in->size   ? apart
                           : logarithm ? of_op(&x, LUN_MAP_sub, apart, of_op1(&x, LUN_MAP_log, of_array(&x, total)))
                                       : of_op(&x, LUN_MAP_div, of_op1(&x, LUN_MAP_exp, apart), of_array(&x, total));
    x.results[0] = rounded(&x, in, value);
    TRY(compose_give_map(c, &x, err));
done:
    return status;
}

static lun_status softmax(composing *c, lun_error *err) { return shares(c, false, err); }
static lun_status log_softmax(composing *c, lun_error *err) { return shares(c, true, err); }

COMPOSED(softmax)
COMPOSED(log_softmax)
