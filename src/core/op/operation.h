/* Operations: their memory, commands and tickets. */
#pragma once

#include "base/error.h"
#include "device/device.h"
#include "device/recording.h"
#include "flow/queue.h"
#include "memory/block.h"

/* An OpenCL function that enqueues a command: its name, for errors, and the call of it, with the command's own arguments. */
typedef struct enqueuer {
    const char *name, *says;                  /* OpenCL's name, and the one in recordings; NULL: not recorded */
    bool blocks;                              /* the call returns when the command has ended */
    cl_kernel (*kernel)(const void *command); /* the kernel whose name the command has in recordings; or NULL */
    cl_int (*call)(cl_command_queue queue, const void *command, cl_uint wait_count, const cl_event *waits,
                   cl_event *event);
} enqueuer;

#define OPERATION_FEW                                                                                                  \
    8 /* uses and scratch blocks stored in the operation itself; users' kernels may have more arrays */

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
    unsigned scratch_used; /* the used scratch blocks; those after them are free */
    operation_use *uses;   /* few_uses while they fit there */
    lun_block **scratch;   /* few_scratch while they fit there */
    operation_use few_uses[OPERATION_FEW];
    lun_block *few_scratch[OPERATION_FEW];
    bool begun, ended, quick;
    bool harmless;   /* the commands enqueued so far write scratch memory only */
    bool unrecorded; /* the caller itself waits for the commands: they leave no ticket */
    bool watched;    /* without a ticket, but its commands have events, because the caller polls for the end */
    bool risky;      /* its commands are users' kernels, which may fail by themselves */
    bool silent;     /* its commands have no events */
    bool at_once;    /* the companion runs it, and it leaves no ticket (at_once.h) */
    bool moves;      /* it copies bytes between host and device, for which the companion needs no kernels */
    bool in_turn;    /* it holds the companion until it has ended */
    bool swapped;    /* it turns on the queue's times: its first command waits for those enqueued without times */
    double weight;   /* its time on one core, in nanoseconds: operation_weigh; 0 until set */
    unsigned commands;
    cl_int refusal; /* the code with which the driver refused a command */
    cl_event first, last;
    tickets after;                     /* of other queues, which its first command waits for */
    cl_event waits[DEVICE_QUEUES + 2]; /* the events of those tickets; a test may add one, and another device */
    cl_uint wait_count;
    cl_event gate; /* the gate that the next command waits for: another device's (watch_gate), owned; or NULL */
    hold *holds;
    recorded_call recorded;
    verdict *verdict; /* NULL: it has none. One of the holds gives the verdict back */
    tickets unjudged; /* unfinished operations with pending verdicts whose results this one reads */
} operation;

/* An operation points into itself: it must not be moved until operation_clear. */
void operation_init(operation *op, lun_device *device, const char *name, const lun_call *call);
lun_status operation_reads(operation *op, const lun_array *array, lun_error *err);
lun_status operation_writes(operation *op, const lun_array *array, lun_error *err);
lun_status operation_reads_writes(operation *op, const lun_array *array, lun_error *err);
/* Several arrays at once, of which NULL ones are skipped: operation_touches(&op, ARRAYS(a, b), ARRAYS(out), err). */
#define ARRAYS(...) (const lun_array *const[]){__VA_ARGS__}, COUNT(((const lun_array *const[]){__VA_ARGS__}))
lun_status operation_touches(operation *op, const lun_array *const *read, size_t read_count,
                             const lun_array *const *written, size_t written_count, lun_error *err);
/* Does the operation write an array in that memory? */
bool operation_writes_to(const operation *op, cl_mem memory);
lun_status operation_scratch(operation *op, lun_block **out, size_t bytes, lun_error *err);
/* Scratch memory acquired since the mark is not used by commands appended to the plan from now on, and can be reused.
 * So an operation of many successive commands needs only the memory of its largest parts. */
unsigned operation_scratch_mark(const operation *op);
void operation_scratch_again(operation *op, unsigned mark);
/* Enqueues the reading of the verdict, after the kernels that write it (plan_verdict). */
lun_status operation_read_verdict(operation *op, lun_error *err);
/* Records in `unjudged` the operations whose results this one reads and which can still fail by a verdict. */
lun_status operation_find_unjudged(operation *op, lun_error *err);
bool operation_is_unjudged(
    const operation *op); /* has it read such results, some of which are not yet known to be good? */
lun_status operation_hold(operation *op, lun_staging *staging, lun_error *err);
/* A reader may block until the operation ends, if its weight is small: a host cannot interrupt a blocking call. */
void operation_quick(operation *op);
/* The caller waits for the operation's commands before doing anything else, and marks the operation as ended. The
 * commands have no events, unless `watched`. */
void operation_unrecorded(operation *op, bool watched);
void operation_risky(operation *op); /* the commands may fail by themselves, as users' kernels do */
/* Sets the operation's time on one core, after its uses have been declared and before its kernels are requested. If
 * this is less than the waking of the threads, no operation on the threads still uses the memory, and small operations
 * of this name are frequent enough, the operation runs at once: kernels requested until it begins are the companion's.
 * Without a call of this function an operation runs on the threads. */
void operation_weigh(operation *op, double nanoseconds);
/* The same for an operation whose end the caller waits for. */
void operation_weigh_awaited(operation *op, double nanoseconds);
/* The time on one core for the bytes of the operation's uses, if it depends only on the memory's rate. */
double operation_bytes_weight(const operation *op);
lun_status operation_begin(operation *op, lun_error *err);
/* After the driver has refused a command: has an event of the wait list failed? Then rebuilds the wait list. */
lun_status operation_wait_anew(bool *anew, operation *op, lun_error *err);
/* The next command also waits for a gate, which the operation takes over; the operation has begun. */
void operation_wait_for(operation *op, cl_event gate);
void operation_drop_gate(operation *op);
cl_command_queue operation_queue(const operation *op); /* the queue of its commands */
/* Do the operation's commands have events? */
bool operation_has_events(const operation *op);
/* Enqueues a command of an operation that has begun; the first command waits for the operation's wait list. `shown`:
 * the command gets an event in any case (enqueue.c). */
lun_status operation_enqueue(operation *op, const enqueuer *by, const void *command, bool shown, lun_error *err);
lun_status operation_mark(operation *op, lun_error *err); /* enqueues a marker */
/* Records that a command was enqueued, and takes over its event; NULL: the command has none. */
void operation_enqueued(operation *op, cl_event event);
lun_status operation_end(operation *op, lun_error *err);
void operation_clear(operation *op);

/* For a recording (record.c). A command that was enqueued; `waits`: for others first. */
void operation_record_command(const operation *op, const enqueuer *by, const void *command, cl_event event, bool waits,
                              double start);
void operation_record_ticket(const operation *op,
                             uint64_t serial); /* which operation the commands are, and what it waits for */
void operation_record_end(operation *op);

/* A new array that outlives the operation, which writes it. */
lun_status operation_new_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                               lun_error *err);
/* A contiguous array over a scratch block that the operation owns; not to be cleared. */
lun_status operation_scratch_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                                   lun_error *err);
