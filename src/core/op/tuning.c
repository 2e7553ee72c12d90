/* Tunings: finding the row of a device; and what operations share. */
#include "op/tuning.h"
#include "device/device.h"

#include <string.h>

const void *tuning_find(const lun_device *device, const void *rows, size_t bytes)
{
    const char *at = rows;
    for (const tuning *row = rows; row->device && !strstr(device->info.name, row->device); row = (const void *)at)
        at += bytes;
    return at;
}

static const spread_tuning rows[] = {
    {.tuning = {.found_on = "2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1"},
     .plain = 16384,
     .indexed = 4096,
     .drawn = 1024,
     .streamed = 4096,
     .chosen = 256},
};

const spread_tuning *spread_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
