/* Tables of constants, which operations compute on the host once and keep on the device: a bounded cache. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* The key of a table: all fields but `bytes` and the text of `make`. */
typedef struct table_key {
    /* Writes the table. */
    lun_status (*make)(void *data, const struct table_key *key, lun_error *err);
    lun_dtype dtype;
    size_t bytes;
    size_t of[3];
} table_key;

/* Borrowed: valid until tables_settle, and for kernels that were enqueued before it. */
lun_status table_find(cl_mem *out, lun_device *device, const table_key *key, lun_error *err);
/* The same for a table on the host, the result of a search. Valid until tables_settle. */
lun_status table_find_here(const void **out, lun_device *device, const table_key *key, lun_error *err);
/* Called before an operation that uses tables: frees the least recently used ones, if there are too many. */
void tables_settle(lun_device *device);
void tables_clear(lun_device *device);
