/* The values to search for in a sorted array: read, and copied to the device. */
#include "op/sort/keys.h"
#include "device/device.h"

/* A number, or lists of them: what is sent. */
typedef struct keys {
    uint32_t dtypes; /* the dtypes that hold all the numbers, and the chosen one */
    lun_dtype dtype;
    size_t shape[LUN_MAX_AXES], size, sent;
    int ndim;
    char *numbers;
} keys;

/* A nested list's sizes, by the first element of each depth. */
static lun_status find_keys_shape(keys *k, const lun_value *value, lun_error *err)
{
    k->ndim = 0;
    for (k->size = 1; value && value->kind == LUN_VALUE_LIST; value = value->list.count ? value->list.items : NULL) {
        if (k->ndim == LUN_MAX_AXES)
            FAIL(LUN_MISUSE, "the table is nested deeper than %d lists", LUN_MAX_AXES);
        k->shape[k->ndim++] = value->list.count;
        k->size *= value->list.count;
    }
    return LUN_OK;
}

/* Checks each key, or writes it if there is memory for the keys. */
static lun_status walk_keys(keys *k, const lun_request *r, const lun_value *value, int depth, lun_error *err)
{
    if (depth < k->ndim) {
        if (value->kind != LUN_VALUE_LIST || value->list.count != k->shape[depth])
            FAIL(LUN_MISUSE, "argument 1: the lists in the list differ in length");
        for (size_t i = 0; i < value->list.count; i++)
            TRY(walk_keys(k, r, &value->list.items[i], depth + 1, err));
    } else if (value->kind != LUN_VALUE_NUMBER) {
        FAIL(LUN_MISUSE, "argument 1: a list of numbers is needed; one of its elements is %s", kind_shown(r, value));
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
             "argument 1: no dtype holds all numbers of the list: integers beyond 2^53, and numbers that are not "
             "integers");
    char *numbers = REQUEST_MEMORY(r, k->size * lun_dtype_bytes(k->dtype) + 1);
    k->numbers = numbers;
    TRY(walk_keys(k, r, value, 0, err));
    k->numbers = numbers;
    return LUN_OK;
}

lun_status keys_bring(const lun_array **out, composing *c, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r);
    lun_array *made;
    keys *k;
    *out = c->r->arguments[1].array;
    if (c->r->arguments[1].kind == LUN_VALUE_ARRAY)
        return LUN_OK;
    COMPOSE_KEPT(k, c);
    if (!k->numbers)
        TRY(read_numbers(k, c->r, err));
    TRY(compose_array(&made, c, k->dtype, k->ndim, k->shape, err));
    *out = made;
    return k->size && compose_enters(c) ? lun_array_send(c->more, &k->sent, made, k->numbers, &quiet, err) : LUN_OK;
}
