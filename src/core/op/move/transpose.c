/* Transposing, and any copy between two orders of axes: brought to one form, then a variant runs it. */
#include "op/move/transpose.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "op/launch.h"
#include "op/move/copy.h"
#include "op/operation.h"
#include "op/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the form that variants get --------------------------------------------------------------------------------- */

static void remove_axis(axis_pairs *a, int at)
{
    a->count--;
    for (int i = at; i < a->count; i++)
        a->size[i] = a->size[i + 1], a->dst[i] = a->dst[i + 1], a->src[i] = a->src[i + 1];
}

static transpose_problem find_problem(const lun_array *dst, const lun_array *src)
{
    axis_pairs a = shape_axis_pairs(dst, src);
    transpose_problem p = {.dst = dst,
                           .src = src,
                           .dst_first = a.dst_first,
                           .src_first = a.src_first,
                           .rows = 1,
                           .columns = 1,
                           .batch = 1,
                           .dst_row = 1,
                           .src_column = 1};
    int near = a.count - 1; /* src's innermost axis; of equals dst's */
    for (int i = a.count - 2; i >= 0; i--)
        if (llabs(a.src[i]) < llabs(a.src[near]))
            near = i;
    p.same_order = near == a.count - 1;
    if (a.count > 0) {
        int last = a.count - 1;
        p.rows = a.size[last], p.dst_row = a.dst[last], p.src_row = a.src[last];
        if (near != last)
            p.columns = a.size[near], p.dst_column = a.dst[near], p.src_column = a.src[near];
        remove_axis(&a, last);
        if (near != last)
            remove_axis(&a, near);
    }
    p.to = p.from = (layout){.ndim = a.count};
    for (int i = 0; i < LUN_MAX_AXES; i++) {
        bool in = i < a.count;
        p.to.size[i] = p.from.size[i] = in ? (cl_long)a.size[i] : 1;
        p.to.stride[i] = in ? a.dst[i] : 0;
        p.from.stride[i] = in ? a.src[i] : 0;
        p.batch *= in ? a.size[i] : 1;
    }
    return p;
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

enum { PLAIN_TILE = 8 };

transpose_plan transpose_make_plan(const transpose_problem *p)
{
    return (transpose_plan){p->dst_first,  p->src_first, (cl_long)p->rows, (cl_long)p->columns, p->dst_row,
                            p->dst_column, p->src_row,   p->src_column,    (cl_long)p->batch};
}

static lun_status plain_kernel(cl_kernel *out, const transpose_problem *p, lun_error *err)
{
    const lun_dtype dtype = dtype_of_bytes(lun_dtype_bytes(p->dst->dtype));
    return program_kernel(out, p->dst->device, &(program_key){"transpose_plain", dtype, NULL}, "transpose_plain", err);
}

static lun_status run_plain(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const transpose_problem *p = data;
    cl_kernel kernel;
    (void)row;
    transpose_plan plan = transpose_make_plan(p);
    size_t tiles = ceil_div(p->rows, PLAIN_TILE) * ceil_div(p->columns, PLAIN_TILE) * p->batch;
    TRY(plain_kernel(&kernel, p, err));
    launch_plan groups = launch_spread(op->device, kernel, tiles, 256);
    TRY(launch(op, &groups,
               ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                    ARG_VALUE(&plan)),
               err));
done:
    return status;
}

/* ---- rows that lie alike in both, or too short ones on a GPU: a copy --------------------------------------------------- */

bool transpose_tiles(const transpose_problem *p) { return !p->same_order && p->dst_row == 1 && p->src_column == 1; }

/* Below that a tile is all edges. */
static bool tiles_pay(const lun_device *device, const transpose_problem *p)
{
    const size_t least = device->type & CL_DEVICE_TYPE_CPU ? 4 : 16;
    return transpose_tiles(p) && p->rows >= least && p->columns >= least;
}

static bool rows_apply(const lun_device *device, const void *data)
{
    const transpose_problem *p = data;
    return !p || p->same_order || (!(device->type & CL_DEVICE_TYPE_CPU) && !tiles_pay(device, p));
}

static lun_status run_rows(operation *op, const variant *row, const void *data, lun_error *err)
{
    const transpose_problem *p = data;
    (void)row;
    return copy_enqueue(op, p->dst, p->src, err);
}

/* ---- on CPUs: one work-item a group -------------------------------------------------------------------------------- */

/* The first row whose vectors the device has. 16: found on 2 cores each of two Intel Xeons (AVX-512, 2 MiB and 1 MiB of
 * second-level cache); the other on 2 of an EPYC (Zen 3, AVX2); both with PoCL 3.1. bench/NOTES.md has the steps. */
static const struct cpu_tuning {
    unsigned vector; /* floats in a vector register, at least */
    size_t per_unit; /* work-items per core */
    size_t bytes;    /* of the vectors that tiles are turned in */
    size_t ahead;    /* rows that the copy of a strip fetches ahead; 0: the next strip's, spread over the tiles */
    /* By the bytes of an item: */
    size_t run[9];  /* bytes of a row of dst that are written together */
    size_t span[9]; /* bytes of a row of src that are read together */
} cpu_tunings[] = {
    {16, 32, 64, 6, {[1] = 512, [2] = 512, [4] = 1024, [8] = 1024}, {[1] = 512, [2] = 256, [4] = 256, [8] = 512}},
    {0, 16, 16, 0, {[1] = 1024, [2] = 1024, [4] = 1024, [8] = 1024}, {[1] = 256, [2] = 256, [4] = 256, [8] = 512}},
};

enum { CPU_ALONE = 1 << 16, CPU_LINE = 64 }; /* bytes that one work-item does by itself; as in transpose_cpu.cl */

static const struct cpu_tuning *cpu_tuning(const lun_device *device)
{
    const struct cpu_tuning *row = cpu_tunings;
    while (row->vector > device->info.vector_f32)
        row++;
    return row;
}

static lun_status cpu_kernel(cl_kernel *out, const transpose_problem *p, lun_error *err)
{
    char defines[160];
    const size_t item = lun_dtype_bytes(p->dst->dtype);
    const struct cpu_tuning *tuned = cpu_tuning(p->dst->device);
    snprintf(defines, sizeof defines,
             "#define SPAN_BYTES %zu\n#define RUN_BYTES %zu\n#define AHEAD %zu\n#define VECTOR_BYTES %zu\n",
             tuned->span[item], tuned->run[item], tuned->ahead, tuned->bytes);
    return program_kernel(out, p->dst->device, &(program_key){"transpose_cpu", dtype_of_bytes(item), defines},
                          "transpose_cpu", err);
}

/* How many blocks n items make: a rest of no more than a line goes to the last one. */
static size_t blocks_of(size_t n, size_t block, size_t item)
{
    const size_t rest = CPU_LINE / item;
    return n <= block + rest ? 1 : ceil_div(n - rest, block);
}

typedef struct cpu_plan { /* as in transpose_cpu.cl */
    cl_long dst, src, rows, columns, dst_step, src_step, row_block, row_blocks, column_block, column_blocks, jobs,
        per_item, streams;
} cpu_plan;

static bool cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || transpose_tiles(data));
}

static lun_status run_cpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const transpose_problem *p = data;
    cl_kernel kernel;
    (void)row;
    size_t item = lun_dtype_bytes(p->dst->dtype), bytes = lun_array_bytes(p->dst);
    cpu_plan plan = {.dst = p->dst_first,
                     .src = p->src_first,
                     .rows = (cl_long)p->rows,
                     .columns = (cl_long)p->columns,
                     .dst_step = p->dst_column,
                     .src_step = p->src_row};
    const struct cpu_tuning *tuned = cpu_tuning(op->device);
    size_t row_block = tuned->run[item] / item, column_block = tuned->span[item] / item;
    size_t row_blocks = blocks_of(p->rows, row_block, item), column_blocks = blocks_of(p->columns, column_block, item);
    size_t jobs = row_blocks * column_blocks * p->batch;
    size_t items = bytes <= CPU_ALONE ? 1 : smaller(jobs, op->device->info.units * tuned->per_unit);
    size_t per_item = ceil_div(jobs, items);
    plan.row_block = (cl_long)row_block;
    plan.row_blocks = (cl_long)row_blocks;
    plan.column_block = (cl_long)column_block;
    plan.column_blocks = (cl_long)column_blocks;
    plan.jobs = (cl_long)jobs;
    plan.per_item = (cl_long)per_item;
    plan.streams = passes_cache(op->device, 4 * bytes); /* its lines drive each other out sooner than a copy's */
    TRY(cpu_kernel(&kernel, p, err));
    TRY(launch(op, &(launch_plan){kernel, 1, {ceil_div(jobs, per_item), 1, 1}, {1, 1, 1}},
               ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                    ARG_VALUE(&plan)),
               err));
done:
    return status;
}

/* ---- the ways to run it: here and in transpose_gpu.c -----------------------------------------------------------------
 * rows    axes that keep their order, and what is too small for tiles on a GPU: a copy.
 * cpu     vectors of a core turned in its registers, whole lines past its cache: CPUs.
 * vector  16 bytes of both sides at once, where both begin on them: GPUs.
 * nvidia  as gpu, with small items turned by an instruction of PTX.
 * gpu     words through local memory, whatever the alignment: other GPUs; anywhere by name.
 * plain   every device and layout. */

const variant transpose_variants[] = {
    {"rows", NULL, 0, 0, rows_apply, run_rows},
    {"cpu", "transpose_cpu", CL_DEVICE_TYPE_CPU, 0, cpu_applies, run_cpu},
    {"vector", "transpose_vector", CL_DEVICE_TYPE_GPU, 0, transpose_vector_applies, transpose_gpu_run},
    {"nvidia", "transpose_gpu", CL_DEVICE_TYPE_GPU, 7, transpose_gpu_applies, transpose_gpu_run},
    {"gpu", "transpose_gpu", CL_DEVICE_TYPE_GPU, 0, transpose_gpu_applies, transpose_gpu_run},
    {"plain", "transpose_plain", 0, 0, variant_anywhere, run_plain},
};
const size_t transpose_variant_count = COUNT(transpose_variants);

/* ---- inside other operations ---------------------------------------------------------------------------------------- */

static lun_status prepare_row(const variant *row, const transpose_problem *p, lun_error *err)
{
    cl_kernel ignored;
    return row->run == transpose_gpu_run ? transpose_gpu_prepare(row, p, err)
           : row->run == run_cpu         ? cpu_kernel(&ignored, p, err)
           : row->run == run_plain       ? plain_kernel(&ignored, p, err)
                                         : copy_prepare(p->dst, p->src, err);
}

/* What a GPU's compiler refuses makes way for the next row, unless it was named. */
static lun_status prepare(const transpose_problem *p, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *row, *last = &transpose_variants[transpose_variant_count - 1];
    lun_device *device = p->dst->device;
    if (p->dst->size == 0)
        return LUN_OK;
    do {
        TRY(variant_choose(&row, transpose_variants, transpose_variant_count, device, p, name, err));
        status = prepare_row(row, p, err);
    } while (!name && variant_makes_way(device, row, last, NULL, status, err));
done:
    return status;
}

static lun_status enqueue(operation *op, const transpose_problem *p, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *row;
    if (p->dst->size == 0)
        return LUN_OK;
    TRY(variant_choose(&row, transpose_variants, transpose_variant_count, op->device, p, name, err));
    TRY(row->run(op, row, p, err));
done:
    return status;
}

bool transpose_applies(const lun_array *dst, const lun_array *src)
{
    if (dst->size == 0)
        return false;
    transpose_problem p = find_problem(dst, src);
    return tiles_pay(dst->device, &p);
}

lun_status transpose_prepare(const lun_array *dst, const lun_array *src, lun_error *err)
{
    transpose_problem p = find_problem(dst, src);
    return prepare(&p, NULL, err);
}

lun_status transpose_enqueue(operation *op, const lun_array *dst, const lun_array *src, lun_error *err)
{
    transpose_problem p = find_problem(dst, src);
    return enqueue(op, &p, NULL, err);
}

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

/* `in` with its axes in the new order, without a reference of its own. */
static lun_status permuted(lun_array *view, const lun_array *in, const int *order, lun_error *err)
{
    lun_status status = LUN_OK;
    bool seen[LUN_MAX_AXES] = {false};
    TRY(array_check_live(in, "the array", err));
    *view = *in;
    for (int i = 0; i < in->ndim; i++) {
        int axis = order[i];
        if (axis < 0 || axis >= in->ndim || seen[axis])
            FAIL(LUN_MISUSE, "the axes are no permutation of 1 to %d", in->ndim);
        seen[axis] = true;
        view->shape[i] = in->shape[axis];
        view->stride[i] = in->stride[axis];
    }
done:
    return status;
}

lun_status lun_transpose(const lun_array *out, const lun_array *in, const int *order, const lun_call *call,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    char has[200], wanted[200];
    operation op = {0};
    lun_array view;
    const char *name = call ? call->variant : NULL;
    TRY(permuted(&view, in, order, err));
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, in, "out", err));
    if (!shape_equal(out, &view))
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", lun_shape_text(has, sizeof has, out->ndim, out->shape),
             lun_shape_text(wanted, sizeof wanted, view.ndim, view.shape));
    if (out->dtype != in->dtype)
        FAIL(LUN_MISUSE, "out is %s; the array is %s", lun_dtype_name(out->dtype), lun_dtype_name(in->dtype));
    TRY(array_check_apart(out, in, err));
    transpose_problem p = find_problem(out, &view);
    operation_init(&op, in->device, "transpose", call);
    TRY(operation_reads(&op, in, err));
    TRY(operation_writes(&op, out, err));
    TRY(prepare(&p, name, err));
    TRY(operation_begin(&op, err));
    TRY(enqueue(&op, &p, name, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

/* Into scratch memory and back. */
lun_status lun_transpose_in_place(lun_array *array, const int *order, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    lun_array view, scratch;
    const char *name = call ? call->variant : NULL;
    TRY(permuted(&view, array, order, err));
    if (!lun_array_is_contiguous(array))
        FAIL(LUN_MISUSE, "a strided view cannot be rearranged in place; call :contiguous() first");
    lun_array after = *array;
    memcpy(after.shape, view.shape, sizeof after.shape);
    shape_strides(after.stride, after.ndim, after.shape);
    operation_init(&op, array->device, "transpose_", call);
    if (array->size > 0) {
        TRY(operation_reads_writes(&op, array, err));
        TRY(operation_scratch_array(&op, &scratch, view.dtype, view.ndim, view.shape, err));
        transpose_problem p = find_problem(&scratch, &view);
        TRY(prepare(&p, name, err));
        TRY(copy_prepare(&after, &scratch, err));
        TRY(operation_begin(&op, err));
        TRY(enqueue(&op, &p, name, err));
        TRY(copy_enqueue(&op, &after, &scratch, err));
    } else {
        TRY(operation_begin(&op, err));
    }
    TRY(operation_end(&op, err));
    *array = after;
done:
    operation_clear(&op);
    return status;
}
