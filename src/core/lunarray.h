/* lunarray's core: arrays on OpenCL devices, for a host language to wrap. It knows no Lua.
 *
 * Conventions. Outputs come first, `err` last. A function that can fail returns a lun_status and, when
 * that is not LUN_OK, has filled *err; its outputs are then cleared and its inputs as they were.
 * Structs with a _clear function are zeroed memory before their first use ({0}), and may be cleared
 * twice. Axes and positions count from 0 here; hosts that count from 1 translate, messages count from 1.
 * A device and all that lives on it belong to one host state: no two threads may use it at a time.
 */
#ifndef LUNARRAY_H
#define LUNARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LUN_MAX_AXES 8

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum lun_status {
    LUN_OK = 0,
    LUN_MISUSE,    /* the caller's mistake: shapes, dtypes, options, a released array */
    LUN_NO_MEMORY, /* device or host memory is short: collect, trim, and call once more */
    LUN_NO_DEVICE, /* no platform, no device, or none that fits */
    LUN_FAILED,    /* OpenCL refused a call, or a command failed on the device */
    LUN_BUILD,     /* a kernel did not compile: lun_device_build_log has the log */
    LUN_IO         /* a file could not be read or written, or holds something else */
} lun_status;

/* What the caller may do about a mistake; hosts put it in their own words behind the message. */
typedef enum lun_hint {
    LUN_HINT_NONE,
    LUN_HINT_BRING_OVER,     /* copy the array to the other's device */
    LUN_HINT_MAKE_CONTIGUOUS /* copy the strided view into an array of its own */
} lun_hint;

typedef struct lun_error {
    lun_status status;
    int code;          /* OpenCL's error code, 0 if it is none of OpenCL's */
    char op[32];       /* the operation that failed on the device, or the OpenCL call that was refused */
    char message[512]; /* what was wrong, what came, what is wanted; no trailing full stop */
    lun_hint hint;
} lun_error;

/* The name of an OpenCL error code, "CL_OUT_OF_RESOURCES"; "CL_UNKNOWN_ERROR" for one it does not know. */
const char *lun_error_name(int code);

/* ---- dtypes and numbers ------------------------------------------------------------------------ */

typedef enum lun_dtype {
#define DTYPE(name, ...) LUN_##name,
#include "base/dtype.def"
#undef DTYPE
    LUN_DTYPES
} lun_dtype;

typedef enum lun_kind { LUN_SIGNED, LUN_UNSIGNED, LUN_FLOAT } lun_kind;

const char *lun_dtype_name(lun_dtype dtype);
size_t lun_dtype_bytes(lun_dtype dtype);
lun_kind lun_dtype_kind(lun_dtype dtype);
/* The dtype of what is made of both: of an integer and a float the float; of two floats the wider, f32 of f16 and bf16; of two
 * integers the smallest that holds both, i64 of u64 and a signed one. */
lun_dtype lun_dtype_promoted(lun_dtype a, lun_dtype b);
/* The dtype of that name; unknown names are LUN_MISUSE with the list of known ones. */
lun_status lun_dtype_find(lun_dtype *out, const char *name, lun_error *err);

/* A host's number: an integer (u64 as the same 64 bits) or a float. `real` is set in both; lun_integer and lun_real make one. */
typedef struct lun_number {
    bool is_integer;
    int64_t integer;
    double real;
} lun_number;

static inline lun_number lun_integer(int64_t value)
{
    lun_number number;
    number.is_integer = true;
    number.integer = value;
    number.real = (double)value;
    return number;
}

static inline lun_number lun_real(double value)
{
    lun_number number;
    number.is_integer = false;
    number.integer = 0;
    number.real = value;
    return number;
}

/* Writes a number as one element; one that the dtype cannot hold is LUN_MISUSE. */
lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err);
/* Reads one element: integer dtypes give integers, float dtypes floats. */
lun_number lun_number_load(const void *element, lun_dtype dtype);
/* The same, but a NaN without a sign, which printf would show. */
double lun_number_shown(double number);
uint16_t lun_half_from_double(double x); /* round to nearest even, overflow to infinity */
double lun_half_to_double(uint16_t half);

/* ---- devices ----------------------------------------------------------------------------------- */

typedef struct lun_system lun_system; /* all devices of the machine, found once per host state */
typedef struct lun_device lun_device; /* refcounted; its context opens at first use */
typedef struct lun_queue lun_queue;   /* a slot of its device */
typedef struct lun_block lun_block;   /* refcounted device memory */

lun_status lun_system_open(lun_system **out, lun_error *err);
void lun_system_close(lun_system *system); /* devices live on while something holds them */
size_t lun_system_count(const lun_system *system);
lun_device *lun_system_device(const lun_system *system, size_t index); /* borrowed */
/* A selector: NULL (LUNARRAY_DEVICE, else the best score), a type ("gpu", "cpu", "accelerator"), a position
 * counted from 1 in digits, or part of a name, vendor, platform or version, in any case of letters; of several the best.
 * An empty one is refused; an empty LUNARRAY_DEVICE is as good as none. *out is borrowed. */
lun_status lun_system_select(lun_device **out, const lun_system *system, const char *selector, lun_error *err);

typedef struct lun_device_info {
    char name[128], vendor[128], version[128], driver[64], platform[128];
    const char *type; /* "gpu", "cpu", "accelerator" or "other" */
    uint32_t units, clock_mhz;
    uint64_t memory, max_allocation, local_memory, cache_bytes;
    size_t max_group;
    uint32_t vector_f32, vector_f64; /* native vector widths in elements; 0 where the type is missing */
    bool fp64, fp16, unified_memory;
    const char *extensions; /* borrowed from the device */
} lun_device_info;

const lun_device_info *lun_device_info_get(const lun_device *device); /* borrowed */
int lun_device_score(const lun_device *device);                       /* what the default selector maximises */
lun_device *lun_device_retain(lun_device *device);
void lun_device_release(lun_device *device); /* the last release waits for the device's work */

typedef struct lun_memory {
    uint64_t live, pooled, peak, limit; /* bytes in arrays, kept for reuse, most ever live, allowed */
} lun_memory;

lun_memory lun_device_memory(const lun_device *device);
void lun_device_limit(lun_device *device, uint64_t bytes); /* 0: back to the default */
void lun_device_trim(lun_device *device); /* gives the pool back to OpenCL, and closes spare descriptors */
/* True once live bytes have passed a threshold that follows what the last lun_device_collected saw. */
bool lun_device_wants_collection(const lun_device *device);
void lun_device_collected(lun_device *device);
/* Waits at most `seconds` (< 0: for ever) until all queues are empty; reports each failed command once. */
lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err);
/* The same without a report: what has failed shows later. */
lun_status lun_device_drain(bool *done, lun_device *device, double seconds, lun_error *err);
const char *lun_device_build_log(const lun_device *device); /* of the last failed build, "" if none; borrowed */

typedef struct lun_programs {
    uint64_t built;                   /* programs that were compiled, users' own included */
    size_t kept;                      /* programs of the library's that the device keeps */
    size_t generated, most_generated; /* of these: made of users' expressions; the least recently used beyond leave */
} lun_programs;

lun_programs lun_device_programs(const lun_device *device);

/* ---- queues --------------------------------------------------------------------------------------
 * A device runs the commands of a queue in order. It has a default queue, and up to 16 that a host asks for. Which
 * queue waits for which follows from what the operations read and write. */

/* A further queue; with `profiling` its events have times. *out is to be released. LUN_NO_MEMORY while the place of a
 * released one is still needed: finish, and call once more. */
lun_status lun_queue_create(lun_queue **out, lun_device *device, bool profiling, lun_error *err);
/* Its work goes on, and events of it stay as they are; enqueueing is LUN_MISUSE from now on. Never waits. */
void lun_queue_release(lun_queue *queue);
lun_device *lun_queue_device(const lun_queue *queue);
uint64_t lun_queue_pending(lun_queue *queue); /* operations that have not ended */
/* Waits at most `seconds` (< 0: for ever) until it is empty; reports each failed command once, as
 * lun_device_finish does: what one has reported the other does not. */
lun_status lun_queue_finish(bool *done, lun_queue *queue, double seconds, lun_error *err);
/* Waits at most `seconds` until another operation can be enqueued without waiting. NULL: the default queue. */
lun_status lun_queue_room(bool *room, lun_device *device, lun_queue *queue, double seconds, lun_error *err);

/* ---- host memory that transfers use -------------------------------------------------------------- */

typedef struct lun_staging {
    lun_device *device; /* retained while the host has references */
    unsigned refs;      /* the host's */
    unsigned held;      /* transfers in flight that need it */
    size_t bytes;
    void *data;
    void *pinned; /* what the memory is a part of; NULL: malloc's */
} lun_staging;

/* Waits at most `seconds` until so much may be made without waiting for transfers in flight. */
lun_status lun_staging_room(bool *room, lun_device *device, size_t bytes, double seconds, lun_error *err);
lun_status lun_staging_create(lun_staging **out, lun_device *device, size_t bytes, lun_error *err);
lun_staging *lun_staging_retain(lun_staging *staging);
void lun_staging_release(lun_staging *staging); /* lives on while a transfer in flight needs it */
/* memcpy, in several threads where it is worth it, of what that device has sent or is to get. */
void lun_copy_bytes(const lun_device *device, void *to, const void *from, size_t bytes);

/* ---- events -------------------------------------------------------------------------------------- */

/* The end of one operation, all its kernels included. Zeroed: an operation that had nothing to do. */
typedef struct lun_event {
    lun_device *device;
    void *first, *last; /* cl_event of its first and last command */
    uint64_t serial;
    unsigned queue;
    char op[32];
    void *watch; /* its descriptor, once asked for */
} lun_event;

typedef enum lun_event_state { LUN_QUEUED, LUN_SUBMITTED, LUN_RUNNING, LUN_COMPLETE, LUN_EVENT_FAILED } lun_event_state;

typedef struct lun_profile {
    double queued, submitted, started, ended; /* seconds on the device's clock */
} lun_profile;

void lun_event_clear(lun_event *event);
/* The end of all that has been enqueued on the queue so far. */
lun_status lun_event_of_queue(lun_event *out, lun_queue *queue, lun_error *err);
/* A queue for reading what the event has made, which waits for as little as possible of what was enqueued since;
 * borrowed; NULL: the default one. */
lun_queue *lun_event_reader(const lun_event *event);
lun_event_state lun_event_status(const lun_event *event);
/* Waits at most `seconds` (< 0: for ever). A failed command is LUN_FAILED, again at every call. */
lun_status lun_event_wait(bool *done, const lun_event *event, double seconds, lun_error *err);
/* Waits until one of them has ended, well or not: its position, or `count` when the time is over. */
lun_status lun_event_wait_any(size_t *position, const lun_event *const *events, size_t count, double seconds,
                              lun_error *err);
/* A descriptor that is readable once the event has ended, well or not, and stays so; for event loops. Made when first
 * asked for, and nobody need read from it. lun_event_clear takes it back, for one of the device's next events: loops
 * must poll it no longer by then, nor may anybody close it. */
lun_status lun_event_descriptor(int *out, lun_event *event, lun_error *err);
lun_status lun_event_profile(lun_profile *out, const lun_event *event, lun_error *err); /* needs a complete event */

/* How an operation is to be run; NULL or zeroed: default queue, the first variant that applies, no event. */
typedef struct lun_call {
    const char *variant;
    lun_queue *queue;
    lun_event *event; /* filled (cleared first) and its queue flushed */
} lun_call;

/* ---- attempts ------------------------------------------------------------------------------------
 * The frame around a host's call of the core, where a garbage collector may have to run, or interrupts to get in:
 *
 *     lun_attempt t;
 *     for (lun_attempt_enqueue(&t, device, &call); host_goes_on(&t);)
 *         t.status = lun_transpose(out, in, axes, &call, &t.err);
 *
 * where host_goes_on asks lun_attempt_next until it says LUN_STEP_CALL (true) or LUN_STEP_DONE (false). Arrays stay
 * anchored meanwhile; a finalizer may clear them, which the next call then finds. */

#define LUN_SLICE 0.05 /* seconds that the core waits before the host may let interrupts in */

typedef enum lun_step {
    LUN_STEP_CALL,       /* call, and store the status */
    LUN_STEP_DONE,       /* the call has succeeded */
    LUN_STEP_COLLECT,    /* collect garbage, finalizers included: device memory is short, or much of it live */
    LUN_STEP_INTERRUPTS, /* let interrupts in; leaving for good is fine */
    LUN_STEP_RAISE       /* `err` has the failure */
} lun_step;

typedef struct lun_attempt {
    lun_status status; /* of the call */
    bool more;         /* set by calls that do a slice at a time: let interrupts in, and call again */
    lun_error err;
    size_t staging; /* bytes of staging memory that the call will ask for */
    bool retried, waits, enqueues;
    int stage;
    lun_device *device; /* borrowed; NULL: memory is not tried for again */
    lun_queue *queue;
} lun_attempt;

void lun_attempt_start(lun_attempt *out, lun_device *device); /* for a call that enqueues nothing */
void lun_attempt_enqueue(lun_attempt *out, lun_device *device, const lun_call *call);
lun_step lun_attempt_next(lun_attempt *attempt);

/* ---- arrays -------------------------------------------------------------------------------------- */

typedef struct lun_array {
    lun_device *device;
    lun_block *block; /* NULL while size is 0 */
    lun_dtype dtype;
    int ndim;
    size_t size; /* product of the shape; 1 when ndim is 0 */
    size_t shape[LUN_MAX_AXES];
    int64_t stride[LUN_MAX_AXES]; /* in elements, may be negative or 0 */
    int64_t offset;               /* of the first element, in elements */
} lun_array;

typedef struct lun_slice { /* from, from+step, ... `count` positions (up to one: any step); drop: one, the axis goes */
    int64_t from, step;
    size_t count;
    bool drop;
} lun_slice;

/* New memory, contents undefined. Size products that overflow, f64 without support: LUN_MISUSE. */
lun_status lun_array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                            lun_error *err);
void lun_array_clear(lun_array *array);
bool lun_array_is_live(const lun_array *array); /* false once cleared */
bool lun_array_is_contiguous(const lun_array *array);
size_t lun_array_bytes(const lun_array *array);
/* "3x4", "()" for no axes; writes at most `room` bytes with the NUL and returns `text`. */
char *lun_shape_text(char *text, size_t room, int ndim, const size_t *shape);

/* Views: share the memory and keep it. `out` may not be `array`. */
lun_status lun_array_view(lun_array *out, const lun_array *array, lun_error *err);
lun_status lun_array_reshape(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err);
lun_status lun_array_slice(lun_array *out, const lun_array *array, const lun_slice *slices, lun_error *err);
lun_status lun_array_permute(lun_array *out, const lun_array *array, const int *axes, lun_error *err);
bool lun_array_overlap(const lun_array *a, const lun_array *b); /* is some element in both? exact */

typedef enum lun_access { LUN_READ = 1, LUN_WRITE = 2, LUN_READ_WRITE = 3 } lun_access;

/* Host bytes to the array and back, row-major, lun_array_bytes of them; any view. `staging` may be dropped at
 * once. Neither waits for the transfer. */
lun_status lun_array_write(const lun_array *array, lun_staging *staging, const lun_call *call, lun_error *err);
lun_status lun_array_read_async(lun_staging *staging, const lun_array *array, const lun_call *call, lun_error *err);
/* Waits at most `seconds` until reading it by that call's queue, or mapping it by the default one (for `access`),
 * will block for no more than the transfer itself. */
lun_status lun_array_await(bool *ready, const lun_array *array, lun_access access, const lun_call *call, double seconds,
                           lun_error *err);
lun_status lun_array_read(void *data, const lun_array *array, const lun_call *call, lun_error *err); /* waits */
/* The same from and to memory of the host's own, by the quickest way there is, a slice of the work at each call: *more says
 * whether to call again, *sent and *received (0 at first) how many bytes are done. `data` is free once *more is false. */
lun_status lun_array_send(bool *more, size_t *sent, const lun_array *array, const void *data, const lun_call *call,
                          lun_error *err);
lun_status lun_array_receive(bool *more, size_t *received, void *data, const lun_array *array, const lun_call *call,
                             lun_error *err);

/* out = in, shapes equal, dtypes converted as `cast` does (saturating, NaN to integer 0, toward zero), from one
 * device to another too (that waits for the source). Overlapping, but not identical, views: LUN_MISUSE. */
lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err);
lun_status lun_array_fill(const lun_array *out, lun_number value, const lun_call *call, lun_error *err);
/* out[i] = from + i*step in row-major order, computed in i64 or in the widest float the device has. */
lun_status lun_array_sequence(const lun_array *out, lun_number from, lun_number step, const lun_call *call,
                              lun_error *err);

typedef struct lun_mapping {
    lun_array array; /* a view that keeps the memory */
    lun_access access;
    void *base;     /* of the mapped bytes */
    int64_t origin; /* element offset that `base` stands for */
} lun_mapping;

/* Maps the array's memory; other device work on that memory is LUN_MISUSE until it is cleared. Waits. */
lun_status lun_mapping_open(lun_mapping *out, const lun_array *array, lun_access access, lun_error *err);
/* When the device refuses what was written, the array says so until it is rewritten. */
lun_status lun_mapping_close(lun_mapping *mapping, lun_error *err);
void lun_mapping_clear(lun_mapping *mapping);                        /* closes, and forgets errors */
void *lun_mapping_element(const lun_mapping *mapping, size_t index); /* row-major; NULL out of range */

/* ---- random numbers: Philox4x32-10, so the same seed gives the same uniforms on every device ---------- */

typedef enum lun_distribution { LUN_UNIFORM, LUN_NORMAL, LUN_RANDINT } lun_distribution;

/* UNIFORM: low <= x < high, floats. NORMAL: mean a, standard deviation b, floats. RANDINT: low..high, both
 * included, integers. a and b are low/high or mean/deviation. */
lun_status lun_array_random(const lun_array *out, lun_distribution distribution, uint64_t seed, lun_number a,
                            lun_number b, const lun_call *call, lun_error *err);
/* Fails as lun_array_random would, whatever the seed: for hosts that draw one when all else is right. */
lun_status lun_random_check(const lun_array *out, lun_distribution distribution, lun_number a, lun_number b,
                            lun_error *err);

/* ---- operations ------------------------------------------------------------------------------------ */

typedef enum lun_reduce_op {
#define REDUCE(name, ...) LUN_REDUCE_##name,
#include "op/reduce/reduce.def"
#undef REDUCE
    LUN_REDUCE_OPS
} lun_reduce_op;

typedef struct lun_reduction {
    lun_reduce_op op;
    bool axis[LUN_MAX_AXES]; /* which axes go */
    bool accurate;           /* float sums carry a compensation */
} lun_reduction;

lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err);
const char *lun_reduce_name(lun_reduce_op op);
/* The dtype and shape of the result; empty extents without an identity are LUN_MISUSE. */
lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err);
/* out: as lun_reduce_result says, with or without the reduced axes. */
lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err);
/* The results of at most LUN_REDUCE_NUMBERS ops over all axes, waited for in slices: *more says whether to call again.
 * *pending is NULL at first, and while it is not the host owns it: lun_numbers_free if it does not call again. */
#define LUN_REDUCE_NUMBERS 16
typedef struct lun_numbers lun_numbers;
lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err);
void lun_numbers_free(lun_numbers *pending); /* NULL is fine */

/* ---- elementwise functions: map.def -----------------------------------------------------------------
 * An expression is a list of nodes, each of which may use those before it. All of it is one kernel: arrays broadcast, are read
 * once, and no array is made in between. */

typedef enum lun_map_op {
#define MAP(name, ...) LUN_MAP_##name,
#include "op/map/map.def"
#undef MAP
    LUN_MAP_OPS
} lun_map_op;

lun_status lun_map_find(lun_map_op *out, const char *name, lun_error *err);
const char *lun_map_name(lun_map_op op);
unsigned lun_map_arity(lun_map_op op); /* 1 to 3 operands */

typedef enum lun_node_kind {
    LUN_NODE_ARRAY,    /* args[0]: which of the arrays */
    LUN_NODE_NUMBER,   /* args[0]: which of the numbers; it is no part of the kernel */
    LUN_NODE_CONSTANT, /* a number that is part of the kernel */
    LUN_NODE_CAST,     /* args[0] as dtype, as `cast` does */
    LUN_NODE_OP        /* a function of args */
} lun_node_kind;

typedef struct lun_node {
    lun_node_kind kind;
    lun_map_op op;
    lun_dtype dtype;
    unsigned args[3];
    lun_number value;
} lun_node;

#define LUN_MAP_ARRAYS 12  /* arrays and results of an expression, together */
#define LUN_MAP_NUMBERS 16 /* numbers that an expression takes as arguments */

typedef struct lun_expression {
    const char *name; /* of the operation, for events and failures; a string literal */
    const lun_node *nodes;
    size_t node_count;
    const unsigned *results; /* nodes */
    size_t result_count;
    const lun_array *const *arrays; /* at least one */
    size_t array_count;
    const lun_number *numbers; /* they take the dtype of the arrays that they meet; a float makes integers f32 */
    size_t number_count;
    /* Instead of nodes: OpenCL C, one text for each result, which calls arrays' elements and numbers by these names. Results,
     * numbers and the texts' literals have `dtype`, LUN_DTYPES: the one that holds all arrays' and numbers'. */
    const char *const *texts; /* NULL: nodes */
    const char *const *array_names, *const *number_names;
    lun_dtype dtype;
} lun_expression;

/* The dtypes and the one shape of the results. Shapes that do not broadcast, and dtypes that a function refuses, are
 * LUN_MISUSE. */
lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                          lun_error *err);
/* An output may be exactly one of the inputs, with the same strides, or share no element with any. */
lun_status lun_map(const lun_array *const *outs, const lun_expression *expression, const lun_call *call,
                   lun_error *err);

/* out = in with axis axes[i] of `in` as axis i. Same dtype; no overlap. */
lun_status lun_transpose(const lun_array *out, const lun_array *in, const int *axes, const lun_call *call,
                         lun_error *err);
/* Rearranges a contiguous array in place; its struct then has the new shape. */
lun_status lun_transpose_in_place(lun_array *array, const int *axes, const lun_call *call, lun_error *err);

/* The shape of a*b: vectors, and leading batch axes that broadcast. Two vectors: ndim 0. */
lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err);
/* out = alpha*a*b + beta*out; beta = 0 never reads out. One dtype; integers wrap and take integral alpha, beta. */
lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err);

#include "lunarray_arrange.h"

/* ---- gravity: positions n x 4 (x, y, z, mass), velocities n x 4 (vx, vy, vz, unused), f32 or f64 -------- */

typedef struct lun_gravity_options {
    double softening, G;
    double dt;
    uint64_t steps;
    const char *integrator; /* NULL: "leapfrog" */
} lun_gravity_options;

typedef struct lun_nbody lun_nbody; /* a run under way on scratch memory */

/* Starts a run; nothing of pos or vel changes before lun_nbody_finish. */
lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err);
/* Enqueues a bounded number of launches; *more says whether steps are left. Call lun_queue_room between. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err);
/* Enqueues the writing of pos and vel. */
lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err);
void lun_nbody_free(lun_nbody *run); /* at any time; NULL is fine */
/* out n x 4: acceleration and potential per unit mass. */
lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err);
/* out: 2 elements of the same dtype, kinetic and potential energy. */
lun_status lun_energy(const lun_array *out, const lun_array *pos, const lun_array *vel,
                      const lun_gravity_options *options, const lun_call *call, lun_error *err);

/* ---- programs: kernels of the user's own ---------------------------------------------------------------- */

typedef struct lun_program lun_program; /* refcounted; holds its device */
typedef struct lun_kernel lun_kernel;   /* one kernel of a program, which it holds */

typedef struct lun_source {
    const char *text; /* NULL: the contents of `file` */
    size_t length;
    const char *file;
    const char *script;         /* a file that may hold the text: its lines are then those of build logs; or NULL */
    unsigned script_line;       /* on which it makes this call: which text is meant, where there are equal ones */
    const char *defines;        /* "#define N 4\n" ..., or NULL */
    const char *options;        /* for the compiler, or NULL; without -cl-std the language is OpenCL C 1.2 */
    const char *const *include; /* folders of included files, behind that of `file` */
    size_t include_count;
} lun_source;

/* A text that does not compile is LUN_BUILD, a file that cannot be read LUN_IO. The source is copied. */
lun_status lun_program_create(lun_program **out, lun_device *device, const lun_source *source, lun_error *err);
void lun_program_release(lun_program *program);             /* NULL is fine */
lun_device *lun_program_device(const lun_program *program); /* borrowed */
/* "saxpy;scale": borrowed. */
const char *lun_program_kernels(const lun_program *program);

#define LUN_MAX_PARAMETERS 128

typedef enum lun_parameter_kind {
    LUN_PARAMETER_ARRAY,  /* a pointer to global or constant memory */
    LUN_PARAMETER_LOCAL,  /* a pointer to local memory */
    LUN_PARAMETER_NUMBER, /* a number, or `width` of them, by value */
    LUN_PARAMETER_BYTES,  /* a struct by value */
    LUN_PARAMETER_OTHER   /* an image, a sampler ...: a kernel that has one cannot be run */
} lun_parameter_kind;

typedef struct lun_parameter {
    char name[64], type[64];    /* type: of the value or of what it points to, "float4" */
    const char *space, *access; /* "global", "constant", "local", "private"; "read", "read_write", NULL */
    lun_parameter_kind kind;
    bool writable;   /* an array is written, too */
    bool restricted; /* it promises that no other pointer leads to the same memory */
    bool typed;      /* dtype and width are known */
    lun_dtype dtype;
    unsigned width; /* components: 1, 2, 3, 4, 8 or 16 */
    size_t bytes;   /* of the value or of what it points to; 0: not known */
} lun_parameter;

typedef struct lun_kernel_info {
    const char *name;
    size_t parameter_count;
    const lun_parameter *parameters;
    size_t max_group, multiple; /* work-items in a group at most; the group size is best a multiple of that */
    size_t required_group[3];   /* 0, 0, 0: none */
    uint64_t local_memory, private_memory; /* bytes of a group, of a work-item */
} lun_kernel_info;

/* A name that the program does not have: LUN_MISUSE with those it has. */
lun_status lun_kernel_create(lun_kernel **out, lun_program *program, const char *name, lun_error *err);
void lun_kernel_release(lun_kernel *kernel);                          /* NULL is fine */
const lun_kernel_info *lun_kernel_info_get(const lun_kernel *kernel); /* borrowed */
lun_device *lun_kernel_device(const lun_kernel *kernel);              /* borrowed */
/* "parameter 2 of saxpy (__global const float *x)", for messages; positions count from 0. Returns `text`. */
char *lun_parameter_text(char *text, size_t room, const lun_kernel *kernel, size_t position);

typedef struct lun_argument {
    const lun_array *array; /* LUN_PARAMETER_ARRAY */
    const void *data;       /* LUN_PARAMETER_BYTES: borrowed until lun_kernel_run returns */
    size_t bytes;           /* of data, or of local memory */
    uint64_t value[16];     /* LUN_PARAMETER_NUMBER: filled by lun_argument_set */
} lun_argument;

/* Converts numbers, as many as the parameter has components, to its type; what it cannot hold is LUN_MISUSE. */
lun_status lun_argument_set(lun_argument *out, const lun_kernel *kernel, size_t position, const lun_number *numbers,
                            lun_error *err);

typedef struct lun_range {
    int dims; /* 1 to 3; a group, if any, has as many */
    size_t global[3];
    size_t group[3]; /* 0, 0, 0: the library picks one */
    bool pad;        /* global sizes may be rounded up to whole groups */
} lun_range;

/* Runs the kernel over the range, one argument for each parameter. A writable array that shares elements with
 * another is LUN_MISUSE, unless both are the same contiguous memory. Strided views are copied in, and back. */
lun_status lun_kernel_run(lun_kernel *kernel, const lun_range *range, const lun_argument *args, const lun_call *call,
                          lun_error *err);

/* ---- .npy files -------------------------------------------------------------------------------------- */

/* Waits. `as`: NULL, or the name of the integers as whose bits a dtype is saved that NumPy lacks; LUN_MISUSE without it. */
lun_status lun_npy_save(const char *path, const lun_array *array, const char *as, lun_error *err);
lun_status lun_npy_load(lun_array *out, lun_device *device, const char *path, lun_error *err);

/* ---- data that hosts share: options and variants ------------------------------------------------------ */

typedef enum lun_option_kind {
    LUN_OPTION_BOOLEAN,
    LUN_OPTION_NUMBER,
    LUN_OPTION_INTEGER,
    LUN_OPTION_TEXT,
    LUN_OPTION_ARRAY,
    LUN_OPTION_AXES,
    LUN_OPTION_QUEUE,
    LUN_OPTION_VALUE
} lun_option_kind;

typedef struct lun_option {
    const char *name;
    lun_option_kind kind;
} lun_option;

/* The options of a method ("reduce", "zeros" ...), ended by a NULL name; NULL for a method it does not know. */
const lun_option *lun_method_options(const char *method);
/* The names of the operations that have variants, in order, ended by NULL. */
const char *const *lun_operations(void);
/* The names of an operation's variants that this device can run on some problem, ended by NULL; borrowed,
 * at most `room`-1 of them. False for an operation that has none. */
bool lun_operation_variants(const char **names, size_t room, const char *operation, const lun_device *device);

#ifdef LUN_FAULTS
/* Test builds only: `times` OpenCL calls fail, from the n-th from now (0: none); says how many were made since. */
uint64_t lun_fault_after(uint64_t calls, uint64_t times, int code);
/* Test builds only: the next `operations` that begin wait, on the device, until lun_fault_open lets them start
 * (code 0) or makes them fail (a negative code). */
void lun_fault_close(uint64_t operations);
void lun_fault_open(int code);
/* Test builds only: operations do not look whether what they are to wait for has failed already. */
void lun_fault_blind(bool blind);
#endif

#ifdef __cplusplus
}
#endif
#endif
