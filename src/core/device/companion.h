/* Companions: what core asks of PoCL beside its threads. PoCL has a second driver for the same processor, which runs a kernel on
 * the thread that enqueues it: what is small is done there before the threads would be awake. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* To be called around discovery: lets PoCL show the second driver, where nothing speaks against it, and puts the environment
 * back. */
bool companions_show(void);
void companions_shown(bool set);
/* Finds among a platform's devices the one that is not a device of its own, but the companion of the platform's CPU; NULL: there is
 * none, or it was not core that asked for it. */
lun_status companion_among(cl_device_id *out, const cl_device_id *ids, cl_uint count, lun_error *err);
bool device_has_companion(const lun_device *device);
/* Is the device itself of that second driver, as POCL_DEVICES=basic makes it? PoCL 3.1 locks up for ever where one of its commands
 * waits for a user event: whoever ends the event runs the command, and holds the lock that this takes. */
bool device_refuses_gates(const lun_device *device);
