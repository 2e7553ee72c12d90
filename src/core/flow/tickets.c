/* Lists of tickets. */
#include "flow/tickets.h"

#include <stdlib.h>
#include <string.h>

static bool append(tickets *list, lun_queue *queue, uint64_t serial)
{
    if (list->count == list->room) {
        const unsigned room = list->room ? 2 * list->room : 4;
        ticket *wider = realloc(list->of, room * sizeof *wider);
        if (!wider)
            return false;
        list->of = wider;
        list->room = room;
    }
    list->of[list->count++] = (ticket){queue, serial};
    return true;
}

bool tickets_add(tickets *list, lun_queue *queue, uint64_t serial)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->of[i].queue == queue && list->of[i].serial == serial)
            return true;
    return append(list, queue, serial);
}

bool tickets_raise(tickets *list, lun_queue *queue, uint64_t serial)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->of[i].queue == queue) {
            if (list->of[i].serial < serial)
                list->of[i].serial = serial;
            return true;
        }
    return append(list, queue, serial);
}

bool tickets_raise_all(tickets *list, const tickets *other)
{
    bool fits = true;
    for (unsigned i = 0; i < other->count; i++)
        fits = tickets_raise(list, other->of[i].queue, other->of[i].serial) && fits;
    return fits;
}

void tickets_clear(tickets *list)
{
    free(list->of);
    memset(list, 0, sizeof *list);
}
