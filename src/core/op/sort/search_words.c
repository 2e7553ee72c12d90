/* Searching in sorted arrays: searchsorted and isin. */
#include "api/functions.h"
#include "base/dtype.h"
#include "op/sort/keys.h"
#include "op/sort/member.h"

/* ---- searchsorted -------------------------------------------------------------------------------------------------------- */

static lun_status searchsorted(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *sorter = request_array_option(c->r, "sorter"), *keys, *out;
    static const char *const sides[] = {"left", "right", NULL};
    int right = false;
    TRY(request_named(&right, c->r, "side", "side", sides, err));
    c->numbers = c->r->arguments[1].kind == LUN_VALUE_NUMBER;
    TRY(keys_bring(&keys, c, err));
    TRY(compose_like(&out, c, LUN_i64, keys, err));
    if (compose_waits(c))
        return LUN_OK;
    if (sorter)
        TRY(compose_take(&in, c, in, sorter, LUN_FLATTENED, err));
    return CALLED(c, true, lun_searchsorted(out, in, keys, right, &call, err));
}

COMPOSED(searchsorted)

/* ---- isin ---------------------------------------------------------------------------------------------------------------- */

/* The sorted value at the first position where the element could be; after all values, the last one. */
lun_status member_tell(const lun_array *to, composing *c, const lun_array *in, const lun_array *values, bool is,
                       bool last, lun_error *err)
{
    composed x = {0};
    const lun_array *flat, *within, *found;
    lun_array *sorted, *places;
    const lun_sorting sorting = {.axis = 0};
    if (values->size == 0)
        return CALLED(c, last, lun_array_fill(to, lun_truth(!is), &call, err));
    TRY(compose_reshape(&flat, c, values, 1, &values->size, err));
    TRY(compose_array(&sorted, c, values->dtype, 1, &values->size, err));
    TRY(compose_array(&places, c, LUN_i64, in->ndim, in->shape, err));
    TRY(CALLED(c, false, lun_sort(sorted, NULL, flat, &sorting, &call, err)));
    TRY(CALLED(c, false, lun_searchsorted(places, sorted, in, false, &call, err)));
    x.results[0] = of_op(&x, LUN_MAP_minimum, of_array(&x, places), of_number(&x, lun_integer((int64_t)values->size)));
    TRY(compose_map(&within, c, &x, err));
    TRY(compose_take(&found, c, sorted, within, LUN_FLATTENED, err));
    x = (composed){0};
    x.results[0] = of_op(&x, is ? LUN_MAP_eq : LUN_MAP_ne, of_array(&x, in), of_array(&x, found));
    return compose_into(c, &to, &x, last, err);
}

static lun_status isin(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *values, *out;
    TRY(keys_bring(&values, c, err));
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(dtype_check_ordered(values->dtype, err));
    TRY(compose_like(&out, c, LUN_bool, in, err));
    if (!compose_waits(c))
        TRY(member_tell(out, c, in, values, !request_truth(c->r, "invert"), true, err));
    return LUN_OK;
}

COMPOSED(isin)
