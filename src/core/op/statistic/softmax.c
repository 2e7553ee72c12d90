/* softmax and log_softmax: exp(x - max) / sum(exp(x - max)), and its logarithm. Less the maximum, no exponential overflows. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "call/compose.h"
#include "device/device.h"

static lun_status shares(composing *c, bool logarithm, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    composed_axes over;
    composed x = {.over = &over};
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(compose_axes(&over, c, in, err));
    c->numbers = false; /* the result has all axes */
    lun_dtype computed; /* floats of 16 bits in f32: they are rounded once */
    const lun_dtype dtype = compose_float(&computed, c, &in, 1);
    unsigned value = of_cast_array(&x, computed, in);
    if (in->size) { /* the largest of nothing is none */
        const unsigned below_max = of_op(&x, LUN_MAP_sub, value, of_fold(&x, LUN_REDUCE_max, value));
        const unsigned power = of_op1(&x, LUN_MAP_exp, below_max), total = of_fold(&x, LUN_REDUCE_sum, power);
        value = logarithm ? of_op(&x, LUN_MAP_sub, below_max, of_op1(&x, LUN_MAP_log, total))
                          : of_op(&x, LUN_MAP_div, power, total);
    }
    x.results[0] = of_given(&x, dtype, computed, value);
    return compose_give_map(c, &x, err);
}

static lun_status softmax(composing *c, lun_error *err) { return shares(c, false, err); }
static lun_status log_softmax(composing *c, lun_error *err) { return shares(c, true, err); }

COMPOSED(softmax)
COMPOSED(log_softmax)
