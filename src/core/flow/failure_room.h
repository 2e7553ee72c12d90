/* What the files of flow/ report to failure.c of their tickets, and ask: for flow/ alone. */
#pragma once

#include "flow/failure.h"
#include "flow/queue_room.h"

/* Records that the slot's operation has failed. If no known failure caused that, messages will name `op` and `code`. */
void failure_note(lun_queue *queue, const slot *entry, const char *op, cl_int code);
/* Records that the slot's operation has failed by a verdict: its own, which says `text`, or that of `cause`. */
void failure_note_fault(lun_queue *queue, const slot *entry, failure *cause, const char *text);
/* What a failure of another device's says, for one that read the data of that. */
void failure_tell(char *text, size_t room, failure *failed);
/* As queue_failure, but of failures by a verdict. */
failure *queue_command_failure(const lun_queue *queue, uint64_t serial);
/* The failure, if any is known so far, of an operation on another queue that the slot's operation waits for; of
 * several, or of a chain, the first cause. */
failure *failure_of_producers(const slot *entry);
/* Is this unfinished operation doomed because one that it waits for has failed? Its driver may have forgotten it,
 * and would never tell. */
bool failure_is_due(lun_queue *queue, uint64_t serial);
/* LUN_FAILED for the oldest failure that no host has been informed of; of that queue's operations alone, unless NULL. */
lun_status failure_report(lun_device *device, const lun_queue *queue, lun_error *err);
