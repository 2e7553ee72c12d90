/* Choosing elements: the checks, dense copies and values that all of its operations share. */
#include "op/index/index.h"
#include "op/index/index_tuning.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

lun_dtype index_moved(lun_dtype dtype) { return dtype_of_bytes(lun_dtype_bytes(dtype)); }

lun_status index_check(const lun_array *array, const lun_array *index, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    TRY(array_check_live(index, "the index array", err));
    TRY(array_check_same_device(index, array, "the index array", err));
    if (index->dtype != LUN_i32 && index->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "the index array is %s; i32 or i64 is needed%s", lun_dtype_name(index->dtype),
             dtype_built(index->dtype) == LUN_u8 ? "; mask and mask_put take a mask" : "");
    return LUN_OK;
}

lun_status index_dense(lun_array *out, plan *p, const lun_array *array, lun_dtype dtype, int ndim, const size_t *shape,
                       lun_error *err)
{
    lun_array view = *array;
    view.ndim = ndim;
    memcpy(view.shape, shape, (size_t)ndim * sizeof *shape);
    view.size = 1;
    for (int i = 0; i < ndim; i++) {
        const int own = i - (ndim - array->ndim);
        view.stride[i] = own < 0 || array->shape[own] == 1 ? 0 : array->stride[own];
        view.size *= shape[i];
    }
    if (array->dtype == dtype && array->size == view.size && lun_array_is_contiguous(array)) {
        *out = *array;
        return LUN_OK;
    }
    TRY(operation_scratch_array(p->op, out, dtype, ndim, shape, err));
    return plan_array_copy(p, out, &view, err);
}

void index_quick(operation *op, size_t elements)
{
    if (elements <= index_tuned(op->device)->quick)
        operation_quick(op);
}

static void say_index(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    snprintf(text, room, "index %lld at position %lld is out of range 1..%lld", (long long)found->value,
             (long long)found->position + 1, (long long)limit);
}

lun_status index_plan_verdict(plan *p, size_t extent, lun_error *err)
{
    return plan_verdict(p, say_index, (int64_t)extent, err);
}

lun_status index_kernel(cl_kernel *out, plan *p, const variant *row, lun_dtype dtype, lun_dtype index,
                        const char *defines, const char *name, lun_error *err)
{
    char all[300];
    snprintf(all, sizeof all, "#define INDEX %s\n%s", dtype_cl(index), defines ? defines : "");
    return program_kernel(out, p->op->device, &(program_key){.file = row->file, .dtype = dtype, .defines = all}, name,
                          err);
}

static lun_status check_values(const lun_array *array, const lun_array *values, int ndim, const size_t *shape,
                               lun_error *err)
{
    char has[200], wanted[200];
    TRY(array_check_live(values, "the array of values", err));
    TRY(array_check_same_device(values, array, "the array of values", err));
    bool fits = values->ndim <= ndim;
    for (int i = 0; fits && i < values->ndim; i++)
        fits = values->shape[i] == 1 || values->shape[i] == shape[i + ndim - values->ndim];
    const bool rows = ndim == 1 && array->ndim > 1 && values->ndim == array->ndim;
    if (!fits)
        FAIL(LUN_MISUSE, "values of shape %s do not broadcast to the index's shape %s%s",
             array_shape_text(has, sizeof has, values),
             device_shape_text(wanted, sizeof wanted, array->device, ndim, shape),
             rows ? "; {index} means positions along the first axis" : "");
    if (lun_array_overlap(array, values))
        FAIL(LUN_MISUSE, "the values share elements with the array that is written; copy them first");
    return LUN_OK;
}

lun_status index_use_values(operation *op, const lun_array *array, const lun_values *values, int ndim,
                            const size_t *shape, lun_error *err)
{
    if (!values->array)
        return LUN_OK;
    TRY(check_values(array, values->array, ndim, shape, err));
    return operation_reads(op, values->array, err);
}

lun_status index_find_values(index_values *out, plan *p, const lun_array *array, const lun_values *values, int ndim,
                             const size_t *shape, lun_error *err)
{
    const lun_array *given = values->array;
    *out = (index_values){.single = !given || given->size == 1};
    if (!given) /* on little-endian hosts the low bytes are the element */
        return lun_number_store(&out->element, array->dtype, values->number, err);
    if (out->single)
        TRY(index_dense(&out->dense, p, given, array->dtype, given->ndim, given->shape, err));
    else
        TRY(index_dense(&out->dense, p, given, array->dtype, ndim, shape, err));
    return LUN_OK;
}
