/* The verdicts of tickets, for ticket.c and queue.c: only for flow/. */
#pragma once

#include "flow/queue_room.h"

/* Called when the operation's commands have succeeded: checks its own verdict, and those of the operations that it has
 * read from, and records a failure if one is bad. False: an operation that it depends on is not known to have ended. */
bool slot_judge(lun_queue *queue, slot *entry);
/* Releases the slot's verdict, and the list of operations that it has read from. */
void slot_settle(lun_queue *queue, slot *entry);
