/* Permutations and choices, by sorting random numbers and by sums of weights. */
#include "api/reductions.h"
#include "device/device.h"
#include "op/make/maker.h"

#include <math.h>
#include <string.h>

/* The choice and its source. */
typedef struct choosing {
    const lun_array *from;            /* along its first axis; NULL: the numbers 1..count */
    const lun_array *given, *weights; /* these as f64, or f32 where the device has none; NULL: all the same */
    size_t count, chosen;
    bool replace;
    int ndim;
    size_t shape[LUN_MAX_AXES]; /* of the positions */
    lun_rng *rng;               /* a copy: the request's stream is used when all is enqueued */
} choosing;

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static lun_status read_population(choosing *p, composing *c, lun_error *err)
{
    const lun_value *from = &c->r->arguments[1];
    COMPOSE_KEPT(p->rng, c);
    if (!c->out)
        *p->rng = *c->r->stream;
    if (from->kind == LUN_VALUE_NUMBER)
        return maker_size(&p->count, c->r, 1, err);
    p->from = from->array;
    if (p->from->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so there is nothing to choose from");
    if (p->from->device != c->r->device)
        FAIL(LUN_MISUSE, "argument 1 is on another device");
    p->count = p->from->shape[0];
    return LUN_OK;
}

static lun_status read_weights(choosing *p, const composing *c, lun_error *err)
{
    char text[SHOWN];
    const lun_array *given = p->given = request_array_option(c->r, "weights");
    if (given && (given->ndim != 1 || given->shape[0] != p->count))
        FAIL(LUN_MISUSE, "the weights have shape %s; there are %zu to choose from",
             array_shape_text(text, sizeof text, given), p->count);
    if (given && given->device != c->r->device)
        FAIL(LUN_MISUSE, "the weights are on another device");
    return LUN_OK;
}

/* The positions, or the elements at them. */
static lun_status make_result(const lun_array **out, composing *c, const choosing *p, lun_error *err)
{
    size_t shape[2 * LUN_MAX_AXES];
    const int ndim = p->from ? p->ndim + p->from->ndim - 1 : p->ndim;
    if (ndim > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", ndim, LUN_MAX_AXES);
    memcpy(shape, p->shape, sizeof p->shape);
    if (p->from)
        memcpy(shape + p->ndim, p->from->shape + 1, (size_t)(p->from->ndim - 1) * sizeof *shape);
    return maker_result(out, c, p->from ? p->from->dtype : LUN_i64, ndim, shape, err);
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* The sum of the weights and the like, and the position of the smallest one. */
typedef struct weighed {
    lun_number least, sum, above, place;
} weighed;

/* The first of the least weights is below 0. */
static lun_status refuse_negative(composing *c, weighed *w, const lun_array *weights, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_argmin;
    char text[SHOWN];
    if (compose_enters(c))
        TRY(request_reduce(c->more, c->r, &w->place, weights, &op, 1, err));
    if (compose_waits(c))
        return LUN_OK;
    FAIL(LUN_MISUSE, "weight %lld is %s; none may be negative", (long long)w->place.integer,
         number_shown(text, lun_real(w->least.real)));
}

/* The weights as floats; waits, and returns LUN_MISUSE unless they are valid. */
static lun_status weigh(choosing *p, composing *c, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_min, LUN_REDUCE_sum, LUN_REDUCE_nnz};
    char text[SHOWN];
    lun_number found[3];
    lun_array *weights;
    weighed *w;
    const size_t least = p->replace ? 1 : p->chosen;
    COMPOSE_KEPT(w, c);
    TRY(compose_array(&weights, c, c->r->device->info.fp64 ? LUN_f64 : LUN_f32, 1, &p->count, err));
    p->weights = weights;
    TRY(compose_copy(c, weights, p->given, false, err));
    if (p->count && compose_enters(c)) {
        TRY(request_reduce(c->more, c->r, found, weights, ops, 3, err));
        *w = *c->more ? *w : (weighed){.least = found[0], .sum = found[1], .above = found[2]};
    }
    if (compose_waits(c) || !p->count)
        return LUN_OK;
    if (!isfinite(w->sum.real))
        FAIL(LUN_MISUSE, "the sum of the weights is %s; the weights and their sum must be finite",
             number_shown(text, lun_real(w->sum.real)));
    if (w->least.real < 0)
        return refuse_negative(c, w, weights, err);
    if (!w->above.integer)
        FAIL(LUN_MISUSE, "all %zu weights are 0", p->count);
    if ((size_t)w->above.integer < least)
        FAIL(LUN_MISUSE, "%zu are to be chosen without replacement, but only %lld weights are above 0", least,
             (long long)w->above.integer);
    return LUN_OK;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

/* Uniform integers low..high, as a step. */
static lun_status draw_integers(composing *c, const lun_array *out, const choosing *p, int64_t low, int64_t high,
                                lun_error *err)
{
    const lun_draw draw = {.distribution = LUN_DRAW_integers, .parameters = {lun_integer(low), lun_integer(high)}};
    return CALLED(c, false, lun_array_random(out, &draw, p->rng, &call, err));
}

/* By sums of weights. */
static lun_status place_again(composing *c, const lun_array *positions, const choosing *p, lun_error *err)
{
    const lun_scan_options summing = {.op = LUN_REDUCE_sum};
    lun_array *sums;
    if (!p->chosen || !p->weights)
        return p->chosen ? draw_integers(c, positions, p, 1, (int64_t)p->count, err) : LUN_OK;
    TRY(compose_array(&sums, c, p->weights->dtype, 1, &p->count, err));
    TRY(CALLED(c, false, lun_scan(sums, p->weights, &summing, &call, err)));
    TRY(CALLED(c, false, lun_random_positions(positions, sums, p->weights, p->rng, &call, err)));
    if (c->out)
        lun_array_clear(sums);
    return LUN_OK;
}

/* Without replacement: the smallest random keys are chosen; larger weights give smaller keys. */
static lun_status place_once(composing *c, const lun_array *positions, const choosing *p, lun_error *err)
{
    const lun_sorting sorting = {.some = p->chosen < p->count, .first = p->chosen};
    lun_array *keys;
    TRY(compose_array(&keys, c, p->weights ? p->weights->dtype : LUN_u64, 1, &p->count, err));
    if (!p->weights)
        TRY(draw_integers(c, keys, p, 0, -1, err));
    else
        TRY(CALLED(c, false, lun_random_arrivals(keys, p->weights, p->rng, &call, err)));
    TRY(CALLED(c, false, lun_sort(NULL, positions, keys, &sorting, &call, err)));
    if (c->out)
        lun_array_clear(keys);
    return LUN_OK;
}

static lun_status choose(composing *c, choosing *p, lun_error *err)
{
    const lun_array *out;
    lun_array *positions, *shaped;
    TRY(make_result(&out, c, p, err));
    if (p->given)
        TRY(weigh(p, c, err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(compose_array(&positions, c, LUN_i64, 1, &p->chosen, err));
    TRY((p->replace ? place_again : place_once)(c, positions, p, err));
    COMPOSE_VIEW(shaped, c, lun_array_reshape(shaped, positions, p->ndim, p->shape, err));
    TRY(CALLED(c, true,
               p->from ? lun_take(out, p->from, shaped, 0, &call, err) : lun_array_copy(out, shaped, &call, err)));
    *c->r->stream = *p->rng;
    return LUN_OK;
}

static lun_status permutation(composing *c, lun_error *err)
{
    choosing p = {.ndim = 1};
    TRY(read_population(&p, c, err));
    p.shape[0] = p.chosen = p.count;
    return choose(c, &p, err);
}

static lun_status choice(composing *c, lun_error *err)
{
    choosing p = {.chosen = 1};
    const lun_value *replace = request_option(c->r, "replace");
    TRY(read_population(&p, c, err));
    TRY(request_shape(&p.ndim, p.shape, c->r, 2, err));
    for (int i = 0; i < p.ndim; i++)
        p.chosen = p.shape[i] && p.chosen > SIZE_MAX / p.shape[i] ? SIZE_MAX : p.chosen * p.shape[i];
    p.replace = !replace || replace->truth;
    if (p.chosen && !p.count)
        FAIL(LUN_MISUSE, "there is nothing to choose from");
    if (!p.replace && p.chosen > p.count)
        FAIL(LUN_MISUSE, "%zu are to be chosen without replacement, but there are only %zu", p.chosen, p.count);
    TRY(read_weights(&p, c, err));
    return choose(c, &p, err);
}

static lun_status shuffle(composing *c, lun_error *err)
{
    choosing p = {.ndim = 1};
    lun_array *array = c->r->arguments[1].array, *positions, *rows;
    TRY(read_population(&p, c, err));
    p.shape[0] = p.chosen = p.count;
    if (!c->out) {
        TRY(request_results(c->r, 1, err));
        c->r->results[0].given = array;
    }
    TRY(compose_array(&positions, c, LUN_i64, 1, p.shape, err));
    TRY(place_once(c, positions, &p, err));
    TRY(compose_array(&rows, c, array->dtype, array->ndim, array->shape, err));
    TRY(CALLED(c, false, lun_take(rows, array, positions, 0, &call, err)));
    TRY(compose_copy(c, array, rows, true, err));
    if (c->out)
        *c->r->stream = *p.rng;
    return LUN_OK;
}

COMPOSED(permutation)
COMPOSED(shuffle)
COMPOSED(choice)
