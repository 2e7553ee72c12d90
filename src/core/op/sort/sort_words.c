/* Operations built on sorting: those of one sort, and sort_by. */
#include "call/compose.h"
#include "device/device.h"

/* ---- sort, argsort, topk ------------------------------------------------------------------------------------------------- */

/* The option `axis`, or the last. */
static lun_status read_sorting(lun_sorting *out, const composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_value *axis = request_option(c->r, "axis");
    *out = (lun_sorting){.axis = in->ndim - 1, .descending = request_truth(c->r, "descending")};
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be sorted");
    return axis ? value_axis(&out->axis, c->r, axis, in->ndim, in->shape, err) : LUN_OK;
}

static lun_status give_sorted(composing *c, bool positions, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    lun_sorting sorting;
    TRY(read_sorting(&sorting, c, err));
    TRY(compose_like(&out, c, positions ? LUN_i64 : in->dtype, in, err));
    return CALLED(c, true, lun_sort(positions ? NULL : out, positions ? out : NULL, in, &sorting, &call, err));
}

static lun_status sort(composing *c, lun_error *err) { return give_sorted(c, false, err); }
static lun_status argsort(composing *c, lun_error *err) { return give_sorted(c, true, err); }

static lun_status topk(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *values, *positions;
    lun_sorting sorting;
    int64_t k;
    size_t shape[LUN_MAX_AXES];
    TRY(request_integer_from(&k, c->r, 1, 0, err));
    TRY(read_sorting(&sorting, c, err));
    sorting.descending = !request_truth(c->r, "smallest");
    sorting.some = true;
    sorting.first = (size_t)k;
    TRY(lun_sort_result(shape, in, &sorting, err));
    c->results = 2;
    TRY(compose_result(&values, c, 0, in->dtype, in->ndim, shape, err));
    TRY(compose_result(&positions, c, 1, LUN_i64, in->ndim, shape, err));
    return CALLED(c, true, lun_sort(values, positions, in, &sorting, &call, err));
}

/* The positions are along the axis. */
static lun_status check_places(const composing *c, lun_error *err)
{
    char shown[SHOWN];
    lun_sorting sorting;
    TRY(read_sorting(&sorting, c, err));
    const size_t size = c->r->arguments[0].array->shape[sorting.axis];
    for (size_t i = 0; i < value_count(&c->r->arguments[1]); i++) {
        const lun_value *value = value_item(&c->r->arguments[1], i);
        int64_t k = 0;
        if (value->kind != LUN_VALUE_NUMBER || !number_whole(&k, value->number))
            FAIL(LUN_MISUSE, "argument 1: a position or a list of them is needed, got %s",
                 value_shown(shown, c->r, value));
        k = k < 0 ? k + (int64_t)size + 1 : k;
        if (k < 1 || k > (int64_t)size)
            FAIL(LUN_MISUSE, "position %s is out of range: there are %zu along the axis",
                 value_shown(shown, c->r, value), size);
    }
    return LUN_OK;
}

/* A sorted array is also partitioned at every k. */
static lun_status partition(composing *c, lun_error *err)
{
    TRY(check_places(c, err));
    return sort(c, err);
}

static lun_status argpartition(composing *c, lun_error *err)
{
    TRY(check_places(c, err));
    return argsort(c, err);
}

COMPOSED(sort)
COMPOSED(argsort)
COMPOSED(topk)
COMPOSED(partition)
COMPOSED(argpartition)

/* ---- sort_by ------------------------------------------------------------------------------------------------------------- */

#define MOST_SORTED 32

/* The arrays after the keys must have as many rows as there are keys. */
static lun_status sort_by(composing *c, lun_error *err)
{
    char text[SHOWN];
    const lun_array *keys = c->r->arguments[1].array, *out[MOST_SORTED];
    const lun_list *list = &c->r->arguments[2].list;
    const lun_sorting sorting = {.descending = request_truth(c->r, "descending")};
    lun_array *order;
    if (keys->ndim != 1)
        FAIL(LUN_MISUSE, "the keys have shape %s; an array of one axis is needed",
             array_shape_text(text, sizeof text, keys));
    if (list->count > MOST_SORTED)
        FAIL(LUN_MISUSE, "more than %d arrays are to be sorted by the keys", MOST_SORTED);
    c->results = list->count;
    for (size_t i = 0; i < list->count; i++) {
        const lun_array *array = list->items[i].array;
        if (array->ndim == 0 || array->shape[0] != keys->size)
            FAIL(LUN_MISUSE,
                 "argument %zu has shape %s; %zu positions along its first axis are needed, one for each key", i + 2,
                 array_shape_text(text, sizeof text, array), keys->size);
        TRY(compose_result(&out[i], c, i, array->dtype, array->ndim, array->shape, err));
    }
    TRY(compose_array(&order, c, LUN_i64, 1, keys->shape, err));
    TRY(CALLED(c, false, lun_sort(NULL, order, keys, &sorting, &call, err)));
    for (size_t i = 0; i < list->count; i++)
        TRY(CALLED(c, i + 1 == list->count, lun_take(out[i], list->items[i].array, order, 0, &call, err)));
    return LUN_OK;
}

COMPOSED(sort_by)
