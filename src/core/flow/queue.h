/* Queues and tickets: what is enqueued, what has ended. */
#ifndef LUN_FLOW_QUEUE_H
#define LUN_FLOW_QUEUE_H

#include "lunarray.h"

#include <CL/cl.h>

/* Every operation ends in one event, held in its queue's ring. A ticket is (queue, serial): the ring's
 * event while it is recent, known to be complete once serial <= done. Silent operations have none, as an event costs a
 * GPU 2 us: the next one in the queue shows their end, at the latest a marker's, which who waits for them enqueues. */

#define QUEUE_RING 64
#define SILENT_MOST (QUEUE_RING / 4) /* operations in a row */

/* A device's queues: the default one, one that is kept for transfers, and those that a host asks for. */
#define HOST_QUEUES 16
#define TRANSFER_QUEUE 1
#define FIRST_HOST_QUEUE 2
#define DEVICE_QUEUES (FIRST_HOST_QUEUE + HOST_QUEUES)

typedef struct hold { /* something that a command in flight needs, until it has ended */
    void *what;
    void (*let_go)(void *what);
    struct hold *next;
} hold;

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

lun_status queue_open(lun_queue *queue, lun_device *device, unsigned index, bool profiling, lun_error *err);
void queue_close(lun_queue *queue); /* waits */
void queue_reap(lun_queue *queue);  /* notes what has ended, without waiting; drops holds and events */
void queue_reap_until(lun_queue *queue, uint64_t last); /* the same, no further than that serial */
slot *queue_ticket(lun_queue *queue); /* the next serial's place in the ring, where there must be room */
/* Was it to wait for other queues? Only such commands can fail before their turn, and leave the queue alive. */
bool slot_waits(const lun_queue *queue, const slot *entry);
/* Has a command failed, though others before it have not ended? A driver may start what is enqueued behind it at once. */
bool queue_is_ahead(lun_queue *queue);
/* Waits until there is room in the ring, at most `seconds`. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err);
/* Waits until `serial` and all before it have ended, at most `seconds` (< 0: for ever). */
lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err);
/* The event that shows the end of `serial`, borrowed: its own, or a later one. NULL once ended, or before queue_show. */
cl_event queue_event(const lun_queue *queue, uint64_t serial);
/* Makes sure that there is one, unless it has ended. */
lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err);
lun_status queue_flush(lun_queue *queue, lun_error *err);
lun_status queue_recover(lun_queue *queue, lun_error *err);
/* Whether times are kept of what is enqueued next. What is enqueued first then waits for the queue's last event. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err);
void queue_swap(lun_queue *queue); /* its two OpenCL queues */
/* QUEUE_COUNTERS 32-bit counters: 0 before a kernel of this queue, which leaves them so. */
#define QUEUE_COUNTERS 4096
lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err);

#endif
