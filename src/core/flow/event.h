/* Events of hosts: functions for the core. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* Makes an event's times begin with those of an earlier event. */
void event_begin_with(lun_event *event, const lun_event *earlier);
/* Makes the event of an operation whose commands were enqueued; without commands `last` is NULL. Retains both. */
void event_of_operation(lun_event *out, lun_queue *queue, uint64_t serial, const char *op, cl_event first,
                        cl_event last);
/* Gives an event of the queue's newest operation, and flushes the queue. */
lun_status event_of_newest(lun_event *out, lun_queue *queue, lun_error *err);
