/* Variants: the ways to run an operation, best first. The first that applies is taken, and for any problem one
 * applies. */
#pragma once

#include "op/plan.h"

/* For a struct whose rows must name all their fields: GCC rejects positional rows, in which two columns of one type
 * could be exchanged. */
#if defined __GNUC__ && !defined __clang__
#define NAMED_FIELDS __attribute__((designated_init))
#else
#define NAMED_FIELDS
#endif

/* A row only plans: it finds kernels, acquires scratch memory (kernels first) and appends commands. Nothing has begun. */
typedef struct NAMED_FIELDS variant {
    const char *name; /* "cpu", "plain" */
    const char *file; /* its kernel file; NULL: several files, or none */
    cl_device_type
        meant_for;     /* the type of device that may choose it; on others it runs only when it is named; 0: any */
    unsigned nvidia;   /* the compute capability from which NVIDIA's GPUs run its PTX; 0: only OpenCL C */
    bool by_name;      /* it runs only when it is named */
    bool reproducible; /* its sums are the same on every device: calls that are reproducible take it */
    bool rounds;       /* a table's last row: sums of floats depend on the row, and on the device */
    /* Can this device run the problem with this row? With a NULL problem: can it run any problem with it? */
    bool (*applies)(const lun_device *device, const void *problem);
    lun_status (*plan)(plan *out, const struct variant *row, const void *problem, lun_error *err);
} variant;

/* Fields of a row for the devices that it is meant for. */
#define ON_CPU .meant_for = CL_DEVICE_TYPE_CPU
#define ON_GPU .meant_for = CL_DEVICE_TYPE_GPU
#define ON_NVIDIA(capability) ON_GPU, .nvidia = (capability)

/* An operation's rows. */
typedef struct variants {
    const variant *rows;
    size_t count;
} variants;

bool variant_anywhere(const lun_device *device, const void *problem); /* for the last row */
bool variant_on_cpu(const lun_device *device, const void *problem);
/* For a last row after another row for CPUs: all devices except those whose compiler aborts on its kernels. */
bool variant_unless_it_aborts(const lun_device *device, const void *problem);
/* Does a group make progress while other groups wait for it? OpenCL does not guarantee it. */
bool variant_groups_go_on(const lun_device *device);
/* The first row that applies, or the one with that `name`. LUN_MISUSE if no row has that name, or the row cannot run
 * the problem. */
lun_status variant_choose(const variant **out, const variants *of, const lun_device *device, const void *problem,
                          const char *name, lun_error *err);
/* Chooses a row and appends its commands to the plan. If a GPU's compiler refuses the kernels of a row that was not
 * named, the next row is taken, and the refused one is not chosen on that device again. A NULL problem has no elements:
 * only the name is checked. */
lun_status plan_variant(plan *p, const variants *of, const void *problem, const char *name, lun_error *err);
/* Runs the operation of that name, a literal, which writes `out`, reads `in` (NULL: nothing) and consists of one
 * variant's plan. */
lun_status variant_operation(const char *name, const lun_array *out, const lun_array *in, const variants *of,
                             const void *problem, const lun_call *call, lun_error *err);
/* The variant that a call names, or NULL; a name that stands for the reproducible one, if there is one, where that is needed. */
const char *variant_named(const lun_call *call);
/* The same for sums of that dtype: those of integers wrap, and are the same in any order. */
const char *variant_named_of(const lun_call *call, lun_dtype dtype);
lun_status variant_refuse_reproducible(lun_error *err);

/* The tables of variants that operation.def names. */
#define OPERATION(owner, name, functions, choices, ...) extern const variants choices##_variants;
#include "call/operation.def"
#undef OPERATION
