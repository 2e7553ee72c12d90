/* Copies that are part of other operations. */
#ifndef LUN_OP_MOVE_COPY_H
#define LUN_OP_MOVE_COPY_H

#include "op/operation.h"

/* Enqueues dst = src inside an operation that has begun; shapes and dtypes equal. For matmul, nbody, transfers. */
lun_status copy_enqueue(operation *op, const lun_array *dst, const lun_array *src, lun_error *err);
/* Builds what copy_enqueue will need; before operation_begin. */
lun_status copy_prepare(const lun_array *dst, const lun_array *src, lun_error *err);
/* The same by kernels made for GPUs; false where strides or counts are too large for them. */
bool copy_gpu_applies(const lun_array *dst, const lun_array *src);
lun_status copy_gpu_prepare(const lun_array *dst, const lun_array *src, lun_error *err);
lun_status copy_gpu_enqueue(operation *op, const lun_array *dst, const lun_array *src, lun_error *err);
/* True where transpose's kernels are better at a same-shape copy than copy's rows; then transpose_enqueue does it. */
bool transpose_applies(const lun_array *dst, const lun_array *src);
lun_status transpose_prepare(const lun_array *dst, const lun_array *src, lun_error *err);
lun_status transpose_enqueue(operation *op, const lun_array *dst, const lun_array *src, lun_error *err);

#endif
