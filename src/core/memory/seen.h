/* Memory of the host's own that a device's buffers are in. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* A buffer in memory that the host sees all the time, at *host; NULL: it is one as any other. */
lun_status seen_buffer(cl_mem *out, void **host, lun_device *device, size_t bytes, lun_error *err);
