/* Gravity by direct sums: how a system is computed on a device, its accelerations and potentials, its energy. */
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "op/nbody/nbody.h"
#include "op/old.h"
#include "op/operation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what a device is good at ----------------------------------------------------------------------------------
 * cpu: two cores of an AMD EPYC (Zen 3, AVX2, 32 KiB nearest cache) with PoCL 3.1, and sixteen of an Intel Xeon
 * (AVX-512) with PoCL 5.0; a Xeon's core does twice the rate. few, pairs, gpu: an H200, with PTX; bench/NOTES.md has the
 * steps. plain: a guess between GPUs (an H200's unit does 3e9) and PoCL (2e8). */

static const nbody_tuning tunings[] = {
    /* file, dtype, block, tile, rows, rate, each, rest, most, steps */
    {"nbody_cpu", LUN_f32, 0, 768, 32, 3.4e9, 0, NULL, 0, 0},
    {"nbody_cpu", LUN_f64, 0, 512, 32, 1.3e9, 0, NULL, 0, 0},
    {"nbody_few", LUN_f32, 512, 512, 0, 1e10, 0, "nbody_plain", 0, 0},
    {"nbody_few", LUN_f64, 512, 256, 0, 3e9, 0, "nbody_plain", 0, 0},
    {"nbody_pairs", LUN_f32, 64, 64, 64, 1e10, 2, "nbody_plain", 8192, 32},
    {"nbody_pairs", LUN_f32, 64, 64, 64, 2e10, 4, "nbody_plain", 20000, 32},
    {"nbody_pairs", LUN_f32, 256, 256, 256, 2.3e10, 4, "nbody_plain", 0, 32},
    {"nbody_pairs", LUN_f64, 64, 64, 64, 5e9, 2, "nbody_plain", 8192, 4},
    {"nbody_pairs", LUN_f64, 128, 128, 128, 1e10, 4, "nbody_plain", 40000, 4},
    {"nbody_pairs", LUN_f64, 128, 128, 128, 1e10, 5, "nbody_plain", 0, 4},
    {"nbody_gpu", LUN_f32, 256, 256, 256, 1e10, 2, "nbody_plain", 0, 0},
    {"nbody_gpu", LUN_f64, 256, 256, 256, 2e9, 1, "nbody_plain", 0, 0},
    {"nbody_plain", LUN_f32, 64, 64, 64, 1e9, 0, NULL, 0, 0},
    {"nbody_plain", LUN_f64, 64, 64, 64, 5e8, 0, NULL, 0, 0},
};

#define MOST_SECONDS 0.1      /* that a launch of the field kernel takes */
#define LOAD_CHUNK 4096       /* bodies that a core loads at least: below, a second one does not pay */
#define FIELD_CHUNK (1 << 16) /* likewise, interactions */

const nbody_tuning *nbody_find_tuning(const char *file, lun_dtype dtype, size_t bodies)
{
    const nbody_tuning *row = tunings;
    while (strcmp(row->file, file) != 0 || row->dtype != dtype || (row->most && bodies > row->most))
        row++;
    return row;
}

/* Lanes of a vector: what the device has, but 16 to 64 bytes. */
static size_t vector_width(const lun_device *device, lun_dtype dtype)
{
    size_t item = lun_dtype_bytes(dtype);
    size_t native = dtype == LUN_f64 ? device->info.vector_f64 : device->info.vector_f32;
    size_t width = 16 / item;
    while (2 * width <= native && 2 * width <= 64 / item)
        width *= 2;
    return width;
}

double nbody_work(const nbody_plan *plan, const lun_device *device, double seconds)
{
    return seconds * plan->tuning->rate * device->info.units;
}

/* ---- checks and plans ------------------------------------------------------------------------------------------ */

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

lun_status nbody_check_like(const lun_array *array, const char *what, const lun_array *pos, lun_error *err)
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

static lun_status check_options(const lun_gravity_options *options, lun_error *err)
{
    lun_status status = LUN_OK;
    if (!(options->softening >= 0 && isfinite(options->softening)))
        FAIL(LUN_MISUSE, "softening must be a finite number, 0 or more, not %.17g",
             lun_number_shown(options->softening));
    if (!isfinite(options->G))
        FAIL(LUN_MISUSE, "G must be a finite number, not %.17g", lun_number_shown(options->G));
    if (!isfinite(options->dt))
        FAIL(LUN_MISUSE, "dt must be a finite number, not %.17g", lun_number_shown(options->dt));
done:
    return status;
}

lun_status nbody_make_plan(nbody_plan *out, const lun_array *pos, const lun_gravity_options *options,
                           const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(check_rows(pos, "the positions", err));
    TRY(check_options(options, err));
    size_t width = vector_width(pos->device, pos->dtype);
    *out = (nbody_plan){
        .dtype = pos->dtype, .bodies = pos->shape[0], .width = width, .G = options->G, .softening = options->softening};
    out->size = (out->bodies + width - 1) / width * width;
    nbody_problem what = {out->dtype, out->bodies, NULL};
    TRY(variant_choose(&out->row, nbody_variants, nbody_variant_count, pos->device, &what, call ? call->variant : NULL,
                       err));
    out->tuning = nbody_find_tuning(out->row->file, pos->dtype, out->bodies);
    snprintf(out->defines, sizeof out->defines,
             "#define WIDTH %zu\n#define BODIES %d\n#define TILE %zu\n#define ROWS %zu\n#define BLOCK %zu\n"
             "#define EACH %zu\n#define STEPS %zu\n%s",
             width, width * lun_dtype_bytes(pos->dtype) == 64 ? 2 : 1, out->tuning->tile, out->tuning->rows,
             out->tuning->block, out->tuning->each, out->tuning->steps, out->row->nvidia ? "#define NVIDIA 1\n" : "");
done:
    return status;
}

lun_status nbody_kernel(cl_kernel *out, lun_device *device, const nbody_plan *plan, const char *name, lun_error *err)
{
    const char *rest = plan->tuning->rest;
    bool own = strcmp(name, "nbody_pull") == 0 || strcmp(name, "nbody_kick") == 0 || strcmp(name, "nbody_small") == 0;
    return program_kernel(out, device,
                          &(program_key){rest && !own ? rest : plan->row->file, plan->dtype, plan->defines}, name, err);
}

launch_arg nbody_real(const nbody_plan *plan, double x)
{
    return plan->dtype == LUN_f64 ? (launch_arg)ARG_DOUBLE(x) : (launch_arg)ARG_FLOAT(x);
}

lun_status nbody_load(operation *op, const nbody_plan *plan, cl_kernel kernel, const lun_array *body,
                      const lun_array *pos, const lun_array *vel, lun_error *err)
{
    launch_plan spread = launch_spread(op->device, kernel, plan->size, LOAD_CHUNK);
    const lun_array *second = vel ? vel : pos;
    return launch(op, &spread,
                  ARGS(ARG_BLOCK(body->block), ARG_LONG(plan->size), ARG_LONG(plan->bodies), NBODY_VIEW(pos),
                       NBODY_VIEW(second), ARG_LONG(vel ? 7 : 4)),
                  err);
}

/* ---- fields ---------------------------------------------------------------------------------------------------- */

/* Enqueues acceleration and potential of every body into the rows of dst. */
static lun_status enqueue_field(operation *op, const nbody_plan *plan, cl_kernel kernel, const lun_array *dst,
                                const lun_array *body, lun_error *err)
{
    lun_status status = LUN_OK;
    size_t block = plan->tuning->block ? plan->tuning->block : 1;
    double share = nbody_work(plan, op->device, MOST_SECONDS) / (double)block / (double)(plan->bodies + 1);
    size_t step = share < 1 ? block : share > 1e9 ? block * (size_t)1e9 : block * (size_t)share;
    for (size_t first = 0; first < plan->bodies; first += step) {
        size_t last = plan->bodies - first < step ? plan->bodies : first + step;
        launch_plan geometry = {kernel, 1, {(last - first + block - 1) / block, 1, 1}, {block, 1, 1}};
        if (!plan->tuning->block)
            geometry = launch_spread(op->device, kernel, last - first, FIELD_CHUNK / plan->bodies + 1);
        TRY(launch(op, &geometry,
                   ARGS(NBODY_VIEW(dst), ARG_BLOCK(body->block), ARG_LONG(plan->size), ARG_LONG(plan->bodies),
                        ARG_LONG(first), ARG_LONG(last), nbody_real(plan, plan->softening), nbody_real(plan, plan->G)),
                   err));
    }
done:
    return status;
}

lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    nbody_plan plan;
    lun_array body;
    cl_kernel load, field;
    TRY(nbody_make_plan(&plan, pos, options, call, err));
    TRY(nbody_check_like(out, "out", pos, err));
    TRY(array_check_apart(out, pos, err));
    operation_init(&op, pos->device, "gravity", call);
    TRY(operation_reads(&op, pos, err));
    TRY(operation_writes(&op, out, err));
    TRY(operation_scratch_array(&op, &body, plan.dtype, 2, (const size_t[]){NBODY_ROWS, plan.size}, err));
    TRY(nbody_kernel(&load, op.device, &plan, "nbody_load", err));
    TRY(nbody_kernel(&field, op.device, &plan, "nbody_field", err));
    TRY(operation_begin(&op, err));
    if (plan.bodies) {
        TRY(nbody_load(&op, &plan, load, &body, pos, NULL, err));
        TRY(enqueue_field(&op, &plan, field, out, &body, err));
    }
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

/* ---- energy ---------------------------------------------------------------------------------------------------- */

static lun_status check_energy_out(const lun_array *out, const lun_array *pos, const lun_array *vel, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, pos, "out", err));
    if (out->ndim != 1 || out->shape[0] != 2 || out->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "out must be 2 elements of %s", lun_dtype_name(pos->dtype));
    TRY(array_check_apart(out, pos, err));
    TRY(array_check_apart(out, vel, err));
done:
    return status;
}

lun_status lun_energy(const lun_array *out, const lun_array *pos, const lun_array *vel,
                      const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    nbody_plan plan;
    lun_array body, fields;
    cl_kernel load, field, energy;
    TRY(nbody_make_plan(&plan, pos, options, call, err));
    TRY(nbody_check_like(vel, "the velocities", pos, err));
    TRY(check_energy_out(out, pos, vel, err));
    operation_init(&op, pos->device, "energy", call);
    TRY(operation_reads(&op, pos, err));
    TRY(operation_reads(&op, vel, err));
    TRY(operation_writes(&op, out, err));
    TRY(operation_scratch_array(&op, &body, plan.dtype, 2, (const size_t[]){NBODY_ROWS, plan.size}, err));
    TRY(operation_scratch_array(&op, &fields, plan.dtype, 2, (const size_t[]){plan.bodies, 4}, err));
    TRY(nbody_kernel(&load, op.device, &plan, "nbody_load", err));
    TRY(nbody_kernel(&field, op.device, &plan, "nbody_field", err));
    TRY(nbody_kernel(&energy, op.device, &plan, "nbody_energy", err));
    TRY(operation_begin(&op, err));
    if (plan.bodies) {
        TRY(nbody_load(&op, &plan, load, &body, pos, vel, err));
        TRY(enqueue_field(&op, &plan, field, &fields, &body, err));
    }
    size_t group = device_group(op.device);
    TRY(launch(&op, &(launch_plan){energy, 1, {1, 1, 1}, {group, 1, 1}},
               ARGS(ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_LONG(out->stride[0]), ARG_BLOCK(body.block),
                    ARG_LONG(plan.size), ARG_LONG(plan.bodies), ARG_BLOCK(fields.block)),
               err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}
