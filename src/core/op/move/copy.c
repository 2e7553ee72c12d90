/* Copying an array into another of its shape, with a cast where dtypes differ, from another device too. */
#include "op/move/copy.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/launch.h"
#include "op/operation.h"
#include "op/variant.h"

#include <stdio.h>
#include <string.h>

#define LEAST_A_CHUNK 16384 /* elements a work-item gets at least on a CPU: below, a second core does not pay */

typedef struct copy_problem {
    const lun_array *dst, *src;
} copy_problem;

/* Both layouts over one set of merged axes. */
static void common_layouts(layout *to, layout *from, const lun_array *dst, const lun_array *src)
{
    size_t size[LUN_MAX_AXES];
    int64_t there[LUN_MAX_AXES], here[LUN_MAX_AXES];
    memcpy(size, dst->shape, sizeof size);
    memcpy(there, dst->stride, sizeof there);
    memcpy(here, src->stride, sizeof here);
    int ndim = shape_collapse(dst->ndim, size, (int64_t *const[]){there, here}, 2);
    *to = *from = (layout){.ndim = ndim};
    for (int i = 0; i < LUN_MAX_AXES; i++) {
        to->size[i] = from->size[i] = i < ndim ? (cl_long)size[i] : 1;
        to->stride[i] = i < ndim ? there[i] : 0;
        from->stride[i] = i < ndim ? here[i] : 0;
    }
}

static lun_status plain_kernel(cl_kernel *kernel, const lun_array *dst, const lun_array *src, lun_error *err)
{
    char defines[160] = "";
    bool same = dst->dtype == src->dtype;
    if (!same)
        snprintf(defines, sizeof defines, "#define CAST 1\n#define SRC %s\n#define SRC_IS_%s 1\n%s",
                 dtype_cl(src->dtype), lun_dtype_name(src->dtype),
                 lun_dtype_kind(src->dtype) == LUN_FLOAT ? "#define SRC_IS_FLOAT 1\n" : "");
    lun_dtype dtype = same ? dtype_of_bytes(lun_dtype_bytes(dst->dtype)) : dst->dtype;
    return program_kernel(kernel, dst->device, &(program_key){"copy_plain", dtype, defines}, "copy_plain", err);
}

static lun_status run_plain(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const copy_problem *problem = data;
    const lun_array *dst = problem->dst, *src = problem->src;
    cl_kernel kernel;
    layout to, from;
    (void)row;
    TRY(plain_kernel(&kernel, dst, src, err));
    common_layouts(&to, &from, dst, src);
    launch_plan plan = launch_spread(op->device, kernel, dst->size, LEAST_A_CHUNK);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(dst->block), ARG_LONG(dst->offset), ARG_VALUE(&to), ARG_BLOCK(src->block),
                    ARG_LONG(src->offset), ARG_VALUE(&from), ARG_LONG(dst->size)),
               err));
done:
    return status;
}

/* The same bytes one after the other on both sides. */
static bool is_dense(const copy_problem *problem)
{
    return problem->dst->dtype == problem->src->dtype && lun_array_is_contiguous(problem->dst) &&
           lun_array_is_contiguous(problem->src);
}

static size_t first_byte(const lun_array *array) { return (size_t)array->offset * lun_dtype_bytes(array->dtype); }

static bool dense_applies(const lun_device *device, const void *data)
{
    const copy_problem *problem = data;
    return launch_can_move_vectors(device) &&
           (!problem || (is_dense(problem) && (first_byte(problem->dst) - first_byte(problem->src)) % 16 == 0));
}

static lun_status dense_kernel(cl_kernel *kernel, lun_device *device, lun_error *err)
{
    return program_kernel(kernel, device, &(program_key){"copy_dense", LUN_u8, NULL}, "copy_dense", err);
}

static lun_status run_dense(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    cl_kernel kernel;
    byte_run s = byte_run_of(first_byte(dst), lun_array_bytes(dst), GPU_VECTOR);
    (void)row;
    TRY(dense_kernel(&kernel, op->device, err));
    launch_plan plan = launch_byte_run(kernel, &s);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(dst->block), ARG_LONG(first_byte(dst)), ARG_BLOCK(src->block), ARG_LONG(first_byte(src)),
                    ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail)),
               err));
done:
    return status;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || is_dense(data));
}

static lun_status cpu_kernel(cl_kernel *kernel, lun_device *device, lun_error *err)
{
    return program_kernel(kernel, device, &(program_key){"copy_cpu", LUN_u8, NULL}, "copy_cpu", err);
}

static lun_status run_cpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    cl_kernel kernel;
    const size_t bytes = lun_array_bytes(dst);
    const byte_run s = byte_run_of(first_byte(dst), bytes, CPU_VECTOR);
    (void)row;
    TRY(cpu_kernel(&kernel, op->device, err));
    launch_plan plan = launch_spread(op->device, kernel, s.vectors, LEAST_A_CHUNK * 4 / CPU_VECTOR);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(dst->block), ARG_LONG(first_byte(dst)), ARG_BLOCK(src->block), ARG_LONG(first_byte(src)),
                    ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail),
                    ARG_LONG(passes_cache(op->device, 2 * bytes))),
               err));
done:
    return status;
}

/* The driver's own copy: on PoCL one thread's memcpy. */
static bool buffer_applies(const lun_device *device, const void *data)
{
    const copy_problem *problem = data;
    return !(device->type & CL_DEVICE_TYPE_CPU) && (!problem || is_dense(problem));
}

static lun_status run_buffer(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const copy_problem *problem = data;
    cl_event event = NULL;
    (void)row;
    CL_WAITING(op, clEnqueueCopyBuffer, problem->src->block->mem, problem->dst->block->mem, first_byte(problem->src),
               first_byte(problem->dst), lun_array_bytes(problem->dst), WAITS(op), &event);
    operation_enqueued(op, event);
done:
    return status;
}

static bool transposing_applies(const lun_device *device, const void *data)
{
    const copy_problem *problem = data;
    (void)device;
    return !problem || (problem->dst->dtype == problem->src->dtype && transpose_applies(problem->dst, problem->src));
}

static lun_status run_transposing(operation *op, const variant *row, const void *data, lun_error *err)
{
    const copy_problem *problem = data;
    (void)row;
    return transpose_enqueue(op, problem->dst, problem->src, err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    const copy_problem *problem = data;
    return device->info.max_group >= 256 &&
           (!problem || (problem->dst->dtype == problem->src->dtype && copy_gpu_applies(problem->dst, problem->src)));
}

static lun_status run_gpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    const copy_problem *problem = data;
    (void)row;
    return copy_gpu_enqueue(op, problem->dst, problem->src, err);
}

/* ---- the ways to run it: here and in copy_gpu.c ---------------------------------------------------------------------
 * cpu        lines of the cache, past it where they would not stay: memory without gaps on CPUs.
 * dense      16 bytes a work-item: memory without gaps on GPUs, aligned alike on both sides; anywhere by name.
 * buffer     the driver's own copy: memory without gaps, however aligned. GPUs.
 * transpose  transpose's kernels: two orders of axes, large enough for their tiles.
 * gpu        rows of wide items or words, positions divided by multiplication: other views on GPUs; anywhere by name.
 * plain      one element at a time: every device and view, and casts. */

const variant copy_variants[] = {
    {"cpu", "copy_cpu", CL_DEVICE_TYPE_CPU, 0, cpu_applies, run_cpu},
    {"dense", "copy_dense", CL_DEVICE_TYPE_GPU, 0, dense_applies, run_dense},
    {"buffer", NULL, 0, 0, buffer_applies, run_buffer},
    {"transpose", NULL, 0, 0, transposing_applies, run_transposing},
    {"gpu", "copy_gpu", CL_DEVICE_TYPE_GPU, 0, gpu_applies, run_gpu},
    {"plain", "copy_plain", 0, 0, variant_anywhere, run_plain},
};
const size_t copy_variant_count = COUNT(copy_variants);

static lun_status enqueue(operation *op, const lun_array *dst, const lun_array *src, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *row;
    copy_problem problem = {dst, src};
    if (dst->size == 0)
        return LUN_OK;
    TRY(variant_choose(&row, copy_variants, copy_variant_count, op->device, &problem, name, err));
    TRY(row->run(op, row, &problem, err));
done:
    return status;
}

lun_status copy_enqueue(operation *op, const lun_array *dst, const lun_array *src, lun_error *err)
{
    return enqueue(op, dst, src, NULL, err);
}

static lun_status prepare(const lun_array *dst, const lun_array *src, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel ignored;
    const variant *row;
    const copy_problem problem = {dst, src};
    if (dst->size == 0)
        return LUN_OK;
    TRY(variant_choose(&row, copy_variants, copy_variant_count, dst->device, &problem, name, err));
    if (row->run == run_cpu)
        TRY(cpu_kernel(&ignored, dst->device, err));
    else if (row->run == run_dense)
        TRY(dense_kernel(&ignored, dst->device, err));
    else if (row->run == run_transposing)
        TRY(transpose_prepare(dst, src, err));
    else if (row->run == run_gpu)
        TRY(copy_gpu_prepare(dst, src, err));
    else if (row->run == run_plain)
        TRY(plain_kernel(&ignored, dst, src, err));
done:
    return status;
}

lun_status copy_prepare(const lun_array *dst, const lun_array *src, lun_error *err)
{
    return prepare(dst, src, NULL, err);
}

/* Through the host: the source is waited for, the rest is enqueued on the destination's device. */
static lun_status copy_across(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_staging *staging = NULL;
    lun_array there = {0};
    TRY(lun_staging_create(&staging, out->device, lun_array_bytes(in), err));
    TRY(lun_array_read(staging->data, in, NULL, err));
    if (out->dtype == in->dtype) {
        TRY(lun_array_write(out, staging, call, err));
    } else {
        TRY(lun_array_create(&there, out->device, in->dtype, in->ndim, in->shape, err));
        TRY(lun_array_write(&there, staging, NULL, err));
        TRY(lun_array_copy(out, &there, call, err));
    }
done:
    lun_array_clear(&there);
    lun_staging_release(staging);
    return status;
}

static bool identical(const lun_array *a, const lun_array *b)
{
    return a->block == b->block && a->offset == b->offset && a->dtype == b->dtype &&
           memcmp(a->stride, b->stride, (size_t)a->ndim * sizeof a->stride[0]) == 0;
}

lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    char to[200], from[200];
    operation op = {0};
    TRY(array_check_live(out, "the array", err));
    TRY(array_check_live(in, "the source", err));
    if (!shape_equal(out, in))
        FAIL(LUN_MISUSE, "shapes differ: %s into %s", lun_shape_text(from, sizeof from, in->ndim, in->shape),
             lun_shape_text(to, sizeof to, out->ndim, out->shape));
    if (out->device != in->device)
        return copy_across(out, in, call, err);
    bool same = identical(out, in);
    if (!same && lun_array_overlap(out, in)) /* hosts may have given it other names than `out` */
        FAIL(LUN_MISUSE, "the array that is written shares elements with its source; copy the source first");
    operation_init(&op, out->device, "copy", call);
    TRY(operation_reads(&op, in, err));
    TRY(operation_writes(&op, out, err));
    if (!same)
        TRY(prepare(out, in, call ? call->variant : NULL, err));
    TRY(operation_begin(&op, err));
    if (!same)
        TRY(enqueue(&op, out, in, call ? call->variant : NULL, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}
