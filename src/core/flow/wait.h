/* Waiting for commands: yields for about 200 us, then sleeps on the device's waker, at most 50 ms at a time, 250 us on GPUs. */
#ifndef LUN_FLOW_WAIT_H
#define LUN_FLOW_WAIT_H

#include "flow/flag.h"

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

#endif
