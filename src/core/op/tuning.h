/* Tunings: measured constants are in one table for each operation, <operation>_tuning.h, whose rows name the device on
 * which they were measured. Tuning for another device adds a row, and changes no code. */
#pragma once

#include "lunarray.h"

/* The beginning of each row. */
typedef struct tuning {
    const char *found_on; /* a description of the device; guesses are marked as such */
    const char *device;   /* a part of the names of the row's devices; NULL, in the last row: all others */
} tuning;

/* The row for the device, of a table whose rows have `bytes` each. */
const void *tuning_find(const lun_device *device, const void *rows, size_t bytes);
#define TUNING_FOR(device, rows) tuning_find(device, rows, sizeof *(rows))

/* Defines the struct <name>_tuning and the function <name>_tuned, which gives a device's row. `fields` lists the
 * constants measured on `where`, each as TUNED(type, name, value). Rows for other devices follow in braces, each
 * followed by a comma; they name all fields. */
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

/* For a value that test builds change, so that small arrays take the code paths of large ones. */
#ifdef LUN_FAULTS
#define IN_TESTS(small, value) (small)
#else
#define IN_TESTS(small, value) (value)
#endif

/* The minimum of elements for a work-item of a CPU (launch_spread): with fewer, a second core is not worthwhile. */
#define SPREAD_TUNING(TUNED)                                                                                           \
    TUNED(size_t, plain, 16384)   /* moved, or computed by an expression */                                            \
    TUNED(size_t, indexed, 4096)  /* found by an index, or counted */                                                  \
    TUNED(size_t, drawn, 1024)    /* made from random bits, or searched for */                                         \
    TUNED(size_t, streamed, 4096) /* vectors drawn from a stream */                                                    \
    TUNED(size_t, chosen, 256)    /* drawn by weights */

DEFINE_TUNING(spread, SPREAD_TUNING, "2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1")
