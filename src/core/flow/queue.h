/* Queues: what rooms outside flow/ ask of one, and what they tell it. */
#ifndef LUN_FLOW_QUEUE_H
#define LUN_FLOW_QUEUE_H

#include "device/device.h"

typedef struct hold { /* something that a command in flight needs, until it has ended */
    void *what;
    void (*let_go)(void *what);
    struct hold *next;
} hold;

/* An operation whose commands are all enqueued, as its queue is to remember it. */
typedef struct enqueued {
    cl_event first, last;  /* of its first and last command, the queue's from now on; NULL: it is silent */
    const char *op;        /* a string literal, or kept by the device */
    hold *holds;           /* the queue's from now on */
    const uint64_t *after; /* DEVICE_QUEUES serials: the last of each other queue that it waits for; 0: none */
    bool quick;            /* a reader may simply block for it */
} enqueued;

/* ---- places ------------------------------------------------------------------------------------------------------ */

bool queues_create(lun_device *device); /* places for all, no OpenCL queue yet; false: no memory */
void queues_free(lun_device *device);
/* The default queue or that of transfers, open for commands. */
lun_status queue_ready(lun_device *device, unsigned index, lun_error *err);
cl_command_queue queue_cl(const lun_queue *queue);
unsigned queue_index(const lun_queue *queue); /* among the device's */
bool queue_is_open(const lun_queue *queue);   /* commands may be enqueued */
/* QUEUE_COUNTERS 32-bit counters: 0 before a kernel of this queue, which leaves them so. */
#define QUEUE_COUNTERS 4096
lun_status queue_counters(cl_mem *out, lun_queue *queue, lun_error *err);

/* ---- tickets ----------------------------------------------------------------------------------------------------- */

uint64_t queue_file(lun_queue *queue, const enqueued *operation); /* gives its serial; there must be room in the ring */
uint64_t queue_newest(const lun_queue *queue);                    /* the last serial that was given */
const char *queue_newest_op(const lun_queue *queue);
bool queue_is_fresh(const lun_queue *queue); /* it has had no operation since it was opened, or given to its owner */
bool queue_has_ended(const lun_queue *queue, uint64_t serial); /* as far as queue_reap has seen */
bool queue_is_idle(lun_queue *queue);                          /* looks */
bool queue_is_busy(lun_queue *queue);                          /* looks, and makes sure that the end will show */
void queue_reap(lun_queue *queue); /* notes what has ended, without waiting; drops holds and events */
/* May the next operation be silent? Only so many in a row may be. */
bool queue_takes_silent(const lun_queue *queue);
/* Commands without events were enqueued, whose caller waits for them; and has done so. */
void queue_note_unrecorded(lun_queue *queue);
void queue_unrecorded_ended(lun_queue *queue);
/* The event that shows the end of `serial`, borrowed: its own, or a later one. NULL once ended, or before queue_show. */
cl_event queue_event(const lun_queue *queue, uint64_t serial);
/* Makes sure that there is one, unless it has ended. */
lun_status queue_show(lun_queue *queue, uint64_t serial, lun_error *err);

/* ---- times ------------------------------------------------------------------------------------------------------- */

bool queue_gives_times(const lun_queue *queue); /* a host may ask its events for them */
bool queue_is_timed(const lun_queue *queue);    /* they are kept now */
/* A host may ask for times, and its newest operation has none, but a marker would. */
bool queue_lacks_times(const lun_queue *queue);
/* Whether times are kept of what is enqueued next. What is enqueued first then waits for the queue's last event. */
lun_status queue_keep_times(lun_queue *queue, bool wanted, lun_error *err);
void queue_swap(lun_queue *queue); /* its two OpenCL queues */

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

lun_status queue_flush(lun_queue *queue, lun_error *err);
/* Waits until there is room in the ring, at most `seconds`. */
lun_status queue_room(bool *room, lun_queue *queue, double seconds, lun_error *err);
/* Waits until `serial` and all before it have ended, at most `seconds` (< 0: for ever). */
lun_status queue_wait(bool *done, lun_queue *queue, uint64_t serial, double seconds, lun_error *err);
/* Waits until only quick operations are left. */
lun_status queue_wait_slow(bool *done, lun_queue *queue, double seconds, lun_error *err);
void queue_break(lun_queue *queue); /* a command was refused */
lun_status queue_recover(lun_queue *queue, lun_error *err);

#endif
