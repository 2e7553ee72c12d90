/* How an operation's end is detected: by its event, or earlier by a word that the device writes after the operation
 * (flag.c). */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

typedef struct ending {
    cl_event event;
    const volatile cl_uint *word; /* NULL: the event alone shows */
    cl_uint number;               /* *word has this number once the operation has ended, or that of a later flag */
} ending;

/* Allocates the flags of a device, if its driver needs them. Flags are optional, so a failure is not an error. Called
 * before several queues have work, because allocating may wait for the device. */
void flags_prepare(lun_device *device);
void flags_free(lun_device *device);
/* Enqueues a flag after the queue's operations if their events may report the end too late. Never waits. Reaps the
 * queue. */
void flag_ask(lun_queue *queue);
/* Would events of this queue be reported late now, because other queues have work? (clFinish returns in time all the
 * same.) */
bool ends_show_late(lun_queue *queue);
/* How the end of `serial` is detected, given the event that reports it. */
ending ending_of(const lun_queue *queue, uint64_t serial, cl_event event);
/* The execution status: CL_COMPLETE, a negative code, or an unfinished one. *code: whether the query of OpenCL
 * succeeded. */
cl_int ending_state(const ending *self, cl_int *code);
