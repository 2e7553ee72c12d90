/* Compositions: the steps that choose and sort, and their first arrays. */
#include "base/dtype.h"
#include "call/compose.h"

#include <string.h>

lun_status compose_take(const lun_array **out, composing *c, const lun_array *in, const lun_array *index, int axis,
                        lun_error *err)
{
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *made;
    TRY(lun_take_result(&ndim, shape, in, index, axis, err));
    TRY(compose_array(&made, c, in->dtype, ndim, shape, err));
    TRY(CALLED(c, false, lun_take(made, in, index, axis, &call, err)));
    *out = made;
    return LUN_OK;
}

lun_status compose_argsort(const lun_array **out, composing *c, const lun_array *in, lun_error *err)
{
    const lun_sorting sorting = {.axis = 0};
    lun_array *made;
    TRY(compose_array(&made, c, LUN_i64, 1, in->shape, err));
    TRY(CALLED(c, false, lun_sort(NULL, made, in, &sorting, &call, err)));
    *out = made;
    return LUN_OK;
}

lun_status compose_cast(const lun_array **out, composing *c, lun_dtype dtype, const lun_array *in, lun_error *err)
{
    lun_array *copy;
    *out = in;
    if (in->dtype == dtype)
        return LUN_OK;
    TRY(compose_array(&copy, c, dtype, in->ndim, in->shape, err));
    *out = copy;
    return compose_copy(c, copy, in, false, err);
}

/* Arrays of another device are left for the operation to refuse. */
lun_status compose_floats(composing *c, compose_word word, lun_error *err)
{
    lun_value given[LUN_ARGUMENTS + 1], *at = c->r->arguments;
    lun_status status = LUN_OK;
    memcpy(given, at, sizeof given);
    for (unsigned i = 0; i <= LUN_ARGUMENTS && status == LUN_OK; i++) {
        if (at[i].kind != LUN_VALUE_ARRAY || at[i].array->device != c->r->device)
            continue;
        const lun_array *array = at[i].array;
        status = compose_cast(&array, c, dtype_floating(array->dtype, c->r->floats), array, err);
        at[i].array = (lun_array *)array;
    }
    status = status == LUN_OK ? word(c, err) : status;
    memcpy(at, given, sizeof given);
    return status;
}

lun_status compose_sequence(lun_array **out, composing *c, size_t count, int64_t from, int64_t step, lun_error *err)
{
    TRY(compose_array(out, c, LUN_i64, 1, &count, err));
    return count ? CALLED(c, false, lun_array_sequence(*out, lun_integer(from), lun_integer(step), &call, err))
                 : LUN_OK;
}
