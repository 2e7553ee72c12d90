/* Random numbers: what a seed or a stream gives. */
#include "op/make/maker.h"

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

/* All is looked at before the host finds a seed. */
static lun_status draw(composing *c, lun_error *err)
{
    lun_request *r = c->r;
    lun_draw draw = {.distribution = (lun_distribution)r->operation->number};
    const lun_array *out;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(request_shape(&ndim, shape, r, 1, err));
    TRY(draw.distribution == LUN_DRAW_integers ? read_ends(&draw, r, err) : read_parameters(&draw, r, err));
    TRY(maker_result(&out, c, lun_distribution_dtype(draw.distribution, r->floats), ndim, shape, err));
    if (!c->out) {
        r->wish = r->stream || request_option(r, "seed") ? LUN_WISH_NOTHING : LUN_WISH_SEED;
        r->seed = (uint64_t)request_whole(r, "seed", 0);
        return LUN_OK;
    }
    *c->more = r->wish == LUN_WISH_SEED;
    if (*c->more)
        return lun_random_check(out, &draw, &r->call, err);
    lun_rng own = {.seed = r->seed};
    return CALLED(c, true, lun_array_random(out, &draw, r->stream ? r->stream : &own, &call, err));
}

COMPOSED(draw)

/* ---- streams ------------------------------------------------------------------------------------------------------------- */

/* A state that is a list of numbers. */
static lun_status read_state(int64_t *numbers, const lun_request *r, const lun_list *list, lun_error *err)
{
    char shown[SHOWN];
    if (list->count != LUN_RNG_NUMBERS)
        return fail(err, LUN_MISUSE, "the list has %zu elements; " RANDOM_STATE " is needed", list->count);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != LUN_VALUE_NUMBER || !number_whole(&numbers[i], list->items[i].number))
            return fail(err, LUN_MISUSE, "number %zu of the state is %s; whole numbers are needed", i + 1,
                        value_shown(shown, r, &list->items[i]));
    return LUN_OK;
}

/* The stream that the word leaves in r->made. */
static lun_status tell_stream(composing *c, lun_error *err)
{
    if (c->out)
        return LUN_OK;
    TRY(request_results(c->r, 1, err));
    c->r->results[0].form = LUN_FORM_STREAM;
    return LUN_OK;
}

/* A state, of which a seed is the first number and the rest is 0; of an array it is on its way. */
typedef struct seeding {
    int64_t numbers[LUN_RNG_NUMBERS];
    size_t received;
} seeding;

static lun_status read_seed(seeding *s, const lun_request *r, const lun_value *value, lun_error *err)
{
    char text[SHOWN];
    if (value->kind == LUN_VALUE_LIST)
        return read_state(s->numbers, r, &value->list, err);
    if (value->kind == LUN_VALUE_ARRAY && (value->array->dtype != LUN_i64 || value->array->size != LUN_RNG_NUMBERS))
        FAIL(LUN_MISUSE, "the array is %s %s; " RANDOM_STATE " is needed",
             lun_shape_text(text, sizeof text, value->array->ndim, value->array->shape),
             lun_dtype_name(value->array->dtype));
    if (value->kind == LUN_VALUE_NUMBER && !number_whole(s->numbers, value->number))
        FAIL(LUN_MISUSE, "the seed is %s; " RANDOM_STATE " is needed", number_shown(text, value->number));
    return LUN_OK;
}

static lun_status rng(composing *c, lun_error *err)
{
    const lun_value *value = &c->r->arguments[1];
    seeding *s;
    COMPOSE_KEPT(s, c);
    TRY(read_seed(s, c->r, value, err));
    TRY(tell_stream(c, err));
    if (!c->out) {
        c->r->wish = value->kind == LUN_VALUE_NOTHING ? LUN_WISH_SEED : LUN_WISH_NOTHING;
        return LUN_OK;
    }
    *c->more = c->r->wish == LUN_WISH_SEED;
    if (*c->more)
        return LUN_OK;
    if (value->kind == LUN_VALUE_NOTHING)
        s->numbers[0] = (int64_t)c->r->seed;
    if (value->kind == LUN_VALUE_ARRAY && compose_enters(c))
        TRY(lun_array_receive(c->more, &s->received, s->numbers, value->array, NULL, err));
    return compose_waits(c) ? LUN_OK : lun_rng_restore(&c->r->made, s->numbers, err);
}

static lun_status stream(composing *c, lun_error *err)
{
    int64_t i;
    TRY(request_integer(&i, c->r, 1, err));
    if (i < 0 || i > UINT32_MAX)
        FAIL(LUN_MISUSE, "the stream is %lld; a number from 0 to %u is needed", (long long)i, UINT32_MAX);
    c->r->made = (lun_rng){.seed = c->r->stream->seed, .stream = (uint32_t)i};
    return tell_stream(c, err);
}

COMPOSED(rng)
COMPOSED(stream)
