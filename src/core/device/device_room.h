/* The part of device/ in a device: only for device/. */
#pragma once

#include "device/context.h"
#include "device/device.h"

typedef struct device_state {
    cl_platform_id platform;
    cl_device_id units[DEVICE_UNITS]; /* NULL: the device has no such unit */
    unsigned built_for;               /* the unit for which kernels are requested now */
    cl_context context;               /* NULL until the device is opened */
    double asked_work;                /* the time of the current operation on one core, in nanoseconds */
    struct programs *programs;        /* kernel files that were built; NULL: none yet */
    struct prepared *prepared;        /* kernels that were built beforehand; NULL: not looked for yet */
    uint64_t programs_built;          /* calls of the compiler, including users' programs */
    uint64_t exchanged;               /* kernels that were built again, optimised */
    double building;                  /* seconds that they took */
    uint64_t declared, undeclared;    /* the numbers of texts for which declarations sufficed (builtins.h), and did
                                       * not */
    char *build_log;
    cl_command_queue pinning; /* only for mapping pinned memory (pinned.c) */
} device_state;

static inline device_state *state_of(const lun_device *device) { return device->parts[PART_device]; }

lun_status context_open(lun_device *device, lun_error *err);
void context_close(lun_device *device);
void programs_close(lun_device *device);
void pinning_close(lun_device *device); /* waits */
