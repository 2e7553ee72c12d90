/* A queue's struct and its ring of tickets: only for flow/. */
#pragma once

#include "flow/queue.h"

/* Each operation gets the next serial of its queue, and a slot in the queue's ring with the operation's events. Serials
 * up to `done` have ended. A silent operation has no event, since one costs a GPU 2 us: its end is implied by the
 * completion of the next event in the queue. If there is no such event, a waiter enqueues a marker (queue_show). */

#define QUEUE_RING 64
#define SILENT_MOST                                                                                                    \
    (QUEUE_RING / 4) /* consecutive silent operations, at most: a waiter for the oldest waits for all of
                                      * them */

typedef struct slot {
    uint64_t serial;
    cl_event first, last; /* NULL: the operation has ended, or is silent */
    const char *op;       /* a string literal, or kept by the device */
    hold *holds;
    verdict *verdict;
    tickets unjudged; /* operations whose results it reads, and whose verdicts are pending */
    tickets after;    /* operations of other queues that it waits for; most operations have none */
} slot;

typedef struct flow flow; /* of a device: flow_room.h */

struct lun_queue {
    lun_device *device;
    flow *flow;
    unsigned index;
    bool open;              /* accepts operations; a released queue only finishes those that it has */
    bool profiling;         /* a host may request the times of events */
    bool timed;             /* `cl` keeps times */
    cl_command_queue cl;    /* NULL: the place is unused */
    cl_command_queue other; /* keeps times if `cl` does not, and vice versa; NULL until needed */
    uint64_t next;          /* the serial that the next operation gets; the first is 1 */
    uint64_t done;          /* all serials up to this one have ended */
    uint64_t slow;          /* the last serial of an operation that is not quick */
    double quick;           /* seconds of quick operations since that one */
    uint64_t flushed;       /* all operations up to this one have been flushed to the driver */
    uint64_t since;         /* the first serial in the present OpenCL queue */
    uint64_t owned;         /* the first serial of the present owner */
    uint64_t looked;        /* the check (flow->looks) that found the oldest operation still running */
    hold *kept;             /* of operations that count as ended, although the driver has not reported it */
    bool broken;            /* a command failed or was refused: the next operation needs a fresh OpenCL queue */
    bool failing;           /* a command failed: all operations behind it count as failed as well */
    bool stuck;        /* the driver has forgotten an operation and all after it: their ends will not be reported */
    bool unrecorded;   /* commands without tickets were enqueued, and have not been waited for yet */
    cl_mem counters;   /* of queue_counters; NULL until asked for */
    uint64_t flagged;  /* the last serial that has a flag behind it (flag.c) */
    cl_uint flag;      /* the number of that flag */
    uint64_t suspect;  /* an operation that the driver may have forgotten: see is_forgotten */
    double suspected;  /* when it was first suspected */
    unsigned refusals; /* consecutive checks, separated in time, at which the driver refused to report the state of an
                        * operation */
    double refused;    /* when it did so last, of those */
    slot ring[QUEUE_RING];
};

/* The place of a recent serial in the ring. */
static inline slot *slot_of(lun_queue *queue, uint64_t serial) { return &queue->ring[serial % QUEUE_RING]; }
static inline bool slot_is_unjudged(const slot *entry) { return entry->verdict || entry->unjudged.count; }
static inline bool queue_has_work(const lun_queue *queue) { return queue->done + 1 < queue->next; }

/* queue.c */
lun_status queue_open(lun_queue *queue, bool profiling, lun_error *err); /* puts a fresh OpenCL queue in the place */
void queue_close(lun_queue *queue);                                      /* waits */

/* ticket.c */
void queue_reap_until(lun_queue *queue, uint64_t last); /* as queue_reap, but only up to `last` */
/* Has the newest operation failed while older ones still run? An operation enqueued now could then start before they
 * end, because a driver orders it only after the newest. */
bool queue_is_ahead(lun_queue *queue);
/* Could the driver still run the queue's work, although it has refused a wait for it with that code? If that work were
 * given up, it would run concurrently with later work, and overwrite its results. */
bool queue_may_go_on(lun_queue *queue, cl_int code);
/* Does the operation wait for other queues? Only such an operation can fail before its turn while its queue
 * continues. */
bool slot_waits(const lun_queue *queue, const slot *entry);
void slot_retire(lun_queue *queue, slot *entry);     /* releases its events */
void slot_keep_holds(lun_queue *queue, slot *entry); /* until the queue is closed, as the operation may still run */
void holds_drop(hold **list);                        /* calls each let_go */
