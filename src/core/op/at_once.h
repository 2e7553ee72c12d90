/* What is small is done at once: by a device's companion, on the calling thread. */
#pragma once

#include "op/operation.h"

/* Would an operation that reads or writes the array, and whose end the caller waits for, be done at once now? */
bool companion_may(const lun_array *array, bool write, double nanoseconds);

/* For an operation that is done at once: begins; its commands have ended when `finish` returns, if well; ends, also after a failure. */
lun_status companion_begin(operation *op, lun_error *err);
lun_status companion_finish(operation *op, lun_error *err);
void companion_leave(operation *op);
cl_command_queue companion_queue(const operation *op);
lun_status companion_counters(cl_mem *out, operation *op, lun_error *err);
void companion_close(lun_device *device);
