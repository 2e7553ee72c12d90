/* Pinned host memory, which a device with its own memory reads and writes at the full rate of the bus. */
#pragma once

#include "device/device.h"

#include <CL/cl.h>

typedef struct pinned {
    cl_mem mem;
    void *data; /* mapped for as long as the memory exists */
    size_t bytes;
    struct pinned *next; /* in a list of spare memory */
} pinned;

lun_status pinned_create(pinned **out, lun_device *device, size_t bytes, lun_error *err);
void pinned_free(pinned *memory, lun_device *device);
/* Reads bytes of a buffer into pinned memory at once, by a queue that has no other work. */
lun_status pinning_read(void *out, lun_device *device, cl_mem from, size_t bytes, lun_error *err);
