/* Launches: the arguments of a kernel and how many work-groups run it. */
#ifndef LUN_OP_LAUNCH_H
#define LUN_OP_LAUNCH_H

#include "op/operation.h"

typedef struct launch_arg {
    size_t bytes;
    const void *value;
    cl_long integer;
    cl_mem mem;
    float f32;
    double f64;
    int kind;
} launch_arg;

enum { ARG_KIND_MEM, ARG_KIND_LONG, ARG_KIND_VALUE, ARG_KIND_FLOAT, ARG_KIND_DOUBLE, ARG_KIND_LOCAL };

#define ARG_MEM(m)                                                                                                     \
    {                                                                                                                  \
        .kind = ARG_KIND_MEM, .mem = (m)                                                                               \
    }
#define ARG_BLOCK(b)                                                                                                   \
    {                                                                                                                  \
        .kind = ARG_KIND_MEM, .mem = (b) ? (b)->mem : NULL                                                             \
    }
#define ARG_LONG(n)                                                                                                    \
    {                                                                                                                  \
        .kind = ARG_KIND_LONG, .integer = (cl_long)(n)                                                                 \
    }
#define ARG_FLOAT(x)                                                                                                   \
    {                                                                                                                  \
        .kind = ARG_KIND_FLOAT, .f32 = (float)(x)                                                                      \
    }
#define ARG_DOUBLE(x)                                                                                                  \
    {                                                                                                                  \
        .kind = ARG_KIND_DOUBLE, .f64 = (double)(x)                                                                    \
    }
#define ARG_VALUE(pointer)                                                                                             \
    {                                                                                                                  \
        .kind = ARG_KIND_VALUE, .value = (pointer), .bytes = sizeof *(pointer)                                         \
    }
#define ARG_BYTES(pointer, size)                                                                                       \
    {                                                                                                                  \
        .kind = ARG_KIND_VALUE, .value = (pointer), .bytes = (size)                                                    \
    }
#define ARG_LOCAL(size)                                                                                                \
    {                                                                                                                  \
        .kind = ARG_KIND_LOCAL, .bytes = (size)                                                                        \
    }
#define ARGS(...) (const launch_arg[]){__VA_ARGS__}, COUNT(((const launch_arg[]){__VA_ARGS__}))

typedef struct launch_plan {
    cl_kernel kernel;
    cl_uint dims;
    size_t groups[3]; /* work-groups in each dimension, not items */
    size_t local[3];  /* items in a group */
} launch_plan;

/* Groups and group size for kernels that spread `items` over the device with FOR_SPREAD (common.cl), at least
 * `least` items to a work-item; the group size is what the prelude's GROUP says. */
launch_plan launch_spread(const lun_device *device, cl_kernel kernel, size_t items, size_t least);
/* A range of bytes as kernels take it that move vectors of them: those before, and those behind, go one by one. */
typedef struct byte_run {
    size_t head, vectors, tail;
} byte_run;

#define GPU_VECTOR ((size_t)16) /* bytes that a work-item moves */
#define CPU_VECTOR ((size_t)64) /* a line of the cache */

byte_run byte_run_of(size_t at, size_t bytes, size_t vector);
bool launch_can_move_vectors(const lun_device *device);           /* of GPU_VECTOR bytes */
launch_plan launch_byte_run(cl_kernel kernel, const byte_run *s); /* an item to each of these, 256 to a group */
lun_status launch(operation *op, const launch_plan *plan, const launch_arg *args, size_t arg_count, lun_error *err);

#endif
