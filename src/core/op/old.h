/* The contract of rows before plan.h, until reduce, matmul, nbody and the kernels of users follow. */
#ifndef LUN_OP_OLD_H
#define LUN_OP_OLD_H

#include "op/plan.h"

typedef launch launch_plan;
lun_status launch_now(operation *op, const struct launch *plan, const launch_arg *args, size_t arg_count,
                      lun_error *err);
bool old_operation_variants(const char **names, size_t room, const char *of, const lun_device *device);

#ifndef LUN_OP_VARIANT_H
bool variant_anywhere(const lun_device *device, const void *problem);
bool variant_on_cpu(const lun_device *device, const void *problem);
#define launch(...) launch_now(__VA_ARGS__)
#define plan plan_
#define variant_choose old_variant_choose
#define variant_run old_variant_run
#define variant_makes_way old_variant_makes_way
typedef struct variant {
    const char *name;
    const char *file;
    cl_device_type meant_for;
    unsigned nvidia;
    bool (*applicable)(const lun_device *device, const void *problem);
    lun_status (*run)(operation *op, const struct variant *row, const void *problem, lun_error *err);
} variant;
lun_status variant_choose(const variant **out, const variant *rows, size_t count, const lun_device *device,
                          const void *problem, const char *name, lun_error *err);
lun_status variant_run(operation *op, const variant *rows, size_t count, const void *problem, lun_error *err);
bool variant_makes_way(lun_device *device, const variant *row, const variant *last, const lun_call *call,
                       lun_status status, const lun_error *err);
extern const variant nbody_variants[];
extern const size_t nbody_variant_count;
#endif

#endif
