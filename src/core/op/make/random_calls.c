/* Random numbers: what a seed or a stream gives, as rows of operation.def are called. */
#include "op/make/maker.h"

#include <string.h>

typedef struct drawing {
    lun_draw draw;
    lun_rng own; /* of a seed, where the request has no stream */
} drawing;

static lun_status missing_high(const lun_request *r, lun_error *err)
{
    return fail(err, LUN_MISUSE, "the largest number is missing: %s(shape, low, high)", r->operation->name);
}

/* method(shape, low, high): low and high may be options, low is 1 then. */
static lun_status read_ends(lun_draw *draw, const lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    int64_t whole;
    for (unsigned i = 0; i < 2; i++) {
        const lun_value *value = &r->arguments[2 + i];
        const bool option = request_option(r, i == 0 ? "low" : "high") != NULL;
        draw->parameters[i] = lun_integer(1);
        if (i == 1 && value->kind == LUN_VALUE_NOTHING)
            return missing_high(r, err);
        if (value->kind == LUN_VALUE_NOTHING)
            continue;
        draw->parameters[i] = value->number;
        if (!option)
            TRY(request_integer(&whole, r, 2 + i, err));
        if (!option)
            draw->parameters[i] = lun_integer(whole);
    }
done:
    return status;
}

static lun_status read_parameters(lun_draw *draw, const lun_request *r, lun_error *err)
{
    const lun_draw_parameter *known = lun_distribution_parameters(draw->distribution);
    for (int i = 0; i < LUN_DRAW_PARAMETERS && known[i].name; i++) {
        if (known[i].required && !request_option(r, known[i].name))
            return fail(err, LUN_MISUSE, "the option %s is missing", known[i].name);
        draw->parameters[i] = request_number(r, known[i].name, lun_integer(known[i].missing));
    }
    return LUN_OK;
}

static lun_status bind_distribution(lun_request *r, lun_distribution distribution, lun_error *err)
{
    lun_status status = LUN_OK;
    drawing *d = REQUEST_STATE(r, drawing);
    const bool ends = distribution == LUN_DRAW_integers;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    d->draw.distribution = distribution;
    TRY(request_shape(&ndim, shape, r, 1, err));
    TRY(ends ? read_ends(&d->draw, r, err) : read_parameters(&d->draw, r, err));
    TRY(maker_result(r, lun_distribution_dtype(distribution), ndim, shape, err));
    r->wish = r->stream || request_option(r, "seed") ? LUN_WISH_NOTHING : LUN_WISH_SEED;
    r->seed = (uint64_t)request_whole(r, "seed", 0);
done:
    return status;
}

static lun_status bind_random(lun_request *r, lun_error *err) { return bind_distribution(r, LUN_DRAW_uniform, err); }
static lun_status bind_normal(lun_request *r, lun_error *err) { return bind_distribution(r, LUN_DRAW_normal, err); }
static lun_status bind_randint(lun_request *r, lun_error *err) { return bind_distribution(r, LUN_DRAW_integers, err); }

static lun_status bind_draw(lun_request *r, lun_error *err)
{
    int i = 0;
    while (strcmp(lun_distribution_name((lun_distribution)i), r->operation->name) != 0)
        i++;
    return bind_distribution(r, (lun_distribution)i, err);
}

/* All is looked at before the host finds a seed. */
static lun_status run_draw(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    drawing *d = r->state;
    *more = r->wish == LUN_WISH_SEED;
    if (*more)
        return lun_random_check(out[0], &d->draw, &r->call, err);
    d->own.seed = r->seed;
    TRY(lun_array_random(out[0], &d->draw, r->stream ? r->stream : &d->own, &r->call, err));
done:
    return status;
}

const request_functions random_functions = {bind_random, run_draw}, normal_functions = {bind_normal, run_draw},
                        randint_functions = {bind_randint, run_draw}, draw_functions = {bind_draw, run_draw};
