/* Work that several devices share, as the option `devices` lists them: which rows each does, and arrays on other devices. */
#pragma once

#include "call/request.h"

#define SHARE_GRAIN 64 /* rows: all shares but the last are multiples of it, as kernels take that many at once */

/* The option `devices`, and the options that do not go with it; count is 0 where it is not given. The list lives as long as the
 * request. */
lun_status devices_read(lun_devices *out, lun_request *r, lun_error *err);
/* LUN_MISUSE unless the devices differ, and the first one has the array. */
lun_status devices_check(const lun_devices *devices, const lun_array *array, lun_error *err);

/* What a device does in a second, beside others; no unit. */
double device_strength(const lun_device *device);
/* The first of `rows` rows that device i does: the one behind those of device i - 1. Of i = count it is `rows`. `parts`: of the
 * whole, which each device does, or NULL: by their strength. */
size_t device_share(const lun_devices *devices, const double *parts, size_t i, size_t rows, size_t grain);

/* A new array on that device, which waits for the device to end its work where that has memory back. */
lun_status device_array(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                        lun_error *err);
/* The array on that device: a view where it is there, or a copy that is enqueued. NULL gives an array that is empty. */
lun_status device_bring(lun_array *out, lun_device *device, const lun_array *in, lun_error *err);
/* A view of rows of an array. */
lun_status rows_view(lun_array *out, const lun_array *in, size_t first, size_t count, lun_error *err);
