/* What the files of user programs share. */
#pragma once

#include "base/text.h"
#include "op/plan.h"

/* Words of OpenCL C that a text has, or may have (kernel_words.c): those that tell how work-items are grouped, or that make groups work
 * together, and get_global_size. */
#define GROUP_WORDS 1u
#define SIZE_WORDS 2u
#define ANY_WORDS (GROUP_WORDS | SIZE_WORDS)

/* A program's whole text, and the options to build it with (user_source.c). */
typedef struct source_text {
    char *text, *options;
    unsigned elsewhere; /* words in the options, and in the files that the text includes */
} source_text;

/* The source's defines as lines, sorted, since drivers keep programs by their text (defines.c). */
lun_status defines_write(text_builder *out, const lun_source *source, lun_error *err);
lun_status source_text_create(source_text *out, const lun_source *source, lun_error *err);
void source_text_clear(source_text *text);
/* A copy of the name that lives as long as the device; NULL: out of host memory. */
const char *name_keep(lun_device *device, const char *name);

unsigned words_of(const char *text);
/* Words of one kernel of the program, and of what it may call; `names` are those of the program's kernels. */
unsigned words_of_kernel(const source_text *text, const char *names, const char *name);

struct lun_program {
    unsigned refs;
    lun_device *device; /* retained */
    cl_program built;
    source_text source; /* kept for questions about the user's own types (parameter.c) */
    char *kernels;      /* the kernels' names: "saxpy;scale" */
    char *names;        /* the same; each ends with a NUL, the last with two */
    cl_program trimmed; /* see trim.c; NULL: not wanted yet, or the compiler refused it */
    bool trim_tried;
    bool trimmed_sizes; /* `trimmed` gets the sizes of ranges by the offsets of launches */
    bool checked;       /* see check.c; `built` and the source are the checked ones */
};

struct lun_kernel {
    lun_program *program; /* retained */
    cl_kernel built;
    const char *name; /* kept by the device */
    lun_kernel_info info;
    const char *names; /* of a checked program: the kernel's and the parameters'; kept by the device */
    unsigned words;
    cl_kernel trimmed;    /* see trim.c; NULL: not wanted yet, or not possible */
    size_t trimmed_group; /* work-items in a group of that kernel at most */
    size_t max_items[3];  /* the device's limits of a group's size in each dimension */
    size_t alignment;     /* sub-buffers must start at a multiple of that many bytes */
    lun_parameter parameters[];
};

static inline void built_end(cl_kernel *built)
{
    if (*built)
        clReleaseKernel(*built);
}

#define ARG_INFO "-cl-kernel-arg-info " /* begins every program's options: clGetKernelArgInfo needs it */

/* Cuts a range into groups, of the size that the range names, else that the kernel requires, else that suits. If the
 * launch is of the kernel's trimmed form, that takes the range's three sizes behind the kernel's own arguments
 * (range.c). */
lun_status range_plan(launch *chosen, lun_kernel *kernel, const lun_range *range, lun_error *err);
bool range_is_empty(const lun_range *range);

/* Letters of a kernel's name at most: PoCL names files by it, with 3 letters behind, and ends the process where a name is too long for
 * a file. NVIDIA's driver (580) writes past its memory while it builds a kernel of 258 letters and more: names are looked at in the
 * text, before it is built, and those that macros make when the kernel is asked for. */
#define MOST_LETTERS 252
lun_status name_check_length(const char *name, size_t length, lun_error *err);
lun_status words_check_names(const char *source, lun_error *err);

#define TRIMMED "lun_trimmed_" /* begins the names of trimmed kernels */
/* Makes the kernel's trimmed form, if the compiler takes it (trim.c). */
lun_status kernel_trim(bool *possible, lun_kernel *kernel, lun_error *err);

/* Builds the program's source (user_program.c). */
lun_status program_build_source(lun_program *program, const char *complaint, lun_error *err);

/* Checked programs (check.c): makes the built program one. */
lun_status program_check(lun_program *program, lun_error *err);
/* How many of OpenCL's parameters are the user's. */
size_t check_parameters(const lun_program *program, size_t count);
lun_status check_names(lun_kernel *kernel, lun_error *err);
/* The arguments behind the user's, CHECK_ARGS of them; `before` is what is enqueued before the kernel. */
#define CHECK_ARGS(count) (2 + (count))
lun_status check_plan(plan *before, launch_arg *args, const lun_kernel *kernel, const lun_argument *given,
                      lun_error *err);

/* Fills the kernel's parameters from what OpenCL says of them (parameter.c). */
lun_status parameters_describe(lun_kernel *kernel, lun_error *err);
