/* Mappings: an array's memory in the host's address space. Meanwhile operations may use these bytes only if the mapping
 * and all of them only read. */
#include "base/error.h"
#include "base/shape.h"
#include "flow/failure.h"
#include "memory/block.h"
#include "op/operation.h"

#include <string.h>

static cl_map_flags map_flags(lun_access access)
{
    return (access & LUN_READ ? CL_MAP_READ : 0) | (access & LUN_WRITE ? CL_MAP_WRITE : 0);
}

static lun_status use_mapped(operation *op, const lun_array *array, lun_access access, lun_error *err)
{
    return access == LUN_READ    ? operation_reads(op, array, err)
           : access == LUN_WRITE ? operation_writes(op, array, err)
                                 : operation_reads_writes(op, array, err);
}

typedef struct map_command {
    cl_mem mem;
    cl_map_flags flags;
    size_t from, bytes;
    void **base; /* where the mapped memory's address goes */
} map_command;

static cl_int call_map(cl_command_queue queue, const void *command, cl_uint wait_count, const cl_event *waits,
                       cl_event *event)
{
    const map_command *c = command;
    cl_int code;
    *c->base = clEnqueueMapBuffer(queue, c->mem, CL_TRUE, c->flags, c->from, c->bytes, wait_count, waits, event, &code);
    return code;
}

typedef struct unmap_command {
    cl_mem mem;
    void *base;
} unmap_command;

static cl_int call_unmap(cl_command_queue queue, const void *command, cl_uint wait_count, const cl_event *waits,
                         cl_event *event)
{
    const unmap_command *c = command;
    return clEnqueueUnmapMemObject(queue, c->mem, c->base, wait_count, waits, event);
}

static const enqueuer map = {.name = "clEnqueueMapBuffer", .says = "map", .blocks = true, .call = call_map},
                      unmap = {.name = "clEnqueueUnmapMemObject", .says = "unmap", .call = call_unmap};

lun_status lun_mapping_open(lun_mapping *out, const lun_array *array, lun_access access, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    size_t from, to;
    bool ready, noted = false;
    memset(out, 0, sizeof *out);
    TRY_DONE(lun_array_await(&ready, array, access, NULL, -1, err));
    operation_init(&op, array->device, "host", NULL);
    op.moves = true;
    operation_quick(&op);
    /* The host may write as soon as the mapping is open, so readers count as conflicts too. */
    TRY_DONE(use_mapped(&op, array, access, err));
    operation_weigh_awaited(&op, 0);
    TRY_DONE(operation_begin(&op, err));
    array_span(array, &from, &to);
    out->access = access;
    out->origin = (int64_t)(from / lun_dtype_bytes(array->dtype));
    TRY_DONE(lun_array_view(&out->array, array, err));
    if (array->size) {
        if (!block_map(array->block, from, to, access & LUN_WRITE))
            FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a mapping's record");
        noted = true;
        const map_command command = {block_memory(array->block), map_flags(access), from, to - from, &out->base};
        TRY_DONE(operation_enqueue(&op, &map, &command, true, err));
    }
    TRY_DONE(operation_end(&op, err));
    queues_note_wait(array->device);
    if (array->size && !op.at_once)
        TRY_DONE(failure_check(op.queue, queue_newest(op.queue), err));
done:
    operation_clear(&op);
    if (status != LUN_OK && noted && !out->base)
        block_unmap(array->block, from, to, access & LUN_WRITE);
    if (status != LUN_OK)
        lun_mapping_clear(out);
    return status;
}

lun_status lun_mapping_close(lun_mapping *mapping, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    size_t from, to;
    lun_array *array = &mapping->array;
    if (!lun_array_is_live(array))
        return LUN_OK;
    if (mapping->base) {
        array_span(array, &from, &to);
        block_unmap(array->block, from, to, mapping->access & LUN_WRITE);
        void *base = mapping->base;
        mapping->base = NULL;
        operation_init(&op, array->device, "host", NULL);
        op.moves = true;
        operation_quick(&op);
        TRY_DONE(mapping->access & LUN_WRITE ? operation_writes(&op, array, err) : operation_reads(&op, array, err));
        operation_weigh_awaited(&op, 0);
        TRY_DONE(operation_begin(&op, err));
        TRY_DONE(operation_enqueue(&op, &unmap, &(unmap_command){block_memory(array->block), base}, true, err));
        TRY_DONE(operation_end(&op, err));
    }
done:
    operation_clear(&op);
    if (status != LUN_OK && mapping->access & LUN_WRITE) { /* the host's writes may not have reached the device */
        array_span(array, &from, &to);
        block_lose(array->block, from, to, "host", err->code);
    }
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
