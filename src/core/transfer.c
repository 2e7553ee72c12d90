/* Transfers: host bytes to an array and back, and mapping an array's memory for the host. */
#include "core.h"

#include <string.h>

static size_t byte_offset(const lun_array *array) { return (size_t)array->offset * lun_dtype_bytes(array->dtype); }

/* The array itself where it is contiguous, else scratch memory of its shape. */
static lun_status dense_part(lun_array *out, operation *op, const lun_array *array, lun_error *err)
{
    if (lun_array_is_contiguous(array)) {
        *out = *array;
        return LUN_OK;
    }
    return operation_scratch_array(op, out, array->dtype, array->ndim, array->shape, err);
}

lun_status lun_array_write(const lun_array *array, lun_staging *staging, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    lun_array dense;
    cl_event event = NULL;
    TRY(array_check_live(array, "the array", err));
    operation_init(&op, array->device, "write", call);
    if (staging->bytes != lun_array_bytes(array))
        FAIL(LUN_MISUSE, "%zu bytes came, the array has %zu", staging->bytes, lun_array_bytes(array));
    TRY(operation_writes(&op, array, err));
    TRY(dense_part(&dense, &op, array, err));
    if (dense.block != array->block)
        TRY(copy_prepare(array, &dense, err));
    TRY(operation_hold(&op, staging, err));
    TRY(operation_begin(&op, err));
    if (array->size) {
        CL(clEnqueueWriteBuffer, op.queue->cl, dense.block->mem, CL_FALSE, byte_offset(&dense), staging->bytes,
           staging->data, op.wait_count, op.wait_count ? op.waits : NULL, &event);
        operation_enqueued(&op, event);
    }
    if (dense.block != array->block)
        TRY(copy_enqueue(&op, array, &dense, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

/* Enqueues the read of a whole array; with `blocking` it has ended on return. */
static lun_status enqueue_read(void *data, operation *op, const lun_array *array, cl_bool blocking, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array dense;
    cl_event event = NULL;
    TRY(operation_reads(op, array, err));
    TRY(dense_part(&dense, op, array, err));
    if (dense.block != array->block)
        TRY(copy_prepare(&dense, array, err));
    TRY(operation_begin(op, err));
    if (dense.block != array->block)
        TRY(copy_enqueue(op, &dense, array, err));
    if (array->size) {
        CL(clEnqueueReadBuffer, op->queue->cl, dense.block->mem, blocking, byte_offset(&dense), lun_array_bytes(array),
           data, op->wait_count, op->wait_count ? op->waits : NULL, &event);
        operation_enqueued(op, event);
    }
    TRY(operation_end(op, err));
done:
    return status;
}

lun_status lun_array_read_async(lun_staging *staging, const lun_array *array, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    TRY(array_check_live(array, "the array", err));
    operation_init(&op, array->device, "read", call);
    if (staging->bytes < lun_array_bytes(array))
        FAIL(LUN_MISUSE, "%zu bytes of host memory came, the array has %zu", staging->bytes, lun_array_bytes(array));
    TRY(operation_hold(&op, staging, err));
    TRY(enqueue_read(staging->data, &op, array, CL_FALSE, err));
done:
    operation_clear(&op);
    return status;
}

/* What failed on the device before this read shows in the queue's records: the bytes then mean nothing. */
static lun_status check_read(const lun_array *array, uint64_t serial, lun_error *err)
{
    lun_queue *queue = &array->device->queues[0];
    bool done;
    lun_status status = LUN_OK;
    TRY(queue_wait(&done, queue, serial, -1, err));
    const failure *failed = queue_failure(array->device, 0, serial);
    if (failed)
        return fail_command(err, failed);
    if (array->block)
        TRY(block_check_usable(array->block, true, err));
done:
    return status;
}

/* A driver may report an earlier command's failure at the read: say whose it was. */
static void name_cause(const lun_array *array, lun_error *err)
{
    lun_error cause;
    queue_reap(&array->device->queues[0]);
    if (array->block && block_check_usable(array->block, true, &cause) == LUN_FAILED)
        *err = cause;
}

lun_status lun_array_read(void *data, const lun_array *array, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    TRY(array_check_live(array, "the array", err));
    operation_init(&op, array->device, "read", NULL);
    operation_quick(&op);
    TRY(enqueue_read(data, &op, array, CL_TRUE, err));
    TRY(check_read(array, op.queue->next - 1, err));
done:
    if (status == LUN_FAILED)
        name_cause(array, err);
    operation_clear(&op);
    return status;
}

/* Work that is all quick is not worth a look at events: the read itself waits for it, and not for long. */
lun_status lun_array_await(bool *ready, const lun_array *array, double seconds, lun_error *err)
{
    lun_status status = LUN_OK;
    *ready = true;
    TRY(array_check_live(array, "the array", err));
    lun_queue *queue = &array->device->queues[0];
    if (queue->slow <= queue->done)
        return LUN_OK;
    TRY(device_open(array->device, err));
    for (unsigned i = 0; i < DEVICE_QUEUES && *ready; i++) {
        queue = &array->device->queues[i];
        if (queue->cl)
            TRY(queue_wait(ready, queue, queue->slow, seconds, err));
    }
done:
    return status;
}

/* ---- mapping ------------------------------------------------------------------------------------------------------ */

static cl_map_flags map_flags(lun_access access)
{
    return (access & LUN_READ ? CL_MAP_READ : 0) | (access & LUN_WRITE ? CL_MAP_WRITE : 0);
}

lun_status lun_mapping_open(lun_mapping *out, const lun_array *array, lun_access access, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_event event = NULL;
    cl_int code = CL_SUCCESS;
    size_t from, to;
    memset(out, 0, sizeof *out);
    TRY(array_check_live(array, "the array", err));
    operation_init(&op, array->device, "host", NULL);
    operation_quick(&op);
    /* Elements that the host does not write keep their values, so a mapping for writing reads too. */
    TRY(access & LUN_READ ? operation_reads(&op, array, err) : operation_writes(&op, array, err));
    TRY(operation_begin(&op, err));
    array_span(array, &from, &to);
    if (array->size) {
        code = fault_code();
        if (code == CL_SUCCESS)
            out->base = clEnqueueMapBuffer(op.queue->cl, array->block->mem, CL_TRUE, map_flags(access), from, to - from,
                                           op.wait_count, op.wait_count ? op.waits : NULL, &event, &code);
        if (code != CL_SUCCESS) {
            status = fail_cl(err, code, "clEnqueueMapBuffer");
            goto done;
        }
        operation_enqueued(&op, event);
        array->block->maps++;
    }
    TRY(operation_end(&op, err));
    out->access = access;
    out->origin = (int64_t)(from / lun_dtype_bytes(array->dtype));
    TRY(lun_array_view(&out->array, array, err));
done:
    operation_clear(&op);
    return status;
}

lun_status lun_mapping_close(lun_mapping *mapping, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_event event = NULL;
    lun_array *array = &mapping->array;
    if (!lun_array_is_live(array))
        return LUN_OK;
    if (mapping->base) {
        array->block->maps--;
        void *base = mapping->base;
        mapping->base = NULL;
        operation_init(&op, array->device, "host", NULL);
        operation_quick(&op);
        TRY(mapping->access & LUN_WRITE ? operation_writes(&op, array, err) : operation_reads(&op, array, err));
        TRY(operation_begin(&op, err));
        CL(clEnqueueUnmapMemObject, op.queue->cl, array->block->mem, base, 0, NULL, &event);
        operation_enqueued(&op, event);
        TRY(operation_end(&op, err));
    }
done:
    operation_clear(&op);
    lun_array_clear(array);
    return status;
}

void lun_mapping_clear(lun_mapping *mapping)
{
    lun_error ignored;
    (void)lun_mapping_close(mapping, &ignored);
    memset(mapping, 0, sizeof *mapping);
}

void *lun_mapping_element(const lun_mapping *mapping, size_t index)
{
    const lun_array *array = &mapping->array;
    if (!mapping->base || index >= array->size)
        return NULL;
    int64_t at = array->offset - mapping->origin;
    for (int i = array->ndim - 1; i >= 0; i--) {
        at += (int64_t)(index % array->shape[i]) * array->stride[i];
        index /= array->shape[i];
    }
    return (char *)mapping->base + (size_t)at * lun_dtype_bytes(array->dtype);
}
