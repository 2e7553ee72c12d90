/* Tables of constants, which operations compute on the host once and keep on the device: a bounded cache. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>

/* What a table is found by: all but `bytes` and `make`'s text. */
typedef struct table_key {
    /* Writes the table. */
    lun_status (*make)(void *data, const struct table_key *key, lun_error *err);
    lun_dtype dtype;
    size_t bytes;
    size_t of[3];
} table_key;

/* Borrowed: good until tables_settle, and for kernels that were enqueued before it. */
lun_status table_find(cl_mem *out, lun_device *device, const table_key *key, lun_error *err);
/* The same of a table that stays on the host: a choice that takes a search. Good until tables_settle. */
lun_status table_find_here(const void **out, lun_device *device, const table_key *key, lun_error *err);
/* Before an operation that uses some: lets go of those that were not used for longest, where there are too many. */
void tables_settle(lun_device *device);
void tables_clear(lun_device *device);
