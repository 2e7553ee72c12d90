/* Tunings: what was measured belongs in one table for each operation, <operation>_tuning.c, whose rows say on which device they
 * were found. Tuning for another device adds a row; no code changes. */
#pragma once

#include "lunarray.h"

/* A row begins with this. */
typedef struct tuning {
    const char *found_on; /* the device, in words; what was guessed says so */
    const char *device;   /* a part of the names of the devices that it is for; NULL, in the last row: of all others */
} tuning;

/* The row for the device, of a table whose rows have `bytes` each. */
const void *tuning_find(const lun_device *device, const void *rows, size_t bytes);
#define TUNING_FOR(device, rows) tuning_find(device, rows, sizeof *(rows))

/* Of a value that test builds change, so that small arrays reach what only large ones do. */
#ifdef LUN_FAULTS
#define IN_TESTS(small, value) (small)
#else
#define IN_TESTS(small, value) (value)
#endif

/* Elements that a work-item of a CPU gets at least (launch_spread): below, a second core does not pay. */
typedef struct spread_tuning {
    tuning tuning;
    size_t plain;    /* moved, or computed by an expression */
    size_t indexed;  /* found by an index, or counted */
    size_t drawn;    /* made from random bits, or searched for */
    size_t streamed; /* vectors drawn from a stream */
    size_t chosen;   /* drawn by weights */
} spread_tuning;

const spread_tuning *spread_tuned(const lun_device *device);
