/* Companions: PoCL has a second driver for the same processor, which runs a kernel on the thread that enqueues it.
 * Small work is done there before other threads would be awake. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* Called before and after discovery: makes PoCL show the second driver, unless there is a reason not to, and restores
 * the environment. */
bool companions_show(void);
void companions_shown(bool set);
/* Finds among a platform's devices the companion of the platform's CPU, which is not listed as a device; NULL: there is
 * none, or core did not request it. */
lun_status companion_among(cl_device_id *out, const cl_device_id *ids, cl_uint count, lun_error *err);
bool device_has_companion(const lun_device *device);
/* Does the device itself use that second driver, as with POCL_DEVICES=basic? PoCL 3.1 then deadlocks if a command waits
 * for a user event: the thread that completes the event runs the command while it holds a lock that the command
 * needs. */
bool device_refuses_gates(const lun_device *device);
