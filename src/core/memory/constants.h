/* Constant memory: buffers that have their contents from the beginning. They are counted with what the pool keeps. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* LUN_NO_MEMORY where the device's limit does not allow it. The caller gives it back before the device ends: it does not hold it. */
lun_status constants_create(cl_mem *out, lun_device *device, size_t bytes, void *data, lun_error *err);
/* Commands that have been enqueued may still read it. */
void constants_free(lun_device *device, cl_mem mem, size_t bytes);
