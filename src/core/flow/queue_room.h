/* A queue's struct and its ring of tickets: for flow/ alone. */
#ifndef LUN_FLOW_QUEUE_ROOM_H
#define LUN_FLOW_QUEUE_ROOM_H

#include "flow/queue.h"

/* Every operation ends in one event, held in its queue's ring. A ticket is (queue, serial): the ring's
 * event while it is recent, known to be complete once serial <= done. Silent operations have none, as an event costs a
 * GPU 2 us: the next one in the queue shows their end, at the latest a marker's, which who waits for them enqueues. */

#define QUEUE_RING 64
#define SILENT_MOST (QUEUE_RING / 4) /* operations in a row */

typedef struct slot {
    uint64_t serial;
    cl_event first, last; /* NULL: it has ended, or is silent */
    const char *op;       /* a string literal, or kept by the device */
    hold *holds;
    uint64_t after[DEVICE_QUEUES]; /* the last serial of each other queue that it waits for; 0: none */
} slot;

struct lun_queue {
    lun_device *device;
    unsigned index;
    bool open;              /* somebody may enqueue; a released one only ends what it has */
    bool profiling;         /* a host may ask events for their times */
    bool timed;             /* `cl` keeps times now */
    cl_command_queue cl;    /* NULL: an unused place */
    cl_command_queue other; /* the one that does if `cl` does not, and the other way round; NULL until needed */
    uint64_t next;          /* the serial that the next operation gets; the first is 1 */
    uint64_t done;          /* all serials up to this one have ended */
    uint64_t slow;          /* the last serial that is not quick */
    uint64_t flushed;       /* the driver has been told to start everything up to this one */
    uint64_t since;         /* the first serial of this OpenCL queue, */
    uint64_t owned;         /* and of this owner */
    uint64_t looked;        /* the look (device->looks) that found its oldest command not to have ended */
    hold *kept;             /* of commands that count as ended, though the driver has not said so */
    bool broken;            /* something failed: a fresh OpenCL queue is needed before the next */
    bool failing;           /* a command failed: all behind it has failed as well */
    bool stuck;             /* the driver has forgotten a command, and with it all behind */
    bool unrecorded;        /* commands without events were enqueued, and have not been waited for */
    cl_mem counters;        /* zeros between the kernels of this queue that count with them; NULL until asked for */
    uint64_t flagged;       /* the last serial that has a flag behind it, */
    cl_uint flag;           /* and its number */
    uint64_t suspect;       /* a serial that should have failed by now, as seen first at: */
    double suspected;
    slot ring[QUEUE_RING];
};

/* The place of a recent serial in the ring. */
static inline slot *slot_of(lun_queue *queue, uint64_t serial) { return &queue->ring[serial % QUEUE_RING]; }
static inline bool queue_has_work(const lun_queue *queue) { return queue->done + 1 < queue->next; }

lun_status queue_open(lun_queue *queue, bool profiling, lun_error *err); /* a fresh OpenCL queue in its place */
void queue_close(lun_queue *queue);                                      /* waits */

/* ticket.c */
void queue_reap_until(lun_queue *queue, uint64_t last); /* queue_reap, no further than that serial */
/* Has a command failed, though others before it have not ended? A driver may start what is enqueued behind it at once. */
bool queue_is_ahead(lun_queue *queue);
/* Was it to wait for other queues? Only such commands can fail before their turn, and leave the queue alive. */
bool slot_waits(const lun_queue *queue, const slot *entry);
void slot_retire(lun_queue *queue, slot *entry);     /* its events are not needed any more */
void slot_keep_holds(lun_queue *queue, slot *entry); /* until the queue is closed */
void holds_drop(hold **list);

#endif
