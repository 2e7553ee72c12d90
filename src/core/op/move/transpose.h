/* What the ways to transpose share: the form that every problem is brought to. */
#ifndef LUN_TRANSPOSE_H
#define LUN_TRANSPOSE_H

#include "base/shape.h"
#include "device/program.h"
#include "op/launch.h"
#include "op/variant.h"

/* For each of `batch` places a matrix: its rows are neighbours in dst, its columns neighbours in src, or as near as
 * can be. */
typedef struct transpose_problem {
    const lun_array *dst, *src;
    int64_t dst_first, src_first;
    size_t rows, columns, batch;
    int64_t dst_row, dst_column, src_row, src_column; /* strides */
    layout to, from;                                  /* of the batch */
    bool same_order; /* one axis is the innermost of both: rows to copy, nothing to transpose */
} transpose_problem;

typedef struct transpose_plan { /* as in transpose_plain.cl, transpose_gpu.cl and transpose_vector.cl */
    cl_long dst, src, rows, columns, dst_row, dst_column, src_row, src_column, batch;
} transpose_plan;

transpose_plan transpose_make_plan(const transpose_problem *p);
/* Are neighbours in dst and in src next to each other? */
bool transpose_tiles(const transpose_problem *p);

/* Tiles through local memory (transpose_gpu.c). */
bool transpose_vector_applies(const lun_device *device, const void *data);
bool transpose_gpu_applies(const lun_device *device, const void *data);
lun_status transpose_gpu_run(operation *op, const variant *row, const void *data, lun_error *err);
lun_status transpose_gpu_prepare(const variant *row, const transpose_problem *p, lun_error *err);

#endif
