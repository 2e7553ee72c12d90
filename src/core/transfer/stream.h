/* Streams: large transfers in chunks, by threads. */
#ifndef LUN_TRANSFER_STREAM_H
#define LUN_TRANSFER_STREAM_H

#include "lunarray.h"

#include <CL/cl.h>

typedef struct stream stream;

/* Is a transfer of that size better streamed? */
bool stream_applies(const lun_device *device, size_t bytes);
/* Moves bytes between host memory and a buffer, at its `offset`, behind what the queue has; waits. */
lun_status stream_run(lun_queue *queue, cl_mem mem, size_t offset, void *host, size_t bytes, bool to_device,
                      lun_error *err);
/* That memory may be new, its pages yet to be cleared by the system: large ones take half the time. */
void stream_into_fresh(const lun_device *device, void *data, size_t bytes);
void stream_end(lun_device *device);

#endif
