/* Jobs of preparing: calls of operations by their names, as job.def has them. */
#pragma once

#include "lunarray.h"

/* Runs that job in that dtype, at all of its sizes, and waits for it. */
lun_status job_run(lun_device *device, const lun_manner *manner, size_t position, lun_dtype dtype, lun_error *err);
/* Writes the job's name; false behind the last. */
bool job_name(char *out, size_t room, size_t position);
/* Is there such a job? */
bool job_known(const char *name);
