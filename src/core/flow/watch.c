/* Descriptors for event loops, and gates: one thread for each device checks the events that have descriptors, makes a
 * descriptor readable once its event has ended, with success or not, and opens the gates for which another device's
 * commands wait.
 *
 * Why a thread: no driver's callback comes when a command ends in an error (PoCL) or soon after it ends (NVIDIA, up to
 * 20 ms: none is set there), and a loop that only has the descriptor never calls us to check again. The thread sleeps
 * as wait.c does: until a callback wakes it, or for a part of the time that the youngest event has been watched. It
 * never calls the host. It lives from the first descriptor to the device's end; while no event is watched it sleeps.
 *
 * Descriptors are not closed with their events but kept for later events: loops drop a descriptor late (cqueues when
 * the coroutine that polled it yields or ends), and break if it is closed before, since its number may be reused for
 * another file. When there are many spare ones, those that are no longer in a loop's epoll are closed. */
#include "flow/watch.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/wait.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define LEAST_NAP 50e-6
#define SPARE_MOST 64 /* from this number of spare descriptors on, those that no loop has are closed */
#define SPARE_KEPT 16 /* until that many are left */

struct watch { /* a descriptor, owned by its event or spare */
    int descriptor;
    ending of;     /* what it reports; the event is retained while the watch is in the watcher's list */
    double since;  /* the time when that began */
    cl_event gate; /* the gate to open instead, owned by the watcher's list; NULL: a descriptor */
    watch *next;   /* in the watcher's list, or among the spare ones */
};

struct watcher {
    pthread_t thread;
    pthread_mutex_t lock; /* for `list` and `stop` */
    watch *list;
    bool stop;
    bool late; /* does the driver report ends late? */
    waker *waker;
};

/* A process that exits without closing its devices shuts down the drivers while a watcher may be querying one. These
 * variables make watchers stop first, and open their gates, because some drivers (Intel's) wait for the work of their
 * queues. They are the only mutable statics of the core. */
static atomic_bool leaving;
static atomic_uint looking; /* watchers that are querying a driver now */
static atomic_uint closed;  /* gates */

static void leave(void)
{
    atomic_store(&leaving, true);
    /* 0.1 s at most: a forked child has the counts, but not the thread that would lower them. */
    for (int i = 0; i < 1000 && atomic_load(&looking) + atomic_load(&closed) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void stop_at_exit(void) { (void)atexit(leave); }

static bool has_ended(const ending *of)
{
    cl_int code;
    return ending_state(of, &code) <= CL_COMPLETE || code != CL_SUCCESS;
}

static void make_readable(const watch *self)
{
    ssize_t written = write(self->descriptor, &(uint64_t){1}, sizeof(uint64_t));
    (void)written;
}

static void make_unreadable(const watch *self)
{
    uint64_t count;
    ssize_t got = read(self->descriptor, &count, sizeof count);
    (void)got;
}

static void open_gate(watch *self)
{
    clSetUserEventStatus(self->gate, CL_COMPLETE);
    atomic_fetch_sub(&closed, 1);
    clReleaseEvent(self->gate);
    clReleaseEvent(self->of.event);
    free(self);
}

static bool has_gates(const watcher *self)
{
    const watch *each = self->list;
    while (each && !each->gate)
        each = each->next;
    return each != NULL;
}

/* Makes the watches whose events have ended readable, and removes them from the list; opens their gates, or all gates.
 * Returns how long to sleep, < 0: for ever. */
static double look_at_all(watcher *self, bool open)
{
    double nap = -1, time = clock_now();
    for (watch **place = &self->list; *place;) {
        watch *each = *place;
        if ((open && each->gate) || has_ended(&each->of)) {
            *place = each->next;
            if (each->gate) {
                open_gate(each);
                continue;
            }
            make_readable(each);
            clReleaseEvent(each->of.event);
            each->of = (ending){0};
            continue;
        }
        const double part = each->gate && self->late ? LEAST_NAP : waker_nap(self->waker, time - each->since);
        nap = nap < 0 || part < nap ? part : nap;
        place = &each->next;
    }
    return nap < 0 || nap > LEAST_NAP ? nap : LEAST_NAP;
}

static void *run(void *data)
{
    watcher *self = data;
    for (;;) {
        double nap = -1;
        atomic_fetch_add(&looking, 1);
        pthread_mutex_lock(&self->lock);
        const bool leaves = atomic_load(&leaving), stop = (self->stop || leaves) && !has_gates(self);
        if (!stop)
            nap = look_at_all(self, leaves);
        pthread_mutex_unlock(&self->lock);
        atomic_fetch_sub(&looking, 1);
        if (stop || leaves)
            return NULL;
        waker_sleep(self->waker, nap);
    }
}

/* The thread blocks all signals, which are for the host's own threads. */
static int start_thread(watcher *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&self->thread, NULL, run, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static lun_status watcher_start(watcher **out, const lun_device *device, lun_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    lun_status status = LUN_OK;
    watcher *self = NEW(1, sizeof *self, "the watching of events");
    self->late = (device->type & CL_DEVICE_TYPE_CPU) == 0;
    self->waker = waker_create(!self->late);
    if (!self->waker)
        FAIL_DONE(LUN_NO_MEMORY, "no descriptor is left for the watching of events");
    pthread_once(&once, stop_at_exit);
    pthread_mutex_init(&self->lock, NULL);
    int code = fault_code() == CL_SUCCESS ? start_thread(self) : EAGAIN;
    if (code != 0)
        FAIL_DONE(LUN_NO_MEMORY, "no thread could be started for the watching of events: %s", strerror(code));
    *out = self;
    return LUN_OK;
done:
    waker_release(self->waker, false);
    free(self);
    return status;
}

static void destroy(watch *self)
{
    close(self->descriptor);
    free(self);
}

/* ---- spare descriptors ------------------------------------------------------------------------------------------ */

/* Finding out which descriptors are polled takes a descriptor itself, and a process may have used up all. So one is
 * held in reserve as soon as there are many. 0: none is held. */
static void hold_reserve(flow *own)
{
    if (own->watch_reserve == 0)
        own->watch_reserve = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (own->watch_reserve < 0)
        own->watch_reserve = 0;
}

static void drop_reserve(flow *own)
{
    if (own->watch_reserve > 0)
        close(own->watch_reserve);
    own->watch_reserve = 0;
}

/* Closes spare descriptors that are not polled, until `kept` are left. */
static void close_spare(flow *own, const bool *polled, size_t kept)
{
    size_t i = 0;
    for (watch **place = &own->watches; *place; i++) {
        watch *each = *place;
        if (polled[i] || own->watches_spare <= kept) {
            place = &each->next;
            continue;
        }
        *place = each->next;
        own->watches_spare--;
        destroy(each);
    }
}

void watches_trim(lun_device *device, size_t kept)
{
    flow *own = flow_of(device);
    size_t count = 0;
    if (own->watches_spare <= kept || device_in_child(device))
        return;
    int *descriptors = calloc(own->watches_spare, sizeof *descriptors);
    bool *polled = calloc(own->watches_spare, sizeof *polled);
    for (const watch *each = own->watches; each && descriptors; each = each->next)
        descriptors[count++] = each->descriptor;
    drop_reserve(own);
    if (descriptors && polled && descriptors_polled(polled, descriptors, count))
        close_spare(own, polled, kept);
    free(descriptors);
    free(polled);
    own->watches_looked = own->watches_spare; /* the next trimming comes after SPARE_MOST more */
    if (own->watches_spare > SPARE_KEPT)
        hold_reserve(own);
}

static void add_spare(watch *self, lun_device *device)
{
    flow *own = flow_of(device);
    self->next = own->watches;
    own->watches = self;
    own->watches_spare++;
    if (own->watches_spare < own->watches_looked) /* some were taken since the last trimming */
        own->watches_looked = own->watches_spare;
    if (own->watches_spare >= own->watches_looked + SPARE_MOST)
        watches_trim(device, SPARE_KEPT);
}

void watches_end(lun_device *device)
{
    flow *own = flow_of(device);
    drop_reserve(own);
    while (own->watches) {
        watch *next = own->watches->next;
        destroy(own->watches);
        own->watches = next;
    }
    watcher *self = own->watcher;
    if (!self)
        return;
    if (!device_in_child(device)) { /* a forked child does not have the thread, and its lock may be locked for ever */
        pthread_mutex_lock(&self->lock);
        self->stop = true;
        pthread_mutex_unlock(&self->lock);
        waker_wake(self->waker);
        pthread_join(self->thread, NULL);
        pthread_mutex_destroy(&self->lock);
    }
    waker_release(self->waker, device_in_child(device));
    free(self);
}

/* The callback is set last, when the watch is in the list: a driver may call it immediately, and the thread must then
 * find the watch. */
static void add_to_list(watcher *self, watch *fresh)
{
    cl_event event = fresh->of.event;
    clRetainEvent(event); /* the thread may remove the event from the list before the callback is set */
    pthread_mutex_lock(&self->lock);
    fresh->next = self->list;
    self->list = fresh;
    pthread_mutex_unlock(&self->lock);
    waker_expect(self->waker, event);
    waker_wake(self->waker);
    clReleaseEvent(event);
}

static lun_status take_spare(watch **out, lun_device *device, lun_error *err)
{
    flow *own = device ? flow_of(device) : NULL;
    if (own && own->watches) {
        *out = own->watches;
        own->watches = own->watches->next;
        own->watches_spare--;
        return LUN_OK;
    }
    FREED watch *self = NEW(1, sizeof *self, "an event's descriptor");
    self->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (self->descriptor < 0)
        FAIL(LUN_NO_MEMORY, "no descriptor is left for the event: %s", strerror(errno));
    if (own && self->descriptor >= SPARE_MOST)
        hold_reserve(own);
    *out = self;
    self = NULL;
    return LUN_OK;
}

lun_status watch_create(watch **out, lun_device *device, const ending *of, lun_error *err)
{
    bool ended = !of->event || has_ended(of);
    if (!ended && !flow_of(device)->watcher)
        TRY(watcher_start(&flow_of(device)->watcher, device, err));
    TRY(take_spare(out, device, err));
    if (ended) {
        make_readable(*out);
        return LUN_OK;
    }
    clRetainEvent(of->event);
    (*out)->of = *of;
    (*out)->since = clock_now();
    add_to_list(flow_of(device)->watcher, *out);
    return LUN_OK;
}

lun_status watch_gate(cl_event *gate, lun_device *device, cl_event event, cl_context other, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_event made = NULL;
    watch *fresh = NEW(1, sizeof *fresh, "the watching of events");
    if (!flow_of(device)->watcher)
        TRY_DONE(watcher_start(&flow_of(device)->watcher, device, err));
    CL_NEW_DONE(made, clCreateUserEvent, other);
    clRetainEvent(made);
    clRetainEvent(event);
    *fresh = (watch){.of = {.event = event}, .since = clock_now(), .gate = made};
    atomic_fetch_add(&closed, 1);
    add_to_list(flow_of(device)->watcher, fresh);
    *gate = made;
done:
    if (status != LUN_OK)
        free(fresh);
    return status;
}

int watch_descriptor(const watch *self) { return self->descriptor; }

static void take_off_list(watcher *self, watch *gone)
{
    pthread_mutex_lock(&self->lock);
    for (watch **place = &self->list; *place; place = &(*place)->next)
        if (*place == gone) {
            *place = gone->next;
            clReleaseEvent(gone->of.event);
            gone->of = (ending){0};
            break;
        }
    pthread_mutex_unlock(&self->lock);
}

void watch_free(watch *self, lun_device *device)
{
    if (!self)
        return;
    if (!device || device_in_child(device)) { /* reading a child's descriptor would empty the parent's */
        destroy(self);
        return;
    }
    if (flow_of(device)->watcher)
        take_off_list(flow_of(device)->watcher, self);
    make_unreadable(self);
    add_spare(self, device);
}
