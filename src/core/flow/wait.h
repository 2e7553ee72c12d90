/* Waiting for events: yields for about 200 us, then sleeps on the device's waker, for at most 50 ms at a time, on
 * GPUs 250 us. */
#pragma once

#include "flow/flag.h"

#define LOOK_SECONDS 50e-3 /* at most, between two checks of an event whose end the driver may not report */

/* A waker, on which a thread sleeps until a driver reports an event's end. */
typedef struct waker waker;
double clock_now(void);           /* seconds, monotonic */
waker *waker_create(bool prompt); /* prompt: the driver reports an end as it happens; NULL: no memory or descriptor */
void waker_release(waker *waker, bool in_child); /* a forked child leaves OpenCL alone */
void waker_wake(waker *waker);                   /* from any thread */
void waker_sleep(waker *waker, double seconds);  /* until woken, at most `seconds` (< 0: for ever) */
/* Makes a prompt driver wake it when the event ends without an error. */
bool waker_expect(waker *waker, cl_event event);
double waker_nap(const waker *waker, double waited); /* how long to sleep before the next check */
/* Waits up to 200 us without sleeping: true if the event is complete by then. */
bool wait_awake(cl_event event);
/* Waits at most `seconds` (< 0: for ever). *done: the operation has ended, well or not, with the execution status
 * *state. Calm: the wait is not urgent, so that processors stay free for others: no yields, and as few checks as are
 * safe. */
lun_status wait_end(bool *done, cl_int *state, waker *waker, const ending *of, double seconds, bool calm,
                    lun_error *err);
/* Waits likewise for several: *position is the first that has ended, or `count`. */
lun_status wait_any(size_t *position, waker *waker, const ending *of, size_t count, double seconds, lun_error *err);
