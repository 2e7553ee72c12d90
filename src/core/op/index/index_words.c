/* Choosing by index: words of what indices say, one array, or several that name places together, or places along an axis. */
#include "call/compose.h"

/* ---- places -------------------------------------------------------------------------------------------------------------- */

/* A list of index arrays, one for each of the first axes; whatever else argument 1 is says nothing here. */
static lun_status read_several(bool *several, lun_places *out, const lun_request *r, lun_error *err)
{
    const lun_value *value = &r->arguments[1];
    const lun_array *array = r->arguments[0].array, *index[LUN_MAX_AXES];
    *several = value->kind == LUN_VALUE_LIST;
    if (!*several)
        return LUN_OK;
    if (value->list.count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "argument 1: more than %d index arrays are in the list", LUN_MAX_AXES);
    for (size_t i = 0; i < value->list.count; i++) {
        if (value->list.items[i].kind != LUN_VALUE_ARRAY)
            FAIL(LUN_MISUSE, "argument 1: element %zu of the list: an index array is needed, as the first is, got %s",
                 i + 1, kind_shown(r, &value->list.items[i]));
        index[i] = value->list.items[i].array;
    }
    TRY(lun_places_at(out, array->device, array->ndim, array->shape, index, value->list.count, err));
    if (request_text(r, "variant"))
        FAIL(LUN_MISUSE, "option 'variant': several index arrays have no variants");
    return LUN_OK;
}

/* The index array's places along the axis that an argument or the last names. */
static lun_status read_along(lun_places *out, const composing *c, unsigned argument, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_value *named = &c->r->arguments[argument];
    int axis = in->ndim - 1;
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&axis, c->r, named, in->ndim, in->shape, err));
    return lun_places_along(out, in, c->r->arguments[1].array, axis, err);
}

/* ---- take ---------------------------------------------------------------------------------------------------------------- */

static lun_status take_places(composing *c, const lun_places *places, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    TRY(compose_result(&out, c, 0, in->dtype, places->ndim, places->shape, err));
    return CALLED(c, true, lun_places_take(out, c->r->operation->name, in, places, &call, err));
}

static lun_status take(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *index = c->r->arguments[1].array, *out;
    const lun_value *named = &c->r->arguments[2];
    lun_places places;
    bool several;
    int axis = LUN_FLATTENED, ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(read_several(&several, &places, c->r, err));
    if (several && named->kind != LUN_VALUE_NOTHING)
        FAIL(LUN_MISUSE, "several index arrays are for one axis each; no axis can be given");
    if (several)
        return take_places(c, &places, err);
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&axis, c->r, named, in->ndim, in->shape, err));
    TRY(lun_take_result(&ndim, shape, in, index, axis, err));
    TRY(compose_result(&out, c, 0, in->dtype, ndim, shape, err));
    return CALLED(c, true, lun_take(out, in, index, axis, &call, err));
}

static lun_status take_along(composing *c, lun_error *err)
{
    lun_places places;
    TRY(read_along(&places, c, 2, err));
    return take_places(c, &places, err);
}

COMPOSED(take)
COMPOSED(take_along)

/* ---- put, add_at, mul_at, min_at, max_at --------------------------------------------------------------------------------------------------------- */

/* Writes argument 2, or combines by it, at the places, or at argument 1. */
static lun_status write_at(composing *c, const lun_places *places, bool combines, lun_error *err)
{
    const lun_values values = compose_values(&c->r->arguments[2]);
    const lun_array *index = c->r->arguments[1].array;
    lun_array *positions, *out;
    TRY(compose_in_place(&out, c, err));
    if (places) {
        TRY(compose_array(&positions, c, LUN_i64, places->ndim, places->shape, err));
        TRY(CALLED(c, false, lun_places_tell(positions, c->r->operation->name, places, &call, err)));
        index = positions;
    }
    return CALLED(c, true,
                  combines ? lun_combine_at(out, index, &values, (lun_reduce_op)c->r->operation->number, &call, err)
                           : lun_put(out, index, &values, &call, err));
}

static lun_status write_several(composing *c, bool combines, lun_error *err)
{
    lun_places places;
    bool several;
    TRY(read_several(&several, &places, c->r, err));
    return write_at(c, several ? &places : NULL, combines, err);
}

static lun_status put(composing *c, lun_error *err) { return write_several(c, false, err); }
static lun_status combine_at(composing *c, lun_error *err) { return write_several(c, true, err); }

static lun_status put_along(composing *c, lun_error *err)
{
    lun_places places;
    TRY(read_along(&places, c, 3, err));
    return write_at(c, &places, false, err);
}

COMPOSED(put)
COMPOSED(combine_at)
COMPOSED(put_along)
