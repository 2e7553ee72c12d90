/* What the files of user programs share. */
#ifndef LUN_USER_PROGRAM_H
#define LUN_USER_PROGRAM_H

#include "core.h"

struct lun_program {
    unsigned refs;
    lun_device *device; /* retained */
    cl_program built;
    char *text; /* defines and source: what user types mean is asked with it */
    char *options;
    char *kernels; /* "saxpy;scale" */
};

struct lun_kernel {
    lun_program *program; /* retained */
    cl_kernel built;
    const char *name; /* kept by the device */
    lun_kernel_info info;
    size_t max_items[3]; /* the device's limit of a group's sizes */
    size_t alignment;    /* bytes that parts of a buffer must start at a multiple of */
    lun_parameter parameters[];
};

/* The program's whole text, and the options to build it with (source.c). The caller frees both. */
lun_status source_text(char **text, char **options, const lun_source *source, lun_error *err);

/* Fills the kernel's parameters from what OpenCL says of them (parameter.c). */
lun_status parameters_describe(lun_kernel *kernel, lun_error *err);

#endif
