/* What the files of user programs share. */
#ifndef LUN_USER_PROGRAM_H
#define LUN_USER_PROGRAM_H

#include "op/plan.h"

/* A program's whole text, the options to build it with, and where its source stands (source.c). */
typedef struct source_text {
    char *text, *options, *name;
    unsigned line, before; /* the first line's number in `name`; how many lines of the text stand before it */
} source_text;

lun_status source_text_create(source_text *out, const lun_source *source, lun_error *err);
void source_text_clear(source_text *text);
/* A build log with the source's own lines; NULL where there is no memory. The caller frees it. */
char *source_relabel(const source_text *text, const char *log);

struct lun_program {
    unsigned refs;
    lun_device *device; /* retained */
    cl_program built;
    source_text source; /* what types of the user's own mean is asked with it */
    char *kernels;      /* "saxpy;scale" */
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

#define ARG_INFO "-cl-kernel-arg-info " /* what every program's options begin with */

/* How a range is launched: its groups, of the size that the range names, that the kernel requires, or that suits (range.c). */
lun_status range_plan(launch *chosen, const lun_kernel *kernel, const lun_range *range, lun_error *err);
bool range_is_empty(const lun_range *range);

/* Fills the kernel's parameters from what OpenCL says of them (parameter.c). */
lun_status parameters_describe(lun_kernel *kernel, lun_error *err);

#endif
