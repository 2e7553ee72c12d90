/* What op/ keeps of a device: for op/ alone. */
#ifndef LUN_OP_OP_ROOM_H
#define LUN_OP_OP_ROOM_H

#include "device/device.h"

typedef struct op_state {
    const void *refused[32]; /* variants whose kernels the device's compiler has refused: room for all that may be */
    struct answers *answers; /* NULL until a call waits for some */
    struct table *tables;    /* of constants, those used last first */
} op_state;

static inline op_state *state_of(const lun_device *device) { return device->parts[PART_op]; }

#endif
