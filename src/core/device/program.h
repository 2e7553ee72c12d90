/* A device's kernels: one program per (file, dtype, defines), built at first use and kept by the device. */
#ifndef LUN_DEVICE_PROGRAM_H
#define LUN_DEVICE_PROGRAM_H

#include "lunarray.h"

#include <CL/cl.h>

typedef struct program_key {
    const char *file; /* "reduce_cpu": the kernel file's name */
    lun_dtype dtype;
    const char *defines; /* "#define VECTOR 8\n..." or NULL: part of the key */
} program_key;

lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err); /* borrowed from the device */
void programs_free(lun_device *device);

typedef struct build_text {
    cl_uint count;
    const char *parts[4];
    size_t lengths[4];
    const char *options;
} build_text;

/* Builds a program. A text that does not compile is LUN_BUILD: "<complaint>: CL_BUILD_PROGRAM_FAILURE". */
lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err);

struct lun_kernel_source { /* made from kernels/ at build time */
    const char *name;
    const char *text;
    size_t length;
};
extern const struct lun_kernel_source lun_kernel_sources[];
extern const size_t lun_kernel_source_count;

const char *name_keep(lun_device *device, const char *name);
void names_free(lun_device *device);

#endif
