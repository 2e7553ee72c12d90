/* How an operation runs: what it touches, its commands, its ticket. */
#ifndef LUN_OP_OPERATION_H
#define LUN_OP_OPERATION_H

#include "base/error.h"
#include "device/device.h"
#include "flow/queue.h"
#include "memory/block.h"

/* Enqueues the first command of an operation, or a later one, on its queue. NVIDIA's driver refuses to wait for what has
 * failed, and knows of it a moment before that shows: then what is left to wait for is looked for anew. */
#define CL_WAITING(op, function, ...)                                                                                  \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        bool cl_anew_ = true;                                                                                          \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            cl_code_ = function(queue_cl((op)->queue), __VA_ARGS__);                                                   \
        while (cl_code_ != CL_SUCCESS && (op)->wait_count && cl_anew_) {                                               \
            TRY(operation_wait_anew(&cl_anew_, op, err));                                                              \
            if (cl_anew_)                                                                                              \
                cl_code_ = function(queue_cl((op)->queue), __VA_ARGS__);                                               \
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
/* Do its commands get events? */
bool operation_has_events(const operation *op);
/* Takes the event of the command that CL_WAITING has enqueued; NULL: it has none. */
void operation_enqueued(operation *op, cl_event event);
lun_status operation_end(operation *op, lun_error *err);
void operation_clear(operation *op);

/* A contiguous array over a scratch block that the operation owns; not to be cleared. */
lun_status operation_scratch_array(operation *op, lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                                   lun_error *err);

#endif
