/* Arrays: making one, views of one, and the checks that every operation starts with. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"

#include <string.h>

static void set_shape(lun_array *array, int ndim, const size_t *shape)
{
    array->ndim = ndim;
    if (ndim) /* a scalar's shape may be NULL */
        memcpy(array->shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(array->stride, ndim, shape);
}

lun_status array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape, bool quiet,
                        lun_error *err)
{
    lun_array fresh = {.device = device, .dtype = dtype};
    TRY(device_check_dtype(device, dtype, err));
    TRY(shape_size(&fresh.size, ndim, shape, lun_dtype_bytes(dtype), err));
    set_shape(&fresh, ndim, shape);
    TRY(device_open(device, err));
    if (fresh.size)
        TRY((quiet ? block_create_quiet : block_create)(&fresh.block, device, lun_array_bytes(&fresh), err));
    lun_device_retain(device);
    *out = fresh;
    return LUN_OK;
}

lun_status lun_array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                            lun_error *err)
{
    return array_create(out, device, dtype, ndim, shape, false, err);
}

void lun_array_clear(lun_array *array)
{
    block_release(array->block);
    lun_device_release(array->device);
    memset(array, 0, sizeof *array);
}

bool lun_array_is_live(const lun_array *array) { return array->device != NULL; }

lun_status array_check_live(const lun_array *array, const char *what, lun_error *err)
{
    return lun_array_is_live(array) ? LUN_OK : fail(err, LUN_MISUSE, "%s was released", what);
}

lun_status array_check_same_device(const lun_array *a, const lun_array *b, const char *what, lun_error *err)
{
    if (a->device == b->device)
        return LUN_OK;
    fail(err, LUN_MISUSE, "%s is on another device", what);
    err->hint = LUN_HINT_BRING_OVER;
    return LUN_MISUSE;
}

lun_status array_check_out(const lun_array *out, const lun_array *in, lun_dtype dtype, int ndim, const size_t *shape,
                           lun_error *err)
{
    char has[200], wanted[200];
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, in, "out", err));
    if (out->ndim != ndim || memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", array_shape_text(has, sizeof has, out),
             device_shape_text(wanted, sizeof wanted, out->device, ndim, shape));
    if (out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    return LUN_OK;
}

lun_status array_check_apart(const lun_array *out, const lun_array *in, lun_error *err)
{
    if (lun_array_overlap(out, in))
        return fail(err, LUN_MISUSE, "out overlaps an input; give it memory of its own");
    return LUN_OK;
}

lun_status array_check_outputs(const lun_array *const *outs, size_t count, lun_error *err)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (lun_array_overlap(outs[k], outs[i]))
                return fail(err, LUN_MISUSE, "outputs %zu and %zu overlap; give each memory of its own", k + 1, i + 1);
    return LUN_OK;
}

bool array_is_same_view(const lun_array *a, const lun_array *b)
{
    bool same = a->block == b->block && a->offset == b->offset && a->dtype == b->dtype && shape_equal(a, b);
    for (int i = 0; same && i < a->ndim; i++)
        same = a->shape[i] == 1 || a->stride[i] == b->stride[i];
    return same;
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

/* A copy of the struct with references of its own to the device and the block. */
static lun_array share(const lun_array *array)
{
    lun_array view = *array;
    lun_device_retain(view.device);
    block_retain(view.block);
    return view;
}

lun_status lun_array_view(lun_array *out, const lun_array *array, lun_error *err)
{
    lun_status status = array_check_live(array, "the array", err);
    if (status == LUN_OK)
        *out = share(array);
    return status;
}

/* Strides that give `shape` to the array's memory. Neighbouring axes that can be merged form a run, and each run may be
 * divided into new axes. False if a new axis would extend beyond a run, and so need two strides. */
static bool restride(int64_t *stride, int ndim, const size_t *shape, const lun_array *array)
{
    size_t size[LUN_MAX_AXES];
    int64_t step[LUN_MAX_AXES];
    memcpy(size, array->shape, sizeof size);
    memcpy(step, array->stride, sizeof step);
    int runs = shape_collapse(array->ndim, size, (int64_t *const[]){step}, 1);
    int at = ndim - 1;
    for (int run = runs - 1; run >= 0; run--) {
        size_t cut = 1;
        for (; at >= 0 && cut < size[run]; at--) {
            stride[at] = step[run] * (int64_t)cut;
            cut *= shape[at];
        }
        if (cut != size[run])
            return false;
    }
    for (; at >= 0; at--) /* axes of size 1 */
        stride[at] = 1;
    return true;
}

lun_status lun_array_reshape(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err)
{
    char from[200], to[200];
    size_t size;
    TRY(array_check_live(array, "the array", err));
    TRY(shape_size(&size, ndim, shape, 1, err));
    if (size != array->size)
        FAIL(LUN_MISUSE, "%zu elements (%s) do not fit shape %s, which has %zu", array->size,
             array_shape_text(from, sizeof from, array), device_shape_text(to, sizeof to, array->device, ndim, shape),
             size);
    lun_array view = *array;
    set_shape(&view, ndim, shape);
    if (size && !restride(view.stride, ndim, shape, array))
        FAIL_HINT(LUN_HINT_MAKE_CONTIGUOUS, "this strided view of shape %s cannot be viewed as %s without a copy",
                  array_shape_text(from, sizeof from, array),
                  device_shape_text(to, sizeof to, array->device, ndim, shape));
    *out = share(&view);
    return LUN_OK;
}

/* The step between two elements. A slice of at most one element does not use its step, which may be any number. */
static int64_t slice_step(const lun_slice *slice) { return slice->count > 1 ? slice->step : 1; }

static lun_status check_slice(const lun_slice *slice, int axis, const lun_array *array, lun_error *err)
{
    const size_t extent = array->shape[axis];
    int64_t last = slice->count > 1 ? slice->from + slice->step * ((int64_t)slice->count - 1) : slice->from;
    bool inside = slice->from >= 0 && slice->from < (int64_t)extent && last >= 0 && last < (int64_t)extent;
    if (slice->count == 0 || inside)
        return LUN_OK;
    const long long first = device_manner(array->device)->first;
    return fail(err, LUN_MISUSE, "positions %lld to %lld of axis %d are out of range; it has %zu", slice->from + first,
                last + first, array_axis_shown(array, axis), extent);
}

lun_status lun_array_slice(lun_array *out, const lun_array *array, const lun_slice *slices, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    lun_array view = *array;
    view.ndim = 0;
    view.size = 1;
    for (int i = 0; i < array->ndim; i++) {
        const lun_slice *slice = &slices[i];
        TRY(check_slice(slice, i, array, err));
        if (slice->count > 0)
            view.offset += slice->from * array->stride[i];
        view.size *= slice->count;
        if (slice->drop)
            continue;
        view.shape[view.ndim] = slice->count;
        view.stride[view.ndim++] = slice_step(slice) * array->stride[i];
    }
    if (view.size == 0 && !array_is_traced(array)) {
        view.block = NULL;
        view.offset = 0;
    }
    *out = share(&view);
    return LUN_OK;
}

lun_status lun_array_permute(lun_array *out, const lun_array *array, const int *axes, lun_error *err)
{
    bool seen[LUN_MAX_AXES] = {false};
    TRY(array_check_live(array, "the array", err));
    lun_array view = *array;
    for (int i = 0; i < array->ndim; i++) {
        int from = axes[i];
        if (from < 0 || from >= array->ndim || seen[from])
            FAIL(LUN_MISUSE, "the axes are not a permutation of 1 to %d", array->ndim);
        seen[from] = true;
        view.shape[i] = array->shape[from];
        view.stride[i] = array->stride[from];
    }
    *out = share(&view);
    return LUN_OK;
}
