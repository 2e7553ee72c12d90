/* Lists that grow, names and rows of a recording, found by their hashes. */
#include "device/recording_room.h"

#include <stdlib.h>
#include <string.h>

void *recording_grow(lun_recording *r, grown *list)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        void *items = realloc(list->items, room * list->bytes);
        if (!items) {
            r->lost++;
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *item = (char *)list->items + list->count++ * list->bytes;
    memset(item, 0, list->bytes);
    return item;
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint64_t hash_of_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = mixed(hash, (unsigned char)*name);
    return hash;
}

static uint64_t hash_of_row(const row *of)
{
    return mixed(mixed(of->device, of->operation), (uint64_t)of->command << 32 | of->place);
}

static uint64_t hash_at(const grown *list, bool names, size_t at)
{
    return names ? hash_of_name(((char **)list->items)[at]) : hash_of_row((const row *)list->items + at);
}

static void put(finder *f, uint64_t hash, size_t position)
{
    size_t at = hash & (f->room - 1);
    while (f->places[at])
        at = (at + 1) & (f->room - 1);
    f->places[at] = (uint32_t)position + 1;
}

/* Makes room for one item more than the list has. */
static bool widen(lun_recording *r, finder *f, const grown *list, bool names)
{
    if (2 * (list->count + 1) < f->room)
        return true;
    const size_t room = f->room ? 2 * f->room : 128;
    uint32_t *places = calloc(room, sizeof *places);
    if (!places) {
        r->lost++;
        return false;
    }
    free(f->places);
    *f = (finder){places, room};
    for (size_t i = 0; i < list->count; i++)
        put(f, hash_at(list, names, i), i);
    return true;
}

uint32_t recording_number(lun_recording *r, const char *name)
{
    const uint64_t hash = hash_of_name(name);
    finder *f = &r->by_name;
    if (!widen(r, f, &r->names, true))
        return 0;
    for (size_t at = hash & (f->room - 1); f->places[at]; at = (at + 1) & (f->room - 1))
        if (strcmp(recording_name(r, f->places[at] - 1), name) == 0)
            return f->places[at] - 1;
    char *copy = strdup(name), **made = copy ? recording_grow(r, &r->names) : NULL;
    if (!made) {
        r->lost += copy == NULL;
        free(copy);
        return 0;
    }
    *made = copy;
    put(f, hash, r->names.count - 1);
    return (uint32_t)r->names.count - 1;
}

unsigned recording_position(const lun_recording *r, const lun_device *device)
{
    unsigned i = 0;
    while (i + 1 < r->device_count && lun_system_device(r->system, i) != device)
        i++;
    return i;
}

uint32_t recording_row(row **out, lun_recording *r, lun_device *device, const char *operation, const char *command)
{
    const row wanted = {.device = recording_position(r, device),
                        .operation = recording_number(r, operation),
                        .command = recording_number(r, command),
                        .place = r->place};
    finder *f = &r->by_row;
    *out = NULL;
    if (!widen(r, f, &r->rows, false))
        return 0;
    const uint64_t hash = hash_of_row(&wanted);
    for (size_t at = hash & (f->room - 1); f->places[at]; at = (at + 1) & (f->room - 1)) {
        row *each = (row *)r->rows.items + f->places[at] - 1;
        if (each->device != wanted.device || each->operation != wanted.operation || each->command != wanted.command ||
            each->place != wanted.place)
            continue;
        *out = each;
        return f->places[at] - 1;
    }
    row *made = recording_grow(r, &r->rows);
    if (!made)
        return 0;
    *made = wanted;
    made->sums.device = device;
    made->sums.position = wanted.device;
    put(f, hash, r->rows.count - 1);
    *out = made;
    return (uint32_t)r->rows.count - 1;
}

size_t recording_span(lun_recording *r, const span *what)
{
    span *made = r->spans_wanted ? recording_grow(r, &r->spans) : NULL;
    if (!made)
        return NO_SPAN;
    *made = *what;
    return r->spans.count - 1;
}
