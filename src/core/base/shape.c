/* Shapes: sizes and strides, views, merging of axes. */
#include "base/shape.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

char *lun_shape_text(char *text, size_t room, int ndim, const size_t *shape)
{
    size_t used = 0;
    if (ndim == 0)
        snprintf(text, room, "()");
    for (int i = 0; i < ndim && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, i ? "x%zu" : "%zu", shape[i]);
    return text;
}

lun_status shape_size(size_t *size, int ndim, const size_t *shape, size_t item, lun_error *err)
{
    char text[200];
    size_t product = 1;
    bool empty = false, overflow = false;
    if (ndim < 0 || ndim > LUN_MAX_AXES)
        return fail(err, LUN_MISUSE, "%d axes; at most %d are possible", ndim, LUN_MAX_AXES);
    for (int i = 0; i < ndim; i++) {
        empty |= shape[i] == 0;
        if (shape[i] > 0)
            overflow |= __builtin_mul_overflow(product, shape[i], &product);
    }
    size_t bytes;
    overflow |= __builtin_mul_overflow(product, item, &bytes) || bytes > (size_t)INT64_MAX;
    if (overflow)
        return fail(err, LUN_MISUSE, "shape %s is too large: its byte count does not fit in 63 bits",
                    lun_shape_text(text, sizeof text, ndim, shape));
    *size = empty ? 0 : product;
    return LUN_OK;
}

void shape_strides(int64_t *stride, int ndim, const size_t *shape)
{
    int64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        stride[i] = step;
        step *= shape[i] ? (int64_t)shape[i] : 1;
    }
}

bool shape_equal(const lun_array *a, const lun_array *b)
{
    return a->ndim == b->ndim && memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

bool lun_array_is_contiguous(const lun_array *array)
{
    int64_t step = 1;
    for (int i = array->ndim - 1; i >= 0 && array->size; i--) {
        if (array->shape[i] != 1 && array->stride[i] != step)
            return false;
        step *= (int64_t)array->shape[i];
    }
    return true;
}

size_t lun_array_bytes(const lun_array *array) { return array->size * lun_dtype_bytes(array->dtype); }

/* Can axes i and i+1 be merged in every list? */
static bool mergeable(int i, const size_t *size, int64_t *const *strides, int count)
{
    for (int k = 0; k < count; k++)
        if (strides[k][i] != strides[k][i + 1] * (int64_t)size[i + 1])
            return false;
    return true;
}

static void remove_axis(int i, int ndim, size_t *size, int64_t *const *strides, int count)
{
    for (int j = i; j + 1 < ndim; j++) {
        size[j] = size[j + 1];
        for (int k = 0; k < count; k++)
            strides[k][j] = strides[k][j + 1];
    }
}

int shape_collapse(int ndim, size_t *size, int64_t *const *strides, int count)
{
    for (int i = 0; i < ndim;)
        if (size[i] == 1)
            remove_axis(i, ndim--, size, strides, count);
        else
            i++;
    for (int i = 0; i + 1 < ndim;)
        if (mergeable(i, size, strides, count)) {
            size[i + 1] *= size[i];
            remove_axis(i, ndim--, size, strides, count);
        } else {
            i++;
        }
    return ndim;
}

void shape_sort_axes(int ndim, size_t *size, int64_t *const *strides, size_t count, size_t by)
{
    for (int i = 1; i < ndim; i++)
        for (int at = i; at > 0 && llabs(strides[by][at - 1]) < llabs(strides[by][at]); at--) {
            const size_t held = size[at];
            size[at] = size[at - 1];
            size[at - 1] = held;
            for (size_t k = 0; k < count; k++) {
                const int64_t stride = strides[k][at];
                strides[k][at] = strides[k][at - 1];
                strides[k][at - 1] = stride;
            }
        }
}

axis_pairs shape_axis_pairs(const lun_array *dst, const lun_array *src)
{
    axis_pairs a = {.count = dst->ndim, .dst_first = dst->offset, .src_first = src->offset};
    for (int i = 0; i < a.count; i++) {
        size_t size = dst->shape[i];
        int64_t there = dst->stride[i], here = src->stride[i];
        if (there < 0) {
            a.dst_first += there * ((int64_t)size - 1);
            a.src_first += here * ((int64_t)size - 1);
            there = -there, here = -here;
        }
        int at = i;
        for (; at > 0 && a.dst[at - 1] < there; at--)
            a.size[at] = a.size[at - 1], a.dst[at] = a.dst[at - 1], a.src[at] = a.src[at - 1];
        a.size[at] = size, a.dst[at] = there, a.src[at] = here;
    }
    a.count = shape_collapse(a.count, a.size, (int64_t *const[]){a.dst, a.src}, 2);
    return a;
}

layout layout_of(int ndim, const size_t *size, const int64_t *stride)
{
    layout made = {.ndim = ndim};
    for (int i = 0; i < LUN_MAX_AXES; i++) {
        made.size[i] = i < ndim ? (cl_long)size[i] : 1;
        made.stride[i] = i < ndim ? stride[i] : 0;
    }
    return made;
}

layout array_layout(const lun_array *array)
{
    size_t size[LUN_MAX_AXES];
    int64_t stride[LUN_MAX_AXES];
    memcpy(size, array->shape, sizeof size);
    memcpy(stride, array->stride, sizeof stride);
    int ndim = shape_collapse(array->ndim, size, (int64_t *const[]){stride}, 1);
    return layout_of(ndim, size, stride);
}

bool shape_broadcast(int *ndim, size_t *shape, const lun_array *const *arrays, size_t count)
{
    *ndim = 0;
    for (size_t k = 0; k < count; k++)
        *ndim = arrays[k]->ndim > *ndim ? arrays[k]->ndim : *ndim;
    for (int i = 0; i < *ndim; i++) {
        shape[i] = 1;
        for (size_t k = 0; k < count; k++) {
            const int own = i - (*ndim - arrays[k]->ndim);
            const size_t size = own < 0 ? 1 : arrays[k]->shape[own];
            if (size != 1 && shape[i] != 1 && size != shape[i])
                return false;
            shape[i] = size == 1 ? shape[i] : size;
        }
    }
    return true;
}

void shape_layouts(layout *out, int ndim, const size_t *shape, const lun_array *const *arrays, size_t count)
{
    size_t size[LUN_MAX_AXES];
    int64_t strides[SHAPE_ARRAYS][LUN_MAX_AXES], *lists[SHAPE_ARRAYS] = {NULL};
    memcpy(size, shape, (size_t)ndim * sizeof *size);
    for (size_t k = 0; k < count; k++) {
        lists[k] = strides[k];
        for (int i = 0; i < ndim; i++) {
            const int own = i - (ndim - arrays[k]->ndim);
            strides[k][i] = own < 0 || arrays[k]->shape[own] == 1 ? 0 : arrays[k]->stride[own];
        }
    }
    ndim = shape_collapse(ndim, size, lists, (int)count);
    for (size_t k = 0; k < count; k++)
        out[k] = layout_of(ndim, size, strides[k]);
}

/* The lowest and highest element that a view touches; the view is not empty. */
static void element_span(const lun_array *array, int64_t *low, int64_t *high)
{
    *low = *high = array->offset;
    for (int i = 0; i < array->ndim; i++) {
        int64_t reach = array->stride[i] * ((int64_t)array->shape[i] - 1);
        *(reach < 0 ? low : high) += reach;
    }
}

void array_span(const lun_array *array, size_t *from, size_t *to)
{
    *from = *to = 0;
    if (array->size == 0)
        return;
    int64_t low, high;
    size_t item = lun_dtype_bytes(array->dtype);
    element_span(array, &low, &high);
    *from = (size_t)low * item;
    *to = (size_t)(high + 1) * item;
}

/* If the stride of each axis is longer than the extent of the axes inside it, elements are distinct; other views are
 * windows or broadcast. */
bool array_is_spread(const lun_array *array)
{
    uint64_t stride[LUN_MAX_AXES], reach[LUN_MAX_AXES], within = 0;
    int count = 0;
    for (int i = 0; i < array->ndim && array->size; i++) {
        const uint64_t step = (uint64_t)(array->stride[i] < 0 ? -array->stride[i] : array->stride[i]);
        int at = count;
        if (array->shape[i] == 1)
            continue;
        for (; at && stride[at - 1] > step; at--)
            stride[at] = stride[at - 1], reach[at] = reach[at - 1];
        stride[at] = step;
        reach[at] = step * (array->shape[i] - 1);
        count++;
    }
    for (int i = 0; i < count; within += reach[i++])
        if (stride[i] <= within)
            return true;
    return false;
}
