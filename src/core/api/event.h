/* A part of lunarray.h: events, the options of running an operation, and the frame of a call. */
#pragma once

#include "device.h"

/* ---- events -------------------------------------------------------------------------------------- */

/* The end of one operation with all its kernels. Zeroed: an operation that had nothing to do. */
typedef struct lun_event {
    lun_device *device;
    void *first, *last; /* cl_events of its first and last command */
    uint64_t serial;
    unsigned queue;
    char op[32];
    void *watch; /* its descriptor, once requested */
} lun_event;

typedef enum lun_event_state { LUN_QUEUED, LUN_SUBMITTED, LUN_RUNNING, LUN_COMPLETE, LUN_EVENT_FAILED } lun_event_state;

typedef struct lun_profile {
    double queued, submitted, started, ended; /* seconds on the device's clock */
} lun_profile;

void lun_event_clear(lun_event *event);
/* The end of all work enqueued on the queue so far. */
lun_status lun_event_of_queue(lun_event *out, lun_queue *queue, lun_error *err);
/* A queue for reading the event's results that waits for as little as possible of the work enqueued since; borrowed;
 * NULL: the default one. */
lun_queue *lun_event_reader(const lun_event *event);
lun_event_state lun_event_status(const lun_event *event);
/* Waits at most `seconds` (< 0: for ever). A failed command is LUN_FAILED, again at every call. */
lun_status lun_event_wait(bool *done, const lun_event *event, double seconds, lun_error *err);
/* Waits until one of them has ended, with success or not: gives its position, or `count` if the time is over. */
lun_status lun_event_wait_any(size_t *position, const lun_event *const *events, size_t count, double seconds,
                              lun_error *err);
/* A descriptor for event loops, which becomes and stays readable when the event has ended, with success or not. It is
 * created at the first request, and need not be read from. lun_event_clear takes it back for a later event of the
 * device: by then loops must no longer poll it, and nothing may close it. */
lun_status lun_event_descriptor(int *out, lun_event *event, lun_error *err);
lun_status lun_event_profile(lun_profile *out, const lun_event *event, lun_error *err); /* needs a complete event */

/* A gate: work enqueued on the queue from now on waits until the gate is opened, once, by any thread. Freeing opens
 * it. */
typedef struct lun_gate lun_gate;
lun_status lun_gate_close(lun_gate **out, lun_queue *queue, lun_error *err);
void lun_gate_open(lun_gate *gate);
void lun_gate_free(lun_gate *gate); /* NULL is allowed; only in the thread that created it */

/* How to run an operation; NULL or zeroed: default queue, the first variant that applies, no event. */
typedef struct lun_call {
    const char *variant;
    lun_queue *queue;
    lun_event *event;  /* filled (cleared first) and its queue flushed */
    bool reproducible; /* by a variant whose bits do not depend on the device; LUN_MISUSE where sums have none */
} lun_call;

/* ---- attempts ------------------------------------------------------------------------------------
 * The frame around a host's call of the core, which allows garbage collection and interrupts:
 *
 *     lun_attempt t;
 *     for (lun_attempt_enqueue(&t, device, &call); host_goes_on(&t);)
 *         t.status = lun_transpose(out, in, axes, &call, &t.err);
 *
 * where host_goes_on calls lun_attempt_next until it returns LUN_STEP_CALL (true) or LUN_STEP_DONE (false). Arrays stay
 * anchored meanwhile; if a finalizer clears one, the next call reports it. */

#define LUN_SLICE 0.05 /* seconds that the core waits before the host may allow interrupts */

typedef enum lun_step {
    LUN_STEP_CALL,       /* call, and store the status */
    LUN_STEP_DONE,       /* the call succeeded */
    LUN_STEP_COLLECT,    /* collect garbage and run finalizers: device memory is short, or much of it is in use */
    LUN_STEP_INTERRUPTS, /* allow interrupts; the host may also leave for good */
    LUN_STEP_RAISE       /* `err` has the failure */
} lun_step;

typedef struct lun_attempt {
    lun_status status; /* of the call */
    bool more;         /* set by calls that do one slice at a time: allow interrupts, and call again */
    lun_error err;
    size_t staging; /* bytes of staging memory that the call will need */
    bool retried, waits, enqueues;
    int stage;
    lun_device *device; /* borrowed; NULL: no second attempt if memory is short */
    lun_queue *queue;
} lun_attempt;

void lun_attempt_start(lun_attempt *out, lun_device *device); /* for a call that enqueues nothing */
void lun_attempt_enqueue(lun_attempt *out, lun_device *device, const lun_call *call);
lun_step lun_attempt_next(lun_attempt *attempt);
