/* The frequencies of transforms, and their order, as rows of operation.def are called. */
#include "op/interface.h"
#include "op/sequence.h"

#include <string.h>

/* ---- fftshift ----------------------------------------------------------------------------------------------------------- */

/* Half of each axis is rolled: the frequency 0 comes to the middle, or back. */
static lun_status bind_shift(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int64_t *shifts = REQUEST_MEMORY(r, LUN_MAX_AXES * sizeof *shifts);
    const bool back = request_is(r, ROW_INVERSE), all = r->arguments[1].kind == LUN_VALUE_NOTHING;
    int count = array->ndim, axes[LUN_MAX_AXES];
    r->state = shifts;
    if (!all)
        TRY(value_axes(&count, axes, r, &r->arguments[1], array->ndim, array->shape, false, err));
    for (int i = 0; i < count; i++) {
        const int axis = all ? i : axes[i];
        const int64_t half = (int64_t)(array->shape[axis] / 2);
        shifts[axis] = back ? -half : half;
    }
    return request_result(r, array->dtype, array->ndim, array->shape, err);
}

static lun_status run_shift(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_roll(out[0], r->arguments[0].array, r->state, &r->call, err);
}

const request_functions fftshift_functions = {bind_shift, run_shift};

/* ---- fftfreq ------------------------------------------------------------------------------------------------------------ */

/* Of rfftfreq all numbers are from 0 on; of fftfreq those of the second half are negative. */
typedef struct frequencies {
    size_t n, first;
    double samples, apart;
} frequencies;

static lun_status bind_frequencies(lun_request *r, lun_error *err)
{
    frequencies *f = REQUEST_STATE(r, frequencies);
    int64_t n;
    lun_dtype dtype = LUN_f32;
    const lun_value *spacing = &r->arguments[2], *named = &r->arguments[3];
    TRY(request_integer_from(&n, r, 1, 1, err));
    const double d = spacing->kind == LUN_VALUE_NOTHING ? 1 : spacing->number.real;
    const bool real = request_is(r, ROW_HALVED);
    if (d == 0)
        FAIL(LUN_MISUSE, "the samples are 0 apart");
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_dtype(&dtype, named, err));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "frequencies are no whole numbers: %s does not hold them", lun_dtype_name(dtype));
    f->n = real ? (size_t)n / 2 + 1 : (size_t)n;
    f->first = real ? f->n : ((size_t)n + 1) / 2;
    f->samples = (double)n;
    f->apart = d;
    return request_result(r, dtype, 1, &f->n, err);
}

static lun_status run_frequencies(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    const frequencies *f = r->state;
    const size_t rest = f->n - f->first;
    const lun_call quiet = request_quiet(r);
    lun_array part = {0};
    const bool behind = r->stage > 0;
    const lun_slice slice = {.from = behind ? (int64_t)f->first : 0, .step = 1, .count = behind ? rest : f->first};
    TRY_DONE(lun_array_slice(&part, out[0], &slice, err));
    const sequence_terms terms = sequence_of_quotients(part.device, behind ? -(double)rest : 0, f->samples, f->apart);
    TRY_DONE(sequence_write(&part, &terms, behind || !rest ? &r->call : &quiet, err));
    *more = !behind && rest;
    r->stage++;
done:
    lun_array_clear(&part);
    return status;
}

const request_functions fftfreq_functions = {bind_frequencies, run_frequencies};
