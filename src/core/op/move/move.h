/* Moving: what the variants of copying and transposing share. Both bring the elements of src to the places of dst. */
#pragma once

#include "abi/move.h"
#include "base/shape.h"
#include "op/variant.h"

/* What rows that copy get: dst and src have one shape; dtypes may differ. */
typedef struct copy_problem {
    const lun_array *dst, *src;
} copy_problem;

/* What rows that transpose get. For each of `batch` places a matrix: its rows are neighbours in dst, its columns neighbours
 * in src, or as near as can be. The dtypes are the same. */
typedef struct transpose_problem {
    const lun_array *dst, *src;
    int64_t dst_first, src_first;
    size_t rows, columns, batch;
    int64_t dst_row, dst_column, src_row, src_column; /* strides */
    layout to, from;                                  /* of the batch */
    bool same_order; /* one axis is the innermost of both: rows to copy, nothing to transpose */
} transpose_problem;

transpose_problem transpose_find_problem(const lun_array *dst, const lun_array *src);
transpose_shape transpose_shape_of(const transpose_problem *p); /* as kernels take it */
/* Are neighbours in dst and in src next to each other, and do they belong to two axes? */
bool transpose_tiles(const transpose_problem *p);

/* What one core takes, a nanosecond an element: they may lie apart. */
static inline double move_weight(const lun_array *out) { return (double)out->size; }
/* lun_array_copy between arrays of one device. */
lun_status move_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err);

/* ---- rows: copy.c, copy_gpu.c, transpose.c, transpose_gpu.c ------------------------------------------------- */

bool copy_cpu_applies(const lun_device *device, const void *problem);
bool copy_dense_applies(const lun_device *device, const void *problem);
bool copy_driver_applies(const lun_device *device, const void *problem);
bool copy_buffer_applies(const lun_device *device, const void *problem);
bool copy_gpu_applies(const lun_device *device, const void *problem);
lun_status copy_cpu_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status copy_dense_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status copy_buffer_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status copy_gpu_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status copy_plain_plan(plan *out, const variant *row, const void *problem, lun_error *err);

bool transpose_cpu_applies(const lun_device *device, const void *problem);
bool transpose_vector_applies(const lun_device *device, const void *problem);
bool transpose_thin_applies(const lun_device *device, const void *problem);
bool transpose_gpu_applies(const lun_device *device, const void *problem);
lun_status transpose_cpu_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status transpose_vector_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status transpose_thin_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status transpose_gpu_plan(plan *out, const variant *row, const void *problem, lun_error *err);
lun_status transpose_plain_plan(plan *out, const variant *row, const void *problem, lun_error *err);

/* Slices of all axes, whole. */
void move_whole(lun_slice *out, const lun_array *array);
/* lun_view of slice, row and col (part_words.c). */
bool move_view_slice(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                     const lun_manner *manner);
bool move_view_row(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                   const lun_manner *manner);
bool move_view_col(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                   const lun_manner *manner);
