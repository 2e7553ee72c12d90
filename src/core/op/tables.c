/* Tables of constants on devices: found by their keys, released if memory is short or there are too many. */
#include "op/tables.h"
#include "base/error.h"
#include "memory/constants.h"
#include "op/op_room.h"

#include <stdlib.h>
#include <string.h>

/* The limit of the bytes of all tables of a device between two operations. */
#ifdef LUN_FAULTS
#define TABLES_MOST ((size_t)1 << 16)
#else
#define TABLES_MOST ((size_t)128 << 20)
#endif

struct table {
    table_key key;
    cl_mem mem;         /* or NULL, */
    void *data;         /* and what only the host reads */
    struct table *next; /* the next less recently used */
};

static bool equal(const table_key *a, const table_key *b)
{
    return a->make == b->make && a->dtype == b->dtype && memcmp(a->of, b->of, sizeof a->of) == 0;
}

static void drop(lun_device *device, struct table **link)
{
    struct table *gone = *link;
    *link = gone->next;
    if (gone->mem)
        constants_free(device, gone->mem, gone->key.bytes);
    free(gone->data);
    free(gone);
}

static void put_first(lun_device *device, struct table *table)
{
    table->next = state_of(device)->tables;
    state_of(device)->tables = table;
}

static lun_status find(struct table **out, lun_device *device, const table_key *key, bool host, lun_error *err)
{
    lun_status status = LUN_OK;
    struct table *made = NULL, **link = &state_of(device)->tables;
    void *data = NULL;
    while (*link && !equal(&(*link)->key, key))
        link = &(*link)->next;
    if (*link) {
        made = *link;
        *link = made->next;
    } else {
        data = NEW_DONE(1, key->bytes, "a table of constants");
        made = NEW_DONE(1, sizeof *made, "a table of constants");
        made->key = *key;
        TRY_DONE(key->make(data, key, err));
        if (!host)
            TRY_DONE(constants_create(&made->mem, device, key->bytes, data, err));
        made->data = host ? data : NULL;
        data = host ? NULL : data;
    }
    put_first(device, made);
    *out = made;
done:
    free(data);
    if (status != LUN_OK)
        free(made);
    return status;
}

lun_status table_find(cl_mem *out, lun_device *device, const table_key *key, lun_error *err)
{
    struct table *found;
    const lun_status status = find(&found, device, key, false, err);
    *out = status == LUN_OK ? found->mem : NULL;
    return status;
}

lun_status table_find_here(const void **out, lun_device *device, const table_key *key, lun_error *err)
{
    struct table *found;
    const lun_status status = find(&found, device, key, true, err);
    *out = status == LUN_OK ? found->data : NULL;
    return status;
}

void tables_settle(lun_device *device)
{
    size_t bytes = 0;
    struct table **link = &state_of(device)->tables;
    while (*link) {
        bytes += (*link)->key.bytes;
        if (bytes > TABLES_MOST)
            drop(device, link);
        else
            link = &(*link)->next;
    }
}

void tables_clear(lun_device *device)
{
    while (state_of(device)->tables)
        drop(device, &state_of(device)->tables);
}
