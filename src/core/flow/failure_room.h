/* What queues tell failures.c of their tickets, and ask: for flow/ alone. */
#ifndef LUN_FLOW_FAILURE_ROOM_H
#define LUN_FLOW_FAILURE_ROOM_H

#include "flow/failure.h"
#include "flow/queue_room.h"

/* The entry has failed; if it is the first, `op` is what is named. */
void failure_note(lun_queue *queue, const slot *entry, const char *op, cl_int code);
/* The first cause of the failure of what an entry waited for on other queues, NULL if there is none so far. */
failure *failure_of_producers(lun_queue *queue, const slot *entry);
/* Will a command that has not ended be counted as failed, as it waits for what has failed? Its driver may have forgotten
 * it, and never tell. */
bool failure_is_due(lun_queue *queue, uint64_t serial);
/* LUN_FAILED for the oldest failure (of that queue, unless NULL) that has not been reported. */
lun_status failure_report(lun_device *device, const lun_queue *queue, lun_error *err);

#endif
