/* The memory of an operation: arrays that it reads and writes, scratch memory, and staging memory that it holds. */
#include "base/error.h"
#include "base/shape.h"
#include "memory/block.h"
#include "memory/staging.h"
#include "op/operation.h"

#include <stdlib.h>
#include <string.h>

/* Doubles the room of a full list whose items have `bytes` each. `few` is the operation's own storage for a short list,
 * which is not freed. */
static lun_status widen(void **list, const void *few, unsigned *room, size_t bytes, lun_error *err)
{
    void *wider = *list == few ? malloc(2 * *room * bytes) : realloc(*list, 2 * *room * bytes);
    if (!wider)
        return fail(err, LUN_NO_MEMORY, "out of host memory for an operation's record");
    if (*list == few)
        memcpy(wider, few, *room * bytes);
    *list = wider;
    *room *= 2;
    return LUN_OK;
}

static lun_status add_use(operation *op, const lun_array *array, bool read, bool write, lun_error *err)
{
    if (!array->block)
        return LUN_OK;
    if (array->device != op->device)
        FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices in one call");
    if (write && array_is_spread(array))
        FAIL(LUN_MISUSE, "a broadcast view cannot be written: its elements are at several positions; copy it first");
    size_t from, to;
    array_span(array, &from, &to);
    TRY(block_check_usable(array->block, from, to, write, err));
    if (read)
        TRY(block_check_whole(array->block, from, to, err));
    if (op->use_count == op->use_room)
        TRY(widen((void **)&op->uses, op->few_uses, &op->use_room, sizeof *op->uses, err));
    op->uses[op->use_count++] = (operation_use){.block = block_retain(array->block),
                                                .from = from,
                                                .to = to,
                                                .read = read,
                                                .write = write,
                                                .whole = write && lun_array_is_contiguous(array)};
    return LUN_OK;
}

lun_status operation_reads(operation *op, const lun_array *array, lun_error *err)
{
    return add_use(op, array, true, false, err);
}

lun_status operation_writes(operation *op, const lun_array *array, lun_error *err)
{
    return add_use(op, array, false, true, err);
}

lun_status operation_reads_writes(operation *op, const lun_array *array, lun_error *err)
{
    return add_use(op, array, true, true, err);
}

lun_status operation_touches(operation *op, const lun_array *const *read, size_t read_count,
                             const lun_array *const *written, size_t written_count, lun_error *err)
{
    for (size_t i = 0; i < read_count; i++)
        if (read[i])
            TRY(operation_reads(op, read[i], err));
    for (size_t i = 0; i < written_count; i++)
        if (written[i])
            TRY(operation_writes(op, written[i], err));
    return LUN_OK;
}

bool operation_writes_to(const operation *op, cl_mem memory)
{
    bool yes = false;
    for (unsigned i = 0; memory && i < op->use_count; i++)
        yes = yes || (op->uses[i].write && block_memory(op->uses[i].block) == memory);
    return yes;
}

/* A free block with that many bytes, and not far more. */
static bool find_again(operation *op, lun_block **out, size_t bytes)
{
    for (unsigned i = op->scratch_used; i < op->scratch_count; i++) {
        lun_block *found = op->scratch[i];
        if (block_bytes(found) < bytes || block_bytes(found) / 4 > bytes + 4096)
            continue;
        op->scratch[i] = op->scratch[op->scratch_used];
        op->scratch[op->scratch_used++] = *out = found;
        return true;
    }
    return false;
}

unsigned operation_scratch_mark(const operation *op) { return op->scratch_used; }

void operation_scratch_again(operation *op, unsigned mark) { op->scratch_used = mark; }

lun_status operation_scratch(operation *op, lun_block **out, size_t bytes, lun_error *err)
{
    lun_block *spare;
    if (find_again(op, out, bytes))
        return LUN_OK;
    if (op->scratch_count == op->scratch_room)
        TRY(widen((void **)&op->scratch, op->few_scratch, &op->scratch_room, sizeof *op->scratch, err));
    TRY(op->at_once ? block_create_quiet(out, op->device, bytes ? bytes : 1, err)
                    : block_create(out, op->device, bytes ? bytes : 1, err));
    spare = op->scratch_used < op->scratch_count ? op->scratch[op->scratch_used] : NULL;
    op->scratch[op->scratch_used++] = *out;
    if (spare)
        op->scratch[op->scratch_count] = spare;
    op->scratch_count++;
    return LUN_OK;
}

lun_status operation_new_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                               lun_error *err)
{
    const lun_status status = array_create(out, op->device, dtype, ndim, shape, op->at_once, err);
    return status == LUN_OK ? operation_writes(op, out, err) : status;
}

lun_status operation_scratch_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                                   lun_error *err)
{
    memset(out, 0, sizeof *out);
    TRY(shape_size(&out->size, ndim, shape, lun_dtype_bytes(dtype), err));
    out->device = op->device;
    out->dtype = dtype;
    out->ndim = ndim;
    memcpy(out->shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(out->stride, ndim, shape);
    return operation_scratch(op, &out->block, lun_array_bytes(out), err);
}

lun_status operation_hold(operation *op, lun_staging *staging, lun_error *err)
{
    hold *entry = NEW(1, sizeof *entry, "a transfer's record");
    *entry = (hold){staging, staging_let_go, op->holds};
    staging->held++;
    op->holds = entry;
    return LUN_OK;
}
