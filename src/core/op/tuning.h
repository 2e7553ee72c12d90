/* Tunings: what was measured belongs in one table for each operation, <operation>_tuning.h, whose rows say on which device they
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

/* Defines the struct <name>_tuning and the function <name>_tuned, which gives a device's row. `fields` lists what was measured `where`,
 * a TUNED(type, name, value) each. Rows for other devices follow in braces, with a comma behind each: they name all fields. */
#define TUNING_FIELD(type, name, value) type name;
#define TUNING_VALUE(type, name, value) .name = value,
#define DEFINE_TUNING(name, fields, where, ...)                                                                        \
    typedef struct name##_tuning {                                                                                     \
        tuning tuning;                                                                                                 \
        fields(TUNING_FIELD)                                                                                           \
    } name##_tuning;                                                                                                   \
                                                                                                                       \
    static inline const name##_tuning *name##_tuned(const lun_device *device)                                          \
    {                                                                                                                  \
        static const name##_tuning rows[] = {__VA_ARGS__{.tuning = {.found_on = where}, fields(TUNING_VALUE)}};        \
        return TUNING_FOR(device, rows);                                                                               \
    }

/* Of a value that test builds change, so that small arrays reach what only large ones do. */
#ifdef LUN_FAULTS
#define IN_TESTS(small, value) (small)
#else
#define IN_TESTS(small, value) (value)
#endif

/* Elements that a work-item of a CPU gets at least (launch_spread): below, a second core does not pay. */
#define SPREAD_TUNING(TUNED)                                                                                           \
    TUNED(size_t, plain, 16384)   /* moved, or computed by an expression */                                            \
    TUNED(size_t, indexed, 4096)  /* found by an index, or counted */                                                  \
    TUNED(size_t, drawn, 1024)    /* made from random bits, or searched for */                                         \
    TUNED(size_t, streamed, 4096) /* vectors drawn from a stream */                                                    \
    TUNED(size_t, chosen, 256)    /* drawn by weights */

DEFINE_TUNING(spread, SPREAD_TUNING, "2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1")
