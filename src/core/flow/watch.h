/* Watching: descriptors that become readable when an event ends, for event loops; gates that open then, for other devices. */
#pragma once

#include "flow/flag.h"

typedef struct watch watch;
typedef struct watcher watcher; /* a device's thread that looks at the watched events */
/* A descriptor for `of`; it is readable at once if of->event is NULL, and `device` may be NULL then. */
lun_status watch_create(watch **out, lun_device *device, const ending *of, lun_error *err);
int watch_descriptor(const watch *watch);
void watch_free(watch *watch, lun_device *device);
/* Commands of the context `other` that wait for the gate, a user event, start once `event` has ended, with success or
 * not: with PoCL a wait for an event that fails may never end. The caller releases *gate, and flushes `event`, of the
 * device. */
lun_status watch_gate(cl_event *gate, lun_device *device, cl_event event, cl_context other, lun_error *err);
void watches_end(lun_device *device); /* at the device's end, when no event has a watch; waits for gates */
/* Closes spare descriptors until `kept` of them are left, but none that is still in an event loop. */
void watches_trim(lun_device *device, size_t kept);
/* polled[i]: descriptors[i] is in an epoll of this process. False where that cannot be reported (polled.c). */
bool descriptors_polled(bool *polled, const int *descriptors, size_t count);
