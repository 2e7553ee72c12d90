/* Blocks that are pages of a file, where a device works in the host's own memory. */
#pragma once

#include "lunarray.h"

#include <stdint.h>

/* An array whose memory is the bytes of an open file from `from` on, which must exist; writes to the array do not
 * change the file. `out` stays empty if the device has its own memory, the driver or the system refuses, or elements
 * are not aligned. */
lun_status array_lent(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape, int file,
                      uint64_t from, lun_error *err);
