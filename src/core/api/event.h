/* A part of lunarray.h: events, how an operation is to be run, and the frame of a call. */
#pragma once

#include "device.h"

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

/* A gate: what is enqueued on the queue from now on waits until it is opened, once, which any thread may do. Freeing opens it. */
typedef struct lun_gate lun_gate;
lun_status lun_gate_close(lun_gate **out, lun_queue *queue, lun_error *err);
void lun_gate_open(lun_gate *gate);
void lun_gate_free(lun_gate *gate); /* NULL is fine; by the thread that made it */

/* How an operation is to be run; NULL or zeroed: default queue, the first variant that applies, no event. */
typedef struct lun_call {
    const char *variant;
    lun_queue *queue;
    lun_event *event;  /* filled (cleared first) and its queue flushed */
    bool reproducible; /* by a variant whose bits do not depend on the device; LUN_MISUSE where sums have none */
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
