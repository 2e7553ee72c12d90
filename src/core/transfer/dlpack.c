/* DLPack: mappings as tensors for other libraries in this process, and arrays from their tensors. */
#include "base/dtype.h"
#include "base/error.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Types of devices whose memory the host can read. */
enum { DLPACK_CPU = 1, DLPACK_CUDA_HOST = 3 };
/* Kinds of elements. */
enum { DLPACK_INT, DLPACK_UINT, DLPACK_FLOAT, DLPACK_BFLOAT = 4, DLPACK_COMPLEX, DLPACK_BOOL };

static uint8_t code_of(lun_dtype dtype)
{
    return dtype == LUN_bf16                  ? DLPACK_BFLOAT
           : lun_dtype_has(dtype, LUN_TRUTHS) ? DLPACK_BOOL
           : lun_dtype_has(dtype, LUN_PAIRS)  ? DLPACK_COMPLEX
           : !dtype_is_whole(dtype)           ? DLPACK_FLOAT
           : lun_dtype_has(dtype, LUN_SIGNED) ? DLPACK_INT
                                              : DLPACK_UINT;
}

/* ---- out ---------------------------------------------------------------------------------------------------------- */

typedef struct shared {
    lun_dlpack tensor; /* first: the deleter is called with it */
    lun_mapping mapping;
    int64_t shape[LUN_MAX_AXES], stride[LUN_MAX_AXES];
} shared;

static void drop(lun_dlpack *tensor)
{
    shared *s = (shared *)tensor;
    lun_mapping_clear(&s->mapping);
    free(s);
}

lun_status lun_mapping_dlpack(lun_dlpack **out, lun_mapping *mapping, lun_error *err)
{
    const lun_array *array = &mapping->array;
    shared *s = calloc(1, sizeof *s);
    if (!s)
        return fail(err, LUN_NO_MEMORY, "out of memory");
    for (int i = 0; i < array->ndim; i++) {
        s->shape[i] = (int64_t)array->shape[i];
        s->stride[i] = array->stride[i];
    }
    s->tensor = (lun_dlpack){.data = array->size ? lun_mapping_element(mapping, 0) : NULL,
                             .device_type = DLPACK_CPU,
                             .ndim = array->ndim,
                             .code = code_of(array->dtype),
                             .bits = (uint8_t)(8 * lun_dtype_bytes(array->dtype)),
                             .lanes = 1,
                             .shape = s->shape,
                             .strides = s->stride,
                             .deleter = drop};
    s->mapping = *mapping;
    memset(mapping, 0, sizeof *mapping);
    *out = &s->tensor;
    return LUN_OK;
}

/* ---- in ----------------------------------------------------------------------------------------------------------- */

lun_status lun_dlpack_layout(lun_dtype *dtype, int *ndim, size_t *shape, const lun_dlpack *tensor, lun_error *err)
{
    if (!tensor || (uintptr_t)tensor % alignof(lun_dlpack) || tensor->ndim < 0 || (tensor->ndim && !tensor->shape))
        FAIL(LUN_MISUSE, "the pointer does not point to a tensor of DLPack (a DLManagedTensor)");
    if (tensor->device_type != DLPACK_CPU && tensor->device_type != DLPACK_CUDA_HOST)
        FAIL(LUN_MISUSE, "the tensor is in memory of a device of DLPack's type %d; memory of the host (%d) is needed",
             (int)tensor->device_type, DLPACK_CPU);
    if (tensor->ndim > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the tensor has %d axes; at most %d are possible", (int)tensor->ndim, LUN_MAX_AXES);
    for (*dtype = 0; *dtype < LUN_DTYPES; ++*dtype)
        if (code_of(*dtype) == tensor->code && 8 * lun_dtype_bytes(*dtype) == tensor->bits && tensor->lanes == 1)
            break;
    if (*dtype == LUN_DTYPES)
        FAIL(LUN_MISUSE, "no dtype has elements of DLPack's code %d with %d bits and %d lanes", (int)tensor->code,
             (int)tensor->bits, (int)tensor->lanes);
    *ndim = tensor->ndim;
    for (int i = 0; i < *ndim; i++) {
        if (tensor->shape[i] < 0)
            FAIL(LUN_MISUSE, "axis %d of the tensor has %lld elements", i + 1, (long long)tensor->shape[i]);
        shape[i] = (size_t)tensor->shape[i];
    }
    return LUN_OK;
}

void lun_dlpack_copy(void *out, const lun_dlpack *tensor)
{
    const size_t bytes = tensor->bits / 8U;
    const char *from = (const char *)tensor->data + tensor->byte_offset;
    size_t size = 1;
    int64_t at[LUN_MAX_AXES] = {0}, stride[LUN_MAX_AXES], place = 0;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        stride[i] = tensor->strides ? tensor->strides[i] : (int64_t)size;
        size *= (size_t)tensor->shape[i];
    }
    for (size_t k = 0; k < size; k++) {
        memcpy((char *)out + k * bytes, from + place * (int64_t)bytes, bytes);
        for (int i = tensor->ndim - 1; i >= 0; i--) {
            place += stride[i];
            if (++at[i] < tensor->shape[i])
                break;
            place -= at[i] * stride[i];
            at[i] = 0;
        }
    }
}
