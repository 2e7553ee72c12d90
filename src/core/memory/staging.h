/* Host memory of transfers, pinned where that is of use. */
#ifndef LUN_MEMORY_STAGING_H
#define LUN_MEMORY_STAGING_H

#include "lunarray.h"

#include <CL/cl.h>

typedef struct pinned {
    cl_mem mem;
    void *data; /* for as long as it exists */
    size_t bytes;
    struct pinned *next; /* among the spare ones */
} pinned;

bool device_is_apart(const lun_device *device); /* has memory of its own */
lun_status pinned_create(pinned **out, lun_device *device, size_t bytes, lun_error *err);
void pinned_free(pinned *memory, lun_device *device);
void spare_free(lun_device *device);
void staging_let_go(lun_staging *staging); /* a transfer has ended */

#endif
