/* Answers: numbers that a call waits for. */
#pragma once

#include "lunarray.h"

struct operation;

#define ANSWERS LUN_REDUCE_NUMBERS /* numbers of LUN_MOST_BYTES */

/* The device's memory for answers, borrowed. The operation that wrote there last has ended. */
lun_status answer_block(lun_block **out, lun_device *device, lun_error *err);
/* Is polling for the end of the kernels that write answers faster than sleeping? Then their commands need events. */
bool answer_polled(const lun_device *device);
/* Waits for the operation's commands, which are unrecorded, and reads the answers that they wrote. */
lun_status answer_read(void *data, struct operation *op, size_t bytes, lun_error *err);
