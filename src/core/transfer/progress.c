/* Complete transfers between an array and host memory, in slices between which the host may allow interrupts. */
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "transfer/transfer.h"

/* Large contiguous arrays go in parts of that many bytes. */
#ifdef LUN_FAULTS
#define PART ((size_t)256 << 10)
#else
#define PART ((size_t)512 << 20)
#endif

/* Bytes of a contiguous array as an array, valid while the array is; must not be cleared. */
static lun_array bytes_of(const lun_array *array, size_t from, size_t count)
{
    lun_array part = *array;
    if (count == lun_array_bytes(array))
        return part;
    part.offset = part.offset * (int64_t)lun_dtype_bytes(part.dtype) + (int64_t)from;
    part.dtype = LUN_u8;
    part.ndim = 1;
    part.size = part.shape[0] = count;
    part.stride[0] = 1;
    return part;
}

static size_t part_bytes(const lun_array *array, size_t done)
{
    const size_t left = lun_array_bytes(array) - done;
    return lun_array_is_contiguous(array) ? smaller(left, PART) : left;
}

/* The host may have released or changed the array since the last part. */
static lun_status check_progress(const lun_array *array, size_t done, lun_error *err)
{
    if (done && (!lun_array_is_live(array) || done > lun_array_bytes(array)))
        return fail(err, LUN_MISUSE, "the array was released meanwhile");
    return array_check_live(array, "the array", err);
}

lun_status lun_array_receive(bool *more, size_t *received, void *data, const lun_array *array, const lun_call *call,
                             lun_error *err)
{
    bool ready = true;
    *more = true;
    TRY(check_progress(array, *received, err));
    if (*received == 0)
        TRY(lun_array_await(&ready, array, LUN_READ, call, LUN_SLICE, err));
    if (!ready)
        return LUN_OK;
    const size_t count = part_bytes(array, *received);
    const lun_array part = bytes_of(array, *received, count);
    TRY(lun_array_read((char *)data + *received, &part, call, err));
    *received += count;
    *more = *received < lun_array_bytes(array);
    return LUN_OK;
}

/* Through staging memory; *sent is unchanged while there is no room for it. */
static lun_status send_staged(size_t *sent, const lun_array *part, const char *data, const lun_call *call,
                              lun_error *err)
{
    ENDED_BY(staging_end) lun_staging *staging = NULL;
    bool room;
    const size_t count = lun_array_bytes(part);
    TRY(lun_staging_room(&room, part->device, count, LUN_SLICE, err));
    if (!room)
        return LUN_OK;
    TRY(lun_staging_create(&staging, part->device, count, err));
    lun_copy_bytes(part->device, staging->data, data, count);
    TRY(lun_array_write(part, staging, call, err));
    *sent += count;
    return LUN_OK;
}

lun_status lun_array_send(bool *more, size_t *sent, const lun_array *array, const void *data, const lun_call *call,
                          lun_error *err)
{
    bool written;
    *more = false;
    TRY(check_progress(array, *sent, err));
    const size_t bytes = lun_array_bytes(array);
    const bool whole = call && call->event; /* an event covers all of it */
    const size_t count = whole ? bytes - *sent : part_bytes(array, *sent);
    lun_array part = bytes_of(array, *sent, count);
    TRY(array_write_from(&written, &part, (const char *)data + *sent, call, err));
    if (written) {
        *sent += count;
    } else {
        part = bytes_of(array, *sent, bytes - *sent);
        TRY(send_staged(sent, &part, (const char *)data + *sent, call, err));
    }
    *more = *sent < bytes;
    return LUN_OK;
}
