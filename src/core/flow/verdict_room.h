/* What ticket.c and queue.c ask of the verdicts of their tickets: for flow/ alone. */
#pragma once

#include "flow/queue_room.h"

/* The operation's commands have ended well: was all right with its data, and with what it has read? Records a failure if not.
 * False: an operation that it depends on has not been seen to end. */
bool slot_judge(lun_queue *queue, slot *entry);
/* Lets go of the slot's verdict, and of what it has read. */
void slot_settle(lun_queue *queue, slot *entry);
