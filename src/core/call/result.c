/* The results of requests: their arrays, dtypes and shapes, and results whose shapes are known late. */
#include "base/error.h"
#include "call/request.h"
#include "device/companion.h"
#include "device/device.h"

#include <string.h>

lun_status request_results(lun_request *r, size_t count, lun_error *err)
{
    r->result_count = count;
    r->results = r->few;
    memset(r->few, 0, sizeof r->few);
    if (count >= LUN_FEW_RESULTS)
        r->results = REQUEST_MEMORY(r, (count + 1) * sizeof *r->results);
    return LUN_OK;
}

void request_views(lun_request *r, size_t count)
{
    r->result_count = count;
    r->views = true;
}

lun_status request_bind_view(lun_request *r, lun_error *err)
{
    (void)err;
    request_views(r, 1);
    return LUN_OK;
}

void request_tell(lun_request *r, size_t i, lun_dtype dtype, int ndim, const size_t *shape)
{
    lun_result *result = &r->results[i];
    result->dtype = dtype;
    result->ndim = ndim;
    if (ndim)
        memcpy(result->shape, shape, (size_t)ndim * sizeof *shape);
}

lun_status request_result(lun_request *r, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err)
{
    lun_status status = request_results(r, 1, err);
    if (status != LUN_OK)
        return status;
    request_tell(r, 0, dtype, ndim, shape);
    r->results[0].given = request_array_option(r, "out");
    return LUN_OK;
}

lun_status request_outs(lun_request *r, size_t count, lun_error *err)
{
    const lun_value *out = request_option(r, "out");
    const bool list = out && out->kind == LUN_VALUE_LIST;
    TRY(request_results(r, count, err));
    if (list && out->list.count != count)
        FAIL(LUN_MISUSE, "out has %zu arrays, expected %zu (the results)", out->list.count, count);
    if (out && !list && count != 1)
        FAIL(LUN_MISUSE, "out is one array; a list is needed for %zu results", count);
    for (size_t i = 0; out && i < count; i++) {
        const lun_value *item = value_item(out, i);
        if (item->kind != LUN_VALUE_ARRAY)
            FAIL(LUN_MISUSE, "option 'out': an array or a list of arrays is needed, got %s", kind_shown(r, item));
        r->results[i].given = item->array;
    }
    return LUN_OK;
}

void request_tell_numbers(lun_request *r, size_t i, int count)
{
    if (r->results[i].given)
        return;
    r->results[i].numbers = count;
    r->numeric = true;
}

lun_status request_in_place(lun_request *r, lun_error *err)
{
    lun_status status = request_results(r, 1, err);
    if (status == LUN_OK)
        r->results[0].given = r->arguments[0].array;
    return status;
}

lun_status request_make(lun_request *r, size_t i, lun_array *out, lun_error *err)
{
    const lun_result *result = &r->results[i];
    if (result->given || lun_array_is_live(out))
        return LUN_OK;
    return lun_array_create(out, r->device, result->dtype, result->ndim, result->shape, err);
}

void request_tell_late(lun_request *r, size_t i, lun_dtype dtype)
{
    r->results[i].dtype = dtype;
    r->results[i].late = true;
}

lun_status request_make_late(lun_request *r, size_t i, lun_array *out, int ndim, const size_t *shape, lun_error *err)
{
    char came[SHOWN], wanted[SHOWN];
    request_tell(r, i, r->results[i].dtype, ndim, shape);
    if (r->results[i].given && (out->ndim != ndim || memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0))
        return fail(err, LUN_MISUSE, "out has shape %s; the result has %s", array_shape_text(came, sizeof came, out),
                    device_shape_text(wanted, sizeof wanted, r->device, ndim, shape));
    return request_make(r, i, out, err);
}

lun_status request_await(bool *more, const lun_array *array, lun_error *err)
{
    bool ready;
    TRY(lun_array_await(&ready, array, LUN_READ, NULL, LUN_SLICE, err));
    *more = !ready;
    return LUN_OK;
}

lun_status request_copy(bool *more, const lun_request *r, const lun_array *out, const lun_array *in, lun_error *err)
{
    bool ready = true;
    if (out->device != in->device && (device_refuses_gates(out->device) || device_refuses_gates(in->device))) {
        TRY(lun_array_await(&ready, in, LUN_READ, NULL, LUN_SLICE, err));
        if (ready)
            TRY(lun_array_await(&ready, out, LUN_WRITE, NULL, LUN_SLICE, err));
    }
    *more = !ready;
    return ready ? lun_array_copy(out, in, &r->call, err) : LUN_OK;
}
