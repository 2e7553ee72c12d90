/* How an operation runs: what it touches, its commands, the ways to do it. The second half of core.h, which includes it. */
#ifndef LUN_OPERATION_H
#define LUN_OPERATION_H

#include "core.h"

/* ---- running an operation (launch.c) -----------------------------------------------------------------------
 *
 *     operation op = {0};
 *     operation_init(&op, device, "fill", call);
 *     TRY(operation_writes(&op, out, err));                  what it touches: checks, and later hazards
 *     TRY(operation_scratch(&op, &block, bytes, err));       all memory,
 *     TRY(program_kernel(&kernel, ...));                     programs and kernels first;
 *     TRY(operation_begin(&op, err));                        then room in the ring, and the wait list
 *     TRY(launch(&op, &(launch_plan){kernel, 1, {n}, {64}}, ARGS(ARG_BLOCK(block), ARG_LONG(n)), err));
 *     TRY(operation_end(&op, err));                          ticket, event
 * done:
 *     operation_clear(&op);                                  after a failure: outputs are spoiled if touched
 */

/* Enqueues the first command of an operation, or a later one, on its queue. NVIDIA's driver refuses to wait for what has
 * failed, and knows of it a moment before that shows: then what is left to wait for is looked for anew. */
#define CL_WAITING(op, function, ...)                                                                                  \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        bool cl_anew_ = true;                                                                                          \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            cl_code_ = function((op)->queue->cl, __VA_ARGS__);                                                         \
        while (cl_code_ != CL_SUCCESS && (op)->wait_count && cl_anew_) {                                               \
            TRY(operation_wait_anew(&cl_anew_, op, err));                                                              \
            if (cl_anew_)                                                                                              \
                cl_code_ = function((op)->queue->cl, __VA_ARGS__);                                                     \
        }                                                                                                              \
        if (cl_code_ != CL_SUCCESS) {                                                                                  \
            status = fail_cl(err, cl_code_, #function);                                                                \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

#define WAITS(op) (op)->wait_count, (op)->wait_count ? (op)->waits : NULL

#define OPERATION_FEW 8 /* what an operation has room for in itself; user kernels may have more arrays */

typedef struct operation_use {
    lun_block *block;
    size_t from, to;
    bool read, write, whole;
} operation_use;

typedef struct operation {
    lun_device *device;
    lun_queue *queue;
    const char *name; /* a string literal, or kept by the device */
    const lun_call *call;
    unsigned use_count, use_room, scratch_count, scratch_room;
    operation_use *uses; /* few_uses until they are more */
    lun_block **scratch; /* few_scratch until they are more */
    operation_use few_uses[OPERATION_FEW];
    lun_block *few_scratch[OPERATION_FEW];
    bool begun, ended, quick;
    bool harmless;   /* what was enqueued so far writes scratch memory only */
    bool unrecorded; /* its caller waits for its commands: they leave no ticket */
    bool watched;    /* unrecorded, and its caller polls for the end: they have events all the same */
    bool risky;      /* its commands may fail by themselves: they are the user's */
    bool silent;     /* its commands get no events */
    bool swapped;    /* its commands are the first on a queue that keeps times, and wait for those on the other */
    unsigned commands;
    cl_event first, last;
    uint64_t after[DEVICE_QUEUES];     /* tickets of other queues that its first command waits for */
    cl_event waits[DEVICE_QUEUES + 1]; /* their events; a test may add one */
    cl_uint wait_count;
    hold *holds;
} operation;

/* The operation points into itself: it stays where it is until operation_clear. */
void operation_init(operation *op, lun_device *device, const char *name, const lun_call *call);
lun_status operation_reads(operation *op, const lun_array *array, lun_error *err);
lun_status operation_writes(operation *op, const lun_array *array, lun_error *err);
lun_status operation_reads_writes(operation *op, const lun_array *array, lun_error *err);
lun_status operation_scratch(operation *op, lun_block **out, size_t bytes, lun_error *err);
lun_status operation_hold(operation *op, lun_staging *staging, lun_error *err);
void operation_quick(operation *op); /* it is tiny: a reader may simply block for it */
/* Its caller waits for its commands before anything else happens, and marks it as ended: they get no event, unless they
 * are to be `watched`. */
void operation_unrecorded(operation *op, bool watched);
void operation_risky(operation *op); /* its commands may fail by themselves, as a user's kernels do */
lun_status operation_begin(operation *op, lun_error *err);
/* After a refusal: has something that it waits for failed? Then it has a new wait list. */
lun_status operation_wait_anew(bool *anew, operation *op, lun_error *err);
/* Takes the event of what CL_WAITING has enqueued. */
void operation_enqueued(operation *op, cl_event event);
lun_status operation_end(operation *op, lun_error *err);
void operation_clear(operation *op);

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

/* ---- variants (variant.c) --------------------------------------------------------------------------------
 * The ways to run an operation, best first: the first that applies wins, the last always applies. */

/* `applicable` gets a NULL problem when the question is: is there any problem that this device can run so? */
typedef struct variant {
    const char *name;         /* "cpu", "plain" */
    const char *file;         /* of its kernels */
    cl_device_type meant_for; /* others run it only when it is named; 0: any */
    unsigned nvidia;          /* with PTX, for NVIDIA's GPUs from that compute capability on; 0: OpenCL C alone */
    bool (*applicable)(const lun_device *device, const void *problem);
    /* Everything is built before operation_begin, and kernels before scratch memory is acquired. */
    lun_status (*run)(operation *op, const struct variant *row, const void *problem, lun_error *err);
} variant;

bool variant_anywhere(const lun_device *device, const void *problem); /* for the last row */
bool variant_on_cpu(const lun_device *device, const void *problem);
/* The first row that applies, or the one named. Names that are none, or cannot run this: LUN_MISUSE. */
lun_status variant_choose(const variant **out, const variant *rows, size_t count, const lun_device *device,
                          const void *problem, const char *name, lun_error *err);
/* Chooses and runs; the name is the call's. Without one, what a GPU's compiler refuses makes way for the next row. */
lun_status variant_run(operation *op, const variant *rows, size_t count, const void *problem, lun_error *err);

/* Has a GPU's compiler refused that row's kernels, and may another be chosen? It is not chosen on that device again. */
bool variant_makes_way(lun_device *device, const variant *row, const variant *last, const lun_call *call,
                       lun_status status, const lun_error *err);

/* Each operation's table, for lun_operation_variants. */
extern const variant reduce_variants[], transpose_variants[], matmul_variants[], nbody_variants[], copy_variants[],
    fill_variants[];
extern const size_t reduce_variant_count, transpose_variant_count, matmul_variant_count, nbody_variant_count,
    copy_variant_count, fill_variant_count;

/* Work-items in a group of FOR_SPREAD kernels: 1 where a work-item is a loop on a core, else 64. */
size_t device_group(const lun_device *device);
/* Bytes of the last cache that the device's cores may count on: a virtual machine sees its host's whole cache. */
size_t device_cache(const lun_device *device);
/* Is a result better written past it, where an operation touches so many bytes in all? */
bool passes_cache(const lun_device *device, size_t touched);

/* ---- operations that others use ------------------------------------------------------------------------------ */

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
/* A contiguous array over a scratch block that the operation owns; not to be cleared. */
lun_status operation_scratch_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                                   lun_error *err);

#endif
