/* Arrays smoothed by a Gaussian: a convolution along each axis. */
#include "op/fft/convolve.h"

#include "api/functions.h"
#include "device/device.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 1 << 20 }; /* radius of a kernel */

typedef struct smoothing {
    lun_dtype dtype; /* of the computation */
    lun_padding padding;
    double sigma[LUN_MAX_AXES];
    size_t radius[LUN_MAX_AXES];
    int last; /* axis along which is smoothed, or -1 */
} smoothing;

static lun_status read_smoothing(smoothing *s, const lun_request *r, const lun_array *in, lun_error *err)
{
    const lun_value *given = &r->arguments[1];
    const size_t count = value_count(given);
    const double truncate = request_number(r, "truncate", lun_integer(4)).real;
    const char *mode = request_text(r, "mode");
    char number[LUN_NUMBER_TEXT];
    s->padding = (lun_padding){.mode = LUN_PAD_SYMMETRIC, .value = request_number(r, "value", lun_integer(0))};
    s->last = -1;
    if (mode)
        TRY(lun_pad_mode_find(&s->padding.mode, mode, err));
    if (!(truncate >= 0 && truncate <= LARGEST))
        FAIL(LUN_MISUSE, "truncate is %s; a number from 0 to %d is needed", lun_number_digits(number, truncate),
             LARGEST);
    if (given->kind == LUN_VALUE_LIST && count != (size_t)in->ndim)
        FAIL(LUN_MISUSE, "there are %zu numbers in sigma, expected one, or %d (the axes)", count, in->ndim);
    for (int i = 0; i < in->ndim; i++) {
        const int axis = manner_axis(r->manner, i, in->ndim);
        const lun_value *item = value_item(given, given->kind == LUN_VALUE_LIST ? (size_t)i : 0);
        const double sigma = item->kind == LUN_VALUE_NUMBER ? item->number.real : -1;
        if (!(sigma >= 0 && sigma * truncate <= LARGEST))
            FAIL(LUN_MISUSE, "sigma is %s; numbers from 0 to %d / truncate are needed",
                 item->kind == LUN_VALUE_NUMBER ? lun_number_digits(number, sigma) : kind_shown(r, item), LARGEST);
        s->sigma[axis] = sigma;
        s->radius[axis] = (size_t)(truncate * sigma + 0.5);
        if (s->radius[axis] > 0 && axis > s->last)
            s->last = axis;
    }
    return LUN_OK;
}

/* exp(-i^2 / (2 sigma^2)) with i from -radius to radius, divided by the sum, along that axis. */
static lun_status weigh(const lun_array **out, composing *c, const smoothing *s, const lun_array *in, int axis,
                        lun_error *err)
{
    const double factor = -0.5 / s->sigma[axis] / s->sigma[axis];
    const size_t radius = s->radius[axis];
    size_t shape[LUN_MAX_AXES];
    double sum = 1;
    lun_array *places;
    composed x = {0};
    for (size_t i = radius; i > 0; i--)
        sum += 2 * exp(factor * (double)i * (double)i);
    for (int i = 0; i < in->ndim; i++)
        shape[i] = i == axis ? 2 * radius + 1 : 1;
    TRY(compose_sequence(&places, c, 2 * radius + 1, -(int64_t)radius, 1, err));
    const unsigned place = of_wide(&x, places), square = of_op(&x, LUN_MAP_mul, place, place);
    const unsigned power = of_op1(&x, LUN_MAP_exp, of_op(&x, LUN_MAP_mul, square, of_real(&x, factor)));
    x.results[0] = of_cast(&x, s->dtype, of_op(&x, LUN_MAP_mul, power, of_real(&x, 1 / sum)));
    TRY(compose_map(out, c, &x, err));
    return compose_reshape(out, c, *out, in->ndim, shape, err);
}

static lun_status smooth(const lun_array *to, composing *c, smoothing *s, const lun_array *in, int axis, bool last,
                         lun_error *err)
{
    const size_t radius = s->radius[axis], n = in->shape[axis];
    convolution along = {.ndim = in->ndim, .count = 1, .axes = {axis}, .first = {2 * radius}, .step = {1}};
    lun_padding *const padding = &s->padding;
    const char *name = c->r->operation->name;
    size_t shape[LUN_MAX_AXES];
    const lun_array *weights;
    lun_array *padded;
    along.size[0] = n;
    along.taps = 2 * radius + 1;
    memcpy(along.shape, in->shape, sizeof along.shape);
    TRY(weigh(&weights, c, s, in, axis, err));
    padding->before[axis] = padding->after[axis] = radius;
    TRY(lun_pad_result(shape, in, padding, err));
    TRY(compose_array(&padded, c, s->dtype, in->ndim, shape, err));
    TRY(CALLED(c, false, lun_pad(padded, in, padding, &call, err)));
    padding->before[axis] = padding->after[axis] = 0;
    lun_array kernel = *weights;
    for (int i = 0; i < in->ndim; i++)
        kernel.stride[i] = i == axis ? kernel.stride[i] : 0;
    return CALLED(c, last, convolve_directly(to, padded, &kernel, &along, name, &call, err));
}

static lun_status gaussian_filter(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *from;
    lun_array *to;
    smoothing s = {.last = -1};
    TRY(read_smoothing(&s, c->r, in, err));
    TRY(compose_like(&out, c, compose_float(&s.dtype, c, &in, 1), in, err));
    TRY(compose_check_out(c, out, in, err));
    if (compose_waits(c) || in->size == 0)
        return LUN_OK;
    const bool direct = out->dtype == s.dtype;
    TRY(compose_cast(&from, c, s.dtype, in, err));
    for (int axis = 0; axis <= s.last; axis++) {
        if (s.radius[axis] == 0) /* the kernel is 1 */
            continue;
        if (axis == s.last && direct)
            return smooth(out, c, &s, from, axis, true, err);
        TRY(compose_array(&to, c, s.dtype, in->ndim, in->shape, err));
        TRY(smooth(to, c, &s, from, axis, false, err));
        from = to;
    }
    return compose_copy(c, out, from, true, err);
}

COMPOSED(gaussian_filter)
