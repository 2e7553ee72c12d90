/* What a coverage-guided fuzzer (libFuzzer) calls: reads its input as a .npy or .npz file, as lun.load does, and checks what
 * comes: an array whose shape and bytes agree, or an error that says why. `make fuzz-files`.
 *
 * The readers are those of src/core/transfer, whole. The device is left out: host memory stands in for arrays and staging
 * memory, so that a read takes microseconds and the sanitizer sees each byte. The input is a file of memory, which has a
 * path, so that the opening of files is tried too. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/pinned.h"
#include "packages/files/deflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_MEMBERS 64 /* of one archive: an input of some kilobytes has no room for many more */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static _Noreturn void stop(const char *what, const char *detail)
{
    fprintf(stderr, "fuzz: %s: %s\n", what, detail);
    abort();
}

/* ---- in a device's place ---------------------------------------------------------------------------------------- */

struct lun_block {
    unsigned refs;
    unsigned char data[];
};

lun_status lun_staging_create(lun_staging **out, lun_device *device, size_t bytes, lun_error *err)
{
    (void)device;
    (void)err;
    lun_staging *made = calloc(1, sizeof *made);
    if (!made || !(made->data = malloc(bytes ? bytes : 1)))
        stop("out of memory", "");
    made->bytes = bytes;
    *out = made;
    return LUN_OK;
}

void lun_staging_release(lun_staging *staging)
{
    if (staging)
        free(staging->data);
    free(staging);
}

bool device_is_apart(const lun_device *device) { return device == NULL; }

lun_memory lun_device_memory(const lun_device *device)
{
    (void)device;
    return (lun_memory){.limit = UINT64_MAX / 4};
}

lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err)
{
    (void)device;
    (void)dtype;
    (void)err;
    return LUN_OK;
}

lun_status array_check_live(const lun_array *array, const char *what, lun_error *err)
{
    (void)array;
    (void)what;
    (void)err;
    return LUN_OK;
}

lun_status lun_array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                            lun_error *err)
{
    *out = (lun_array){.device = device, .dtype = dtype, .ndim = ndim};
    TRY(shape_size(&out->size, ndim, shape, lun_dtype_bytes(dtype), err));
    int64_t stride = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        out->shape[i] = shape[i];
        out->stride[i] = stride;
        stride *= out->size ? (int64_t)shape[i] : 1;
    }
    out->block = malloc(sizeof *out->block + out->size * lun_dtype_bytes(dtype));
    if (!out->block)
        stop("out of memory", "");
    out->block->refs = 1;
    return LUN_OK;
}

void lun_array_clear(lun_array *array)
{
    if (array->block && --array->block->refs == 0)
        free(array->block);
    *array = (lun_array){0};
}

lun_status lun_array_permute(lun_array *out, const lun_array *array, const int *axes, lun_error *err)
{
    (void)err;
    *out = *array;
    out->block->refs++;
    for (int i = 0; i < array->ndim; i++) {
        out->shape[i] = array->shape[axes[i]];
        out->stride[i] = array->stride[axes[i]];
    }
    return LUN_OK;
}

lun_status lun_array_write(const lun_array *array, lun_staging *staging, const lun_call *call, lun_error *err)
{
    (void)call;
    (void)err;
    if (staging->bytes != array->size * lun_dtype_bytes(array->dtype))
        stop("an array is written", "with another number of bytes than it has");
    memcpy(array->block->data, staging->data, staging->bytes);
    return LUN_OK;
}

lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    (void)call;
    (void)err;
    const size_t item = lun_dtype_bytes(in->dtype);
    for (size_t i = 0; i < out->size; i++) {
        size_t left = i;
        int64_t at = 0;
        for (int axis = in->ndim - 1; axis >= 0; axis--) {
            at += (int64_t)(left % in->shape[axis]) * in->stride[axis];
            left /= in->shape[axis];
        }
        memcpy(out->block->data + i * item, in->block->data + (size_t)at * item, item);
    }
    return LUN_OK;
}

lun_status lun_array_read(void *data, const lun_array *array, const lun_call *call, lun_error *err)
{
    (void)call;
    (void)err;
    memcpy(data, array->block->data, array->size * lun_dtype_bytes(array->dtype));
    return LUN_OK;
}

/* ---- one input -------------------------------------------------------------------------------------------------- */

/* What may go wrong with a file, and nothing else. */
static void check_error(lun_status status, const lun_error *err, const char *path)
{
    if (status != LUN_IO)
        stop("an error of another kind", err->message);
    if (!memchr(err->message, '\0', sizeof err->message) || !err->message[0])
        stop("an error without a message", "");
    if (!strstr(err->message, path))
        stop("an error that does not name the file", err->message);
}

/* A file cannot give more bytes than it has, unpacked, and the array has as many as its shape says. */
static void check_array(const lun_array *array, size_t most)
{
    size_t size = 1;
    for (int i = 0; i < array->ndim; i++)
        size *= array->shape[i];
    if (size != array->size || array->ndim > LUN_MAX_AXES)
        stop("an array", "its size is not that of its shape");
    const size_t bytes = size * lun_dtype_bytes(array->dtype);
    if (bytes > most)
        stop("an array", "it has more bytes than the file");
    for (size_t i = 0; i < bytes; i++) /* the sanitizer looks on */
        (void)((volatile unsigned char *)array->block->data)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static int file = -1;
    static char path[64];
    static lun_device device;
    lun_error err;
    lun_saved *saved = NULL;
    if (file < 0) {
        file = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, bytes, 0) != (ssize_t)bytes)
        stop("no file", "it cannot be written");
    device.info.max_allocation = UINT64_MAX / 4;
    lun_status status = lun_saved_open(&saved, &device, path, &err);
    if (status != LUN_OK) {
        check_error(status, &err, path);
        return 0;
    }
    const size_t count = lun_saved_count(saved);
    for (size_t i = 0; i < count && i < MOST_MEMBERS; i++) {
        lun_array array;
        status = lun_saved_load(&array, &device, saved, i, &err);
        if (status == LUN_OK)
            check_array(&array, DEFLATE_MOST * (bytes + 1));
        else
            check_error(status, &err, path);
        lun_array_clear(&array);
    }
    lun_saved_close(saved);
    return 0;
}
