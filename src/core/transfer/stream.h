/* Streams: large transfers in chunks, by several threads. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* Is a transfer of that many bytes faster as a stream? */
bool stream_applies(const lun_device *device, size_t bytes);
/* Transfers bytes between host memory and a buffer (from its byte `offset` on), after the queue's commands; waits. */
lun_status stream_run(lun_queue *queue, cl_mem mem, size_t offset, void *host, size_t bytes, bool to_device,
                      lun_error *err);
/* Requests large pages from the system for host memory that is about to be written for the first time. */
void stream_into_fresh(const lun_device *device, void *data, size_t bytes);
