/* What core's files share: the failing macros, the structs behind the handles, and (operation.h) how an operation runs. */
#ifndef LUN_CORE_H
#define LUN_CORE_H

#include "lunarray.h"

#include <CL/cl.h>
#include <sys/types.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct operation;

static inline size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* ---- failing (error.c) ---------------------------------------------------------------------------
 * A function that can fail has `status` and one exit label, `done`. */

lun_status fail(lun_error *err, lun_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An OpenCL call was refused: out-of-memory codes become LUN_NO_MEMORY, the rest LUN_FAILED. */
lun_status fail_cl(lun_error *err, cl_int code, const char *call);

#ifdef LUN_FAULTS
cl_int fault_code(void); /* CL_SUCCESS, or the code that a test wants this call to fail with */
/* An event that a test wants the operation that begins now to wait for, or NULL; borrowed. */
cl_event fault_gate(cl_context context);
bool fault_gated(void); /* has a test made anything wait? */
bool fault_blind(void); /* does a test want nobody to look at failures before enqueueing? */
#else
#define fault_code() CL_SUCCESS
#define fault_gate(context) NULL
#define fault_gated() false
#define fault_blind() false
#endif

/* Runs a core call and leaves when it fails. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((status = (call)) != LUN_OK)                                                                               \
            goto done;                                                                                                 \
    } while (0)

/* Leaves with a message: FAIL(LUN_MISUSE, "axis %d ...", ...). */
#define FAIL(...)                                                                                                      \
    do {                                                                                                               \
        status = fail(err, __VA_ARGS__);                                                                               \
        goto done;                                                                                                     \
    } while (0)

/* Runs an OpenCL function that returns its error code, and leaves when it fails: CL(clFlush, queue). */
#define CL(function, ...)                                                                                              \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            cl_code_ = function(__VA_ARGS__);                                                                          \
        if (cl_code_ != CL_SUCCESS) {                                                                                  \
            status = fail_cl(err, cl_code_, #function);                                                                \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* The same for one that returns an object and writes its code to the last argument:
 * CL_NEW(program, clCreateProgramWithSource, context, 1, &text, &length). */
#define CL_NEW(object, function, ...)                                                                                  \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            (object) = function(__VA_ARGS__, &cl_code_);                                                               \
        if (cl_code_ != CL_SUCCESS) {                                                                                  \
            (object) = NULL;                                                                                           \
            status = fail_cl(err, cl_code_, #function);                                                                \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* ---- dtypes (dtype.c) ------------------------------------------------------------------------------ */

const char *dtype_cl(lun_dtype dtype);      /* OpenCL C's storage type */
const char *dtype_compute(lun_dtype dtype); /* OpenCL C's arithmetic type */
char dtype_npy_letter(lun_dtype dtype);
/* The unsigned dtype of that many bytes, for programs that only move data. */
lun_dtype dtype_of_bytes(size_t bytes);
/* LUN_MISUSE where the device lacks that dtype. */
lun_status dtype_check_device(lun_dtype dtype, const lun_device *device, lun_error *err);

/* ---- queues and tickets (queue.c) -------------------------------------------------------------------
 * Every operation ends in one event, held in its queue's ring. A ticket is (queue, serial): the ring's
 * event while it is recent, known to be complete once serial <= done. Silent operations have none, as an event costs a
 * GPU 2 us: the next one in the queue shows their end, at the latest a marker's, which who waits for them enqueues. */

#define QUEUE_RING 64
#define SILENT_MOST (QUEUE_RING / 4) /* operations in a row */

/* A device's queues: the default one, one that is kept for transfers, and those that a host asks for. */
#define HOST_QUEUES 16
#define TRANSFER_QUEUE 1
#define FIRST_HOST_QUEUE 2
#define DEVICE_QUEUES (FIRST_HOST_QUEUE + HOST_QUEUES)

typedef struct hold { /* what a command in flight needs; dropped when it has ended */
    lun_staging *staging;
    struct hold *next;
} hold;

typedef struct slot {
    uint64_t serial;
    cl_event first, last; /* NULL: it has ended, or is silent */
    const char *op;       /* a string literal, or kept by the device */
    hold *holds;
    uint64_t after[DEVICE_QUEUES]; /* the last serial of each other queue that it waits for; 0: none */
} slot;

struct lun_queue {
    lun_device *device;
    unsigned index;
    bool open;              /* somebody may enqueue; a released one only ends what it has */
    bool profiling;         /* a host may ask events for their times */
    bool timed;             /* `cl` keeps times now */
    cl_command_queue cl;    /* NULL: an unused place */
    cl_command_queue other; /* the one that does if `cl` does not, and the other way round; NULL until needed */
    uint64_t next;          /* the serial that the next operation gets; the first is 1 */
    uint64_t done;          /* all serials up to this one have ended */
    uint64_t slow;          /* the last serial that is not quick */
    uint64_t flushed;       /* the driver has been told to start everything up to this one */
    uint64_t since;         /* the first serial of this OpenCL queue, */
    uint64_t owned;         /* and of this owner */
    uint64_t looked;        /* the look (device->looks) that found its oldest command not to have ended */
    hold *kept;             /* of commands that count as ended, though the driver has not said so */
    bool broken;            /* something failed: a fresh OpenCL queue is needed before the next */
    bool failing;           /* a command failed: all behind it has failed as well */
    bool stuck;             /* the driver has forgotten a command, and with it all behind */
    bool unrecorded;        /* commands without events were enqueued, and have not been waited for */
    cl_mem counters;        /* zeros between the kernels of this queue that count with them; NULL until asked for */
    uint64_t flagged;       /* the last serial that has a flag behind it, */
    cl_uint flag;           /* and its number */
    uint64_t suspect;       /* a serial that should have failed by now, as seen first at: */
    double suspected;
    slot ring[QUEUE_RING];
};

/* A range of serials that failed: the operation that failed and what was enqueued behind it. What failed on another
 * queue since it waited for these has a record of its own, with this one as its cause. */
typedef struct failure {
    unsigned queue;
    uint64_t first, last;
    cl_int code;
    const char *op;
    bool reported;                 /* meaningful without a cause */
    struct failure *cause;         /* NULL: itself */
    uint64_t after[DEVICE_QUEUES]; /* what they were to wait for on other queues, and may not have waited for */
    struct failure *next;
} failure;

lun_status queue_open(lun_queue *queue, lun_device *device, unsigned index, bool profiling, lun_error *err);
void queue_close(lun_queue *queue); /* waits */
void queue_reap(lun_queue *queue);  /* notes what has ended, without waiting; drops holds and events */
void queue_reap_until(lun_queue *queue, uint64_t last); /* the same, no further than that serial */
slot *queue_ticket(lun_queue *queue); /* the next serial's place in the ring, where there must be room */
/* Was it to wait for other queues? Only such commands can fail before their turn, and leave the queue alive. */
bool slot_waits(const lun_queue *queue, const slot *entry);
/* Has a command failed, though others before it have not ended? A driver may start what is enqueued behind it at once. */
bool queue_is_ahead(lun_queue *queue);
/* Waits until there is room in the ring, at most `seconds`. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err);
/* Waits until `serial` and all before it have ended, at most `seconds` (< 0: for ever). */
lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err);
/* The event that shows the end of `serial`, borrowed: its own, or a later one. NULL once ended, or before queue_show. */
cl_event queue_event(const lun_queue *queue, uint64_t serial);
/* Makes sure that there is one, unless it has ended. */
lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err);
lun_status queue_flush(lun_queue *queue, lun_error *err);
lun_status queue_recover(lun_queue *queue, lun_error *err);
/* Whether times are kept of what is enqueued next. What is enqueued first then waits for the queue's last event. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err);
void queue_swap(lun_queue *queue); /* its two OpenCL queues */
/* QUEUE_COUNTERS 32-bit counters: 0 before a kernel of this queue, which leaves them so. */
#define QUEUE_COUNTERS 4096
lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err);

/* failure.c */
/* The failure that covers a ticket, NULL if none is known so far. */
failure *queue_failure(const lun_device *device, unsigned queue, uint64_t serial);
lun_status fail_command(lun_error *err, const failure *failed); /* LUN_FAILED with its message */
/* The entry has failed; if it is the first, `op` is what is named. */
void failure_note(lun_queue *queue, const slot *entry, const char *op, cl_int code);
/* Whoever is to wait for what the record waited for is to wait for the same of the other. */
void failure_join(failure *record, const failure *other);
/* Some commands of an operation were enqueued, then one was refused, which its caller has been told. Serial 0: none was,
 * and its outputs are lost all the same. NULL if there is no memory. */
const failure *failure_note_refusal(lun_queue *queue, uint64_t serial, const char *op);
/* The first cause of the failure of what an entry waited for on other queues, NULL if there is none so far. */
failure *failure_of_producers(lun_queue *queue, const slot *entry);
/* Will a command that has not ended be counted as failed, as it waits for what has failed? Its driver may have forgotten
 * it, and never tell. */
bool failure_is_due(lun_queue *queue, uint64_t serial);
/* LUN_FAILED for the oldest failure (of that queue, unless NULL) that has not been reported. */
lun_status failure_report(const lun_device *device, const lun_queue *queue, lun_error *err);
/* Waits for a command; LUN_FAILED when it, or something that wrote what it used, has failed. */
lun_status failure_check(lun_queue *queue, uint64_t serial, lun_error *err);
void failures_free(lun_device *device);

/* Makes an event cover what an earlier one covers, too (event.c). */
void event_begin_with(lun_event *event, const lun_event *earlier);

/* ---- flags (flag.c) ------------------------------------------------------------------------------------
 * How a command's end shows: by its event, or sooner by a word that the device writes behind it. */

typedef struct ending {
    cl_event event;
    const volatile cl_uint *word; /* NULL: there is none */
    cl_uint number;               /* what it is when the end is reached, or a later one */
} ending;

/* Makes flags possible, where they are of use; nothing that needs them depends on them. Takes memory, which may have to
 * wait for the device: before there is work on several queues. */
void flags_prepare(lun_device *device);
void flags_free(lun_device *device);
/* Lets the device flag the end of what the queue has, if its event may tell too late. Never waits; drops events that ended. */
void flag_ask(lun_queue *queue);
bool ends_show_late(
    lun_queue *queue); /* by events, as other queues are at work; clFinish returns in time all the same */
bool flag_reached(const lun_queue *queue, uint64_t serial);
ending ending_of(const lun_queue *queue, uint64_t serial, cl_event event);
/* CL_COMPLETE, a negative code, or what else the event says; *code is of the asking. */
cl_int ending_state(const ending *self, cl_int *code);

/* ---- waiting (wait.c) --------------------------------------------------------------------------------
 * Yields for about 200 us, then sleeps on the device's waker, at most 50 ms at a time, 250 us on GPUs. */

#define LOOK_SECONDS 50e-3 /* between two looks at what the driver does not report */

typedef struct waker waker;
double clock_now(void);                              /* seconds, monotonic */
waker *waker_create(bool prompt);                    /* the driver reports an end as it happens */
void waker_release(waker *waker, bool in_child);     /* a forked child leaves OpenCL alone */
void waker_wake(waker *waker);                       /* from any thread */
void waker_sleep(waker *waker, double seconds);      /* until woken, at most that long (< 0: for ever) */
bool waker_expect(waker *waker, cl_event event);     /* the driver is to wake it when the event ends well */
double waker_nap(const waker *waker, double waited); /* how long to sleep before looking again */
/* Has it come to a good end? Yields, but does not sleep: false if it takes longer than 200 us. */
bool wait_awake(cl_event event);
/* True in *done once the command has ended, well or not. Its status is in *state. Calm: the host has time, so it leaves the
 * processors alone: no yields, no looks but those that must be. */
lun_status wait_end(bool *done, cl_int *state, waker *waker, const ending *of, double seconds, bool calm,
                    lun_error *err);
/* The position of the first of them that has ended, or `count`. */
lun_status wait_any(size_t *position, waker *waker, const ending *of, size_t count, double seconds, lun_error *err);

/* ---- watching (watch.c) --------------------------------------------------------------------------------
 * Descriptors that become readable when an event ends, for event loops. */

typedef struct watch watch;
typedef struct watcher watcher; /* a device's thread */
/* Without an event: one that has ended, `device` may then be NULL too. Starts the device's watcher if need be. */
lun_status watch_create(watch **out, lun_device *device, const ending *of, lun_error *err);
int watch_descriptor(const watch *watch);
void watch_free(watch *watch, lun_device *device);
void watches_end(lun_device *device); /* at the device's end: no event has a watch any more */
/* Closes spare descriptors until so many are left; those stay that an event loop still has. */
void watches_trim(lun_device *device, size_t kept);
/* Marks those that are in an epoll of this process; false where that cannot be told (polled.c). */
bool descriptors_polled(bool *polled, const int *descriptors, size_t count);

/* ---- memory (memory.c, hazard.c) --------------------------------------------------------------------- */

#define BLOCK_USES 8                        /* room for as many to begin with; */
#define BLOCK_USES_MOST (2 * DEVICE_QUEUES) /* joined, a read and a write on each queue */

typedef struct block_use { /* a byte range, read or written by the operation with that ticket */
    size_t from, to;
    bool write;
    unsigned queue;
    uint64_t serial;
} block_use;

struct lun_block {
    lun_device *device; /* retained while the block is not in the pool */
    cl_mem mem;
    size_t bytes;       /* of the OpenCL buffer: a size class */
    size_t bytes_asked; /* what its owner asked for */
    unsigned refs;
    unsigned maps;          /* open host mappings; no device work meanwhile */
    const failure *spoiled; /* what wrote these bytes failed, and they have not been rewritten whole since */
    size_t spoiled_from, spoiled_to;
    failure *behind; /* uses that failed: older ones that these have covered are found through it alone */
    unsigned use_count, use_room;
    block_use *uses; /* `few`, or memory of its own */
    block_use few[BLOCK_USES];
    lun_block *next; /* in the pool */
};

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err);
lun_block *block_retain(lun_block *block);
void block_release(lun_block *block); /* to the pool; never waits */
void pool_free(lun_device *device);   /* at the device's end */

/* staging.c, stream.c: host memory of transfers */
typedef struct pinned {
    cl_mem mem;
    void *data; /* for as long as it exists */
    size_t bytes;
    struct pinned *next; /* among the spare ones */
} pinned;
typedef struct stream stream;

bool device_is_apart(const lun_device *device); /* has memory of its own */
lun_status pinned_create(pinned **out, lun_device *device, size_t bytes, lun_error *err);
void pinned_free(pinned *memory, lun_device *device);
void spare_free(lun_device *device);
void staging_let_go(lun_staging *staging); /* a transfer has ended */

/* Is a transfer of that size better streamed? */
bool stream_applies(const lun_device *device, size_t bytes);
/* Moves bytes between host memory and a buffer, at its `offset`, behind what the queue has; waits. */
lun_status stream_run(lun_queue *queue, cl_mem mem, size_t offset, void *host, size_t bytes, bool to_device,
                      lun_error *err);
/* That memory may be new, its pages yet to be cleared by the system: large ones take half the time. */
void stream_into_fresh(const lun_device *device, void *data, size_t bytes);
void stream_end(lun_device *device);

/* hazard.c */
lun_status block_check_usable(const lun_block *block, lun_error *err); /* mapped */
/* LUN_FAILED when something that wrote these bytes is known to have failed. */
lun_status block_check_whole(lun_block *block, size_t from, size_t to, lun_error *err);
/* Room for that many more records, so that block_record cannot fail. */
lun_status block_reserve(lun_block *block, unsigned uses, lun_error *err);
void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, unsigned queue, uint64_t serial);
/* What a host wrote to these bytes could not be handed to the device: they are spoiled. */
void block_lose(lun_block *block, size_t from, size_t to, const char *op);
void block_disown(lun_block *block); /* the pool gives it to a new owner */
void block_settle(lun_block *block); /* drops uses that have ended, keeps what failed as `spoiled` */
/* Raises after[i] to the last serial on queue i that a use of these bytes on queue `own` must wait for. */
void block_after(uint64_t *after, const lun_block *block, size_t from, size_t to, bool write, unsigned own);

/* ---- devices (device.c) -------------------------------------------------------------------------------- */

#define SIZE_CLASSES 160

struct program; /* program.c */

struct lun_device {
    unsigned refs;
    pid_t pid;
    bool open;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_device_type type;
    unsigned nvidia;                   /* the major compute capability of an NVIDIA GPU; 0: none */
    const struct variant *refused[32]; /* rows whose kernels its compiler has refused: room for all */
    lun_device_info info;
    char *extensions;
    lun_queue queues[DEVICE_QUEUES]; /* 0 is the default queue */
    waker *waker;
    watcher *watcher;                     /* NULL until a descriptor is asked for */
    watch *watches;                       /* spare ones */
    size_t watches_spare, watches_looked; /* how many; how many were left when they were last looked through */
    int watch_reserve;                    /* a descriptor to look through them with; 0: none */
    failure *failures;
    struct program *programs;
    char *build_log;
    struct kept_name *names; /* of user kernels, which tickets and failures outlive */
    lun_block *pool[SIZE_CLASSES];
    cl_command_queue pinning; /* maps pinned memory */
    pinned *spare;
    stream *stream;
    struct answers *answers;
    struct flags *flags; /* NULL: of no use, or not to be had */
    uint64_t looks;      /* at what has ended, so far */
    bool overlaps;       /* a host has asked for work side by side: no operation is silent from then on, so that what
                          * waits for it waits for no more */
    uint64_t live, pooled, peak, limit, default_limit, collect_at, staged, spare_bytes;
};

lun_status device_open(lun_device *device, lun_error *err); /* context and queue, at first use; checks the pid */
bool device_in_child(const lun_device *device);             /* after a fork: nothing of OpenCL may be called */

/* ---- answers (answer.c): numbers that a call waits for ------------------------------------------------------ */

#define ANSWERS LUN_REDUCE_NUMBERS /* numbers of 8 bytes */

/* Where kernels write them: borrowed, the device's own. What wrote it last has ended. */
lun_status answer_block(lun_block **out, lun_device *device, lun_error *err);
/* Is it quicker to poll for the end of what writes them than to sleep? Then commands have to be watched. */
bool answer_polled(const lun_device *device);
/* Waits for the operation's commands, which are unrecorded, and gives what they wrote to that block. */
lun_status answer_read(void *data, struct operation *op, size_t bytes, lun_error *err);
void answers_free(lun_device *device);

/* ---- shapes (shape.c) ------------------------------------------------------------------------------------ */

typedef struct layout { /* as kernels take it: lun_layout in common.cl */
    cl_long ndim;
    cl_long size[LUN_MAX_AXES];
    cl_long stride[LUN_MAX_AXES];
} layout;

lun_status shape_size(size_t *size, int ndim, const size_t *shape, size_t item, lun_error *err); /* overflow */
void shape_strides(int64_t *stride, int ndim, const size_t *shape);                              /* row-major */
bool shape_equal(const lun_array *a, const lun_array *b);
/* Merges neighbouring axes that every one of the `count` stride lists walks as one, drops axes of size 1.
 * Returns the new number of axes (0 for a single element). The lists are changed in place. */
int shape_collapse(int ndim, size_t *size, int64_t *const *strides, int count);
/* The axes of dst and of src, which has dst's shape, merged, in the order in which they lie in dst, outermost first; dst is
 * walked upwards, from dst_first. */
typedef struct axis_pairs {
    int count;
    size_t size[LUN_MAX_AXES];
    int64_t dst[LUN_MAX_AXES], src[LUN_MAX_AXES]; /* strides */
    int64_t dst_first, src_first;                 /* elements */
} axis_pairs;
axis_pairs shape_axis_pairs(const lun_array *dst, const lun_array *src);
/* The collapsed layout of one array. */
layout array_layout(const lun_array *array);
/* Bytes from the first to behind the last that the view can touch; from == to when it is empty. */
void array_span(const lun_array *array, size_t *from, size_t *to);
lun_status array_check_live(const lun_array *array, const char *what, lun_error *err); /* "the array", "out" */
lun_status array_check_same_device(const lun_array *a, const lun_array *b, const char *what, lun_error *err);
/* LUN_MISUSE when out shares an element with in. */
lun_status array_check_apart(const lun_array *out, const lun_array *in, lun_error *err);

/* ---- programs (program.c) ---------------------------------------------------------------------------------
 * One program per (file, dtype, defines), built at first use and kept by the device. */

typedef struct program_key {
    const char *file; /* "reduce_cpu": the kernel file's name */
    lun_dtype dtype;
    const char *defines; /* "#define VECTOR 8\n..." or NULL: part of the key */
} program_key;

lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err); /* borrowed from the device */
void programs_free(lun_device *device);

typedef struct build_text {
    cl_uint count;
    const char *parts[4];
    size_t lengths[4];
    const char *options;
} build_text;

/* Builds a program. A text that does not compile is LUN_BUILD: "<complaint>: CL_BUILD_PROGRAM_FAILURE". */
lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err);

struct lun_kernel_source { /* made from kernels/ at build time */
    const char *name;
    const char *text;
    size_t length;
};
extern const struct lun_kernel_source lun_kernel_sources[];
extern const size_t lun_kernel_source_count;

/* A copy of a kernel's name that lives as long as the device; NULL where there is no memory (user_program.c). */
const char *name_keep(lun_device *device, const char *name);
void names_free(lun_device *device);

#include "operation.h"

#endif
