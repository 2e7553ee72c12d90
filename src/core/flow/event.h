/* Events: what core does with them besides what hosts do. */
#ifndef LUN_FLOW_EVENT_H
#define LUN_FLOW_EVENT_H

#include "lunarray.h"

/* Makes an event cover what an earlier one covers, too (event.c). */
void event_begin_with(lun_event *event, const lun_event *earlier);

#endif
