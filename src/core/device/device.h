/* Devices: what they are, and their working context. */
#pragma once

#include "base/manner.h"
#include "device/part.h"
#include "lunarray.h"

#include <CL/cl.h>
#include <sys/types.h>

/* What all rooms may know of a device. What a room keeps of it is in the room's own struct, its part (part.h). */
struct lun_device {
    void *parts[PARTS]; /* the rooms' structs, each by its place */
    unsigned refs;
    pid_t pid;
    bool open;
    cl_device_type type;
    int pocl;        /* the first number of the version of the PoCL that drives it; 0: another driver does */
    unsigned nvidia; /* the major compute capability of an NVIDIA GPU; 0: none */
    lun_device_info info;
    char *extensions;
    const lun_manner *manner;
    lun_recording *recording; /* what it does is noted there (recording.h); NULL: nobody records */
};

/* Asks the device what it is, for its `info`. */
lun_status device_describe(lun_device *device, lun_error *err);
/* Is PoCL the device's driver? */
static inline bool device_on_pocl(const lun_device *device) { return device->pocl > 0; }
/* Does the device advertise the extension of OpenCL? */
bool device_has_extension(const lun_device *device, const char *name);
/* Makes the context, and lets the parts open, at first use. LUN_MISUSE in a forked child. */
lun_status device_open(lun_device *device, lun_error *err);
/* LUN_MISUSE where the device lacks that dtype. */
lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err);
bool device_is_apart(const lun_device *device); /* it has memory of its own */
bool device_in_child(const lun_device *device); /* after a fork: nothing of OpenCL may be called */

/* For messages: how the device's host counts, C's for none; shapes and the numbers of axes, as that has them. */
const lun_manner *device_manner(const lun_device *device);
char *device_shape_text(char *text, size_t room, const lun_device *device, int ndim, const size_t *shape);
char *array_shape_text(char *text, size_t room, const lun_array *array);
int array_axis_shown(const lun_array *array, int axis);

/* Work-items in a group of FOR_SPREAD kernels: 1 where a work-item is a loop on a core, else 64. */
size_t device_group(const lun_device *device);
/* Bytes of the last-level cache that the device's cores can count on. */
size_t device_cache(const lun_device *device);
/* Is an operation that touches that many bytes faster if it writes its result past the cache? */
bool passes_cache(const lun_device *device, size_t touched);
