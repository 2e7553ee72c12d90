/* How an operation runs: what it touches, its commands, its ticket. */
#ifndef LUN_OP_OPERATION_H
#define LUN_OP_OPERATION_H

#include "base/error.h"
#include "device/device.h"
#include "flow/queue.h"
#include "memory/block.h"

/* An OpenCL function that enqueues a command: its name, for errors, and the call of it, with the command's own arguments. */
typedef struct enqueuer {
    const char *name;
    cl_int (*call)(cl_command_queue queue, const void *command, cl_uint wait_count, const cl_event *waits,
                   cl_event *event);
} enqueuer;

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
    cl_int refusal; /* the code with which the driver refused a command */
    cl_event first, last;
    uint64_t after[DEVICE_QUEUES];     /* tickets of other queues that its first command waits for */
    cl_event waits[DEVICE_QUEUES + 1]; /* their events; a test may add one */
    cl_uint wait_count;
    hold *holds;
    verdict *verdict; /* NULL: it has none; one of the holds gives it back */
    doubt *doubts;    /* what it reads may have been written by these, which have not ended */
} operation;

/* The operation points into itself: it stays where it is until operation_clear. */
void operation_init(operation *op, lun_device *device, const char *name, const lun_call *call);
lun_status operation_reads(operation *op, const lun_array *array, lun_error *err);
lun_status operation_writes(operation *op, const lun_array *array, lun_error *err);
lun_status operation_reads_writes(operation *op, const lun_array *array, lun_error *err);
lun_status operation_scratch(operation *op, lun_block **out, size_t bytes, lun_error *err);
/* What its kernels find wrong in its data (plan_verdict) is read behind them. */
lun_status operation_read_verdict(operation *op, lun_error *err);
/* Notes whose results it reads that may turn out to be bad. */
lun_status operation_find_doubts(operation *op, lun_error *err);
bool operation_in_doubt(const operation *op); /* it has read such results, and not all of these are known to be good */
lun_status operation_hold(operation *op, lun_staging *staging, lun_error *err);
void operation_quick(operation *op); /* it is tiny: a reader may simply block for it */
/* Its caller waits for its commands before anything else happens, and marks it as ended: they get no event, unless they
 * are to be `watched`. */
void operation_unrecorded(operation *op, bool watched);
void operation_risky(operation *op); /* its commands may fail by themselves, as a user's kernels do */
lun_status operation_begin(operation *op, lun_error *err);
/* After a refusal: has something that it waits for failed? Then it has a new wait list. */
lun_status operation_wait_anew(bool *anew, operation *op, lun_error *err);
/* Do its commands get events? */
bool operation_has_events(const operation *op);
/* Enqueues a command of an operation that has begun; the first waits for what the operation waits for. Shown: it gets an
 * event (enqueue.c). */
lun_status operation_enqueue(operation *op, const enqueuer *by, const void *command, bool shown, lun_error *err);
lun_status operation_mark(operation *op, lun_error *err); /* enqueues a marker */
/* Notes an enqueued command, and takes its event; NULL: it has none. */
void operation_enqueued(operation *op, cl_event event);
lun_status operation_end(operation *op, lun_error *err);
void operation_clear(operation *op);

/* A contiguous array over a scratch block that the operation owns; not to be cleared. */
lun_status operation_scratch_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                                   lun_error *err);

#endif
