/* Small operations run at once: by a device's companion, on the calling thread. */
#pragma once

#include "op/operation.h"

/* Would an operation that reads or writes the array, and whose end the caller waits for, run at once now? */
bool companion_may(const lun_array *array, bool write, double nanoseconds);

/* For an operation that runs at once: begins it; its commands have ended when `finish` returns successfully; ends it,
 * also after a failure. */
lun_status companion_begin(operation *op, lun_error *err);
lun_status companion_finish(operation *op, lun_error *err);
void companion_leave(operation *op);
cl_command_queue companion_queue(const operation *op);
lun_status companion_counters(cl_mem *out, operation *op, lun_error *err);
void companion_close(lun_device *device);
