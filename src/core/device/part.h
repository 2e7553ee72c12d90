/* Parts: the state of a room on a device, in a struct that only the room's files see (device.c calls these
 * functions). */
#pragma once

#include "lunarray.h"

/* A room's part in each device. A function may be NULL. */
typedef struct room_part {
    size_t bytes;                       /* of its struct, which is zeroed at first */
    void (*create)(lun_device *device); /* the device was found, and its `info` is known */
    lun_status (*open)(lun_device *device,
                       lun_error *err); /* its context was created; repeated at each use until it succeeds */
    void (*trim)(lun_device *device);   /* releases what is only kept for later use */
    void (*drain)(lun_device *device);  /* waits for the work in progress */
    /* The device's end. First each part ends its work in progress and waits for it; then each part releases all that it
     * has, in the reverse order of the rooms. A forked child does not touch OpenCL's objects (device_in_child). */
    void (*stop)(lun_device *device);
    void (*close)(lun_device *device);
} room_part;

/* The rooms that have a part, in their order. Each defines its row: `const room_part flow_part`. */
#define DEVICE_PARTS(PART) PART(device) PART(flow) PART(memory) PART(op) PART(transfer) PART(user)

#define PART(room) PART_##room,
typedef enum part_place { DEVICE_PARTS(PART) PARTS } part_place;
#undef PART

#define PART(room) extern const room_part room##_part;
DEVICE_PARTS(PART)
#undef PART
