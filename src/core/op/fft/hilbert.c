/* Analytic signals: the numbers of negative frequencies are left out, and those of positive ones count twice. */
#include "op/fft/signal.h"

#include "api/functions.h"

#include <string.h>

/* One number of each line, halved: that of no frequency, and that of half the rate, which is its own mirror image. */
static lun_status halve(composing *c, const lun_array *half, int axis, size_t at, lun_error *err)
{
    const lun_array *view;
    composed x = {0};
    if (half->size == 0)
        return LUN_OK;
    TRY(compose_slice(&view, c, half, axis, (int64_t)at, 1, 1, err));
    x.results[0] = of_array(&x, view);
    x.results[0] = of_op(&x, LUN_MAP_mul, x.results[0], of_real(&x, 0.5));
    return compose_into(c, &view, &x, false, err);
}

static lun_status hilbert(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const char *name = c->r->operation->name;
    lun_array *half;
    fft_axes along = {.count = 1, .scale = 1};
    size_t shape[LUN_MAX_AXES], n;
    TRY(fft_read_line(&along.axes[0], &n, c->r, err));
    if (lun_dtype_has(in->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "the array is %s, complex; real numbers are needed", lun_dtype_name(in->dtype));
    TRY(fft_read_accurate(&along.accurate, c->r, err));
    along.n[0] = n;
    memcpy(shape, in->shape, sizeof shape);
    shape[along.axes[0]] = n;
    TRY(compose_result(&out, c, 0, fft_between(in->dtype, true, false), in->ndim, shape, err));
    TRY(compose_check_out(c, out, in, err));
    shape[along.axes[0]] = n / 2 + 1;
    TRY(compose_array(&half, c, fft_between(in->dtype, true, along.accurate), in->ndim, shape, err));
    TRY(CALLED(c, false, fft_along(half, in, &along, name, &call, err)));
    TRY(halve(c, half, along.axes[0], 0, err));
    if (n % 2 == 0)
        TRY(halve(c, half, along.axes[0], n / 2, err));
    along.inverse = true;
    along.scale = 2 / (double)n;
    return CALLED(c, true, fft_along(out, half, &along, name, &call, err));
}

COMPOSED(hilbert)
