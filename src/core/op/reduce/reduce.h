/* What the variants of reductions share: the form that every problem is brought to, and how their kernels are built. */
#ifndef LUN_REDUCE_H
#define LUN_REDUCE_H

#include "abi/reduce.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/variant.h"

typedef enum accumulator { ADDED, WIDE, SAME } accumulator;

#define NOTHING -1

typedef struct reduce_row {
    const char *name;
    accumulator accumulator;
    const char *map, *identity, *combine; /* OpenCL C */
    int empty;
} reduce_row;

/* Kept and reduced axes: each list is merged where it can be, the longest strides first. Strides of reduced axes are
 * positive. */
typedef struct reduce_problem {
    const lun_array *out, *in;
    const reduce_row *op;
    int64_t first; /* position of the first element that is read */
    layout kept, kept_out, reduced;
    size_t outputs, elements; /* elements of one output */
} reduce_problem;

/* Is the op one of op/fold/fold.c, a reduction of expressions? These ops come behind those of this room. */
bool reduce_is_folded(lun_reduce_op op, const lun_reduction *reduction, lun_dtype dtype);
/* An expression that is this array, so many times, for op/fold/fold.c. */
#define ARRAY_ALONE(array, count)                                                                                      \
    (const lun_expression)                                                                                             \
    {                                                                                                                  \
        .name = "reduce", .nodes = &(const lun_node){.kind = LUN_NODE_ARRAY}, .node_count = 1,                         \
        .results = (const unsigned[LUN_MAP_RESULTS]){0}, .result_count = (count),                                      \
        .arrays = (const lun_array *[]){array}, .array_count = 1, .dtype = LUN_DTYPES                                  \
    }

/* Is that op of a complex array one of its parts, as real numbers? */
bool reduce_is_of_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in);
/* Is a complex array to be reduced exactly? Then its ops go one by one. */
bool reduce_is_exact_of_pairs(const lun_array *in, const lun_reduction *reduction);
/* Does each part give its own, of which a complex result is made? Else both together give a real one. */
bool reduce_keeps_parts(lun_reduce_op op);
/* Is what the parts give to be added, so that the result is real? */
bool reduce_joins_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in);
lun_status reduce_join_parts(const lun_array *out, const lun_array *parts, bool root, const lun_call *call,
                             lun_error *err);
/* What op/fold/fold.c reduces instead of the array: itself, or the sizes of its numbers. */
lun_expression reduce_expression(const lun_array *const *in, const lun_reduction *reduction);
/* The same with the parts along one more axis. */
void reduce_to_parts(lun_array *parts, lun_reduction *of_parts, const lun_array *in, const lun_reduction *reduction);
lun_dtype reduce_result_dtype(lun_reduce_op op, lun_dtype dtype);
reduce_problem reduce_find_problem(const lun_array *out, const lun_array *in, const lun_reduction *reduction);
/* Bytes of input up to which a reader may block for the result: a reduction of less takes below a millisecond. */
size_t reduce_quick_bytes(const lun_device *device);

/* The kernel `name` of a kernel file, built for the problem. `defines` stand before those of the reduction; NULL: there
 * are none. */
lun_status reduce_kernel(cl_kernel *out, const reduce_problem *p, const char *file, const char *name,
                         const char *defines, lun_error *err);
/* Scratch memory for `count` partial results; *out is NULL for 0. */
lun_status reduce_partial(lun_block **out, plan *of, const reduce_problem *p, size_t count, lun_error *err);
/* The stride of the innermost axis, `without` where there are no axes; and the layout without that axis. */
cl_long reduce_last_stride(const layout *l, cl_long without);
layout reduce_without_last(layout l);
/* The OpenCL C type in which the few elements of a leaf are added up, and its bytes. Small integers take only twice their
 * own width. */
size_t reduce_leaf_type(const char **name, const reduce_problem *p);
size_t reduce_accumulator_bytes(const reduce_problem *p);
size_t reduce_vector(const lun_device *device); /* floats in a vector register */
size_t reduce_lanes(const reduce_problem *p);   /* values side by side in a vector of a CPU */
lun_status reduce_plain_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool reduce_cpu_applies(const lun_device *device, const void *data);
lun_status reduce_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool reduce_gpu_applies(const lun_device *device, const void *data);
lun_status reduce_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err);
extern const variants reduce_variants;

#endif
