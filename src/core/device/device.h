/* Devices: their properties, and their context. */
#pragma once

#include "base/manner.h"
#include "device/part.h"
#include "lunarray.h"

#include <CL/cl.h>
#include <sys/types.h>

/* The fields of a device that all rooms use. The state of a room is in the room's own struct, its part (part.h). */
struct lun_device {
    void *parts[PARTS]; /* the rooms' structs, by the rooms' positions */
    unsigned refs;
    pid_t pid;
    bool open;
    cl_device_type type;
    int pocl;        /* the major version of its PoCL; 0: another driver */
    unsigned nvidia; /* the major compute capability of an NVIDIA GPU; 0: none */
    lun_device_info info;
    char *extensions;
    const lun_manner *manner;
    lun_recording *recording; /* records its work (recording.h); NULL: no recording */
};

/* Queries the device's properties for its `info`. */
lun_status device_describe(lun_device *device, lun_error *err);
/* Is PoCL the device's driver? */
static inline bool device_on_pocl(const lun_device *device) { return device->pocl > 0; }
/* Does the device advertise the extension of OpenCL? */
bool device_has_extension(const lun_device *device, const char *name);
/* Creates the context and opens the parts, at first use. LUN_MISUSE in a forked child. */
lun_status device_open(lun_device *device, lun_error *err);
/* LUN_MISUSE if the device does not support that dtype. */
lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err);
bool device_is_apart(const lun_device *device); /* it has memory of its own */
bool device_in_child(const lun_device *device); /* after a fork: no function of OpenCL may be called */

/* For messages: the manner of the device's host, C's without a host; shapes and the numbers of axes in that manner. */
const lun_manner *device_manner(const lun_device *device);
char *device_shape_text(char *text, size_t room, const lun_device *device, int ndim, const size_t *shape);
char *array_shape_text(char *text, size_t room, const lun_array *array);
int array_axis_shown(const lun_array *array, int axis);

/* The group size of FOR_SPREAD kernels: 1 if a work-item is a loop on a core, else 64. */
size_t device_group(const lun_device *device);
/* The bytes of the last-level cache available to the device's cores. */
size_t device_cache(const lun_device *device);
/* Is an operation that touches that many bytes faster if its writes bypass the cache? */
bool passes_cache(const lun_device *device, size_t touched);
