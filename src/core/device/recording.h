/* Recordings: reports of operations, compilers and waits to a running recording. Without one they cost a check of
 * device->recording. */
#pragma once

#include "device/device.h"

/* A call that is being recorded. Zeroed: none. */
typedef struct recorded_call {
    lun_recording *of;
    double start, claimed;
    size_t first_span;
} recorded_call;

/* A command that was enqueued. */
typedef struct recorded_command {
    const char *operation, *command;
    cl_kernel kernel; /* the kernel, which names the command; or NULL */
    cl_event event;   /* retained here; NULL: the host has timed it, from `start` until now */
    unsigned queue;
    bool waits;   /* for commands of other queues */
    double start; /* before it was enqueued */
} recorded_command;

#define RECORDED_AT_ONCE 1000 /* the queue of a companion's commands */

double recording_clock(void); /* seconds, of the clock that waits are measured by */
/* For the `start` of the functions below; 0 if there is no recording, in which case they do nothing. */
static inline double recording_now(const lun_device *device) { return device->recording ? recording_clock() : 0; }

void recording_call_begin(recorded_call *out, lun_device *device, const char *name);
void recording_call_end(recorded_call *call, lun_device *device, const char *name, uint64_t bytes);
void recording_command(lun_device *device, const recorded_command *command);
/* The call's commands form the operation of that serial. */
void recording_ticket(const recorded_call *call, lun_device *device, unsigned queue, uint64_t serial);
/* The call's first command waits for that operation of another queue. */
void recording_edge(const recorded_call *call, const lun_device *device, unsigned queue, uint64_t serial);
void recording_waited(lun_device *device, const char *name, double start);
/* A program was compiled, for the current operation, or else the next one. */
void recording_built(lun_device *device, const char *file, double start);
