/* Variants: the ways to run an operation, best first; the first that applies wins, the last always applies. */
#ifndef LUN_OP_VARIANT_H
#define LUN_OP_VARIANT_H

#include "op/operation.h"

/* `applicable` gets a NULL problem when the question is: is there any problem that this device can run so? */
typedef struct variant {
    const char *name;         /* "cpu", "plain" */
    const char *file;         /* of its kernels */
    cl_device_type meant_for; /* others run it only when it is named; 0: any */
    unsigned nvidia;          /* with PTX, for NVIDIA's GPUs from that compute capability on; 0: OpenCL C alone */
    bool (*applicable)(const lun_device *device, const void *problem);
    /* Everything is built before operation_begin, and kernels before scratch memory is acquired. */
    lun_status (*run)(operation *op, const struct variant *row, const void *problem, lun_error *err);
} variant;

bool variant_anywhere(const lun_device *device, const void *problem); /* for the last row */
bool variant_on_cpu(const lun_device *device, const void *problem);
/* The first row that applies, or the one named. Names that are none, or cannot run this: LUN_MISUSE. */
lun_status variant_choose(const variant **out, const variant *rows, size_t count, const lun_device *device,
                          const void *problem, const char *name, lun_error *err);
/* Chooses and runs; the name is the call's. Without one, what a GPU's compiler refuses makes way for the next row. */
lun_status variant_run(operation *op, const variant *rows, size_t count, const void *problem, lun_error *err);

/* Has a GPU's compiler refused that row's kernels, and may another be chosen? It is not chosen on that device again. */
bool variant_makes_way(lun_device *device, const variant *row, const variant *last, const lun_call *call,
                       lun_status status, const lun_error *err);

/* Each operation's table, for lun_operation_variants. */
extern const variant reduce_variants[], transpose_variants[], matmul_variants[], nbody_variants[], copy_variants[],
    fill_variants[];
extern const size_t reduce_variant_count, transpose_variant_count, matmul_variant_count, nbody_variant_count,
    copy_variant_count, fill_variant_count;

#endif
