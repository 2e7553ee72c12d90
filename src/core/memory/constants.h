/* Constant memory: buffers created with their contents. They are counted as memory of the pool. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* LUN_NO_MEMORY if the device's limit does not allow it. The buffer does not hold the device, so the caller releases it
 * before the device ends. */
lun_status constants_create(cl_mem *out, lun_device *device, size_t bytes, void *data, lun_error *err);
/* Enqueued commands may still read it. */
void constants_free(lun_device *device, cl_mem mem, size_t bytes);
