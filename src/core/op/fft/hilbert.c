/* Analytic signals, as the row of operation.def is called: the numbers of negative frequencies are left out, and those of positive
 * ones count twice. */
#include "op/fft/signal.h"

#include "api/functions.h"

#include <string.h>

typedef struct analytic {
    int axis;
    size_t n, shape[LUN_MAX_AXES];
    lun_dtype dtype;
    bool accurate;
    lun_array *half;
} analytic;

static lun_status bind(lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    analytic *s = REQUEST_STATE(r, analytic);
    TRY(fft_read_line(&s->axis, &s->n, r, err));
    if (lun_dtype_has(in->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "the array is %s, complex; real numbers are wanted", lun_dtype_name(in->dtype));
    TRY(fft_read_accurate(&s->accurate, r, err));
    s->dtype = fft_between(in->dtype, true, false);
    memcpy(s->shape, in->shape, sizeof s->shape);
    s->shape[s->axis] = s->n;
    return request_result(r, s->dtype, in->ndim, s->shape, err);
}

/* One number of each line, halved: that of no frequency, and that of half the rate, which is its own mirror image. */
static lun_status halve(const analytic *s, size_t at, lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    lun_array view = *s->half;
    lun_elementwise e;
    view.offset += (int64_t)at * view.stride[s->axis];
    view.size /= view.shape[s->axis];
    view.shape[s->axis] = 1;
    lun_elementwise_begin(&e, LUN_MAP_mul);
    lun_elementwise_array(&e, 0, &view);
    lun_elementwise_number(&e, 1, lun_real(0.5));
    return lun_map((const lun_array *const[]){&view}, &e.expression, &quiet, err);
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    analytic *s = r->state;
    const lun_array *in = r->arguments[0].array;
    const lun_call quiet = request_quiet(r);
    fft_axes along = {.count = 1, .axes = {s->axis}, .n = {s->n}, .scale = 1, .accurate = s->accurate};
    size_t shape[LUN_MAX_AXES];
    TRY(array_check_out(out[0], in, s->dtype, in->ndim, s->shape, err));
    TRY(array_check_apart(out[0], in, err));
    memcpy(shape, s->shape, sizeof shape);
    shape[s->axis] = s->n / 2 + 1;
    TRY(request_array(&s->half, r, fft_between(s->dtype, true, s->accurate), in->ndim, shape, err));
    TRY(fft_along(s->half, in, &along, r->operation->name, &quiet, err));
    if (s->half->size)
        TRY(halve(s, 0, r, err));
    if (s->half->size && s->n % 2 == 0)
        TRY(halve(s, s->n / 2, r, err));
    along.inverse = true;
    along.scale = 2 / (double)s->n;
    return fft_along(out[0], s->half, &along, r->operation->name, &r->call, err);
}

const request_functions hilbert_functions = {bind, run};
