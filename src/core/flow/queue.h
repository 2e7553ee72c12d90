/* Queues: what rooms outside flow/ ask of one, and what they report to it. */
#pragma once

#include "device/device.h"
#include "flow/tickets.h"
#include "flow/verdict.h"

/* A device's queues: the default one, one that is kept for transfers, and those that a host asks for. */
#define HOST_QUEUES 16
#define DEFAULT_QUEUE 0
#define TRANSFER_QUEUE 1
#define FIRST_HOST_QUEUE 2
#define DEVICE_QUEUES (FIRST_HOST_QUEUE + HOST_QUEUES)

/* What other rooms ask at every operation. flow/'s part of a device begins with it. */
typedef struct flow_facts {
    struct failure *failures; /* those that a ticket, a block or a host's event may still refer to */
    uint64_t failures_seen;   /* counts changes that may let failures_sweep forget more */
    uint64_t waits;           /* how often a host has waited for the end of operations */
    uint64_t unjudged; /* tickets that have a verdict, or read what one with a verdict makes, and have not ended */
} flow_facts;

static inline flow_facts *flow_facts_of(const lun_device *device) { return device->parts[PART_flow]; }
/* Has any operation failed, of those that still matter? */
static inline bool failures_known(const lun_device *device) { return flow_facts_of(device)->failures != NULL; }
/* Something changed that may let more of them be forgotten. */
static inline void failures_changed(lun_device *device) { flow_facts_of(device)->failures_seen++; }
/* May any operation under way yet turn out to have failed by a verdict? */
static inline bool queues_unjudged(const lun_device *device) { return flow_facts_of(device)->unjudged != 0; }

/* Counts how often a host has waited for the end of operations; flow/ notes what goes by its queues. */
static inline uint64_t queues_waited(const lun_device *device) { return flow_facts_of(device)->waits; }
static inline void queues_note_wait(lun_device *device) { flow_facts_of(device)->waits++; }

/* Something that commands in flight need, as the host memory of a transfer: let_go(what) is called once they have
 * ended. */
typedef struct hold {
    void *what;
    void (*let_go)(void *what);
    struct hold *next;
} hold;

/* An operation whose commands are all enqueued, as its queue is to remember it. */
typedef struct enqueued {
    cl_event first, last; /* of its first and last command; the queue releases them; NULL: the operation is silent */
    const char *op;       /* a string literal, or kept by the device */
    hold *holds;          /* the queue frees them */
    verdict *verdict;     /* its words are read behind the other commands; one of the holds gives it back; or NULL */
    tickets unjudged;     /* operations whose results it reads, and whose verdicts are to come; the queue frees them */
    tickets after;        /* operations of other queues that it waits for; the queue frees them */
    bool quick;           /* a reader may call OpenCL and block until it has ended, unless too many come together */
    double seconds;       /* about how long a quick one takes */
} enqueued;

/* ---- places (queue.c) ------------------------------------------------------------------------------------------- */

lun_queue *queue_at(const lun_device *device, unsigned index);
/* Opens the default queue or that of transfers, unless it is open. */
lun_status queue_ready(lun_device *device, unsigned index, lun_error *err);
cl_command_queue queue_cl(const lun_queue *queue);
unsigned queue_index(const lun_queue *queue); /* its place among the device's queues */
bool queue_is_open(const lun_queue *queue);   /* false: it takes no more operations, as its owner has released it */
/* QUEUE_COUNTERS 32-bit counters, which kernels of this queue find 0 and leave 0. */
#define QUEUE_COUNTERS 4096
lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err);
lun_status counters_create(cl_mem *out, lun_device *device, lun_error *err); /* for kernels that are in no queue */
void queues_overlap(lun_device *device); /* from now on operations are to run side by side, where they can */
bool queues_may_overlap(const lun_device *device);
void queue_break(lun_queue *queue); /* the driver has refused a command */
/* Gives a broken queue a fresh OpenCL queue, once all its operations have ended. */
lun_status queue_recover(lun_queue *queue, lun_error *err);

/* ---- tickets (ticket.c) ----------------------------------------------------------------------------------------- */

uint64_t queue_file(lun_queue *queue, const enqueued *operation); /* gives its serial; the ring must have room */
uint64_t queue_newest(const lun_queue *queue);                    /* the last serial that was given; 0: none */
const char *queue_newest_op(const lun_queue *queue);
bool queue_is_fresh(const lun_queue *queue); /* no operation since it was opened, or since its owner got it */
/* Notes which operations have ended, without waiting; lets go of their holds and events. */
void queue_reap(lun_queue *queue);
bool queue_has_ended(const lun_queue *queue, uint64_t serial); /* as of the last queue_reap */
bool queue_is_idle(lun_queue *queue);                          /* reaps */
/* Reaps. If operations are left, makes sure that a later reaping can see their end. */
bool queue_is_busy(lun_queue *queue);
/* May the next operation be silent? Only that many in a row may be. */
bool queue_takes_silent(const lun_queue *queue);
/* Commands were enqueued that leave no ticket, since their caller waits for them; and that caller has waited. */
void queue_note_unrecorded(lun_queue *queue);
void queue_unrecorded_ended(lun_queue *queue);
/* May the operation yet turn out to have failed by a verdict, its own or that of one it has read from? */
bool queue_is_unjudged(const lun_queue *queue, uint64_t serial);
/* The event whose completion implies that of `serial`, borrowed: the operation's own, or a later one of the queue.
 * NULL: the operation has ended, or it and all behind it are silent (queue_show then helps). */
cl_event queue_event(const lun_queue *queue, uint64_t serial);
/* Enqueues a marker if the operation has not ended and queue_event would give NULL. */
lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err);

/* ---- times (queue.c) -------------------------------------------------------------------------------------------- */

bool queue_gives_times(const lun_queue *queue); /* a host may ask its events for their times */
bool queue_is_timed(const lun_queue *queue);    /* the times of commands enqueued now are kept */
/* The newest operation's times were not kept, though a host may ask for them; those of a marker would be. */
bool queue_lacks_times(const lun_queue *queue);
/* Keeps the times of commands enqueued from now on, or no longer. As that changes the OpenCL queue, the first such
 * command must wait for the event of the newest operation. */
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
