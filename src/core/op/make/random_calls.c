/* Random numbers: what a seed or a stream gives, as rows of operation.def are called. */
#include "op/make/maker.h"

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
    return LUN_OK;
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

static lun_status bind_draw(lun_request *r, lun_error *err)
{
    drawing *d = REQUEST_STATE(r, drawing);
    const lun_distribution distribution = (lun_distribution)r->operation->number;
    const bool ends = distribution == LUN_DRAW_integers;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    d->draw.distribution = distribution;
    TRY(request_shape(&ndim, shape, r, 1, err));
    TRY(ends ? read_ends(&d->draw, r, err) : read_parameters(&d->draw, r, err));
    TRY(maker_result(r, lun_distribution_dtype(distribution), ndim, shape, err));
    r->wish = r->stream || request_option(r, "seed") ? LUN_WISH_NOTHING : LUN_WISH_SEED;
    r->seed = (uint64_t)request_whole(r, "seed", 0);
    return LUN_OK;
}

/* All is looked at before the host finds a seed. */
static lun_status run_draw(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    drawing *d = r->state;
    *more = r->wish == LUN_WISH_SEED;
    if (*more)
        return lun_random_check(out[0], &d->draw, &r->call, err);
    d->own.seed = r->seed;
    return lun_array_random(out[0], &d->draw, r->stream ? r->stream : &d->own, &r->call, err);
}

const request_functions draw_functions = {bind_draw, run_draw};

/* ---- streams ------------------------------------------------------------------------------------------------------------- */

/* A state that is a list of numbers. */
static lun_status read_state(int64_t *numbers, const lun_request *r, const lun_list *list, lun_error *err)
{
    char shown[SHOWN];
    if (list->count != LUN_RNG_NUMBERS)
        return fail(err, LUN_MISUSE, "the list has %zu elements; " RANDOM_STATE " is wanted", list->count);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != LUN_VALUE_NUMBER || !number_whole(&numbers[i], list->items[i].number))
            return fail(err, LUN_MISUSE, "number %zu of the state is %s; whole numbers are wanted", i + 1,
                        value_shown(shown, r, &list->items[i]));
    return LUN_OK;
}

static lun_status tell_stream(lun_request *r, lun_error *err)
{
    const lun_status status = request_results(r, 1, err);
    if (status == LUN_OK)
        r->results[0].form = LUN_FORM_STREAM;
    return status;
}

typedef struct seeding {
    int64_t numbers[LUN_RNG_NUMBERS];
    size_t received; /* of an array's bytes */
} seeding;

static lun_status bind_rng(lun_request *r, lun_error *err)
{
    char text[SHOWN];
    const lun_value *value = &r->arguments[1];
    seeding *s = REQUEST_STATE(r, seeding);
    if (value->kind == LUN_VALUE_NOTHING)
        r->wish = LUN_WISH_SEED;
    else if (value->kind == LUN_VALUE_LIST)
        TRY(read_state(s->numbers, r, &value->list, err));
    else if (value->kind == LUN_VALUE_ARRAY &&
             (value->array->dtype != LUN_i64 || value->array->size != LUN_RNG_NUMBERS))
        FAIL(LUN_MISUSE, "the array is %s %s; " RANDOM_STATE " is wanted",
             lun_shape_text(text, sizeof text, value->array->ndim, value->array->shape),
             lun_dtype_name(value->array->dtype));
    else if (value->kind == LUN_VALUE_NUMBER && !number_whole(s->numbers, value->number))
        FAIL(LUN_MISUSE, "the seed is %s; " RANDOM_STATE " is wanted", number_shown(text, value->number));
    return tell_stream(r, err);
}

/* A seed is a state of which the rest is 0. */
static lun_status run_rng(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    seeding *s = r->state;
    const lun_value *value = &r->arguments[1];
    *more = r->wish == LUN_WISH_SEED;
    if (*more)
        return LUN_OK;
    if (value->kind == LUN_VALUE_NOTHING)
        s->numbers[0] = (int64_t)r->seed;
    if (value->kind == LUN_VALUE_ARRAY)
        TRY(lun_array_receive(more, &s->received, s->numbers, value->array, NULL, err));
    if (!*more)
        TRY(lun_rng_restore(&r->made, s->numbers, err));
    return LUN_OK;
}

static lun_status bind_stream(lun_request *r, lun_error *err)
{
    int64_t i;
    const lun_status status = request_integer(&i, r, 1, err);
    if (status == LUN_OK && (i < 0 || i > UINT32_MAX))
        return fail(err, LUN_MISUSE, "the stream is %lld; a number from 0 to %u is wanted", (long long)i, UINT32_MAX);
    r->made = (lun_rng){.seed = r->stream->seed, .stream = (uint32_t)i};
    return status == LUN_OK ? tell_stream(r, err) : status;
}

static lun_status run_stream(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more, (void)r, (void)out, (void)err;
    return LUN_OK;
}

const request_functions rng_functions = {bind_rng, run_rng}, stream_functions = {bind_stream, run_stream};
