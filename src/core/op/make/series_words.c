/* Sequences in powers, grids of positions and matrices of powers. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"
#include "op/make/maker.h"

#include <math.h>

/* ---- logspace and geomspace ------------------------------------------------------------------------------------------------ */

static lun_dtype widest(const composing *c) { return c->r->device->info.fp64 ? LUN_f64 : LUN_f32; }

/* The exponents of a base: n numbers between two ends, in the widest float, and, if the result has that dtype, their
 * rounding errors. */
typedef struct exponents {
    const lun_array *numbers, *rests;
} exponents;

static lun_status steps(exponents *out, composing *c, double from, double to, size_t n, lun_dtype result,
                        lun_error *err)
{
    lun_array *made, *rests = NULL;
    const sequence_terms terms = maker_steps(c->r, from, to, n);
    TRY(compose_array(&made, c, widest(c), 1, &n, err));
    if (result == widest(c))
        TRY(compose_array(&rests, c, widest(c), 1, &n, err));
    *out = (exponents){made, rests};
    if (n)
        TRY(CALLED(c, false, sequence_write(made, &terms, &call, err)));
    return n && rests ? CALLED(c, false, sequence_write_rest(rests, &terms, &call, err)) : LUN_OK;
}

/* The base's power, node `power`, corrected by the rounding errors of the exponents: b^(x + r) is b^x (1 + r log b). */
static unsigned whole_power(composed *x, unsigned power, const exponents *e, double base)
{
    if (!e->rests || !(base > 0))
        return power;
    const unsigned more = of_op(x, LUN_MAP_mul, of_array(x, e->rests), of_real(x, log(base)));
    return of_op(x, LUN_MAP_mul, power, of_op(x, LUN_MAP_add, of_real(x, 1), more));
}

/* The result, in the given float dtype, and its number of elements. */
static lun_status float_result(const lun_array **out, size_t *n, composing *c, lun_error *err)
{
    lun_dtype dtype = c->r->floats;
    TRY(maker_size(n, c->r, 3, err));
    TRY(request_dtype(&dtype, c->r, err));
    if (dtype_is_whole(dtype))
        FAIL(LUN_MISUSE, "a float dtype is needed, got %s; cast rounds the result", lun_dtype_name(dtype));
    return compose_result(out, c, 0, dtype, 1, n, err);
}

static lun_status check_ends(double from, double to, lun_error *err)
{
    char texts[2][SHOWN];
    if (isfinite(from) && isfinite(to) && isfinite(to - from))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "finite ends are needed, got %s and %s", number_shown(texts[0], lun_real(from)),
                number_shown(texts[1], lun_real(to)));
}

/* A base to the power of each; 2 and 10 have their own, more exact functions. */
static lun_status logspace(composing *c, lun_error *err)
{
    composed x = {0};
    const lun_array *out;
    exponents e;
    const double from = c->r->arguments[1].number.real, to = c->r->arguments[2].number.real;
    const double base = request_number(c->r, "base", lun_integer(10)).real;
    size_t n;
    TRY(float_result(&out, &n, c, err));
    TRY(check_ends(from, to, err));
    TRY(steps(&e, c, from, to, n, out->dtype, err));
    const unsigned a = of_array(&x, e.numbers);
    const unsigned power = base == 10  ? of_op1(&x, LUN_MAP_exp10, a)
                           : base == 2 ? of_op1(&x, LUN_MAP_exp2, a)
                                       : of_op(&x, LUN_MAP_pow, of_real(&x, base), a);
    x.results[0] = of_cast(&x, out->dtype, whole_power(&x, power, &e, base));
    return compose_into(c, &out, &x, true, err);
}

/* The first number times the ratio of both to a power from 0 to 1; the ends are as they are given. */
static lun_status geomspace(composing *c, lun_error *err)
{
    composed x = {0};
    char texts[2][SHOWN];
    const lun_array *out, *end;
    exponents e;
    const double from = c->r->arguments[1].number.real, to = c->r->arguments[2].number.real;
    const lun_value *endpoint = request_option(c->r, "endpoint");
    const bool ends = !endpoint || endpoint->truth;
    size_t n;
    TRY(float_result(&out, &n, c, err));
    TRY(check_ends(from, to, err));
    if (!(to / from > 0) || !isfinite(to / from))
        FAIL(LUN_MISUSE, "ends of the same sign, neither 0, are needed, got %s and %s",
             number_shown(texts[0], lun_real(from)), number_shown(texts[1], lun_real(to)));
    TRY(steps(&e, c, 0, 1, n, out->dtype, err));
    const unsigned head = of_op(&x, LUN_MAP_pow, of_real(&x, to / from), of_array(&x, e.numbers));
    const unsigned power = whole_power(&x, head, &e, to / from);
    x.results[0] = of_cast(&x, out->dtype, of_op(&x, LUN_MAP_mul, of_real(&x, from), power));
    TRY(compose_into(c, &out, &x, n < 2 || !ends, err));
    if (n < 2 || !ends)
        return LUN_OK;
    TRY(compose_slice(&end, c, out, 0, (int64_t)n - 1, 1, 1, err));
    return CALLED(c, true, lun_array_fill(end, lun_real(to), &call, err));
}

COMPOSED(logspace)
COMPOSED(geomspace)

/* ---- indices --------------------------------------------------------------------------------------------------------------- */

/* The positions along an axis, at each point of the grid. */
static lun_status tell_axis(composing *c, const lun_array *out, int axis, bool last, lun_error *err)
{
    lun_array *positions, *thin, *wide;
    bool others[LUN_MAX_AXES];
    for (int i = 0; i < out->ndim; i++)
        others[i] = i != axis;
    TRY(compose_sequence(&positions, c, out->shape[axis], c->r->manner->first, 1, err));
    COMPOSE_VIEW(thin, c, lun_array_expand(thin, positions, others, out->ndim - 1, err));
    COMPOSE_VIEW(wide, c, lun_array_broadcast(wide, thin, out->ndim, out->shape, err));
    return compose_copy(c, out, wide, last, err);
}

static lun_status indices(composing *c, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    int ndim;
    char element[LUN_MOST_BYTES];
    lun_dtype dtype = LUN_i64;
    const lun_array *out[LUN_MAX_AXES];
    TRY(request_shape(&ndim, shape, c->r, 1, err));
    if (ndim == 0)
        FAIL(LUN_MISUSE, "at least one size is needed");
    TRY(request_dtype(&dtype, c->r, err));
    for (int i = 0; i < ndim; i++)
        TRY(lun_number_store(element, dtype, lun_integer((int64_t)shape[i]), err));
    c->results = (size_t)ndim;
    for (int i = 0; i < ndim; i++)
        TRY(compose_result(&out[i], c, (size_t)i, dtype, ndim, shape, err));
    for (int i = 0; i < ndim; i++)
        TRY(tell_axis(c, out[i], manner_axis(c->r->manner, i, ndim), i + 1 == ndim, err));
    return LUN_OK;
}

COMPOSED(indices)

/* ---- vander ---------------------------------------------------------------------------------------------------------------- */

/* Powers from the highest to the 0-th, or in ascending order. Integers are computed in 64 bits. */
static lun_status vander(composing *c, lun_error *err)
{
    composed x = {0};
    char shown[SHOWN];
    const lun_array *in = c->r->arguments[0].array, *column;
    lun_array *powers;
    const bool rising = request_truth(c->r, "increasing"), whole = dtype_is_whole(in->dtype);
    if (in->ndim != 1)
        FAIL(LUN_MISUSE, "the array has shape %s; one axis is needed", array_shape_text(shown, sizeof shown, in));
    size_t n = in->size;
    if (c->r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(maker_size(&n, c->r, 1, err));
    const int64_t first = rising || !n ? 0 : (int64_t)n - 1;
    TRY(compose_sequence(&powers, c, n, first, rising ? 1 : -1, err));
    TRY(compose_expand(&column, c, in, 1, err));
    const unsigned a = of_array(&x, column), p = of_array(&x, powers);
    x.results[0] = whole ? of_op(&x, LUN_MAP_powi, of_cast(&x, LUN_i64, a), p) : of_op(&x, LUN_MAP_pow, a, p);
    return compose_give_map(c, &x, err);
}

COMPOSED(vander)
