/* Permutations and choices, as rows of operation.def are called: what sorting and sums of weights make of random numbers. */
#include "api/reductions.h"
#include "device/device.h"
#include "op/make/maker.h"

#include <math.h>
#include <string.h>

/* A choice on its way. Each stage enqueues one thing, and nothing of the request's stream is used before all is enqueued. */
typedef struct choosing {
    lun_rng rng;
    const lun_array *from; /* what is chosen from, along its first axis; NULL: the numbers 1..count */
    const lun_array *given;
    size_t count, chosen;
    bool replace;
    int ndim;
    size_t shape[LUN_MAX_AXES]; /* of the positions */
    lun_array *weights;         /* f64, or f32 where the device has none; NULL: all the same */
    lun_array *keys;            /* random keys, the least of which are chosen; with replacement the sums of weights */
    lun_array *positions;
    double least; /* weight */
} choosing;

enum { WEIGH, CHECK, PREPARE, PLACE, GIVE };

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static lun_status read_population(choosing **out, lun_request *r, lun_error *err)
{
    choosing *c = REQUEST_STATE(r, choosing);
    const lun_value *from = &r->arguments[1];
    r->stage = PREPARE;
    c->rng = *r->stream;
    *out = c;
    if (from->kind == LUN_VALUE_NUMBER)
        return maker_size(&c->count, r, 1, err);
    c->from = from->array;
    if (c->from->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be chosen from");
    if (c->from->device != r->device)
        FAIL(LUN_MISUSE, "argument 1 is on another device");
    c->count = c->from->shape[0];
    return LUN_OK;
}

static lun_status read_weights(lun_request *r, choosing *c, lun_error *err)
{
    char text[SHOWN];
    const lun_array *given = c->given = request_array_option(r, "weights");
    if (!given)
        return LUN_OK;
    if (given->ndim != 1 || given->shape[0] != c->count)
        FAIL(LUN_MISUSE, "the weights have shape %s; there are %zu to choose from",
             array_shape_text(text, sizeof text, given), c->count);
    if (given->device != r->device)
        FAIL(LUN_MISUSE, "the weights are on another device");
    r->stage = WEIGH;
    return LUN_OK;
}

/* The positions, or what stands there, are the result. */
static lun_status tell_result(lun_request *r, const choosing *c, lun_error *err)
{
    size_t shape[2 * LUN_MAX_AXES];
    const int ndim = c->from ? c->ndim + c->from->ndim - 1 : c->ndim;
    if (ndim > LUN_MAX_AXES)
        return fail(err, LUN_MISUSE, "the result would have %d axes; at most %d are possible", ndim, LUN_MAX_AXES);
    memcpy(shape, c->shape, sizeof c->shape);
    if (c->from)
        memcpy(shape + c->ndim, c->from->shape + 1, (size_t)(c->from->ndim - 1) * sizeof *shape);
    return maker_result(r, c->from ? c->from->dtype : LUN_i64, ndim, shape, err);
}

static lun_status bind_permutation(lun_request *r, lun_error *err)
{
    choosing *c;
    TRY(read_population(&c, r, err));
    c->ndim = 1;
    c->shape[0] = c->chosen = c->count;
    return tell_result(r, c, err);
}

static lun_status bind_choice(lun_request *r, lun_error *err)
{
    choosing *c;
    const lun_value *replace = request_option(r, "replace");
    TRY(read_population(&c, r, err));
    TRY(request_shape(&c->ndim, c->shape, r, 2, err));
    c->chosen = 1;
    for (int i = 0; i < c->ndim; i++)
        c->chosen = c->shape[i] && c->chosen > SIZE_MAX / c->shape[i] ? SIZE_MAX : c->chosen * c->shape[i];
    c->replace = !replace || replace->truth;
    if (c->chosen && !c->count)
        FAIL(LUN_MISUSE, "there is nothing to choose from");
    if (!c->replace && c->chosen > c->count)
        FAIL(LUN_MISUSE, "%zu are to be chosen without replacement, and there are %zu", c->chosen, c->count);
    TRY(read_weights(r, c, err));
    return tell_result(r, c, err);
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

static lun_status weigh(lun_request *r, choosing *c, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    TRY(request_array(&c->weights, r, r->device->info.fp64 ? LUN_f64 : LUN_f32, 1, &c->count, err));
    return lun_array_copy(c->weights, c->given, &quiet, err);
}

/* LUN_MISUSE unless the weights can be chosen by; waits, a slice at each call. */
static lun_status check_weights(bool *more, lun_request *r, choosing *c, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_min, LUN_REDUCE_sum, LUN_REDUCE_nnz, LUN_REDUCE_argmin};
    enum { MIN, SUM, NNZ, ARGMIN };
    char text[SHOWN];
    lun_number found[ARGMIN];
    const size_t least = c->replace ? 1 : c->chosen;
    const bool negative = c->least < 0;
    if (!c->count)
        return LUN_OK;
    TRY(request_reduce(more, r, found, c->weights, negative ? ops + ARGMIN : ops, negative ? 1 : ARGMIN, err));
    if (*more)
        return LUN_OK;
    if (negative)
        FAIL(LUN_MISUSE, "weight %lld is %s; none may be negative", (long long)found[0].integer,
             number_shown(text, lun_real(c->least)));
    if (!isfinite(found[SUM].real))
        FAIL(LUN_MISUSE, "the sum of the weights is %s; all of them must be finite numbers, and their sum",
             number_shown(text, lun_real(found[SUM].real)));
    c->least = found[MIN].real;
    *more = c->least < 0; /* it is looked for */
    if (*more)
        return LUN_OK;
    if (!found[NNZ].integer)
        FAIL(LUN_MISUSE, "all %zu weights are 0", c->count);
    if ((size_t)found[NNZ].integer < least)
        FAIL(LUN_MISUSE, "%zu are to be chosen without replacement, and %lld weights are above 0", least,
             (long long)found[NNZ].integer);
    return LUN_OK;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

/* Uniform integers low..high. */
static lun_status draw_integers(const lun_array *out, choosing *c, int64_t low, int64_t high, const lun_call *call,
                                lun_error *err)
{
    const lun_draw draw = {LUN_DRAW_integers, {lun_integer(low), lun_integer(high)}};
    return lun_array_random(out, &draw, &c->rng, call, err);
}

/* What positions are found by: random keys, of which those of larger weights are the less the earlier; sums of weights. */
static lun_status prepare(lun_request *r, choosing *c, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    const lun_scan_options summing = {.op = LUN_REDUCE_sum};
    if (c->replace && (!c->weights || !c->chosen))
        return LUN_OK;
    TRY(request_array(&c->keys, r, c->weights ? c->weights->dtype : LUN_u64, 1, &c->count, err));
    if (c->replace)
        TRY(lun_scan(c->keys, c->weights, &summing, &quiet, err));
    else if (c->weights)
        TRY(lun_random_arrivals(c->keys, c->weights, &c->rng, &quiet, err));
    else
        TRY(draw_integers(c->keys, c, 0, -1, &quiet, err));
    return LUN_OK;
}

static lun_status place(lun_request *r, choosing *c, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    const lun_sorting sorting = {.some = c->chosen < c->count, .first = c->chosen};
    TRY(request_array(&c->positions, r, LUN_i64, 1, &c->chosen, err));
    if (!c->replace)
        TRY(lun_sort(NULL, c->positions, c->keys, &sorting, &quiet, err));
    else if (c->chosen && c->weights)
        TRY(lun_random_positions(c->positions, c->keys, c->weights, &c->rng, &quiet, err));
    else if (c->chosen)
        TRY(draw_integers(c->positions, c, 1, (int64_t)c->count, &quiet, err));
    if (c->keys)
        lun_array_clear(c->keys);
    return LUN_OK;
}

static lun_status give(lun_request *r, choosing *c, const lun_array *out, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array shaped = {0};
    TRY_DONE(lun_array_reshape(&shaped, c->positions, c->ndim, c->shape, err));
    TRY_DONE(c->from ? lun_take(out, c->from, &shaped, 0, &r->call, err) : lun_array_copy(out, &shaped, &r->call, err));
    *r->stream = c->rng;
done:
    lun_array_clear(&shaped);
    return status;
}

static lun_status run_choice(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    choosing *c = r->state;
    switch (r->stage) {
    case WEIGH:
        TRY(weigh(r, c, err));
        break;
    case CHECK:
        TRY(check_weights(more, r, c, err));
        if (*more)
            return LUN_OK;
        break;
    case PREPARE:
        TRY(prepare(r, c, err));
        break;
    case PLACE:
        TRY(place(r, c, err));
        break;
    default:
        TRY(give(r, c, out[0], err));
    }
    *more = r->stage++ < GIVE;
    return LUN_OK;
}

const request_functions permutation_functions = {bind_permutation, run_choice},
                        choice_functions = {bind_choice, run_choice};
