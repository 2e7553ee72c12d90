/* Reports about tickets to failure.c, and queries: only for flow/. */
#pragma once

#include "flow/failure.h"
#include "flow/queue_room.h"

/* Records that the slot's operation has failed. If there is no known cause, messages will name `op` and `code`. */
void failure_note(lun_queue *queue, const slot *entry, const char *op, cl_int code);
/* Records that the slot's operation has failed by a verdict: its own, with the message `text`, or that of `cause`. */
void failure_note_fault(lun_queue *queue, const slot *entry, failure *cause, const char *text);
/* The message of another device's failure, for an operation that read that device's data. */
void failure_tell(char *text, size_t room, failure *failed);
/* As queue_failure, but for failures by a verdict. */
failure *queue_command_failure(const lun_queue *queue, uint64_t serial);
/* The failure, if one is known so far, of an operation on another queue that the slot's operation waits for; of
 * several, or of a chain, the first cause. */
failure *failure_of_producers(const slot *entry);
/* Is this unfinished operation doomed because one that it waits for has failed? The driver may have forgotten it, and
 * would never report its end. */
bool failure_is_due(lun_queue *queue, uint64_t serial);
/* LUN_FAILED for the oldest unreported failure; only of that queue's operations, unless NULL. */
lun_status failure_report(lun_device *device, const lun_queue *queue, lun_error *err);
