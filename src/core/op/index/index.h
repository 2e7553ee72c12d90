/* Choosing elements: what taking, putting, adding and masking share. */
#pragma once

#include "abi/index.h"
#include "op/planning.h"

/* Work-items of the kernels for GPUs, and elements that each of them takes. */
#define INDEX_GPU_ITEMS 256
#define INDEX_GPU_EACH 4

/* The dtype as which kernels move elements: unsigned integers of the same size. */
lun_dtype index_moved(lun_dtype dtype);
/* i32 and i64 alone are index arrays: LUN_MISUSE, with "the index array" in the message. */
lun_status index_check(const lun_array *array, const lun_array *index, lun_error *err);
/* A contiguous array of that dtype and shape with the same elements: itself, or scratch memory that the plan fills. Shapes
 * broadcast. */
lun_status index_dense(lun_array *out, plan *p, const lun_array *array, lun_dtype dtype, int ndim, const size_t *shape,
                       lun_error *err);
/* So few elements that a reader may as well block for the operation. */
void index_quick(operation *op, size_t elements);
/* What one core takes for that many elements, which lie anywhere. */
static inline double index_weight(size_t elements) { return 2 * (double)elements; }
/* The verdict of index arrays: the first index that is not in 1..extent. */
lun_status index_plan_verdict(plan *p, size_t extent, lun_error *err);
lun_status index_kernel(cl_kernel *out, plan *p, const variant *row, lun_dtype dtype, lun_dtype index,
                        const char *defines, const char *name, lun_error *err);

/* What is written, as kernels take it. */
typedef struct index_values {
    lun_array dense; /* one element, or as many as there are places; without memory: `element` */
    bool single;
    cl_ulong2 element; /* in its low bytes */
} index_values;

/* Values for places of that shape in an array. First the operation reads them; then the plan casts and spreads them. */
lun_status index_use_values(operation *op, const lun_array *array, const lun_values *values, int ndim,
                            const size_t *shape, lun_error *err);
lun_status index_find_values(index_values *out, plan *p, const lun_array *array, const lun_values *values, int ndim,
                             const size_t *shape, lun_error *err);
/* The argument `single` of kernels: an element of the array's dtype. */
#define ARG_ELEMENT(v, dtype) ARG_BYTES(&(v)->element, lun_dtype_bytes(dtype))
