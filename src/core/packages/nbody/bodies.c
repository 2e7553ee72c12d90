/* Bodies on the device: their layout, checks of the arrays that they come from, and the kernels that all variants share. */
#include "packages/nbody/bodies.h"
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"

#define MOST_EXTENTS 1024 /* groups of such a launch: one group joins what they find */

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
    char shape[200];
    TRY(array_check_live(array, "the array", err));
    if ((array->ndim != 2 && array->ndim != 3) || array->shape[array->ndim - 1] != 4)
        FAIL(LUN_MISUSE, "%s must be n x 4 or b x n x 4, not %s", what, array_shape_text(shape, sizeof shape, array));
    if (array->dtype != LUN_f32 && array->dtype != LUN_f64)
        FAIL(LUN_MISUSE, "%s must be f32 or f64, not %s", what, lun_dtype_name(array->dtype));
    return LUN_OK;
}

lun_status bodies_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err)
{
    char shape[200], wanted[200];
    TRY(check_rows(array, what, err));
    TRY(array_check_same_device(array, pos, what, err));
    if (array->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "%s must be %s as the positions are, not %s", what, lun_dtype_name(pos->dtype),
             lun_dtype_name(array->dtype));
    if (array->ndim != pos->ndim || (pos->ndim == 3 && !shape_equal(array, pos)))
        FAIL(LUN_MISUSE, "%s must be %s as the positions are, not %s", what,
             array_shape_text(wanted, sizeof wanted, pos), array_shape_text(shape, sizeof shape, array));
    if (array->shape[0] != pos->shape[0])
        FAIL(LUN_MISUSE, "%s must have as many rows as the positions, %zu, not %zu", what, pos->shape[0],
             array->shape[0]);
    return LUN_OK;
}

lun_status bodies_check_points(const lun_array *points, const lun_array *pos, lun_error *err)
{
    char shape[200];
    TRY(array_check_live(points, "at", err));
    TRY(array_check_same_device(points, pos, "at", err));
    if (points->ndim != 2 || points->shape[1] < 3 || points->shape[1] > 4)
        FAIL(LUN_MISUSE, "at must be m x 3 or m x 4, not %s", array_shape_text(shape, sizeof shape, points));
    if (points->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "at must be %s as the positions are, not %s", lun_dtype_name(pos->dtype),
             lun_dtype_name(points->dtype));
    if (pos->ndim == 3)
        FAIL(LUN_MISUSE, "at needs the positions of one system, n x 4, not %s",
             array_shape_text(shape, sizeof shape, pos));
    return LUN_OK;
}

static lun_status check_softenings(const lun_array *array, const lun_array *pos, lun_error *err)
{
    char shape[200];
    const size_t count = pos->shape[pos->ndim - 2];
    TRY(array_check_live(array, "softening", err));
    TRY(array_check_same_device(array, pos, "softening", err));
    if (array->ndim != 1 || array->shape[0] != count)
        FAIL(LUN_MISUSE, "softening must be a number, or have one for each of the %zu bodies, not %s", count,
             array_shape_text(shape, sizeof shape, array));
    if (array->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "softening must be %s as the positions are, not %s", lun_dtype_name(pos->dtype),
             lun_dtype_name(array->dtype));
    return LUN_OK;
}

lun_status bodies_describe(bodies *out, const lun_array *pos, const lun_gravity_options *options, lun_error *err)
{
    TRY(check_rows(pos, "the positions", err));
    const size_t count = pos->shape[pos->ndim - 2];
    if (options->active > count)
        FAIL(LUN_MISUSE, "active is %llu, but there are only %zu bodies", (unsigned long long)options->active, count);
    if (options->softenings)
        TRY(check_softenings(options->softenings, pos, err));
    *out = (bodies){.dtype = pos->dtype,
                    .systems = pos->ndim == 3 ? pos->shape[0] : 1,
                    .count = count,
                    .width = vector_width(pos->device, pos->dtype)};
    out->active = options->active ? (size_t)options->active : out->count;
    out->has_softs = options->softenings != NULL;
    out->points = options->at ? options->at->shape[0] : 0;
    out->size = NBODY_GROUPS(larger(out->count + out->points, 1), out->width) * out->width;
    return LUN_OK;
}

/* Of one system without softenings of its bodies' own, the last rows are left out, but for the units. */
size_t bodies_elements(const bodies *b)
{
    return b->systems == 1 && !b->has_softs ? NBODY_UNITS * b->size + 2 : b->systems * NBODY_ROWS * b->size;
}

bool bodies_are_passive(const bodies *b) { return b->active < b->count + b->points; }
int64_t bodies_stride(const lun_array *array, int from_last)
{
    return array->ndim < from_last ? 0 : array->stride[array->ndim - from_last];
}

launch_arg bodies_real(const bodies *b, double x) { return launch_real(b->dtype, x); }

/* ---- commands --------------------------------------------------------------------------------------------------- */

/* As launch_spread for a system, with the systems as second dimension. */
static launch spread_systems(const plan *out, const bodies *b, cl_kernel kernel, size_t items, size_t least)
{
    launch spread = launch_spread(out->op->device, kernel, items, least);
    spread.dims = 2;
    spread.groups[1] = b->systems;
    return spread;
}

/* Units, found by launches of their own. */
static lun_status plan_units(const lun_block **units, plan *out, const bodies *b, const program_key *key,
                             const lun_array *pos, lun_error *err)
{
    lun_device *device = out->op->device;
    cl_kernel extents, join;
    lun_block *found;
    TRY(program_kernel(&extents, device, key, "nbody_extents", err));
    TRY(program_kernel(&join, device, key, "nbody_units", err));
    launch spread = launch_spread(device, extents, b->count, nbody_tuned(device)->loaded);
    spread.groups[0] = smaller(spread.groups[0], MOST_EXTENTS);
    TRY(operation_scratch(out->op, &found, 2 * spread.groups[0] * lun_dtype_bytes(b->dtype), err));
    TRY(plan_launch(out, &spread,
                    ARGS(ARG_BLOCK(found), ARG_LONG(b->count), ARG_BLOCK(pos->block), ARG_LONG(pos->offset),
                         ARG_LONG(bodies_stride(pos, 2)), ARG_LONG(bodies_stride(pos, 1)), ARG_LONG(b->active)),
                    err));
    TRY(plan_launch(out, &(launch){join, 1, {1, 1, 1}, {device_group(device), 1, 1}},
                    ARGS(ARG_BLOCK(found), ARG_LONG(spread.groups[0])), err));
    *units = found;
    return LUN_OK;
}

lun_status bodies_plan_load(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                            const lun_array *vel, const lun_array *softenings, const lun_array *units, lun_error *err)
{
    cl_kernel kernel;
    const lun_array none = {0}, *second = vel ? vel : &none, *soft = softenings ? softenings : &none;
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_load", err));
    const nbody_tuning *tuned = nbody_tuned(out->op->device);
    const launch spread = spread_systems(out, b, kernel, b->size, tuned->loaded);
    const lun_block *found = units->block;
    if (!found && b->systems == 1 && b->count >= tuned->units_apart)
        TRY(plan_units(&found, out, b, key, pos, err));
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), BODIES_VIEW(pos),
                            BODIES_VIEW(second), ARG_LONG(b->active), ARG_BLOCK(soft->block), ARG_LONG(soft->offset),
                            ARG_LONG(soft->stride[0]), ARG_BLOCK(found)),
                       err);
}

lun_status bodies_plan_points(plan *out, const bodies *b, const program_key *key, const lun_array *points,
                              lun_error *err)
{
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_points", err));
    const launch spread = launch_spread(out->op->device, kernel, b->size, nbody_tuned(out->op->device)->loaded);
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), ARG_LONG(b->points),
                            ARG_BLOCK(points->block), ARG_LONG(points->offset), ARG_LONG(points->stride[0]),
                            ARG_LONG(points->stride[1])),
                       err);
}

lun_status bodies_plan_store(plan *out, const bodies *b, const program_key *key, const lun_array *pos,
                             const lun_array *vel, lun_error *err)
{
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_store", err));
    const launch spread = spread_systems(out, b, kernel, b->count, nbody_tuned(out->op->device)->stored);
    return plan_launch(
        out, &spread,
        ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->count), BODIES_VIEW(pos), BODIES_VIEW(vel)), err);
}

lun_status bodies_plan_kick(plan *out, const bodies *b, cl_kernel kernel, const lun_array *pull, size_t parts,
                            const bodies_stage *stages, lun_error *err)
{
    const bool is_vectors = device_group(out->op->device) == 1; /* of cores; else one body to a work-item */
    launch spread = launch_spread(out->op->device, kernel, is_vectors ? b->size / b->width : b->count,
                                  nbody_tuned(out->op->device)->kicked);
    spread.dims = 2;
    spread.groups[1] = 3 * b->systems; /* axes */
    spread.local[1] = 1;
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(b->rows.block), ARG_BLOCK(pull->block), ARG_LONG(b->size), ARG_LONG(b->count),
                            ARG_LONG(parts), bodies_real(b, stages[0].kick), bodies_real(b, stages[0].drift),
                            bodies_real(b, stages[1].kick), bodies_real(b, stages[1].drift)),
                       err);
}

lun_status bodies_plan_energy(plan *out, const bodies *b, const program_key *key, const lun_array *dst,
                              const lun_array *fields, lun_error *err)
{
    cl_kernel kernel;
    const size_t group = device_group(out->op->device);
    TRY(program_kernel(&kernel, out->op->device, key, "nbody_energy", err));
    return plan_launch(out, &(launch){kernel, 1, {b->systems, 1, 1}, {group, 1, 1}},
                       ARGS(ARG_BLOCK(dst->block), ARG_LONG(dst->offset), ARG_LONG(dst->stride[0]),
                            ARG_LONG(dst->ndim == 2 ? dst->stride[1] : 0), ARG_BLOCK(b->rows.block), ARG_LONG(b->size),
                            ARG_LONG(b->active), ARG_BLOCK(fields->block)),
                       err);
}
