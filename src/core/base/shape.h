/* Shapes, strides and layouts; the checks that every operation starts with. */
#pragma once

#include "abi/layout.h"
#include "lunarray.h"

#include <CL/cl.h>

typedef lun_layout layout; /* the axes of one array, in the form for kernels */

lun_status shape_size(size_t *size, int ndim, const size_t *shape, size_t item, lun_error *err); /* overflow */
void shape_strides(int64_t *stride, int ndim, const size_t *shape);                              /* row-major */
bool shape_equal(const lun_array *a, const lun_array *b);
/* Merges neighbouring axes that form one axis in each of the `count` stride lists, and drops axes of size 1. Changes
 * the lists in place, and returns the new number of axes (0 for a single element). */
int shape_collapse(int ndim, size_t *size, int64_t *const *strides, int count);
/* Orders axes by the strides of list `by`, the longest first. */
void shape_sort_axes(int ndim, size_t *size, int64_t *const *strides, size_t count, size_t by);
/* The merged axes of two arrays of one shape, in descending order of their strides in dst. Strides in dst are made
 * positive; the first elements are then at dst_first and src_first. */
typedef struct axis_pairs {
    int count;
    size_t size[LUN_MAX_AXES];
    int64_t dst[LUN_MAX_AXES], src[LUN_MAX_AXES]; /* strides */
    int64_t dst_first, src_first;                 /* offsets of the first elements */
} axis_pairs;
axis_pairs shape_axis_pairs(const lun_array *dst, const lun_array *src);
/* The axes in the form for kernels, with size 1 and stride 0 for the unused ones. */
layout layout_of(int ndim, const size_t *size, const int64_t *stride);
/* The collapsed layout of one array. */
layout array_layout(const lun_array *array);
/* The shape to which all the arrays broadcast, as in NumPy: axes are matched from the last on, and a missing axis or
 * one of size 1 matches any size. False if two sizes differ, or an array has more axes than LUN_MAX_AXES. */
bool shape_broadcast(int *ndim, size_t *shape, const lun_array *const *arrays, size_t count);
/* The layouts of all the arrays, broadcast to that shape, over common merged axes. */
void shape_layouts(layout *out, int ndim, const size_t *shape, const lun_array *const *arrays, size_t count);
#define SHAPE_ARRAYS 16 /* the most arrays that shape_layouts takes */
/* Do several positions of the array share an element? */
bool array_is_spread(const lun_array *array);
/* The range of bytes that the view can touch, `to` excluded; from == to if it has no elements. */
void array_span(const lun_array *array, size_t *from, size_t *to);
lun_status array_check_live(const lun_array *array, const char *what, lun_error *err); /* "the array", "out" */
lun_status array_check_same_device(const lun_array *a, const lun_array *b, const char *what, lun_error *err);
/* LUN_MISUSE unless `out` is live, on in's device, and of the dtype and shape of the result. */
lun_status array_check_out(const lun_array *out, const lun_array *in, lun_dtype dtype, int ndim, const size_t *shape,
                           lun_error *err);
/* LUN_MISUSE when out shares an element with in. */
lun_status array_check_apart(const lun_array *out, const lun_array *in, lun_error *err);
/* LUN_MISUSE when two outputs of an operation share an element. */
lun_status array_check_outputs(const lun_array *const *outs, size_t count, lun_error *err);
/* Are they the same elements in the same order? An elementwise operation may write such a view of an input. */
bool array_is_same_view(const lun_array *a, const lun_array *b);
/* The parts of complex numbers along an additional last axis, for which there must be room. The view holds no
 * reference. */
lun_array array_parts(const lun_array *array);
