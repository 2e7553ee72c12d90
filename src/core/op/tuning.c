/* Tunings: finding the row of a device. */
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
