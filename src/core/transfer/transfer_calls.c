/* Transfers as rows of operation.def: arrays from a host's data, copies to its memory and back, and to files. */
#include "base/shape.h"
#include "op/make/maker.h"

#include <string.h>

/* ---- from the host ------------------------------------------------------------------------------------------------------- */

/* The data: an array, the host's bytes, or a list whose elements the host writes to staging memory. */
typedef struct incoming {
    const lun_array *from;
    const void *bytes;
    size_t length, sent;
    char element[LUN_MOST_BYTES]; /* of a number; of a list without elements, so that it is checked too */
} incoming;

enum { BEGIN, WRITTEN };

/* The number of elements of a shape, or SIZE_MAX if it is too large. */
static size_t count_elements(int ndim, const size_t *shape)
{
    size_t count = 1;
    for (int i = 0; i < ndim; i++)
        count = shape[i] && count > SIZE_MAX / shape[i] ? SIZE_MAX : count * shape[i];
    return count;
}

static lun_status check_length(const lun_request *r, size_t length, lun_dtype dtype, int ndim, const size_t *shape,
                               lun_error *err)
{
    char text[SHOWN];
    const size_t wanted = count_elements(ndim, shape) * lun_dtype_bytes(dtype);
    if (length == wanted)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "the string has %zu bytes where %zu are needed (%s %s)", length, wanted,
                manner_shape_text(text, sizeof text, r->manner, ndim, shape), lun_dtype_name(dtype));
}

/* Reads the data. For a list, the host has stored its layout and the dtype of its elements in r->data. */
static lun_status read_data(incoming **out, lun_request *r, lun_dtype dtype, lun_error *err)
{
    incoming *in = REQUEST_STATE(r, incoming);
    const lun_value *value = &r->arguments[1];
    *out = in;
    r->data.dtype = dtype;
    r->data.ndim = value->kind == LUN_VALUE_LIST ? r->data.ndim : 0;
    if (value->kind == LUN_VALUE_ARRAY)
        in->from = value->array;
    if (value->kind == LUN_VALUE_TEXT || value->kind == LUN_VALUE_CUT) {
        in->bytes = value->text;
        in->length = value->length;
    }
    for (size_t i = 0; i < in->length && lun_dtype_has(dtype, LUN_TRUTHS); i++)
        if (((const unsigned char *)in->bytes)[i] > 1)
            return fail(err, LUN_MISUSE, "byte %zu of the string is %d; those of bool are 0 or 1", i + 1,
                        ((const unsigned char *)in->bytes)[i]);
    if (!value_is_scalar(value))
        return LUN_OK;
    in->bytes = in->element;
    in->length = lun_dtype_bytes(dtype);
    return lun_number_store(in->element, dtype, value_scalar(value), err);
}

/* A list's elements are transferred through staging memory. */
static void tell_list(lun_request *r, incoming *in, size_t elements)
{
    if (r->arguments[1].kind == LUN_VALUE_LIST)
        r->staging_bytes = elements * lun_dtype_bytes(r->data.dtype);
    r->data.memory = in->element;
}

static lun_status run_incoming(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    incoming *in = r->state;
    ENDED_BY(lun_array_clear) lun_array view = {0};
    if (in->from) { /* through a view that has its shape */
        if (r->results[0].given && !shape_equal(out[0], in->from)) {
            TRY(lun_array_broadcast(&view, in->from, out[0]->ndim, out[0]->shape, err));
            TRY(request_copy(more, r, out[0], &view, err));
        } else if (r->results[0].given)
            TRY(request_copy(more, r, out[0], in->from, err));
        else {
            TRY(lun_array_reshape(&view, out[0], in->from->ndim, in->from->shape, err));
            TRY(request_copy(more, r, &view, in->from, err));
        }
    } else if (in->bytes) {
        if (in->length)
            TRY(lun_array_send(more, &in->sent, out[0], in->bytes, &r->call, err));
    } else if (r->stage == BEGIN) {
        if (r->staging_bytes) {
            TRY(lun_staging_create(&r->staging, r->device, r->staging_bytes, err));
            r->data.memory = r->staging->data;
        }
        r->staging_bytes = 0;
        r->wish = LUN_WISH_ELEMENTS;
        r->stage = WRITTEN;
        *more = true;
    } else if (r->staging) {
        TRY(lun_array_write(out[0], r->staging, &r->call, err));
    }
    return LUN_OK;
}

/* ---- array --------------------------------------------------------------------------------------------------------------- */

/* The errors for elements as separate arguments, and for sizes in place of the dtype. */
static lun_status check_places(const lun_request *r, lun_error *err)
{
    char list[SHOWN];
    const lun_value *data = &r->arguments[1], *dtype = &r->arguments[2];
    if (data->kind == LUN_VALUE_LIST && data->list.spread)
        return fail(err, LUN_MISUSE, "elements belong in a table: %s{%s}", r->operation->name,
                    list_shown(list, r, &data->list, data->list.count));
    if (dtype->kind == LUN_VALUE_NUMBER || dtype->kind == LUN_VALUE_LIST)
        return fail(err, LUN_MISUSE,
                    "argument 2 is the dtype; sizes follow it, array(data, \"f32\", {2, 3}), or in the option "
                    "shape");
    if (dtype->kind != LUN_VALUE_TEXT && dtype->kind != LUN_VALUE_NOTHING)
        return request_refuse(r, 2, r->operation->arguments[1].wanted, err);
    return LUN_OK;
}

/* The shape of the data without the option shape. */
static lun_status find_shape(int *ndim, size_t *shape, const lun_request *r, const incoming *in, lun_dtype dtype,
                             lun_error *err)
{
    const size_t bytes = lun_dtype_bytes(dtype);
    *ndim = in->from ? in->from->ndim : r->data.ndim;
    memcpy(shape, in->from ? in->from->shape : r->data.shape, (size_t)*ndim * sizeof *shape);
    if (!in->bytes || in->bytes == in->element)
        return LUN_OK;
    *ndim = 1;
    shape[0] = in->length / bytes;
    if (in->length % bytes == 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "the string has %zu bytes, not a multiple of the %zu of %s", in->length, bytes,
                lun_dtype_name(dtype));
}

/* The default dtype: an array's own, or that of the data's first number. */
static lun_dtype default_dtype(const lun_request *r, const lun_value *data)
{
    return data->kind == LUN_VALUE_ARRAY  ? data->array->dtype
           : data->kind == LUN_VALUE_LIST ? r->data.dtype
           : value_is_scalar(data)        ? lun_request_dtype(r, value_scalar(data))
                                          : r->floats;
}

static lun_status bind_array(lun_request *r, lun_error *err)
{
    incoming *in;
    char text[SHOWN];
    int ndim, found;
    size_t shape[LUN_MAX_AXES], own[LUN_MAX_AXES];
    const lun_value *data = &r->arguments[1];
    const bool shaped = r->arguments[3].kind != LUN_VALUE_NOTHING;
    lun_dtype dtype = default_dtype(r, data);
    TRY(check_places(r, err));
    TRY(request_dtype(&dtype, r, err));
    TRY(read_data(&in, r, dtype, err));
    if (shaped)
        TRY(request_shape(&ndim, shape, r, 3, err));
    if (shaped && data->kind != LUN_VALUE_ARRAY && in->bytes && in->bytes != in->element)
        TRY(check_length(r, in->length, dtype, ndim, shape, err));
    TRY(find_shape(&found, own, r, in, dtype, err));
    if (shaped && count_elements(ndim, shape) != count_elements(found, own))
        FAIL(LUN_MISUSE, "the shape %s has %zu elements, the data %zu",
             manner_shape_text(text, sizeof text, r->manner, ndim, shape), count_elements(ndim, shape),
             count_elements(found, own));
    TRY(request_result(r, dtype, shaped ? ndim : found, shaped ? shape : own, err));
    tell_list(r, in, count_elements(found, own));
    return LUN_OK;
}

/* ---- write --------------------------------------------------------------------------------------------------------------- */

/* A list is nested as the array is, or flat in row-major order. */
static lun_status bind_write(lun_request *r, lun_error *err)
{
    incoming *in;
    const lun_array *array = r->arguments[0].array;
    const lun_value *value = &r->arguments[1];
    if (value_is_scalar(value))
        FAIL(LUN_MISUSE, "argument 1: %s is needed, got %s; fill writes one number everywhere",
             r->operation->arguments[0].wanted, r->manner->words[value->kind]);
    TRY(read_data(&in, r, array->dtype, err));
    TRY(request_in_place(r, err));
    if (in->bytes)
        TRY(check_length(r, in->length, array->dtype, array->ndim, array->shape, err));
    if (array->ndim == 1 || r->data.ndim != 1 || r->data.shape[0] != array->size) {
        r->data.ndim = array->ndim;
        memcpy(r->data.shape, array->shape, sizeof array->shape);
    }
    tell_list(r, in, array->size);
    return LUN_OK;
}

const request_functions array_functions = {bind_array, run_incoming}, write_functions = {bind_write, run_incoming};

/* ---- to the host --------------------------------------------------------------------------------------------------------- */

static lun_status bind_elements(lun_request *r, lun_form form, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    REQUEST_STATE(r, size_t);
    r->data = (lun_elements){.dtype = array->dtype, .ndim = array->ndim};
    memcpy(r->data.shape, array->shape, sizeof array->shape);
    r->staging_bytes = r->async ? lun_array_bytes(array) : 0;
    const lun_status status = request_results(r, 1, err);
    if (status == LUN_OK)
        r->results[0].form = form;
    return status;
}

static lun_status bind_totable(lun_request *r, lun_error *err) { return bind_elements(r, LUN_FORM_LIST, err); }
static lun_status bind_tobytes(lun_request *r, lun_error *err) { return bind_elements(r, LUN_FORM_BYTES, err); }

static lun_status run_elements(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    const lun_array *array = r->arguments[0].array;
    if (array->size && !r->call.event)
        return lun_array_receive(more, r->state, r->data.memory, array, &r->call, err);
    if (!array->size)
        return LUN_OK;
    if (!r->staging)
        TRY(lun_staging_create(&r->staging, r->device, r->staging_bytes, err));
    r->staging_bytes = 0;
    return lun_array_read_async(r->staging, array, &r->call, err);
}

const request_functions totable_functions = {bind_totable, run_elements},
                        tobytes_functions = {bind_tobytes, run_elements};

/* ---- to a file ----------------------------------------------------------------------------------------------------------- */

static lun_status bind_save(lun_request *r, lun_error *err) { return request_results(r, 0, err); }

static lun_status run_save(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    const lun_array *array = r->arguments[0].array;
    TRY(request_await(more, array, err));
    return *more ? LUN_OK : lun_npy_save(r->arguments[1].text, array, request_text(r, "as"), err);
}

const request_functions save_functions = {bind_save, run_save};
