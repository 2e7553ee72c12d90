/* The arguments last set of kernels that the companion runs. */
#pragma once

#include "device/device.h"

#include <CL/cl.h>

/* Sets an argument unless the kernel already has that value. `value` is read before the call returns; NULL: local
 * memory. */
lun_status argument_set_kept(lun_device *device, cl_kernel kernel, cl_uint position, size_t bytes, const void *value,
                             lun_error *err);
/* Forgets all of a device's kernels. */
void arguments_clear(lun_device *device);
