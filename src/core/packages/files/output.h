/* Files being written: to a temporary file beside the old one, which they replace at the end. */
#pragma once

#include "lunarray.h"

#include <stdio.h>

typedef struct output { /* zeroed: none */
    FILE *file;
    char *path;     /* of the file in the end, */
    char *beside;   /* and of the temporary one; NULL: it is written where it is */
    int held;       /* its descriptor once more, with the lock that keeps others from it until it is renamed; 0: none */
    char name[256]; /* as messages call it */
    uint64_t written; /* bytes */
} output;

/* Raises for a name that another format's files have; `own`: what is written, as ".npy". */
lun_status output_check_name(const char *path, const char *own, lun_error *err);
/* A pipe, a terminal or a device is written where it is, too. */
lun_status output_open(output *out, const char *path, lun_error *err);
lun_status output_write(output *out, const void *data, size_t bytes, lun_error *err);
/* Puts the file in its place. */
lun_status output_commit(output *out, lun_error *err);
/* Takes away what was not put in its place, and lets go of the rest. May be called twice. */
void output_clear(output *out);
