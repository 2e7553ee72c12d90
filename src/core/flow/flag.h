/* How a command's end shows: by its event, or sooner by a word that the device writes behind it. */
#ifndef LUN_FLOW_FLAG_H
#define LUN_FLOW_FLAG_H

#include "lunarray.h"

#include <CL/cl.h>

typedef struct ending {
    cl_event event;
    const volatile cl_uint *word; /* NULL: there is none */
    cl_uint number;               /* what it is when the end is reached, or a later one */
} ending;

/* Makes flags possible, where they are of use; nothing that needs them depends on them. Takes memory, which may have to
 * wait for the device: before there is work on several queues. */
void flags_prepare(lun_device *device);
void flags_free(lun_device *device);
/* Lets the device flag the end of what the queue has, if its event may tell too late. Never waits; drops events that ended. */
void flag_ask(lun_queue *queue);
bool ends_show_late(
    lun_queue *queue); /* by events, as other queues are at work; clFinish returns in time all the same */
bool flag_reached(const lun_queue *queue, uint64_t serial);
ending ending_of(const lun_queue *queue, uint64_t serial, cl_event event);
/* CL_COMPLETE, a negative code, or what else the event says; *code is of the asking. */
cl_int ending_state(const ending *self, cl_int *code);

#endif
