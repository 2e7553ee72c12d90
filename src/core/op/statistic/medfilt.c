/* Medians of the windows around each element. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <string.h>

/* The widths of the windows along each axis: odd, and of one number all. */
static lun_status read_widths(size_t *width, lun_padding *padding, const lun_request *r, const lun_array *in,
                              lun_error *err)
{
    const lun_value *given = r->arguments[1].kind == LUN_VALUE_NOTHING ? NULL : &r->arguments[1];
    const size_t count = given ? value_count(given) : 1;
    if (count != 1 && count != (size_t)in->ndim)
        FAIL(LUN_MISUSE, "there are %zu widths, expected one, or %d (the axes)", count, in->ndim);
    for (int i = 0; i < in->ndim; i++) {
        const int axis = manner_axis(r->manner, i, in->ndim);
        width[axis] = 3;
        if (given)
            TRY(value_whole_from(&width[axis], r, value_item(given, count > 1 ? (size_t)i : 0), "width", (size_t)i + 1,
                                 1, err));
        if (width[axis] % 2 == 0)
            FAIL(LUN_MISUSE, "width %d is %zu; an odd number is needed", i + 1, width[axis]);
        padding->before[axis] = padding->after[axis] = width[axis] / 2;
    }
    return LUN_OK;
}

/* Adds to both views an axis for each window that is longer than one element. */
static void add_windows(lun_array *from, lun_array *to, const size_t *width)
{
    const int ndim = to->ndim - 1;
    int64_t step = 1;
    from->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        from->shape[i] = to->shape[i];
        if (width[i] > 1) {
            from->shape[from->ndim] = width[i];
            from->stride[from->ndim++] = from->stride[i];
        }
    }
    to->ndim = from->ndim;
    memcpy(to->shape, from->shape, sizeof to->shape);
    for (int i = to->ndim; i-- > ndim; step *= (int64_t)to->shape[i])
        to->stride[i] = step;
    from->size = to->size;
}

static lun_status medfilt(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *medians;
    const char *mode = request_text(c->r, "mode");
    lun_padding padding = {.mode = LUN_PAD_CONSTANT, .value = request_number(c->r, "value", lun_integer(0))};
    size_t width[LUN_MAX_AXES], shape[LUN_MAX_AXES], all = 1;
    lun_array *padded, *windows, from, to;
    composed_axes over = {.axis = {false}};
    int axes = in->ndim;
    TRY(dtype_check_ordered(in->dtype, err));
    if (mode)
        TRY(lun_pad_mode_find(&padding.mode, mode, err));
    TRY(read_widths(width, &padding, c->r, in, err));
    for (int i = 0; i < in->ndim; i++) {
        all *= width[i];
        axes += width[i] > 1;
    }
    if (axes > LUN_MAX_AXES || in->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the array has %d axes, too many for windows beside them", in->ndim);
    TRY(compose_like(&out, c, in->dtype, in, err));
    TRY(compose_check_out(c, out, in, err));
    if (compose_waits(c) || in->size == 0)
        return LUN_OK;
    TRY(lun_pad_result(shape, in, &padding, err));
    TRY(compose_array(&padded, c, in->dtype, in->ndim, shape, err));
    TRY(CALLED(c, false, lun_pad(padded, in, &padding, &call, err)));
    memcpy(shape, in->shape, sizeof shape);
    shape[in->ndim] = all;
    TRY(compose_array(&windows, c, in->dtype, in->ndim + 1, shape, err));
    from = *padded;
    to = *windows;
    add_windows(&from, &to, width);
    TRY(compose_copy(c, &to, &from, false, err));
    over.axis[in->ndim] = true;
    if (dtype_is_whole(in->dtype) && lun_dtype_bytes(in->dtype) == 8) { /* medians are floats */
        TRY(compose_call(&medians, c, "sort", (const lun_array *const[]){windows}, 1, NULL, err));
        TRY(compose_slice(&medians, c, medians, in->ndim, (int64_t)all / 2, 1, 1, err));
        TRY(compose_reshape(&medians, c, medians, in->ndim, in->shape, err));
    } else {
        TRY(compose_reduce(&medians, c, windows, LUN_REDUCE_median, &over, err));
    }
    return compose_copy(c, out, medians, true, err);
}

COMPOSED(medfilt)
