/* Views that arrange: broadcast, added and dropped axes, reversed axes, diagonals. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"

#include <string.h>

/* The view with references of its own; one without elements has no memory. */
static lun_status share(lun_array *out, lun_array *view, lun_error *err)
{
    if (view->size == 0 && !array_is_traced(view)) {
        view->block = NULL;
        view->offset = 0;
    }
    return lun_array_view(out, view, err);
}

lun_status lun_array_broadcast(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err)
{
    char from[200], to[200];
    size_t size;
    TRY(array_check_live(array, "the array", err));
    TRY(shape_size(&size, ndim, shape, lun_dtype_bytes(array->dtype), err));
    bool fits = ndim >= array->ndim;
    lun_array view = *array;
    view.ndim = ndim;
    view.size = size;
    for (int i = 0; fits && i < ndim; i++) {
        const int own = i - (ndim - array->ndim);
        const bool single = own < 0 || array->shape[own] == 1;
        fits = single || array->shape[own] == shape[i];
        view.shape[i] = shape[i];
        view.stride[i] = single ? 0 : array->stride[own];
    }
    if (!fits)
        FAIL(LUN_MISUSE, "shape %s does not broadcast to %s", array_shape_text(from, sizeof from, array),
             device_shape_text(to, sizeof to, array->device, ndim, shape));
    return share(out, &view, err);
}

lun_status lun_array_part(lun_array *out, const lun_array *array, bool imaginary, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    TRY(dtype_check_pairs(array->dtype, err));
    lun_array view = *array;
    view.dtype = lun_dtype_part(array->dtype);
    view.offset = 2 * array->offset + imaginary;
    for (int i = 0; i < array->ndim; i++)
        view.stride[i] = 2 * array->stride[i];
    return share(out, &view, err);
}

lun_array array_parts(const lun_array *array)
{
    lun_array view = *array;
    view.dtype = lun_dtype_part(array->dtype);
    view.offset *= 2;
    view.size *= 2;
    for (int i = 0; i < array->ndim; i++)
        view.stride[i] *= 2;
    view.shape[view.ndim] = 2;
    view.stride[view.ndim++] = 1;
    return view;
}

lun_status lun_array_as_real(lun_array *out, const lun_array *array, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    TRY(dtype_check_pairs(array->dtype, err));
    if (array->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the array has %d axes already", LUN_MAX_AXES);
    lun_array view = array_parts(array);
    return share(out, &view, err);
}

lun_status lun_array_as_complex(lun_array *out, const lun_array *array, lun_error *err)
{
    char shape[200];
    TRY(array_check_live(array, "the array", err));
    const lun_dtype dtype = lun_dtype_promoted_by(array->dtype, lun_complex(0, 0));
    if (lun_dtype_part(dtype) != array->dtype)
        FAIL(LUN_MISUSE, "f32 or f64 is needed, not %s", lun_dtype_name(array->dtype));
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    const int last = array->ndim - 1;
    if (array->shape[last] != 2)
        FAIL(LUN_MISUSE, "the last axis must have size 2, for the parts of each number, not %zu; the shape is %s",
             array->shape[last], array_shape_text(shape, sizeof shape, array));
    bool fits = array->stride[last] == 1 && array->offset % 2 == 0;
    lun_array view = *array;
    view.dtype = dtype;
    view.offset = array->offset / 2;
    view.size = array->size / 2;
    view.ndim = last;
    for (int i = 0; i < last; i++) {
        fits = fits && (array->stride[i] % 2 == 0 || array->shape[i] == 1);
        view.stride[i] = array->stride[i] / 2;
    }
    if (array->size != 0 && !fits)
        FAIL(LUN_MISUSE, "the two parts of each number must be adjacent in memory; contiguous() makes such a copy");
    return share(out, &view, err);
}

lun_status lun_array_squeeze(lun_array *out, const lun_array *array, const bool *axis, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    lun_array view = *array;
    view.ndim = 0;
    for (int i = 0; i < array->ndim; i++) {
        if (axis && axis[i] && array->shape[i] != 1)
            FAIL(LUN_MISUSE, "axis %d has size %zu; only an axis of size 1 can be dropped", array_axis_shown(array, i),
                 array->shape[i]);
        if (axis ? axis[i] : array->shape[i] == 1)
            continue;
        view.shape[view.ndim] = array->shape[i];
        view.stride[view.ndim++] = array->stride[i];
    }
    return share(out, &view, err);
}

lun_status lun_array_expand(lun_array *out, const lun_array *array, const bool *axis, int count, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    if (array->ndim + count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the view would have %d axes; at most %d are possible", array->ndim + count, LUN_MAX_AXES);
    lun_array view = *array;
    view.ndim = array->ndim + count;
    for (int i = 0, own = 0; i < view.ndim; i++) {
        view.shape[i] = axis[i] ? 1 : array->shape[own];
        view.stride[i] = axis[i] ? 1 : array->stride[own];
        own += !axis[i];
    }
    return share(out, &view, err);
}

lun_status lun_array_flip(lun_array *out, const lun_array *array, const bool *axis, lun_error *err)
{
    lun_array view = *array;
    for (int i = 0; i < array->ndim; i++) {
        if (!axis[i] || array->shape[i] < 2)
            continue;
        view.offset += view.stride[i] * ((int64_t)view.shape[i] - 1);
        view.stride[i] = -view.stride[i];
    }
    return share(out, &view, err);
}

/* With only the unmarked axes, in their order. */
static void keep_axes(lun_array *view, const lun_array *array, const bool *gone)
{
    view->ndim = 0;
    for (int i = 0; i < array->ndim; i++) {
        if (gone[i])
            continue;
        view->shape[view->ndim] = array->shape[i];
        view->stride[view->ndim++] = array->stride[i];
    }
}

static void find_size(lun_array *view)
{
    view->size = 1;
    for (int i = 0; i < view->ndim; i++)
        view->size *= view->shape[i];
}

lun_status lun_array_diagonal(lun_array *out, const lun_array *array, const int *axes, int64_t k, lun_error *err)
{
    bool gone[LUN_MAX_AXES] = {false};
    TRY(array_check_live(array, "the array", err));
    if (array->ndim < 2)
        FAIL(LUN_MISUSE, "a matrix has a diagonal; this array has %d %s", array->ndim,
             array->ndim == 1 ? "axis" : "axes");
    const int side = axes[k >= 0], other = axes[k < 0]; /* the axis along which the diagonal begins further on */
    const uint64_t from = k >= 0 ? (uint64_t)k : 0 - (uint64_t)k;
    const size_t left = from < array->shape[side] ? array->shape[side] - (size_t)from : 0;
    lun_array view = *array;
    gone[side] = gone[other] = true;
    keep_axes(&view, array, gone);
    view.shape[view.ndim] = smaller(left, array->shape[other]);
    view.stride[view.ndim++] = array->stride[side] + array->stride[other];
    find_size(&view);
    if (view.size)
        view.offset += (int64_t)from * array->stride[side];
    return share(out, &view, err);
}

lun_status lun_array_windows(lun_array *out, const lun_array *array, int count, const int *axes, const size_t *widths,
                             const size_t *steps, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    if (array->ndim + count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the view would have %d axes; at most %d are possible", array->ndim + count, LUN_MAX_AXES);
    lun_array view = *array;
    view.ndim += count;
    for (int i = 0; i < count; i++) {
        const int axis = axes[i], last = array->ndim + i;
        if (widths[i] > array->shape[axis])
            FAIL(LUN_MISUSE, "windows of %zu positions do not fit axis %d, which has %zu", widths[i],
                 array_axis_shown(array, axis), array->shape[axis]);
        view.shape[axis] = (array->shape[axis] - widths[i]) / steps[i] + 1;
        view.stride[axis] = view.shape[axis] > 1 ? array->stride[axis] * (int64_t)steps[i] : 1;
        view.shape[last] = widths[i];
        view.stride[last] = array->stride[axis];
    }
    TRY(shape_size(&view.size, view.ndim, view.shape, lun_dtype_bytes(view.dtype), err));
    return share(out, &view, err);
}
