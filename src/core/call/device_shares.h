/* Work shared by the devices of the option `devices`: the rows of each device, and arrays on other devices. */
#pragma once

#include "call/request.h"

/* Rows: all shares but the last are multiples of this, the number that kernels process at once. */
#define SHARE_GRAIN 64

/* Reads the option `devices`, and refuses options that exclude it; count is 0 if it is not given. The list lives as
 * long as the request. */
lun_status devices_read(lun_devices *out, lun_request *r, lun_error *err);
/* LUN_MISUSE unless the devices differ and the array is on the first one. */
lun_status devices_check(const lun_devices *devices, const lun_array *array, lun_error *err);

/* The speed of a device relative to others, without unit. */
double device_strength(const lun_device *device);
/* The first of `rows` rows of device i, after those of device i - 1; for i = count it is `rows`. `parts`: the fraction
 * of the whole for each device, or NULL: by their speeds. */
size_t device_share(const lun_devices *devices, const double *parts, size_t i, size_t rows, size_t grain);

/* A new array on that device; waits for the device's work if this frees the needed memory. */
lun_status device_array(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                        lun_error *err);
/* The array on that device: a view if it is there, otherwise an enqueued copy. NULL gives an empty array. */
lun_status device_bring(lun_array *out, lun_device *device, const lun_array *in, lun_error *err);
/* A view of rows of an array. */
lun_status rows_view(lun_array *out, const lun_array *in, size_t first, size_t count, lun_error *err);
