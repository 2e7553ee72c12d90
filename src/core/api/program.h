/* A part of lunarray.h: programs, kernels of the user's own. */
#pragma once

#include "event.h"

/* ---- programs: kernels of the user's own ---------------------------------------------------------------- */

typedef struct lun_program lun_program; /* refcounted; holds its device */
typedef struct lun_kernel lun_kernel;   /* one kernel of a program, which it holds */

typedef struct lun_define {
    const char *name, *text; /* a line of OpenCL C; NULL: the number */
    lun_number number;
} lun_define;

typedef struct lun_source {
    const char *text; /* NULL: the contents of `file` */
    size_t length;
    const char *file;
    const char *script;        /* a file that may contain the text, whose lines build logs then name; or NULL */
    unsigned script_line;      /* the line of this call: distinguishes equal texts in the file */
    const lun_define *defines; /* in any order */
    size_t define_count;
    const char *options;        /* for the compiler, or NULL; without -cl-std the language is OpenCL C 1.2 */
    const char *const *include; /* folders of included files, searched after that of `file` */
    size_t include_count;
    bool check; /* indices into arrays are checked: one out of range makes the run fail, and touches nothing */
} lun_source;

/* A text that does not compile is LUN_BUILD, a file that cannot be read LUN_IO. The source is copied. */
lun_status lun_program_create(lun_program **out, lun_device *device, const lun_source *source, lun_error *err);
void lun_program_release(lun_program *program);             /* NULL is fine */
lun_device *lun_program_device(const lun_program *program); /* borrowed */
/* "saxpy;scale": borrowed. */
const char *lun_program_kernels(const lun_program *program);

#define LUN_MAX_PARAMETERS 128

typedef enum lun_parameter_kind {
    LUN_PARAMETER_ARRAY,  /* a pointer to global or constant memory */
    LUN_PARAMETER_LOCAL,  /* a pointer to local memory */
    LUN_PARAMETER_NUMBER, /* a number, or `width` of them, by value */
    LUN_PARAMETER_BYTES,  /* a struct by value */
    LUN_PARAMETER_OTHER   /* an image, a sampler ...: a kernel with such a parameter cannot be run */
} lun_parameter_kind;

typedef struct lun_parameter {
    char name[64], type[64];    /* type: of the value or of what it points to, "float4" */
    const char *space, *access; /* "global", "constant", "local", "private"; "read", "read_write", NULL */
    lun_parameter_kind kind;
    bool writable;   /* an array is written, too */
    bool restricted; /* declared restrict: no other pointer leads to the same memory */
    bool typed;      /* dtype and width are known */
    lun_dtype dtype;
    unsigned width; /* components: 1, 2, 3, 4, 8 or 16 */
    size_t bytes;   /* of the value or of what it points to; 0: not known */
} lun_parameter;

typedef struct lun_kernel_info {
    const char *name;
    size_t parameter_count;
    const lun_parameter *parameters;
    size_t max_group, multiple;            /* the largest group; the group size should be a multiple of the second */
    size_t required_group[3];              /* 0, 0, 0: none */
    uint64_t local_memory, private_memory; /* bytes of a group, of a work-item */
} lun_kernel_info;

/* An unknown name is LUN_MISUSE, with the program's names. */
lun_status lun_kernel_create(lun_kernel **out, lun_program *program, const char *name, lun_error *err);
void lun_kernel_release(lun_kernel *kernel);                          /* NULL is fine */
const lun_kernel_info *lun_kernel_info_get(const lun_kernel *kernel); /* borrowed */
lun_device *lun_kernel_device(const lun_kernel *kernel);              /* borrowed */
/* "parameter 2 of saxpy (__global const float *x)", for messages; positions count from 0. Returns `text`. */
char *lun_parameter_text(char *text, size_t room, const lun_kernel *kernel, size_t position);
/* LUN_MISUSE unless it has that many parameters; messages add where the arguments are, " after the options". */
lun_status lun_kernel_takes(const lun_kernel *kernel, const char *where, size_t given, lun_error *err);

typedef struct lun_argument {
    const lun_array *array; /* LUN_PARAMETER_ARRAY */
    const void *data;       /* LUN_PARAMETER_BYTES: borrowed until lun_kernel_run returns */
    size_t bytes;           /* of data, or of local memory */
    uint64_t value[16];     /* LUN_PARAMETER_NUMBER: filled by lun_argument_set */
} lun_argument;

/* Converts numbers, one for each component of the parameter, to its type; a number that it cannot hold is
 * LUN_MISUSE. */
lun_status lun_argument_set(lun_argument *out, const lun_kernel *kernel, size_t position, const lun_number *numbers,
                            lun_error *err);

typedef struct lun_range {
    int dims; /* 1 to 3 dimensions; a group, if given, has as many */
    size_t global[3];
    size_t group[3];  /* 0, 0, 0: the library chooses */
    size_t offset[3]; /* added to the work-items' global ids */
    bool pad;         /* global sizes may be rounded up to whole groups */
} lun_range;

/* The options of a bound request of the row `program`; lives as long as the request. */
const lun_source *lun_program_source(const lun_request *request);
/* The arguments of a bound request of the row `run`; lives as long as the request. */
const lun_range *lun_run_range(const lun_request *request);
/* Runs the kernel over the range, one argument for each parameter. A writable array that shares elements with another
 * is LUN_MISUSE, unless both are the same contiguous memory. Strided views are copied before the run and copied back
 * after it. */
lun_status lun_kernel_run(lun_kernel *kernel, const lun_range *range, const lun_argument *args, const lun_call *call,
                          lun_error *err);
