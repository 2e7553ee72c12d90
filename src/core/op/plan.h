/* Plans: the commands of an operation with all their arguments, complete before anything has begun. */
#pragma once

#include "device/program.h"
#include "op/operation.h"

/* Declares the operation `op` and its plan `p`, which both end with the scope. They are not zeroed, because that would
 * take as long as planning.
 *
 *     PLANNED(op, p, device, "fill", call);
 *     TRY(operation_writes(&op, out, err));                        what the operation touches: checks, and later hazards
 *     TRY(plan_variant(&p, &fill_variants, &problem, name, err));  a row's kernels, scratch memory and arguments
 *     return operation_run(&op, &p, err);                          begins, enqueues the commands, ends
 */
#define PLANNED(op, p, ...)                                                                                            \
    ENDED_BY(operation_clear) operation op;                                                                            \
    operation_init(&op, __VA_ARGS__);                                                                                  \
    ENDED_BY(plan_clear) plan p;                                                                                       \
    plan_init(&p, &op)

/* ---- arguments of kernels --------------------------------------------------------------------------------- */

typedef enum launch_arg_kind {
    ARG_KIND_MEM,
    ARG_KIND_LONG,
    ARG_KIND_FLOAT,
    ARG_KIND_DOUBLE,
    ARG_KIND_VALUE,
    ARG_KIND_LOCAL,
    ARG_KIND_COUNTERS
} launch_arg_kind;

typedef struct launch_arg {
    launch_arg_kind kind;
    size_t bytes; /* of a value or of local memory */
    union {
        cl_mem mem;
        cl_long integer;
        float f32;
        double f64;
        const void *value; /* read when the launch is planned */
        size_t at;         /* of a planned value, among the plan's */
    };
} launch_arg;

#define ARG_MEM(m)                                                                                                     \
    {                                                                                                                  \
        .kind = ARG_KIND_MEM, .mem = (m)                                                                               \
    }
/* A block of device memory; NULL: the kernel gets a NULL pointer. */
#define ARG_BLOCK(b)                                                                                                   \
    {                                                                                                                  \
        .kind = ARG_KIND_MEM, .mem = block_memory(b)                                                                   \
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
/* The counters of the operation's queue (QUEUE_COUNTERS): 0 before the kernel, which must leave them 0. */
#define ARG_COUNTERS                                                                                                   \
    {                                                                                                                  \
        .kind = ARG_KIND_COUNTERS                                                                                      \
    }
/* The arguments for VERDICT_PARAMETERS of a kernel (parts/verdict.cl). */
#define ARG_VERDICT(operation) ARG_MEM(verdict_memory((operation)->verdict)), ARG_LONG((operation)->verdict->place)
/* A real number for a parameter of type COMPUTE in a program of that float dtype. */
launch_arg launch_real(lun_dtype dtype, double x);
#define ARGS(...) (const launch_arg[]){__VA_ARGS__}, COUNT(((const launch_arg[]){__VA_ARGS__}))

/* ---- commands ---------------------------------------------------------------------------------------------- */

/* A kernel with the number and size of its work-groups. */
typedef struct launch {
    cl_kernel kernel;
    cl_uint dims;
    size_t groups[3]; /* work-groups in each dimension, not items */
    size_t local[3];  /* items in a group */
} launch;

typedef enum command_kind { COMMAND_LAUNCH, COMMAND_COPY, COMMAND_FILL } command_kind;

typedef struct command {
    command_kind kind;
    bool scratch_only; /* it writes no output: if a later command is refused, no output is lost */
    union {
        struct {
            launch launch;
            size_t offset[3]; /* of the first item's ids */
            unsigned first_arg, arg_count;
        };
        struct { /* the driver's own copy between two buffers */
            cl_mem dst, src;
            size_t dst_at, src_at, bytes;
        };
        struct { /* the driver's own filling with a pattern, of `item` bytes */
            cl_mem filled;
            size_t filled_at, filled_bytes, item;
            cl_ulong2 pattern;
        };
    };
} command;

/* A mark in a plan, to which plan_back_to returns. */
typedef struct plan_mark {
    size_t commands, args, values;
} plan_mark;

/* The room in the plan itself, which suffices for most operations. */
#define PLAN_COMMANDS 4
#define PLAN_ARGS 32
#define PLAN_VALUES 1536

typedef struct plan {
    operation *op;     /* that owns the scratch memory of the plan's rows */
    bool scratch_only; /* commands appended now only read the outputs that they get, and write only scratch memory */
    plan_mark count, room;
    command *commands; /* few_commands while they fit there; the same of the other lists */
    launch_arg *args;
    char *values;
    command few_commands[PLAN_COMMANDS];
    launch_arg few_args[PLAN_ARGS];
    _Alignas(16) char few_values[PLAN_VALUES];
} plan;

/* A plan points into itself: it must not be moved until plan_clear, which takes zeroed memory too. PLANNED calls both. */
void plan_init(plan *out, operation *op);
void plan_clear(plan *p);
/* Appends a launch; `args` and the values that they point to are copied. */
lun_status plan_launch(plan *p, const launch *what, const launch_arg *args, size_t arg_count, lun_error *err);
/* Makes the ids of the last appended launch start at `offset`, one number for each dimension; PoCL compiles the kernel
 * separately for that. */
void plan_offset(plan *p, const size_t *offset);
/* Appends a copy of bytes between two buffers by the driver. On CPUs one thread does it, but no kernel must be
 * compiled: up to DRIVER_BYTES it is as fast as a kernel. */
#define DRIVER_BYTES (80 << 10)
lun_status plan_copy(plan *p, cl_mem dst, size_t dst_at, cl_mem src, size_t src_at, size_t bytes, lun_error *err);
/* Appends a filling of bytes of a buffer with an element of `item` bytes by the driver. PoCL writes element by element,
 * so from DRIVER_FILLS bytes on a kernel is faster. */
#define DRIVER_FILLS (16 << 10)
lun_status plan_fill(plan *p, cl_mem dst, size_t at, size_t bytes, cl_ulong2 element, size_t item, lun_error *err);
/* Appends a copy of src's elements to dst, of the same shape; dtypes may differ (op/move). */
lun_status plan_array_copy(plan *p, const lun_array *dst, const lun_array *src, lun_error *err);
/* The array itself if it is contiguous and has that dtype, otherwise scratch memory that the plan fills with its
 * elements. */
lun_status plan_array_dense(lun_array *out, plan *p, const lun_array *array, lun_dtype dtype, lun_error *err);
/* The result itself if it is contiguous, or scratch memory that plan_array_give copies to it. */
lun_status plan_array_result(lun_array *made, plan *p, const lun_array *out, lun_error *err);
lun_status plan_array_give(plan *p, const lun_array *out, const lun_array *made, lun_error *err);
/* Gives the operation a verdict, unless it has one. Its kernels take ARG_VERDICT; the verdict's words are set to 0
 * before them. */
lun_status plan_verdict(plan *p, verdict_words *words, int64_t limit, lun_error *err);
/* Drops what was appended since the mark. */
plan_mark plan_marked(const plan *p);
void plan_back_to(plan *p, plan_mark before);
/* Enqueues the commands on the queue of the operation, which has begun. */
lun_status plan_enqueue(plan *p, lun_error *err);
/* Begins the operation, enqueues the plan's commands and ends it: ticket, event. */
lun_status operation_run(operation *op, plan *p, lun_error *err);

/* ---- geometry ---------------------------------------------------------------------------------------------- */

/* The number of groups and the group size of kernels that spread `items` over the device with FOR_SPREAD (common.cl),
 * with at least `least` items for each work-item; the group size is the prelude's GROUP. */
launch launch_spread(const lun_device *device, cl_kernel kernel, size_t items, size_t least);
/* Finds a kernel, and appends a launch that spreads `items` in this way; or a launch with that number of groups of
 * `local` items. */
lun_status plan_spread(plan *p, const program_key *key, const char *kernel, size_t items, size_t least,
                       const launch_arg *args, size_t arg_count, lun_error *err);
lun_status plan_groups(plan *p, const program_key *key, const char *kernel, size_t groups, size_t local,
                       const launch_arg *args, size_t arg_count, lun_error *err);

/* A range of bytes, for kernels that move vectors: single bytes before the first whole vector, vectors, single bytes
 * behind the last one. */
typedef struct byte_run {
    size_t head, vectors, tail;
} byte_run;

#define GPU_VECTOR ((size_t)16) /* bytes that a work-item moves */
#define CPU_VECTOR ((size_t)64) /* a line of the cache */

byte_run byte_run_of(size_t at, size_t bytes, size_t vector);
bool launch_can_move_vectors(const lun_device *device);      /* can its kernels move GPU_VECTOR bytes at a time? */
launch launch_byte_run(cl_kernel kernel, const byte_run *s); /* a work-item to each vector or single byte */
