/* Host memory that contains a device's buffers. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* A buffer in memory that the host always sees, at *host; NULL: an ordinary buffer. */
lun_status seen_buffer(cl_mem *out, void **host, lun_device *device, size_t bytes, lun_error *err);
