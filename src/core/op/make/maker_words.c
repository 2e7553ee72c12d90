/* Makers of constants and sequences. */
#include "device/device.h"
#include "op/make/maker.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- shared by all makers
 * -------------------------------------------------------------------------------------------------- */

lun_status maker_result(const lun_array **out, composing *c, lun_dtype missing, int ndim, const size_t *shape,
                        lun_error *err)
{
    char wanted[SHOWN], came[SHOWN];
    const lun_value *value = request_dtype_argument(c->r);
    const bool named = value && value->kind != LUN_VALUE_NOTHING;
    const lun_array *given = request_array_option(c->r, "out");
    lun_dtype dtype = missing;
    TRY(request_dtype(&dtype, c->r, err));
    if (given && (given->ndim != ndim || memcmp(given->shape, shape, (size_t)ndim * sizeof *shape) != 0))
        FAIL(LUN_MISUSE, "out is %s; the result is %s", array_shape_text(came, sizeof came, given),
             device_shape_text(wanted, sizeof wanted, c->r->device, ndim, shape));
    if (given && (named || !value) && given->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(given->dtype), lun_dtype_name(dtype));
    if (given && given->device != c->r->device)
        FAIL(LUN_MISUSE, "out is on another device");
    return compose_result(out, c, 0, given ? given->dtype : dtype, ndim, shape, err);
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

/* An array of that shape, or like the request's; the number determines the default dtype. */
static lun_status make_filled(const lun_array **out, composing *c, lun_number number, lun_error *err)
{
    const lun_array *like = c->r->arguments[0].array;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    if (c->r->operation->owner == LUN_OF_ARRAY)
        return maker_result(out, c, like->dtype, like->ndim, like->shape, err);
    TRY(request_shape(&ndim, shape, c->r, 1, err));
    return maker_result(out, c, lun_request_dtype(c->r, number), ndim, shape, err);
}

static lun_status give_filled(composing *c, lun_number number, lun_error *err)
{
    const lun_array *out;
    TRY(make_filled(&out, c, number, err));
    return CALLED(c, true, lun_array_fill(out, number, &call, err));
}

static lun_status zeros(composing *c, lun_error *err) { return give_filled(c, lun_integer(0), err); }
static lun_status ones(composing *c, lun_error *err) { return give_filled(c, lun_integer(1), err); }

static lun_status full(composing *c, lun_error *err)
{
    return give_filled(c, value_scalar(&c->r->arguments[c->r->operation->owner == LUN_OF_ARRAY ? 1 : 2]), err);
}

static lun_status empty(composing *c, lun_error *err)
{
    const lun_array *out;
    return make_filled(&out, c, lun_integer(0), err);
}

COMPOSED(zeros)
COMPOSED(ones)
COMPOSED(full)
COMPOSED(empty)

/* ---- eye ----------------------------------------------------------------------------------------------------------------- */

/* A matrix, and the number of its diagonal. */
static lun_status make_matrix(const lun_array **out, int64_t *k, composing *c, lun_error *err)
{
    size_t shape[2];
    *k = 0;
    TRY(maker_size(&shape[0], c->r, 1, err));
    shape[1] = shape[0];
    if (c->r->arguments[2].kind != LUN_VALUE_NOTHING)
        TRY(maker_size(&shape[1], c->r, 2, err));
    if (c->r->arguments[3].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(k, c->r, 3, err));
    if (c->r->manner->reversed)
        *k = -*k;
    manner_turn(c->r->manner, shape, 2);
    return maker_result(out, c, c->r->floats, 2, shape, err);
}

static lun_status eye(composing *c, lun_error *err)
{
    const lun_array *out;
    lun_array *diagonal;
    int64_t k;
    TRY(make_matrix(&out, &k, c, err));
    COMPOSE_VIEW(diagonal, c, lun_array_diagonal(diagonal, out, (const int[]){0, 1}, k, err));
    TRY(CALLED(c, !diagonal->size, lun_array_fill(out, lun_integer(0), &call, err)));
    if (diagonal->size)
        TRY(CALLED(c, true, lun_array_fill(diagonal, lun_integer(1), &call, err)));
    return LUN_OK;
}

/* The lower triangle of a broadcast view of one element. */
static lun_status tri(composing *c, lun_error *err)
{
    const lun_array *out;
    lun_array *one, *ones;
    int64_t k;
    TRY(make_matrix(&out, &k, c, err));
    TRY(compose_array(&one, c, out->dtype, 0, NULL, err));
    COMPOSE_VIEW(ones, c, lun_array_broadcast(ones, one, out->ndim, out->shape, err));
    TRY(CALLED(c, false, lun_array_fill(one, lun_integer(1), &call, err)));
    return CALLED(c, true, lun_triangle(out, ones, c->r->manner->reversed, k, &call, err));
}

COMPOSED(eye)
COMPOSED(tri)

/* ---- sequences ----------------------------------------------------------------------------------------------------------- */

typedef struct sequence {
    lun_number from, step;
} sequence;

/* The number of terms from, from+step, ... up to `to`. */
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
        return fail(err, LUN_MISUSE, "the range from %s to %s by %s has no finite number of elements",
                    number_shown(texts[0], lun_real(from.real)), number_shown(texts[1], lun_real(to.real)),
                    number_shown(texts[2], lun_real(step.real)));
    /* an end that rounding moved by a few units in the last place is still included */
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

/* An integer dtype must hold the first terms; lun_array_sequence checks the last one. */
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
static lun_status read_range(sequence *s, lun_number *to, const lun_request *r, lun_error *err)
{
    const lun_value *given = &r->arguments[1];
    const size_t count = value_count(given);
    if (given->kind == LUN_VALUE_LIST && !given->list.spread)
        TRY(request_refuse(r, 1, "a number", err));
    if (count > 3)
        FAIL(LUN_MISUSE, "argument 4: %s is needed, got %s", r->operation->arguments[1].wanted,
             r->manner->words[LUN_VALUE_NUMBER]);
    s->from = count > 1 ? value_item(given, 0)->number : lun_integer(1);
    s->step = count > 2 ? value_item(given, 2)->number : lun_integer(1);
    *to = value_item(given, count > 1)->number;
    if (s->step.real == 0)
        FAIL(LUN_MISUSE, "the step is 0");
    return LUN_OK;
}

static lun_status arange(composing *c, lun_error *err)
{
    const lun_array *out;
    sequence s;
    lun_number to = lun_integer(0);
    size_t terms;
    TRY(read_range(&s, &to, c->r, err));
    const bool integers = s.from.is_integer && to.is_integer && s.step.is_integer;
    TRY(count_terms(&terms, s.from, to, s.step, err));
    TRY(maker_result(&out, c, integers ? LUN_i64 : c->r->floats, 1, &terms, err));
    TRY(check_terms(&s, out->dtype, terms, err));
    return CALLED(c, true, lun_array_sequence(out, s.from, s.step, &call, err));
}

static lun_status check_ends(lun_number from, lun_number to, lun_dtype dtype, lun_error *err)
{
    char texts[2][SHOWN], ignored[2 * sizeof(double)];
    if (!isfinite(from.real) || !isfinite(from.imaginary) || !isfinite(to.real) || !isfinite(to.imaginary))
        FAIL(LUN_MISUSE, "finite ends are needed, got %s and %s", number_shown(texts[0], from),
             number_shown(texts[1], to));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "a float dtype is needed, got %s; cast rounds the result", lun_dtype_name(dtype));
    TRY(lun_number_round(ignored, dtype, from, err)); /* a complex number cannot be an end */
    return lun_number_round(ignored, dtype, to, err);
}

static lun_status linspace(composing *c, lun_error *err)
{
    const lun_number from = value_scalar(&c->r->arguments[1]), to = value_scalar(&c->r->arguments[2]);
    const lun_array *out;
    lun_array *parts[2];
    const bool complex = from.is_complex || to.is_complex;
    size_t n;
    TRY(maker_size(&n, c->r, 3, err));
    TRY(maker_result(&out, c, lun_request_dtype(c->r, complex ? lun_complex(0, 0) : lun_real(0)), 1, &n, err));
    TRY(check_ends(from, to, out->dtype, err));
    const sequence_terms real = maker_steps(c->r, from.real, to.real, n),
                         imaginary = maker_steps(c->r, from.imaginary, to.imaginary, n);
    if (!lun_dtype_has(out->dtype, LUN_PAIRS))
        return CALLED(c, true, sequence_write(out, &real, &call, err));
    for (int i = 0; i < 2; i++) {
        COMPOSE_VIEW(parts[i], c, lun_array_part(parts[i], out, i == 1, err));
        TRY(CALLED(c, i == 1, sequence_write(parts[i], i ? &imaginary : &real, &call, err)));
    }
    return LUN_OK;
}

COMPOSED(arange)
COMPOSED(linspace)
