/* Waiting for events: yields for a moment unless the caller is calm, then sleeps until the driver reports an end, and
 * checks the event in between. PoCL does not report an end with an error, so a check comes after an eighth of the time
 * waited so far, at least every 50 ms. NVIDIA's driver reports any end up to 20 ms late, so on GPUs only checks detect
 * it: they come after a 32nd of the time, at least every quarter of a millisecond. No callbacks are set there: if a
 * process waits and then ends, as scripts do, the driver's report would come while the context is being released. */
#include "flow/wait.h"
#include "base/error.h"
#include "flow/flag.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define YIELD_SECONDS 200e-6
#define YIELDS 4            /* between two checks */
#define NAP_PART 8          /* a sleep is at most this part of the wait so far */
#define LATE_SECONDS 250e-6 /* if the driver reports ends late: the longest sleep (a check costs 1 or 2 us), */
#define LATE_PART 32        /* and the part of the wait so far */
#define WATCHED 16

struct waker {
    atomic_uint refs;          /* of the owner, and of each pending callback; callbacks run on the driver's threads */
    bool prompt;               /* the driver reports an end as it happens; otherwise no callbacks are set */
    double longest, part;      /* before the next check: sleeps at most `longest`, and at most the wait so far / part */
    int ends[2];               /* a pipe: callbacks write a byte, the waiting thread polls */
    cl_event watched[WATCHED]; /* events that already have a callback, retained; only for the waiting thread */
    unsigned next;             /* the place in `watched` that is used next, in rotation */
};

waker *waker_create(bool prompt)
{
    waker *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    atomic_init(&self->refs, 1);
    self->prompt = prompt;
    self->longest = prompt ? LOOK_SECONDS : LATE_SECONDS;
    self->part = prompt ? NAP_PART : LATE_PART;
    if (pipe2(self->ends, O_NONBLOCK | O_CLOEXEC) != 0) {
        free(self);
        return NULL;
    }
    return self;
}

static void drop(waker *self)
{
    if (atomic_fetch_sub(&self->refs, 1) != 1)
        return;
    close(self->ends[0]);
    close(self->ends[1]);
    free(self);
}

void waker_release(waker *self, bool in_child)
{
    for (unsigned i = 0; self && !in_child && i < WATCHED; i++)
        if (self->watched[i])
            clReleaseEvent(self->watched[i]);
    if (self)
        drop(self);
}

void waker_wake(waker *self)
{
    /* A full pipe refuses the byte, but wakes the reader all the same. */
    ssize_t written = write(self->ends[1], "", 1);
    (void)written;
}

/* Runs on a driver's thread, or inside clSetEventCallback: no lock, no host language. */
static void CL_CALLBACK ended(cl_event event, cl_int state, void *data)
{
    waker *self = data;
    (void)event, (void)state;
    waker_wake(self);
    drop(self);
}

bool waker_expect(waker *self, cl_event event)
{
    if (!self->prompt)
        return false;
    atomic_fetch_add(&self->refs, 1);
    bool accepted = clSetEventCallback(event, CL_COMPLETE, ended, self) == CL_SUCCESS;
    if (!accepted)
        drop(self); /* checks detect the end all the same */
    return accepted;
}

static void watch_for_end(waker *self, cl_event event)
{
    for (unsigned i = 0; i < WATCHED; i++)
        if (self->watched[i] == event)
            return;
    if (!waker_expect(self, event))
        return;
    clRetainEvent(event);
    cl_event *place = &self->watched[self->next++ % WATCHED];
    if (*place)
        clReleaseEvent(*place);
    *place = event;
}

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double waker_nap(const waker *self, double waited)
{
    double nap = waited / self->part;
    return nap < self->longest ? nap : self->longest;
}

void waker_sleep(waker *self, double seconds)
{
    char bytes[64];
    struct pollfd end = {.fd = self->ends[0], .events = POLLIN};
    struct timespec most = {.tv_nsec = (long)(seconds * 1e9)};
    if (ppoll(&end, 1, seconds < 0 ? NULL : &most, NULL) > 0)
        while (read(self->ends[0], bytes, sizeof bytes) == sizeof bytes)
            ;
}

static lun_status state_of(cl_int *state, const ending *of, lun_error *err)
{
    cl_int code = fault_code();
    if (code == CL_SUCCESS)
        *state = ending_state(of, &code);
    return code == CL_SUCCESS ? LUN_OK : fail_cl(err, code, "clGetEventInfo");
}

/* The position of the first that has ended, and its execution status; `count` if none has. */
static lun_status find_ended(size_t *position, cl_int *state, const ending *of, size_t count, lun_error *err)
{
    for (*position = 0; *position < count; ++*position) {
        TRY(state_of(state, &of[*position], err));
        if (*state <= CL_COMPLETE)
            break;
    }
    return LUN_OK;
}

/* A check takes the event's lock, which the driver's threads need to end the command, so there are several yields
 * between two checks. */
static void yield(void)
{
    for (int i = 0; i < YIELDS; i++)
        sched_yield();
}

bool wait_awake(cl_event event)
{
    cl_int state = CL_QUEUED, code;
    double start = clock_now();
    do {
        yield();
        code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    } while (code == CL_SUCCESS && state > CL_COMPLETE && clock_now() - start < YIELD_SECONDS);
    return state == CL_COMPLETE;
}

static lun_status wait_first(size_t *position, cl_int *state, waker *self, const ending *of, size_t count,
                             double seconds, bool calm, lun_error *err)
{
    double start = 0;
    bool watching = false;
    for (;;) {
        TRY(find_ended(position, state, of, count, err));
        if (*position < count || seconds == 0)
            break;
        double t = clock_now();
        start = start == 0 ? t : start;
        double left = seconds < 0 ? LOOK_SECONDS : start + seconds - t;
        if (left <= 0)
            break;
        if (!calm && t - start < YIELD_SECONDS) {
            yield();
        } else if (!watching) {
            /* The next round checks before it sleeps, because an end before the callback was set does not wake the
             * thread. */
            for (size_t i = 0; i < count; i++)
                watch_for_end(self, of[i].event);
            watching = true;
        } else {
            double nap = calm ? self->longest : waker_nap(self, t - start);
            waker_sleep(self, left < nap ? left : nap);
        }
    }
    return LUN_OK;
}

lun_status wait_end(bool *done, cl_int *state, waker *self, const ending *of, double seconds, bool calm, lun_error *err)
{
    size_t position = 1;
    lun_status status = wait_first(&position, state, self, of, 1, seconds, calm, err);
    *done = status == LUN_OK && position == 0;
    return status;
}

lun_status wait_any(size_t *position, waker *self, const ending *of, size_t count, double seconds, lun_error *err)
{
    cl_int state;
    return wait_first(position, &state, self, of, count, seconds, false, err);
}
