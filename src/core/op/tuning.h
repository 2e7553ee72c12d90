/* Tunings: what was measured stands in one table for each operation, <operation>_tuning.c, whose rows say on which device they
 * were found. Tuning for another device adds a row; no code changes. */
#ifndef LUN_OP_TUNING_H
#define LUN_OP_TUNING_H

#include "lunarray.h"

/* A row begins with this. */
typedef struct tuning {
    const char *found_on; /* the device, in words; what was guessed says so */
    const char *device;   /* a part of the names of the devices that it is for; NULL, in the last row: of all others */
} tuning;

/* The row for the device, of a table whose rows have `bytes` each. */
const void *tuning_find(const lun_device *device, const void *rows, size_t bytes);
#define TUNING_FOR(device, rows) tuning_find(device, rows, sizeof *(rows))

#endif
