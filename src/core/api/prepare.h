/* A part of lunarray.h: kernels that are built beforehand. doc/first_results.md describes their use. */
#pragma once

#include "device.h"

#define LUN_PREPARED_PATH 4096

typedef struct lun_preparing {
    /* Names of jobs, and of dtypes, f32 and f64; a count of 0: all of them. */
    const char *const *operations, *const *dtypes;
    size_t operation_count, dtype_count;
    const char *folder; /* NULL: the first of the library's places that this user may write to */
    unsigned processes; /* the number of parallel builds; 0: 2 */
    bool fresh;         /* drop what exists */
    /* A shell command: starts a process that opens the library and calls lun_prepare_work for the device that
     * LUNARRAY_DEVICE names. */
    const char *command;
    void (*progress)(void *host, size_t done, size_t total, const char *job); /* or NULL */
    void *host;
} lun_preparing;

typedef struct lun_prepared {
    char folder[LUN_PREPARED_PATH]; /* "": the driver keeps the kernels, in a cache of its own */
    size_t programs, kernels, bytes;
    char *failed; /* a line for each failed job, and other output of its process; or NULL */
} lun_prepared;

/* Runs all jobs in separate processes, and waits for them. On a device of PoCL, their kernels and an index are stored
 * in a folder; other drivers keep kernels in their own caches. */
lun_status lun_prepare(lun_prepared *out, lun_device *device, const lun_preparing *asked, lun_error *err);
/* In such a process: runs its share of the jobs, and writes a line to stdout for each. Arrays have the order of axes of
 * that manner's host. */
lun_status lun_prepare_work(lun_device *device, const lun_manner *manner, lun_error *err);
void lun_prepared_clear(lun_prepared *prepared);

/* Writes the index of a folder that contains PoCL's folders, each with the key of its program, and counts programs and
 * bytes. */
lun_status lun_prepared_index(lun_prepared *out, const char *folder, lun_error *err);
/* The folder of a device in `within`; NULL: in the first place that this user may write to. False: the path is too long. */
bool lun_prepared_folder(char *out, size_t room, const lun_device *device, const char *within);
