/* Parts: what a room keeps of a device, in a struct that its own files alone see (device.c calls these functions). */
#pragma once

#include "lunarray.h"

/* A room's part of each device. A function that is NULL has nothing to do. */
typedef struct room_part {
    size_t bytes;                       /* of its struct, which is zeroed memory at first */
    void (*create)(lun_device *device); /* the device was found, and its `info` is known */
    lun_status (*open)(lun_device *device,
                       lun_error *err); /* its context was made; until it succeeds, again at each use */
    void (*trim)(lun_device *device);   /* gives back what is only kept for later */
    void (*drain)(lun_device *device);  /* waits for the work under way */
    /* The device's end. First each part ends the work that is under way, and waits for it; then each lets go of all
     * that it has, in the opposite order of the rooms. A forked child leaves OpenCL's objects alone (device_in_child). */
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
