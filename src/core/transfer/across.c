/* Copying an array into another of its shape, on one device or from one to another. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "op/move/move.h"

/* Copies through the host's memory: waits for the read from the source's device, and enqueues the rest. */
static lun_status copy_across(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_staging *staging = NULL;
    lun_array there = {0};
    TRY(lun_staging_create(&staging, out->device, lun_array_bytes(in), err));
    TRY(lun_array_read(staging->data, in, NULL, err));
    if (out->dtype == in->dtype) {
        TRY(lun_array_write(out, staging, call, err));
    } else {
        TRY(lun_array_create(&there, out->device, in->dtype, in->ndim, in->shape, err));
        TRY(lun_array_write(&there, staging, NULL, err));
        TRY(move_copy(out, &there, call, err));
    }
done:
    lun_array_clear(&there);
    lun_staging_release(staging);
    return status;
}

lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    char to[200], from[200];
    TRY(array_check_live(out, "the array", err));
    TRY(array_check_live(in, "the source", err));
    if (!shape_equal(out, in))
        FAIL(LUN_MISUSE, "shapes differ: %s into %s", array_shape_text(from, sizeof from, in),
             array_shape_text(to, sizeof to, out));
    TRY(dtype_check_cast(out->dtype, in->dtype, err));
    status = out->device == in->device ? move_copy(out, in, call, err) : copy_across(out, in, call, err);
done:
    return status;
}
