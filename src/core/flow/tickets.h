/* Tickets: they identify an operation for others, across queues and devices. */
#pragma once

#include "lunarray.h"

typedef struct ticket {
    lun_queue *queue; /* which shows the device */
    uint64_t serial;
} ticket;

/* A list of them. Zeroed memory is an empty one. */
typedef struct tickets {
    unsigned count, room;
    ticket *of;
} tickets;

/* Adds a ticket, unless it is there; false: out of host memory. */
bool tickets_add(tickets *list, lun_queue *queue, uint64_t serial);
/* The same for a list that has only the last ticket of each queue. */
bool tickets_raise(tickets *list, lun_queue *queue, uint64_t serial);
bool tickets_raise_all(tickets *list, const tickets *other);
void tickets_clear(tickets *list);
