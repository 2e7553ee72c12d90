/* The OpenCL objects of a device: its context and the objects created in it. Other files reach them only by this header
 * and program.h. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* A device's units are the cl_device_ids of its context, for which queues and programs are created; all share the same
 * buffers. The device itself is MAIN_UNIT; some devices have a companion (companion.h). */
#define MAIN_UNIT 0
#define COMPANION_UNIT 1
#define DEVICE_UNITS 2

cl_context context_of(const lun_device *device);
cl_device_id context_unit(const lun_device *device, unsigned unit);
/* The device must have been opened. `data` may be NULL. */
lun_status context_buffer(cl_mem *out, const lun_device *device, cl_mem_flags flags, size_t bytes, void *data,
                          lun_error *err);
lun_status context_queue(cl_command_queue *out, const lun_device *device, unsigned unit,
                         cl_command_queue_properties properties, lun_error *err);
