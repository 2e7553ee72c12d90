/* Watching: descriptors that become readable when an event ends, for event loops. */
#ifndef LUN_FLOW_WATCH_H
#define LUN_FLOW_WATCH_H

#include "flow/flag.h"

typedef struct watch watch;
typedef struct watcher watcher; /* a device's thread */
/* Without an event: one that has ended, `device` may then be NULL too. Starts the device's watcher if need be. */
lun_status watch_create(watch **out, lun_device *device, const ending *of, lun_error *err);
int watch_descriptor(const watch *watch);
void watch_free(watch *watch, lun_device *device);
void watches_end(lun_device *device); /* at the device's end: no event has a watch any more */
/* Closes spare descriptors until so many are left; those stay that an event loop still has. */
void watches_trim(lun_device *device, size_t kept);
/* Marks those that are in an epoll of this process; false where that cannot be told (polled.c). */
bool descriptors_polled(bool *polled, const int *descriptors, size_t count);

#endif
