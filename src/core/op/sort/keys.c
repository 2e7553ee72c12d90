/* Values that a sorted array is asked for, read and sent to the device. */
#include "op/sort/keys.h"
#include "device/device.h"

/* A nested list's sizes, by the first element of each depth. */
static lun_status find_keys_shape(keys *k, const lun_value *value, lun_error *err)
{
    for (k->size = 1; value && value->kind == LUN_VALUE_LIST; value = value->list.count ? value->list.items : NULL) {
        if (k->ndim == LUN_MAX_AXES)
            FAIL(LUN_MISUSE, "the table is nested deeper than %d lists", LUN_MAX_AXES);
        k->shape[k->ndim++] = value->list.count;
        k->size *= value->list.count;
    }
    return LUN_OK;
}

/* Looks at each key, or writes it where there is memory for them. */
static lun_status walk_keys(keys *k, const lun_request *r, const lun_value *value, int depth, lun_error *err)
{
    if (depth < k->ndim) {
        if (value->kind != LUN_VALUE_LIST || value->list.count != k->shape[depth])
            FAIL(LUN_MISUSE, "argument 1: the lists in the list are not of one length");
        for (size_t i = 0; i < value->list.count; i++)
            TRY(walk_keys(k, r, &value->list.items[i], depth + 1, err));
    } else if (value->kind != LUN_VALUE_NUMBER) {
        FAIL(LUN_MISUSE, "argument 1: a list of numbers is wanted, and one of its elements is %s",
             kind_shown(r, value));
    } else if (!k->numbers) {
        k->dtypes &= lun_number_dtypes(r->arguments[0].array->dtype, value->number);
    } else {
        TRY(lun_number_round(k->numbers, k->dtype, value->number, err));
        k->numbers += lun_dtype_bytes(k->dtype);
    }
    return LUN_OK;
}

static lun_status read_numbers(keys *k, lun_request *r, lun_error *err)
{
    const lun_value *value = &r->arguments[1];
    k->dtypes = UINT32_MAX;
    TRY(find_keys_shape(k, value, err));
    TRY(walk_keys(k, r, value, 0, err));
    k->dtype = lun_compared_dtype(r->arguments[0].array->dtype, lun_device_info_get(r->device)->fp64, k->dtypes);
    if (k->dtype == LUN_DTYPES)
        FAIL(LUN_MISUSE,
             "argument 1: no dtype has all numbers of the list, integers beyond 2^53 and others that are none");
    char *numbers = REQUEST_MEMORY(r, k->size * lun_dtype_bytes(k->dtype) + 1);
    k->numbers = numbers;
    TRY(walk_keys(k, r, value, 0, err));
    k->numbers = numbers;
    return LUN_OK;
}

lun_status keys_read(keys *k, lun_request *r, lun_error *err)
{
    const lun_value *value = &r->arguments[1];
    if (value->kind == LUN_VALUE_ARRAY) {
        k->values = value->array;
        k->ndim = k->values->ndim;
        for (int i = 0; i < k->ndim; i++)
            k->shape[i] = k->values->shape[i];
    } else {
        TRY(read_numbers(k, r, err));
    }
    return LUN_OK;
}

lun_status keys_send(bool *more, keys *k, lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    *more = false;
    if (k->values)
        return LUN_OK;
    TRY(request_array(&k->made, r, k->dtype, k->ndim, k->shape, err));
    if (k->size && !k->written)
        TRY(lun_array_send(more, &k->sent, k->made, k->numbers, &quiet, err));
    if (*more)
        return LUN_OK;
    k->written = true;
    k->values = k->made;
    return LUN_OK;
}
