/* Answers: numbers that a call waits for. */
#ifndef LUN_OP_ANSWER_H
#define LUN_OP_ANSWER_H

#include "lunarray.h"

struct operation;

#define ANSWERS LUN_REDUCE_NUMBERS /* numbers of 8 bytes */

/* Where kernels write them: borrowed, the device's own. What wrote it last has ended. */
lun_status answer_block(lun_block **out, lun_device *device, lun_error *err);
/* Is it quicker to poll for the end of what writes them than to sleep? Then commands have to be watched. */
bool answer_polled(const lun_device *device);
/* Waits for the operation's commands, which are unrecorded, and gives what they wrote to that block. */
lun_status answer_read(void *data, struct operation *op, size_t bytes, lun_error *err);
void answers_free(lun_device *device);

#endif
