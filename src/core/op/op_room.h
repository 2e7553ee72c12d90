/* The part of op/ in a device: only for op/. */
#pragma once

#include "device/device.h"

#include <CL/cl.h>

#define COMPANION_NAMES 64

/* The state of a device's companion (at_once.c). */
typedef struct companion {
    cl_command_queue queues[2]; /* the second keeps times; NULL until needed */
    cl_mem counters;            /* counters, as a queue has them; NULL until needed */
    double spent;               /* nanoseconds of larger operations that ran at once since the host last waited */
    uint64_t waits;             /* queues_waited then */
    /* The time, in nanoseconds, that small operations lost because they did not run at once, by the hashes of their
     * names; below 0: no longer counted. */
    double missed[COMPANION_NAMES];
} companion;

typedef struct op_state {
    companion companion;
    const void *refused[32];           /* variants whose kernels the device's compiler has refused, with room for all */
    struct kept_kernels *kept_kernels; /* arguments.c; NULL until needed */
    struct answers *answers;           /* NULL until a call waits for some */
    void *expression;                  /* op/expression/again.c; NULL until needed */
    struct table *tables;              /* tables of constants, the most recently used first */
} op_state;

static inline op_state *state_of(const lun_device *device) { return device->parts[PART_op]; }
