/* Signals without their mean, or without the straight lines that fit their pieces best. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

/* A piece of each line, less its mean and, with `places`, which count its numbers from 0, less its slope. */
static lun_status level(composing *c, const lun_array *to, const lun_array *in, int axis, const lun_array *places,
                        bool last, lun_error *err)
{
    static const lun_reduce_op mean_op = LUN_REDUCE_mean, sum_op = LUN_REDUCE_sum;
    const double n = (double)in->shape[axis], squares = n * (n * n - 1) / 12; /* of distances from the middle */
    const lun_array *mean, *slope;
    composed_axes over = {.keepdims = true};
    composed x = {0};
    over.axis[axis] = true;
    x.results[0] = of_wide(&x, in);
    TRY(compose_fold(&mean, c, &x, &mean_op, &over, err));
    x = (composed){0};
    unsigned value = of_op(&x, LUN_MAP_sub, of_wide(&x, in), of_array(&x, mean));
    if (places) {
        const unsigned from = of_op(&x, LUN_MAP_sub, of_wide(&x, places), of_real(&x, (n - 1) / 2));
        x.results[0] = of_op(&x, LUN_MAP_mul, value, from);
        TRY(compose_fold(&slope, c, &x, &sum_op, &over, err));
        const unsigned rise = of_op(&x, LUN_MAP_mul, of_array(&x, slope), of_real(&x, 1 / squares));
        value = of_op(&x, LUN_MAP_sub, value, of_op(&x, LUN_MAP_mul, rise, from));
    }
    x.results[0] = of_cast(&x, to->dtype, value);
    return compose_into(c, &to, &x, last, err);
}

static lun_status find_type(int *out, const lun_request *r, lun_error *err)
{
    static const char *const types[] = {"constant", "linear", NULL};
    const lun_value *type = &r->arguments[1];
    int64_t degree = -1;
    *out = 1;
    if (type->kind == LUN_VALUE_TEXT)
        return value_named(out, type->text, "type", types, err);
    if (type->kind == LUN_VALUE_NOTHING)
        return LUN_OK;
    if (type->kind != LUN_VALUE_NUMBER || !number_whole(&degree, type->number) || degree < 0 || degree > 1)
        return request_refuse(r, 1, "\"constant\", \"linear\", 0 or 1", err);
    *out = (int)degree;
    return LUN_OK;
}

/* Where the i-th piece begins, counted from 0; behind the last one the size. */
static lun_status find_piece(size_t *from, const lun_request *r, const lun_value *breaks, size_t i, size_t size,
                             lun_error *err)
{
    const size_t count = breaks ? value_count(breaks) : 0;
    *from = i == 0 ? 0 : size;
    if (i == 0 || i > count)
        return LUN_OK;
    TRY(value_whole_from(from, r, value_item(breaks, i - 1), "break", i, (unsigned)r->manner->first, err));
    *from -= (size_t)r->manner->first;
    return LUN_OK;
}

static lun_status detrend(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *to, *from, *places = NULL;
    const lun_value *breaks = request_option(c->r, "breaks");
    const size_t pieces = 1 + (breaks ? value_count(breaks) : 0);
    size_t start, end, shape[LUN_MAX_AXES];
    int axis, linear;
    lun_dtype ignored;
    lun_array *counted;
    TRY(find_type(&linear, c->r, err));
    TRY(compose_axis(&axis, c, in, -1, err));
    TRY(compose_like(&out, c, compose_float(&ignored, c, &in, 1), in, err));
    TRY(compose_check_out(c, out, in, err));
    for (size_t i = 0; i < pieces; i++) {
        TRY(find_piece(&start, c->r, breaks, i, in->shape[axis], err));
        TRY(find_piece(&end, c->r, breaks, i + 1, in->shape[axis], err));
        if (end < start || end > in->shape[axis] || (i + 1 < pieces && end == start))
            FAIL(LUN_MISUSE,
                 "break %zu is out of order; breaks ascend, from the second number of a line to the last "
                 "one",
                 i + 1);
        if (in->size == 0 || end == start)
            continue;
        for (int k = 0; k < in->ndim; k++)
            shape[k] = k == axis ? end - start : 1;
        if (linear && end - start > 1) {
            TRY(compose_sequence(&counted, c, end - start, 0, 1, err));
            TRY(compose_reshape(&places, c, counted, in->ndim, shape, err));
        }
        TRY(compose_slice(&from, c, in, axis, (int64_t)start, 1, end - start, err));
        TRY(compose_slice(&to, c, out, axis, (int64_t)start, 1, end - start, err));
        TRY(level(c, to, from, axis, linear && end - start > 1 ? places : NULL, i + 1 == pieces, err));
    }
    return LUN_OK;
}

COMPOSED(detrend)
