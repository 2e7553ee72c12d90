/* A device's kernels: one program for each kernel file, dtype, defines and generated text, built at first use and kept. */
#pragma once

#include "base/text.h"

#include <CL/cl.h>

/* What a program is found by: two keys are equal if all fields are. Texts may be of any length. */
typedef struct program_key {
    const char *file; /* "reduce_cpu": the kernel file's name */
    lun_dtype dtype;
    const char *defines; /* "#define VECTOR 8\n...", before everything; or NULL */
    /* Where writing the defines at every call would take long: `defines` then is a short text that differs where they do. */
    void (*write_defines)(text_builder *out, const void *of);
    /* Generated code, behind common.cl and before the file: written when the program is built, and known by its signature. Such
     * programs are bounded, see program.c. NULL: there is none. */
    const char *signature;
    lun_status (*write)(text_builder *out, const void *of, lun_error *err);
    /* Texts of the user's, as functions: they are before everything, where nothing of the library's has a name yet. */
    lun_status (*write_texts)(text_builder *out, const void *of, lun_error *err);
    /* Several kernels of one text: the file's text occurs so often, each time behind what is written for it. NULL: once. */
    unsigned (*repeats)(const void *of); /* 0: once, and nothing is written for it */
    lun_status (*write_repeat)(text_builder *out, const void *of, unsigned i, lun_error *err);
    const void *of;
    /* How much longer than an operation's weight its kernels take where they are built without optimisations; 0: they never are
     * (tier.h). */
    double unoptimised;
    bool single_literals; /* 0.5 is a float, not a double; a part of the signature */
} program_key;

/* Kernels that are asked for from now on are for that unit of the device (context.h): MAIN_UNIT, until somebody says another. */
void programs_for(lun_device *device, unsigned unit);
/* They are for an operation that takes one core so long, as far as is known; 0: unknown (tier.h). */
void programs_weigh(lun_device *device, double nanoseconds);
/* What building a program has taken on this device, on average; a guess before the first one. */
double programs_mean_seconds(const lun_device *device);
/* A kernel of that program, in which the file's other kernels are not: drivers compile what a program holds, launched or not. It is
 * borrowed, and good until the next call; a plan retains the kernels of its launches. */
lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err);

typedef struct build_text {
    unsigned unit; /* whose compiler is asked: context.h */
    cl_uint count;
    const char *parts[5];
    size_t lengths[5];
    const char *options;
    const char *file; /* the kernel file, for recordings; NULL: a text of the user's */
} build_text;

/* Builds a program. A text that does not compile is LUN_BUILD: "<complaint>: CL_BUILD_PROGRAM_FAILURE". */
lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err);
/* Makes the log of such a build name lines as the text's #line directives do, whatever compiler wrote it, and of the library's own
 * programs the names of the user's expression, which is the first part of the text. */
void build_log_relabel(lun_device *device, const build_text *text);
/* After a build that failed: did the compiler say nothing? */
bool program_log_is_silent(const lun_device *device);
void program_log_put(lun_device *device, char *log); /* takes another log in its place, which the device frees */
char *program_log_take(lun_device *device);          /* gives it to the caller, who frees it; NULL: there is none */

/* What of a file's text a program may be made without, in the order of their beginnings. */
struct kernel_place {
    const char *name; /* of the kernel, or of a macro; NULL: there are no more */
    size_t from, to;
    unsigned lines; /* of a kernel */
    /* A kernel that is not asked for; what is compiled where the macro is defined; what is compiled once where the text is there twice. */
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
