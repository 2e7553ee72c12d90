/* A device's kernels: one program for each kernel file, dtype, defines and generated text, built at first use and kept. */
#pragma once

#include "base/text.h"

#include <CL/cl.h>

/* The key of a program: two keys are equal if all fields are. Texts may have any length. */
typedef struct program_key {
    const char *file; /* "reduce_cpu": the kernel file's name */
    lun_dtype dtype;
    const char *defines; /* "#define VECTOR 8\n...", before everything; or NULL */
    /* Used if writing the defines at every call would take too long: `defines` is then a short text that identifies
     * them. */
    void (*write_defines)(text_builder *out, const void *of);
    /* Generated code, after common.cl and before the file: written when the program is built, and identified by its
     * signature. The number of such programs is limited, see program.c. NULL: none. */
    const char *signature;
    lun_status (*write)(text_builder *out, const void *of, lun_error *err);
    /* The user's texts, as functions: they come first, before any name of the library is defined. */
    lun_status (*write_texts)(text_builder *out, const void *of, lun_error *err);
    /* For several kernels of one text: the file's text is repeated, each time after the text written by this function.
     * NULL: once. */
    unsigned (*repeats)(const void *of); /* 0: once, and nothing is written for it */
    lun_status (*write_repeat)(text_builder *out, const void *of, unsigned i, lun_error *err);
    const void *of;
    /* The additional time of kernels built without optimisations, relative to the operation's weight; 0: they are
     * always optimised (tier.h). */
    double unoptimised;
    bool single_literals; /* 0.5 is a float, not a double; part of the signature */
} program_key;

/* Kernels requested from now on are for that unit of the device (context.h), initially MAIN_UNIT. */
void programs_for(lun_device *device, unsigned unit);
/* They are for an operation with that estimated time on one core; 0: unknown (tier.h). */
void programs_weigh(lun_device *device, double nanoseconds);
/* The average time of building a program on this device; a guess before the first one. */
double programs_mean_seconds(const lun_device *device);
/* A kernel of a program without the file's other kernels, because drivers compile all kernels of a program, launched or
 * not. Borrowed, and valid until the next call; a plan retains the kernels of its launches. */
lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err);

typedef struct build_text {
    unsigned unit; /* whose compiler is asked: context.h */
    cl_uint count;
    const char *parts[5];
    size_t lengths[5];
    const char *options;
    const char *file; /* the kernel file, for recordings; NULL: a user's text */
} build_text;

/* Builds a program. A text that does not compile is LUN_BUILD: "<complaint>: CL_BUILD_PROGRAM_FAILURE". */
lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err);
/* Rewrites the log of such a build, from any compiler, so that it names lines by the text's #line directives, and in
 * the library's programs uses the names of the user's expression, the first part of the text. */
void build_log_relabel(lun_device *device, const build_text *text);
/* After a failed build: is the log empty? */
bool program_log_is_silent(const lun_device *device);
void program_log_put(lun_device *device, char *log); /* replaces the log; the device frees the new one */
char *program_log_take(lun_device *device);          /* gives it to the caller, who frees it; NULL: there is none */

/* The parts of a file's text that a program may leave out, in the order of their beginnings. */
struct kernel_place {
    const char *name; /* of the kernel, or of a macro; NULL: there are no more */
    size_t from, to;
    unsigned lines; /* of a kernel */
    /* A kernel that is not requested; a part that is compiled if the macro is defined; a part that is compiled only
     * once if the text is repeated. */
    enum kernel_place_kind { KERNEL, WHERE_DEFINED, ONCE } kind;
};

struct kernel_source { /* made from kernels/ at build time */
    const char *name;
    const char *text;
    size_t length;
    const struct kernel_place *places;
};
extern const struct kernel_source kernel_sources[];
extern const size_t kernel_source_count;
const struct kernel_source *kernel_source_find(const char *name); /* NULL: there is none */
