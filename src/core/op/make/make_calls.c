/* Copies and filling, as rows of operation.def are called. */
#include "base/shape.h"
#include "op/request.h"

/* ---- fill ---------------------------------------------------------------------------------------------------------------- */

static lun_status run_fill(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_array_fill(out[0], value_scalar(&r->arguments[1]), &r->call, err);
}

const request_functions fill_functions = {request_in_place, run_fill};

/* ---- copies -------------------------------------------------------------------------------------------------------------- */

static lun_status bind_as(lun_request *r, lun_dtype dtype, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    TRY(request_result(r, dtype, array->ndim, array->shape, err));
    const lun_array *out = r->results[0].given;
    if (out && out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s, and the result %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    return LUN_OK;
}

static lun_status bind_copy(lun_request *r, lun_error *err) { return bind_as(r, r->arguments[0].array->dtype, err); }

/* One axis: the memory of the result as the array's shape sees it is a copy of the array. */
static lun_status bind_flatten(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    TRY(request_result(r, array->dtype, 1, &array->size, err));
    const lun_array *out = r->results[0].given;
    if (out)
        TRY(array_check_out(out, array, array->dtype, 1, &array->size, err));
    return LUN_OK;
}

static lun_status run_flatten(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    lun_array view = {0};
    TRY_DONE(lun_array_reshape(&view, out[0], array->ndim, array->shape, err));
    TRY_DONE(lun_array_copy(&view, array, &r->call, err));
done:
    lun_array_clear(&view);
    return status;
}

static lun_status bind_cast(lun_request *r, lun_error *err)
{
    lun_dtype dtype;
    const lun_status status = value_dtype(&dtype, &r->arguments[1], err);
    return status == LUN_OK ? bind_as(r, dtype, err) : status;
}

static lun_status run_copy(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return request_copy(more, r, out[0], r->arguments[0].array, err);
}

/* The array itself where there is nothing to copy; its event is then complete. */
static lun_status bind_contiguous(lun_request *r, lun_error *err)
{
    return lun_array_is_contiguous(r->arguments[0].array) ? request_in_place(r, err) : bind_copy(r, err);
}

static lun_status bind_to(lun_request *r, lun_error *err)
{
    return r->device == r->arguments[0].array->device ? request_in_place(r, err) : bind_copy(r, err);
}

static lun_status run_unless_itself(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    if (out[0] != r->arguments[0].array)
        return run_copy(more, r, out, err);
    if (r->call.event)
        r->call.event->device = lun_device_retain(r->device);
    return LUN_OK;
}

const request_functions flatten_functions = {bind_flatten, run_flatten};
const request_functions copy_functions = {bind_copy, run_copy}, cast_functions = {bind_cast, run_copy},
                        contiguous_functions = {bind_contiguous, run_unless_itself},
                        to_functions = {bind_to, run_unless_itself};
