/* The part of memory/ in a device: only for memory/. */
#pragma once

#include "device/device.h"

#define SIZE_CLASSES 160

typedef struct memory {
    lun_block *blocks; /* all, with those of the pool */
    lun_block *pool[SIZE_CLASSES];
    uint64_t live, pooled, peak, limit, default_limit, collect_at;
    uint64_t made; /* bytes of blocks made since lun_device_made last returned more than 0 */
    struct pinned *spare;
    uint64_t staged, spare_bytes;
    bool tried, sees; /* seen.c: has it been tried whether the host sees its buffers, and does it? */
} memory;

static inline memory *memory_of(const lun_device *device) { return device->parts[PART_memory]; }

void spare_free(lun_device *device); /* gives spare pinned memory back to the driver */
