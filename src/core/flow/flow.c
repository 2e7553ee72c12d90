/* The part of flow/ in a device: opening and closing it. */
#include "base/error.h"
#include "flow/flag.h"
#include "flow/flow_room.h"
#include "flow/wait.h"
#include "flow/watch.h"

static void create_own(lun_device *device)
{
    flow *own = flow_of(device);
    for (unsigned i = 0; i < DEVICE_QUEUES; i++) {
        own->queues[i].device = device;
        own->queues[i].flow = own;
        own->queues[i].index = i;
    }
}

static lun_status open_own(lun_device *device, lun_error *err)
{
    flow *own = flow_of(device);
    if (!own->waker)
        own->waker = waker_create((device->type & CL_DEVICE_TYPE_CPU) != 0);
    if (!own->waker)
        FAIL(LUN_NO_MEMORY, "no descriptor is left for the device's waker");
    return queue_ready(device, DEFAULT_QUEUE, err);
}

static void trim_own(lun_device *device) { watches_trim(device, 0); }

static void drain_own(lun_device *device)
{
    bool done;
    lun_error ignored;
    (void)lun_device_drain(&done, device, -1, &ignored);
}

static void stop_own(lun_device *device)
{
    watches_end(device);
    if (!device_in_child(device))
        queues_stop(device);
}

static void close_own(lun_device *device)
{
    const bool in_child = device_in_child(device);
    if (!in_child) {
        flags_free(device);
        verdicts_free(device);
    }
    waker_release(flow_of(device)->waker, in_child);
    failures_free(device);
}

const room_part flow_part = {.bytes = sizeof(flow),
                             .create = create_own,
                             .open = open_own,
                             .trim = trim_own,
                             .drain = drain_own,
                             .stop = stop_own,
                             .close = close_own};
