/* Events: what core does with them besides what hosts do. */
#ifndef LUN_FLOW_EVENT_H
#define LUN_FLOW_EVENT_H

#include "lunarray.h"

/* Makes an event cover what an earlier one covers, too. */
void event_begin_with(lun_event *event, const lun_event *earlier);
/* The event of the queue's newest operation, flushed. */
lun_status event_of_newest(lun_event *out, lun_queue *queue, lun_error *err);

#endif
