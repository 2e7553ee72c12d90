/* Streams of random numbers from seeds and states. */
#include "op/make/maker.h"

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

/* A state; a seed is a state whose other numbers are 0. The numbers of an array are still being read. */
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
