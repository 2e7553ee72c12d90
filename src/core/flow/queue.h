/* Queues: functions for rooms outside flow/. */
#pragma once

#include "device/device.h"
#include "flow/tickets.h"
#include "flow/verdict.h"

/* A device's queues: the default one, one for transfers, and those that a host creates. */
#define HOST_QUEUES 16
#define DEFAULT_QUEUE 0
#define TRANSFER_QUEUE 1
#define FIRST_HOST_QUEUE 2
#define DEVICE_QUEUES (FIRST_HOST_QUEUE + HOST_QUEUES)

/* Fields that other rooms read at every operation. flow/'s part in a device begins with them. */
typedef struct flow_facts {
    struct failure *failures; /* failures to which a ticket, a block or a host's event may still refer */
    uint64_t failures_seen;   /* counts changes that may let failures_sweep forget more */
    uint64_t waits;           /* the number of times that a host has waited for the end of operations */
    uint64_t unjudged;        /* unfinished tickets that have a verdict, or read results of an operation with one */
} flow_facts;

static inline flow_facts *flow_facts_of(const lun_device *device) { return device->parts[PART_flow]; }
/* Has any operation failed whose failure is still relevant? */
static inline bool failures_known(const lun_device *device) { return flow_facts_of(device)->failures != NULL; }
/* Records a change that may allow failures_sweep to free more of them. */
static inline void failures_changed(lun_device *device) { flow_facts_of(device)->failures_seen++; }
/* Can any unfinished operation still fail by a verdict? */
static inline bool queues_unjudged(const lun_device *device) { return flow_facts_of(device)->unjudged != 0; }

/* Counts the number of times that a host has waited for the end of operations; flow/ notes what goes by its queues. */
static inline uint64_t queues_waited(const lun_device *device) { return flow_facts_of(device)->waits; }
static inline void queues_note_wait(lun_device *device) { flow_facts_of(device)->waits++; }

/* Something that enqueued commands need, for example the host memory of a transfer: let_go(what) is called once they
 * have ended. */
typedef struct hold {
    void *what;
    void (*let_go)(void *what);
    struct hold *next;
} hold;

/* An operation whose commands are all enqueued, for its queue to record. */
typedef struct enqueued {
    cl_event first, last; /* of its first and last command; the queue releases them; NULL: the operation is silent */
    const char *op;       /* a string literal, or kept by the device */
    hold *holds;          /* the queue frees them */
    verdict *verdict;     /* its words are read after the other commands; one of the holds returns it; or NULL */
    tickets unjudged;     /* operations whose results it reads, and whose verdicts are pending; the queue frees them */
    tickets after;        /* operations of other queues that it waits for; the queue frees them */
    bool quick;           /* a reader may block in OpenCL until it has ended, unless there are too many of them */
    double seconds;       /* the approximate time of a quick one */
} enqueued;

/* ---- places (queue.c) ------------------------------------------------------------------------------------------- */

lun_queue *queue_at(const lun_device *device, unsigned index);
/* Opens the default queue or the queue for transfers, unless it is open. */
lun_status queue_ready(lun_device *device, unsigned index, lun_error *err);
cl_command_queue queue_cl(const lun_queue *queue);
unsigned queue_index(const lun_queue *queue); /* its place among the device's queues */
bool queue_is_open(const lun_queue *queue);   /* false: it takes no more operations, as its owner has released it */
/* QUEUE_COUNTERS 32-bit counters, which kernels of this queue find 0 and leave 0. */
#define QUEUE_COUNTERS 4096
lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err);
lun_status counters_create(cl_mem *out, lun_device *device, lun_error *err); /* for kernels that are in no queue */
void queues_overlap(lun_device *device); /* from now on operations run concurrently, if possible */
bool queues_may_overlap(const lun_device *device);
void queue_break(lun_queue *queue); /* the driver has refused a command */
/* Gives a broken queue a fresh OpenCL queue, once all its operations have ended. */
lun_status queue_recover(lun_queue *queue, lun_error *err);

/* ---- tickets (ticket.c) ----------------------------------------------------------------------------------------- */

uint64_t queue_file(lun_queue *queue, const enqueued *operation); /* gives its serial; the ring must have room */
uint64_t queue_newest(const lun_queue *queue);                    /* the last serial that was given; 0: none */
const char *queue_newest_op(const lun_queue *queue);
bool queue_is_fresh(const lun_queue *queue); /* no operation since it was opened or got its owner */
/* Records which operations have ended, without waiting; releases their holds and events. */
void queue_reap(lun_queue *queue);
bool queue_has_ended(const lun_queue *queue, uint64_t serial); /* as of the last queue_reap */
bool queue_is_idle(lun_queue *queue);                          /* reaps */
/* Reaps. If operations are left, ensures that a later call can detect their end. */
bool queue_is_busy(lun_queue *queue);
/* May the next operation be silent? The number of consecutive silent ones is limited. */
bool queue_takes_silent(const lun_queue *queue);
/* Commands without a ticket were enqueued, since the caller waits for them. The second: the caller has waited. */
void queue_note_unrecorded(lun_queue *queue);
void queue_unrecorded_ended(lun_queue *queue);
/* Can the operation still fail by a verdict, its own or that of an operation whose results it has read? */
bool queue_is_unjudged(const lun_queue *queue, uint64_t serial);
/* The event whose completion implies that of `serial`, borrowed: the operation's own, or a later one of the queue.
 * NULL: the operation has ended, or it and all after it are silent (then use queue_show). */
cl_event queue_event(const lun_queue *queue, uint64_t serial);
/* Enqueues a marker if the operation has not ended and queue_event would give NULL. */
lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err);

/* ---- times (queue.c) -------------------------------------------------------------------------------------------- */

bool queue_gives_times(const lun_queue *queue); /* a host may ask its events for their times */
bool queue_is_timed(const lun_queue *queue);    /* the times of commands enqueued now are kept */
/* The newest operation's times were not kept, although a host may request them; those of a marker would be. */
bool queue_lacks_times(const lun_queue *queue);
/* Turns the times of commands enqueued from now on on or off. This changes the OpenCL queue, so the first such command
 * must wait for the event of the newest operation. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err);
void queue_swap(lun_queue *queue); /* undoes the change */

/* ---- waiting (finish.c) ----------------------------------------------------------------------------------------- */

lun_status queue_flush(lun_queue *queue, lun_error *err);
/* Waits at most `seconds` until the ring has room. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err);
/* Waits at most `seconds` (< 0: for ever) until `serial` and all before it have ended. */
lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err);
/* Waits at most `seconds` until only quick operations are left. */
lun_status queue_wait_slow(bool *done, lun_queue *queue, double seconds, lun_error *err);
