/* Variants: the ways to run an operation, best first; the first that applies wins, the last always applies. */
#ifndef LUN_OP_VARIANT_H
#define LUN_OP_VARIANT_H

#include "op/plan.h"

/* A row only plans: it finds kernels, acquires scratch memory (kernels first) and appends commands. Nothing has begun. */
typedef struct variant {
    const char *name;         /* "cpu", "plain" */
    const char *file;         /* of its kernels; NULL: several, or none of its own */
    cl_device_type meant_for; /* others run it only when it is named; 0: any */
    unsigned nvidia;          /* with PTX, for NVIDIA's GPUs from that compute capability on; 0: OpenCL C alone */
    bool by_name;             /* is only run when it is named */
    /* A NULL problem asks: is there any problem that this device can run so? */
    bool (*applicable)(const lun_device *device, const void *problem);
    lun_status (*plan)(plan *out, const struct variant *row, const void *problem, lun_error *err);
} variant;

/* An operation's rows. */
typedef struct variants {
    const variant *rows;
    size_t count;
} variants;

bool variant_anywhere(const lun_device *device, const void *problem); /* for the last row */
bool variant_on_cpu(const lun_device *device, const void *problem);
/* The first row that applies, or the one named. Names that are none, or cannot run this: LUN_MISUSE. */
lun_status variant_choose(const variant **out, const variants *of, const lun_device *device, const void *problem,
                          const char *name, lun_error *err);
/* Chooses a row and appends its commands to the plan. Unless a row is named (name is not NULL), one whose kernels a GPU's
 * compiler refuses makes way for the next, and is not chosen on that device again. */
lun_status plan_variant(plan *p, const variants *of, const void *problem, const char *name, lun_error *err);
/* The variant that a call names, or NULL. */
const char *variant_named(const lun_call *call);

/* The tables of operations, which operation.def names. */
#define OPERATION(method, rows, ...) extern const variants rows##_variants;
#define DEVICE_OPERATION(method, rows, ...) OPERATION(method, rows, __VA_ARGS__)
#define METHOD(method, ...)
#include "op/operation.def"
#undef OPERATION
#undef DEVICE_OPERATION
#undef METHOD

#endif
