/* Bodies on the device: their layout, checks of the arrays that they come from, and the kernels that all variants share. */
#include "op/nbody/bodies.h"
#include "base/error.h"
#include "device/device.h"

#define LOAD_CHUNK 4096  /* bodies that a core loads at least: below, a second one does not pay */
#define STORE_CHUNK 1024 /* likewise, bodies that it stores */
#define KICK_CHUNK 192   /* likewise, vectors of bodies that it kicks along one axis */

/* ---- layout ----------------------------------------------------------------------------------------------------- */

/* Elements in a vector: what the device has, but 16 to 64 bytes. */
static size_t vector_width(const lun_device *device, lun_dtype dtype)
{
    size_t item = lun_dtype_bytes(dtype);
    size_t native = dtype == LUN_f64 ? device->info.vector_f64 : device->info.vector_f32;
    size_t width = 16 / item;
    while (2 * width <= native && 2 * width <= 64 / item)
        width *= 2;
    return width;
}

static lun_status check_rows(const lun_array *array, const char *what, lun_error *err)
{
    lun_status status = LUN_OK;
    char shape[200];
    TRY(array_check_live(array, "the array", err));
    if (array->ndim != 2 || array->shape[1] != 4)
        FAIL(LUN_MISUSE, "%s must be n x 4, not %s", what,
             lun_shape_text(shape, sizeof shape, array->ndim, array->shape));
    if (array->dtype != LUN_f32 && array->dtype != LUN_f64)
        FAIL(LUN_MISUSE, "%s must be f32 or f64, not %s", what, lun_dtype_name(array->dtype));
done:
    return status;
}

lun_status bodies_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(check_rows(array, what, err));
    TRY(array_check_same_device(array, pos, what, err));
    if (array->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "%s must be %s as the positions are, not %s", what, lun_dtype_name(pos->dtype),
             lun_dtype_name(array->dtype));
    if (array->shape[0] != pos->shape[0])
        FAIL(LUN_MISUSE, "%s must have as many rows as the positions, %zu, not %zu", what, pos->shape[0],
             array->shape[0]);
done:
    return status;
}

lun_status bodies_describe(bodies *out, const lun_array *pos, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(check_rows(pos, "the positions", err));
    *out = (bodies){.dtype = pos->dtype, .count = pos->shape[0], .width = vector_width(pos->device, pos->dtype)};
    out->size = NBODY_GROUPS(larger(out->count, 1), out->width) * out->width;
done:
    return status;
}

launch_arg bodies_real(const bodies *b, double x) { return launch_real(b->dtype, x); }

/* ---- commands --------------------------------------------------------------------------------------------------- */

lun_status bodies_plan_load(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                            const lun_array *vel, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const lun_array none = {0}, *second = vel ? vel : &none;
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_load", err));
    const launch spread = launch_spread(out->op->device, kernel, b->size, LOAD_CHUNK);
    TRY(plan_launch(
        out, &spread,
        ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), BODIES_VIEW(pos), BODIES_VIEW(second)),
        err));
done:
    return status;
}

lun_status bodies_plan_store(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                             const lun_array *vel, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_store", err));
    const launch spread = launch_spread(out->op->device, kernel, b->count, STORE_CHUNK);
    TRY(plan_launch(
        out, &spread,
        ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), BODIES_VIEW(pos), BODIES_VIEW(vel)),
        err));
done:
    return status;
}

lun_status bodies_plan_kick(plan *out, const bodies *b, cl_kernel kernel, const lun_array *pull, double kick,
                            double drift, lun_error *err)
{
    const bool is_vectors = device_group(out->op->device) == 1; /* of cores; else one body to a work-item */
    launch spread = launch_spread(out->op->device, kernel, is_vectors ? b->size / b->width : b->count, KICK_CHUNK);
    spread.dims = 2;
    spread.groups[1] = 3; /* axes */
    spread.local[1] = 1;
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(pull->block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(pull->shape[0]), bodies_real(b, kick), bodies_real(b, drift)),
                       err);
}

lun_status bodies_plan_energy(plan *out, const bodies *b, const program_key *key, const lun_array *dst,
                              const lun_array *fields, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const size_t group = device_group(out->op->device);
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_energy", err));
    TRY(plan_launch(out, &(launch){kernel, 1, {1, 1, 1}, {group, 1, 1}},
                    ARGS(ARG_BLOCK(dst->block), ARG_LONG(dst->offset), ARG_LONG(dst->stride[0]),
                         ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), ARG_BLOCK(fields->block)),
                    err));
done:
    return status;
}
