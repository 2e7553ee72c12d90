/* Makers of constants and sequences, as rows of operation.def are called. */
#include "device/device.h"
#include "op/make/maker.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- what all makers do -------------------------------------------------------------------------------------------------- */

/* The argument that names a dtype; NULL: the operation takes none. */
static const lun_value *named_dtype(const lun_request *r)
{
    unsigned i = 1;
    for (const lun_operand *row = r->operation->arguments; row->name; row++, i++)
        if (strcmp(row->name, "dtype") == 0)
            return &r->arguments[i];
    return NULL;
}

lun_status maker_dtype(lun_dtype *out, const lun_request *r, lun_error *err)
{
    const lun_value *value = named_dtype(r);
    return value && value->kind != LUN_VALUE_NOTHING ? value_dtype(out, value, err) : LUN_OK;
}

lun_status maker_result(lun_request *r, lun_dtype missing, int ndim, const size_t *shape, lun_error *err)
{
    char wanted[SHOWN], came[SHOWN];
    const lun_value *value = named_dtype(r);
    const bool named = value && value->kind != LUN_VALUE_NOTHING;
    lun_dtype dtype = missing;
    TRY(maker_dtype(&dtype, r, err));
    TRY(request_result(r, dtype, ndim, shape, err));
    const lun_array *out = r->results[0].given;
    if (!out)
        return LUN_OK;
    if (out->ndim != ndim || memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "out is %s, and the result %s", array_shape_text(came, sizeof came, out),
             device_shape_text(wanted, sizeof wanted, r->device, ndim, shape));
    if ((named || !value) && out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s, and the result %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    if (out->device != r->device)
        FAIL(LUN_MISUSE, "out is on another device");
    return LUN_OK;
}

lun_status maker_size(size_t *out, const lun_request *r, unsigned argument, lun_error *err)
{
    char at[SHOWN];
    int64_t size = 0;
    const lun_status status = request_integer(&size, r, argument, err);
    if (status == LUN_OK && size < 0)
        return fail(err, LUN_MISUSE, "%s is %lld; sizes are whole numbers from 0", request_place(at, r, argument),
                    (long long)size);
    *out = (size_t)size;
    return status;
}

sequence_terms maker_steps(const lun_request *r, double from, double to, size_t n)
{
    const lun_value *endpoint = request_option(r, "endpoint");
    const bool ends = n > 1 && (!endpoint || endpoint->truth);
    return sequence_between(r->device, from, to, n ? (double)(n - ends) : 1);
}

/* ---- one number everywhere ----------------------------------------------------------------------------------------------- */

static lun_status bind_filled(lun_request *r, lun_number number, lun_error *err)
{
    int ndim;
    size_t shape[LUN_MAX_AXES];
    *REQUEST_STATE(r, lun_number) = number;
    if (r->operation->owner == LUN_OF_ARRAY) {
        const lun_array *array = r->arguments[0].array;
        TRY(maker_result(r, array->dtype, array->ndim, array->shape, err));
    } else {
        TRY(request_shape(&ndim, shape, r, 1, err));
        TRY(maker_result(r, lun_number_dtype(number), ndim, shape, err));
    }
    return LUN_OK;
}

static lun_status run_filled(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_array_fill(out[0], *(lun_number *)r->state, &r->call, err);
}

static lun_status run_empty(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more, (void)r, (void)out, (void)err;
    return LUN_OK;
}

static lun_status bind_zeros(lun_request *r, lun_error *err) { return bind_filled(r, lun_integer(0), err); }
static lun_status bind_ones(lun_request *r, lun_error *err) { return bind_filled(r, lun_integer(1), err); }

static lun_status bind_full(lun_request *r, lun_error *err)
{
    return bind_filled(r, value_scalar(&r->arguments[r->operation->owner == LUN_OF_ARRAY ? 1 : 2]), err);
}

const request_functions zeros_functions = {bind_zeros, run_filled}, ones_functions = {bind_ones, run_filled},
                        full_functions = {bind_full, run_filled}, zeros_like_functions = {bind_zeros, run_filled},
                        ones_like_functions = {bind_ones, run_filled}, full_like_functions = {bind_full, run_filled},
                        empty_like_functions = {bind_zeros, run_empty}, empty_functions = {bind_zeros, run_empty};

/* ---- eye ----------------------------------------------------------------------------------------------------------------- */

typedef struct triangle {
    int64_t k;
    lun_array *one;
} triangle;

static lun_status bind_eye(lun_request *r, lun_error *err)
{
    size_t shape[2];
    int64_t *k = &REQUEST_STATE(r, triangle)->k;
    TRY(maker_size(&shape[0], r, 1, err));
    shape[1] = shape[0];
    if (r->arguments[2].kind != LUN_VALUE_NOTHING)
        TRY(maker_size(&shape[1], r, 2, err));
    if (r->arguments[3].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(k, r, 3, err));
    if (r->manner->reversed)
        *k = -*k;
    manner_turn(r->manner, shape, 2);
    return maker_result(r, LUN_f32, 2, shape, err);
}

static lun_status run_eye(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    const lun_call quiet = request_quiet(r);
    lun_array diagonal = {0};
    TRY_DONE(lun_array_diagonal(&diagonal, out[0], (const int[]){0, 1}, ((const triangle *)r->state)->k, err));
    TRY_DONE(lun_array_fill(out[0], lun_integer(0), diagonal.size ? &quiet : &r->call, err));
    if (diagonal.size)
        TRY_DONE(lun_array_fill(&diagonal, lun_integer(1), &r->call, err));
done:
    lun_array_clear(&diagonal);
    return status;
}

/* The lower triangle of a view of one element. */
static lun_status run_tri(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    const lun_call quiet = request_quiet(r);
    triangle *t = r->state;
    lun_array ones = {0};
    TRY_DONE(request_array(&t->one, r, out[0]->dtype, 0, NULL, err));
    TRY_DONE(lun_array_fill(t->one, lun_integer(1), &quiet, err));
    TRY_DONE(lun_array_broadcast(&ones, t->one, out[0]->ndim, out[0]->shape, err));
    TRY_DONE(lun_triangle(out[0], &ones, r->manner->reversed, t->k, &r->call, err));
done:
    lun_array_clear(&ones);
    return status;
}

const request_functions eye_functions = {bind_eye, run_eye}, tri_functions = {bind_eye, run_tri};

/* ---- sequences ----------------------------------------------------------------------------------------------------------- */

typedef struct sequence {
    lun_number from, step;
} sequence;

/* Of real parts, and of imaginary parts. */
typedef struct both_terms {
    sequence_terms part[2];
} both_terms;

/* How many terms from, from+step, ... do not pass `to`. */
static lun_status count_terms(size_t *out, lun_number from, lun_number to, lun_number step, lun_error *err)
{
    char texts[3][SHOWN];
    if (from.is_integer && to.is_integer && step.is_integer) {
        const bool up = step.integer > 0;
        const uint64_t first = (uint64_t)from.integer, last = (uint64_t)to.integer;
        const uint64_t distance = up ? last - first : first - last;
        const uint64_t stride = up ? (uint64_t)step.integer : 0 - (uint64_t)step.integer;
        *out = 0;
        if (up ? from.integer > to.integer : from.integer < to.integer)
            return LUN_OK;
        if (distance / stride == UINT64_MAX)
            return fail(err, LUN_MISUSE, "the range has more elements than 64 bits can count");
        *out = (size_t)(distance / stride + 1);
        return LUN_OK;
    }
    const double steps = (to.real - from.real) / step.real;
    if (!(fabs(steps) < 0x1p62))
        return fail(err, LUN_MISUSE, "the range from %s to %s by %s has no number of elements",
                    number_shown(texts[0], lun_real(from.real)), number_shown(texts[1], lun_real(to.real)),
                    number_shown(texts[2], lun_real(step.real)));
    /* an end that rounding has moved by a few units in the last place is still included */
    *out = steps < 0 ? 0 : (size_t)floor(steps * (1 + 4 * DBL_EPSILON)) + 1;
    return LUN_OK;
}

/* from + step: integers wrap. */
static lun_number second_term(lun_number from, lun_number step)
{
    if (from.is_integer && step.is_integer)
        return lun_integer((int64_t)((uint64_t)from.integer + (uint64_t)step.integer));
    return lun_real(from.real + step.real);
}

/* The number as an integer where it is integral, otherwise as it is. */
static lun_number as_integer(lun_number number)
{
    int64_t integer;
    return number_whole(&integer, number) ? lun_integer(integer) : number;
}

/* An integer dtype has to hold the first terms; lun_array_sequence looks at the last one. */
static lun_status check_terms(sequence *s, lun_dtype dtype, size_t terms, lun_error *err)
{
    char element[2 * sizeof(double)];
    if (terms == 0 || !lun_dtype_has(dtype, LUN_WHOLE))
        return LUN_OK;
    TRY(lun_number_store(element, dtype, s->from, err));
    if (terms > 1)
        TRY(lun_number_store(element, dtype, second_term(s->from, s->step), err));
    s->from = as_integer(s->from);
    s->step = terms > 1 ? as_integer(s->step) : lun_integer(1);
    return LUN_OK;
}

/* arange(n), or arange(from, to), or arange(from, to, step). */
static lun_status bind_arange(lun_request *r, lun_error *err)
{
    sequence *s = REQUEST_STATE(r, sequence);
    const lun_value *given = &r->arguments[1];
    const size_t count = value_count(given);
    size_t terms;
    if (given->kind == LUN_VALUE_LIST && !given->list.spread)
        TRY(request_refuse(r, 1, "a number", err));
    if (count > 3)
        FAIL(LUN_MISUSE, "argument 4: %s is wanted, got %s", r->operation->arguments[1].wanted,
             r->manner->words[LUN_VALUE_NUMBER]);
    s->from = count > 1 ? value_item(given, 0)->number : lun_integer(1);
    s->step = count > 2 ? value_item(given, 2)->number : lun_integer(1);
    const lun_number to = value_item(given, count > 1)->number;
    if (s->step.real == 0)
        FAIL(LUN_MISUSE, "the step is 0");
    const bool integers = s->from.is_integer && to.is_integer && s->step.is_integer;
    TRY(count_terms(&terms, s->from, to, s->step, err));
    TRY(maker_result(r, integers ? LUN_i64 : LUN_f32, 1, &terms, err));
    return check_terms(s, r->results[0].dtype, terms, err);
}

static lun_status run_arange(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const sequence *s = r->state;
    return lun_array_sequence(out[0], s->from, s->step, &r->call, err);
}

static lun_status bind_linspace(lun_request *r, lun_error *err)
{
    sequence_terms *parts = REQUEST_STATE(r, both_terms)->part;
    const lun_number from = value_scalar(&r->arguments[1]), to = value_scalar(&r->arguments[2]);
    const bool finite = isfinite(from.real) && isfinite(from.imaginary) && isfinite(to.real) && isfinite(to.imaginary);
    size_t n;
    char texts[2][SHOWN], ignored[2 * sizeof(double)];
    TRY(maker_size(&n, r, 3, err));
    TRY(maker_result(r, from.is_complex || to.is_complex ? LUN_c64 : LUN_f32, 1, &n, err));
    const lun_dtype dtype = r->results[0].dtype;
    if (!finite)
        FAIL(LUN_MISUSE, "finite ends are wanted, got %s and %s", number_shown(texts[0], from),
             number_shown(texts[1], to));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "a float dtype is wanted, got %s; cast rounds the result", lun_dtype_name(dtype));
    TRY(lun_number_round(ignored, dtype, from, err)); /* a complex number is no end of real ones */
    TRY(lun_number_round(ignored, dtype, to, err));
    parts[0] = maker_steps(r, from.real, to.real, n);
    parts[1] = maker_steps(r, from.imaginary, to.imaginary, n);
    return LUN_OK;
}

static lun_status run_linspace(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    lun_array part = {0};
    const sequence_terms *parts = ((const both_terms *)r->state)->part;
    const lun_call quiet = request_quiet(r);
    if (!lun_dtype_has(out[0]->dtype, LUN_PAIRS))
        return sequence_write(out[0], &parts[0], &r->call, err);
    for (int i = 0; i < 2; i++) {
        TRY_DONE(lun_array_part(&part, out[0], i == 1, err));
        TRY_DONE(sequence_write(&part, &parts[i], i == 0 ? &quiet : &r->call, err));
        lun_array_clear(&part);
    }
done:
    lun_array_clear(&part);
    return status;
}

const request_functions arange_functions = {bind_arange, run_arange},
                        linspace_functions = {bind_linspace, run_linspace};
