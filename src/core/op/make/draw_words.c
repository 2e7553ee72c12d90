/* Draws: by kernels, or computed from the numbers of other draws. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/make/drawing.h"

#include <math.h>
#include <string.h>

/* ---- distributions ------------------------------------------------------------------------------------------------------- */

/* An end of uniform numbers, rounded to the result's dtype. */
static unsigned of_end(composed *x, const drawing *d, int i)
{
    const lun_dtype dtype = d->out->dtype;
    return d->taken[i] ? of_given(x, dtype_computed(dtype), dtype, of_cast_array(x, dtype, d->taken[i]))
                       : of_real(x, dtype_nearest(dtype, d->draw.parameters[i].real));
}

/* A number that is rounded to the upper end is replaced by the lower end. */
static lun_status give_uniform(composing *c, const drawing *d, lun_error *err)
{
    static const draw_parameter range = {"high - low", ABOVE_0, true, 0};
    const lun_dtype dtype = d->out->dtype, computed = dtype_computed(dtype);
    const lun_array *span, *checked, *u;
    composed x = {0};
    unsigned low = of_end(&x, d, 0);
    x.results[0] = of_op(&x, LUN_MAP_sub, of_end(&x, d, 1), low);
    TRY(compose_map(&span, c, &x, err));
    TRY(drawing_check(&checked, c, d, span, &range, INFINITY, err));
    TRY(drawing_new(&u, c, d, dtype, STANDARD(uniform), err));
    x = (composed){0};
    low = of_end(&x, d, 0);
    const unsigned part = of_cast_array(&x, computed, u), all = of_cast_array(&x, computed, checked);
    const unsigned stored = of_given(&x, dtype, computed, of_op3(&x, LUN_MAP_fma, part, all, low));
    const unsigned value = of_given(&x, computed, dtype, stored);
    const unsigned inside = of_op(&x, LUN_MAP_lt, value, of_end(&x, d, 1));
    return drawing_give(c, d, &x, computed, of_op3(&x, LUN_MAP_where, inside, value, low), err);
}

/* Standard numbers times one parameter plus another. */
static lun_status give_scaled(composing *c, const drawing *d, lun_error *err)
{
    const bool normal = d->draw.distribution == LUN_DRAW_normal;
    const lun_dtype computed = dtype_computed(d->out->dtype);
    const lun_array *z;
    composed x = {0};
    TRY(drawing_new(&z, c, d, computed, normal ? STANDARD(normal) : STANDARD(exponential), err));
    const unsigned value = of_op(&x, LUN_MAP_mul, of_array(&x, z), of_parameter(&x, d, normal, computed));
    return drawing_give(c, d, &x, computed,
                        normal ? of_op(&x, LUN_MAP_add, value, of_parameter(&x, d, 0, computed)) : value, err);
}

static lun_status give_lognormal(composing *c, const drawing *d, lun_error *err)
{
    const lun_array *z;
    composed x = {0};
    TRY(drawing_new(&z, c, d, d->wide, STANDARD(normal), err));
    const unsigned apart = of_op(&x, LUN_MAP_mul, of_array(&x, z), of_parameter(&x, d, 1, d->wide));
    return drawing_give(c, d, &x, d->wide,
                        of_op1(&x, LUN_MAP_exp, of_op(&x, LUN_MAP_add, apart, of_parameter(&x, d, 0, d->wide))), err);
}

/* By the inverse of the distribution function, from a uniform number minus a half, which is never -1/2. */
static lun_status give_symmetric(composing *c, const drawing *d, lun_error *err)
{
    const lun_array *u;
    composed x = {0};
    unsigned value;
    TRY(drawing_new(&u, c, d, d->wide, STANDARD(uniform), err));
    const unsigned above =
        of_op(&x, LUN_MAP_maximum, of_array(&x, u), of_real(&x, d->wide == LUN_f64 ? 0x1p-54 : 0x1p-25));
    const unsigned t = of_op(&x, LUN_MAP_sub, above, of_real(&x, 0.5));
    if (d->draw.distribution == LUN_DRAW_cauchy)
        value = of_op(&x, LUN_MAP_div, of_op1(&x, LUN_MAP_sinpi, t), of_op1(&x, LUN_MAP_cospi, t));
    else
        value =
            of_op(&x, LUN_MAP_copysign,
                  of_op1(&x, LUN_MAP_log1p, of_op(&x, LUN_MAP_mul, of_op1(&x, LUN_MAP_abs, t), of_real(&x, -2))), t);
    value = of_op(&x, LUN_MAP_mul, value, of_parameter(&x, d, 1, d->wide));
    return drawing_give(c, d, &x, d->wide, of_op(&x, LUN_MAP_add, value, of_parameter(&x, d, 0, d->wide)), err);
}

static lun_status give_geometric(composing *c, const drawing *d, lun_error *err)
{
    const lun_array *e;
    composed x = {0};
    TRY(drawing_new(&e, c, d, d->wide, STANDARD(exponential), err));
    const unsigned p = of_op(&x, LUN_MAP_mul, of_parameter(&x, d, 0, d->wide), of_real(&x, -1));
    const unsigned failures = of_op(&x, LUN_MAP_div, of_array(&x, e), of_op1(&x, LUN_MAP_log1p, p));
    return drawing_give(c, d, &x, d->wide, of_op(&x, LUN_MAP_sub, of_real(&x, 1), of_op1(&x, LUN_MAP_ceil, failures)),
                        err);
}

/* Twice numbers of df / 2, or numbers of alpha times their scale. */
static lun_status give_gamma(composing *c, const drawing *d, lun_error *err)
{
    const bool squares = d->draw.distribution == LUN_DRAW_chisquare;
    lun_draw draw = STANDARD(gamma);
    const lun_array *g;
    composed x = {0};
    TRY(drawing_array(&draw.arrays[0], c, d, 0, err));
    if (squares) {
        x.results[0] = of_op(&x, LUN_MAP_mul, of_array(&x, draw.arrays[0]), of_real(&x, 0.5));
        TRY(compose_map(&draw.arrays[0], c, &x, err));
        x = (composed){0};
    }
    TRY(drawing_new(&g, c, d, d->wide, draw, err));
    const unsigned value = of_array(&x, g);
    return drawing_give(c, d, &x, d->wide,
                        of_op(&x, LUN_MAP_mul, value, squares ? of_real(&x, 2) : of_parameter(&x, d, 1, d->wide)), err);
}

/* By a kernel that takes arrays of all parameters. */
static lun_status give_drawn(composing *c, const drawing *d, lun_error *err)
{
    lun_draw draw = d->draw;
    const lun_array *drawn;
    composed x = {0};
    for (int i = 0; i < LUN_DRAW_PARAMETERS && d->known[i].name; i++)
        TRY(drawing_array(&draw.arrays[i], c, d, i, err));
    if (draw.distribution != LUN_DRAW_beta)
        return drawing_draw(c, d->out, d, &draw, true, err);
    TRY(drawing_new(&drawn, c, d, d->wide, draw, err));
    return drawing_give(c, d, &x, d->wide, of_array(&x, drawn), err);
}

static lun_status (*const gives[])(composing *c, const drawing *d, lun_error *err) = {
    [LUN_DRAW_uniform] = give_uniform,     [LUN_DRAW_normal] = give_scaled,     [LUN_DRAW_exponential] = give_scaled,
    [LUN_DRAW_integers] = give_drawn,      [LUN_DRAW_poisson] = give_drawn,     [LUN_DRAW_binomial] = give_drawn,
    [LUN_DRAW_gamma] = give_gamma,         [LUN_DRAW_beta] = give_drawn,        [LUN_DRAW_chisquare] = give_gamma,
    [LUN_DRAW_lognormal] = give_lognormal, [LUN_DRAW_laplace] = give_symmetric, [LUN_DRAW_cauchy] = give_symmetric,
    [LUN_DRAW_geometric] = give_geometric,
};

/* ---- the words ----------------------------------------------------------------------------------------------------------- */

/* A copy of the stream, which does not advance until the operation has ended. */
static lun_status begin(drawing *d, composing *c, lun_error *err)
{
    COMPOSE_KEPT(d->rng, c);
    if (!c->out)
        *d->rng = *c->r->stream;
    c->r->call.variant = NULL; /* that of the draw */
    return draw_check_dtype(d->out, d->draw.distribution, err);
}

static lun_status end(const drawing *d, composing *c)
{
    if (c->out)
        *c->r->stream = *d->rng;
    return LUN_OK;
}

/* Everything is checked before the host chooses a seed. */
static lun_status draw(composing *c, lun_error *err)
{
    lun_request *r = c->r;
    drawing d = {.draw.distribution = (lun_distribution)r->operation->number};
    const lun_distribution which = d.draw.distribution;
    d.known = draw_parameters(which);
    for (unsigned i = 0; i < LUN_DRAW_PARAMETERS && d.known[i].name; i++)
        TRY(drawing_read(&d, r, i, err));
    TRY(drawing_shape(&d, r, d.given, (const char *const[]){d.known[0].name, d.known[1].name}, err));
    TRY(maker_result(&d.out, c, draw_is_whole(which) ? LUN_i64 : r->floats, d.ndim, d.shape, err));
    if (d.given[0] || d.given[1] || which > LUN_DRAW_binomial) {
        TRY(begin(&d, c, err));
        TRY(drawing_take(&d, c, err));
        TRY(gives[which](c, &d, err));
        return end(&d, c);
    }
    if (!c->out) {
        r->wish = r->stream || request_option(r, "seed") ? LUN_WISH_NOTHING : LUN_WISH_SEED;
        r->seed = (uint64_t)request_whole(r, "seed", 0);
        return LUN_OK;
    }
    *c->more = r->wish == LUN_WISH_SEED;
    if (*c->more)
        return lun_random_check(d.out, &d.draw, &r->call, err);
    lun_rng own = {.seed = r->seed};
    return CALLED(c, true, lun_array_random(d.out, &d.draw, r->stream ? r->stream : &own, &call, err));
}

/* The option as an array: of a list the numbers one by one. */
static lun_status take_list(const lun_array **out, composing *c, const char *name, lun_error *err)
{
    const lun_value *value = request_option(c->r, name);
    const lun_array *one;
    lun_array *made;
    if (!value)
        return fail(err, LUN_MISUSE, "the option %s is missing", name);
    *out = value->array;
    if (value->kind == LUN_VALUE_ARRAY)
        return drawing_check_array(value->array, c->r, name, err);
    const size_t count = value_count(value);
    TRY(compose_array(&made, c, draw_wide(c->r->device), 1, &count, err));
    *out = made;
    for (size_t i = 0; i < count; i++) {
        if (value_item(value, i)->kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "option '%s': number %zu of the list is %s", name, i + 1,
                 kind_shown(c->r, value_item(value, i)));
        TRY(compose_slice(&one, c, made, 0, (int64_t)i, 1, 1, err));
        TRY(CALLED(c, false, lun_array_fill(one, value_item(value, i)->number, &call, err)));
    }
    return LUN_OK;
}

/* The result, with a further last axis of that size. */
static lun_status give_rows(drawing *d, composing *c, size_t size, lun_error *err)
{
    size_t shape[LUN_MAX_AXES + 1];
    if (d->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", d->ndim + 1, LUN_MAX_AXES);
    memcpy(shape, d->shape, sizeof d->shape);
    shape[d->ndim] = size;
    TRY(maker_result(&d->out, c, draw_is_whole(d->draw.distribution) ? LUN_i64 : c->r->floats, d->ndim + 1, shape,
                     err));
    return begin(d, c, err);
}

/* Probabilities whose sum along the last axis is 1, and their sums from each one to the last. */
static lun_status take_probabilities(lun_draw *draw, composing *c, const drawing *d, const lun_array *p, lun_error *err)
{
    static const draw_parameter sums_to = {"the sum of p", SUM_OF_1, true, 0};
    composed_axes last = {.keepdims = true};
    const lun_array *given, *sum, *checked;
    lun_array *rests;
    composed x = {0};
    last.axis[p->ndim - 1] = true;
    const lun_scan_options summing = {.op = LUN_REDUCE_sum, .axis = p->ndim - 1, .reverse = true};
    TRY(drawing_check(&given, c, d, p, &d->known[1], INFINITY, err));
    TRY(compose_reduce(&sum, c, given, LUN_REDUCE_sum, &last, err));
    TRY(drawing_check(&checked, c, d, sum, &sums_to, INFINITY, err));
    x.results[0] = of_op(&x, LUN_MAP_div, of_array(&x, given), of_array(&x, checked));
    TRY(compose_map(&draw->arrays[1], c, &x, err));
    TRY(compose_array(&rests, c, d->wide, p->ndim, p->shape, err));
    draw->arrays[2] = rests;
    return CALLED(c, false, lun_scan(rests, draw->arrays[1], &summing, &call, err));
}

static lun_status multinomial(composing *c, lun_error *err)
{
    lun_request *r = c->r;
    drawing d = {.draw.distribution = LUN_DRAW_multinomial, .known = draw_parameters(LUN_DRAW_multinomial)};
    const lun_array *p, *trials;
    TRY(drawing_read(&d, r, 0, err));
    TRY(take_list(&p, c, "p", err));
    if (p->ndim == 0 || p->shape[p->ndim - 1] == 0)
        FAIL(LUN_MISUSE, "option 'p': an array with an axis of probabilities is needed");
    lun_array rows = *p; /* its shape without that axis */
    rows.ndim--;
    TRY(drawing_shape(&d, r, (const lun_array *const[]){&rows, d.given[0]}, (const char *const[]){"p", "n"}, err));
    TRY(give_rows(&d, c, p->shape[rows.ndim], err));
    TRY(d.given[0]
            ? drawing_check(&d.taken[0], c, &d, d.given[0], &d.known[0], draw_most(LUN_DRAW_multinomial, 0, d.out), err)
            : drawing_check_number(&d, 0, err));
    TRY(drawing_array(&trials, c, &d, 0, err));
    TRY(compose_expand(&d.draw.arrays[0], c, trials, trials->ndim, err));
    TRY(take_probabilities(&d.draw, c, &d, p, err));
    TRY(drawing_draw(c, d.out, &d, &d.draw, true, err));
    return end(&d, c);
}

/* Normal numbers times the Cholesky factor of the covariances. */
static lun_status multivariate_normal(composing *c, lun_error *err)
{
    static const lun_array *const none[LUN_DRAW_PARAMETERS];
    const lun_array *given = request_array_option(c->r, "cov"), *mean, *cov, *factor, *z, *shaped;
    lun_array *turned, *product;
    drawing d = {.draw.distribution = LUN_DRAW_normal}, all;
    composed x = {0};
    char text[SHOWN];
    TRY(take_list(&mean, c, "mean", err));
    if (!given)
        FAIL(LUN_MISUSE, "the option cov is missing");
    TRY(drawing_check_array(given, c->r, "cov", err));
    const size_t n = mean->size;
    if (mean->ndim != 1 || given->ndim != 2 || given->shape[0] != n || given->shape[1] != n)
        FAIL(LUN_MISUSE, "option 'cov': %zux%zu is needed, for a mean of %zu, got %s", n, n, n,
             array_shape_text(text, sizeof text, given));
    TRY(drawing_shape(&d, c->r, none, NULL, err));
    TRY(give_rows(&d, c, n, err));
    TRY(compose_cast(&cov, c, d.wide, given, err));
    TRY(compose_call(&factor, c, "cholesky", &cov, 1, NULL, err));
    COMPOSE_VIEW(turned, c, lun_array_permute(turned, factor, (const int[]){1, 0}, err));
    all = d;
    all.ndim = 2;
    all.shape[0] = n ? d.out->size / n : 0;
    all.shape[1] = n;
    TRY(drawing_new(&z, c, &all, d.wide, STANDARD(normal), err));
    TRY(compose_array(&product, c, d.wide, 2, all.shape, err));
    TRY(compose_matmul(c, product, z, turned, false, err));
    TRY(compose_reshape(&shaped, c, product, d.out->ndim, d.out->shape, err));
    const unsigned apart = of_array(&x, shaped);
    TRY(drawing_give(c, &d, &x, d.wide, of_op(&x, LUN_MAP_add, apart, of_cast_array(&x, d.wide, mean)), err));
    return end(&d, c);
}

COMPOSED(draw)
COMPOSED(multinomial)
COMPOSED(multivariate_normal)
