/* Words that are made of other operations: the steps that choose and sort. */
#include "op/compose.h"

lun_status compose_take(const lun_array **out, composing *c, const lun_array *in, const lun_array *index, int axis,
                        lun_error *err)
{
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_call call;
    lun_array *made;
    TRY(lun_take_result(&ndim, shape, in, index, axis, err));
    TRY(compose_array(&made, c, in->dtype, ndim, shape, err));
    if (compose_calls(&call, c, false))
        TRY(lun_take(made, in, index, axis, &call, err));
    *out = made;
    return LUN_OK;
}

lun_status compose_argsort(const lun_array **out, composing *c, const lun_array *in, lun_error *err)
{
    const lun_sorting sorting = {.axis = 0};
    lun_call call;
    lun_array *made;
    TRY(compose_array(&made, c, LUN_i64, 1, in->shape, err));
    if (compose_calls(&call, c, false))
        TRY(lun_sort(NULL, made, in, &sorting, &call, err));
    *out = made;
    return LUN_OK;
}
