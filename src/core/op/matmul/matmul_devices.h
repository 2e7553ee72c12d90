/* A matrix product that several devices share. */
#pragma once

#include "call/compose.h"
#include "call/device_shares.h"

typedef struct matmul_devices {
    lun_devices devices;
    const lun_array *out, *a, *b; /* matrices */
    unsigned conjugated;
    lun_number alpha, beta;
} matmul_devices;

/* Each device is a step of the operation's: what has been enqueued is not enqueued again, as `beta` would count twice. */
lun_status matmul_devices_run(composing *c, const matmul_devices *of, lun_error *err);
