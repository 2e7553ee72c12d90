/* Sorting along an axis: values, where they stood, and the first few of both. */
#include "op/sort/sort.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/radix.h"

#include <string.h>

/* ---- the ways to sort rows -------------------------------------------------------------------------------------- */

static const lun_block *block_of(const lun_array *array) { return array ? array->block : NULL; }

static sort_pass pass_of(const sort_problem *p)
{
    return (sort_pass){.rows = (cl_long)p->rows,
                       .count = (cl_long)p->count,
                       .flip = p->descending ? ~(cl_ulong)0 : 0,
                       .from = p->in.offset,
                       .to = p->values ? p->values->offset : 0,
                       .end = p->positions ? p->positions->offset : 0};
}

static lun_status plan_radix(plan *out, const sort_problem *p, const radix_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    int ignored;
    radix_sort sort = {.dtype = p->in.dtype,
                       .rows = p->rows,
                       .count = p->count,
                       .bits = 8 * (unsigned)lun_dtype_bytes(p->in.dtype),
                       .descending = p->descending,
                       .places = p->positions != NULL,
                       .wide = radix_is_wide(p->count),
                       .in = p->in.block,
                       .in_at = p->in.offset};
    if (p->values)
        sort.out = p->values->block, sort.out_at = p->values->offset;
    if (p->positions)
        sort.end = p->positions->block, sort.end_at = p->positions->offset;
    TRY(radix_find_kernels(out, &sort, way, err));
    TRY(radix_scratch(&sort, out, way, err));
    TRY(radix_plan(&ignored, out, &sort, way, err));
done:
    return status;
}

static bool gpu_applies(const lun_device *device, const void *problem)
{
    (void)problem;
    return device->info.max_group >= radix_gpu.items;
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_radix(out, data, &radix_gpu, err);
}

/* Networks do more work than passes by bytes, but in vectors. */
#define NETWORK_WIDE 1024 /* of the longest row, where vectors have 64 bytes; */
#define NETWORK_NARROW 128
#define NETWORK_ROWS 4

static bool network_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    const size_t most = device->info.vector_f32 >= 16 ? NETWORK_WIDE : NETWORK_NARROW;
    return variant_on_cpu(device, data) &&
           (!p || (p->count <= most && p->rows >= NETWORK_ROWS && lun_dtype_bytes(p->in.dtype) <= 4));
}

static lun_status plan_network(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const sort_problem *p = data;
    const sort_pass pass = pass_of(p);
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, &(program_key){.file = row->file, .dtype = p->in.dtype},
                       "sort_network", err));
    const launch groups = launch_spread(out->op->device, kernel, ceil_div(p->rows, NETWORK_ROWS), 1);
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                         ARG_VALUE(&pass)),
                    err));
done:
    return status;
}

/* Long rows that are too few for a row to each core. */
#ifdef LUN_FAULTS
#define LONG_ROW ((size_t)1 << 10)
#else
#define LONG_ROW ((size_t)1 << 15)
#endif

static bool cpu_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    return variant_on_cpu(device, data) && (!p || (p->count >= LONG_ROW && p->rows < 4 * (size_t)device->info.units));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_radix(out, data, &radix_cpu, err);
}

#define BITONIC_ITEMS 256

static bool bitonic_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    return device->info.max_group >= BITONIC_ITEMS && (!p || p->count <= SORT_ROOM);
}

static lun_status plan_bitonic(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const sort_problem *p = data;
    sort_pass pass = pass_of(p);
    launch groups = {NULL, 1, {1, 1, 1}, {BITONIC_ITEMS, 1, 1}};
    for (pass.tile = 1; pass.tile < pass.count;)
        pass.tile *= 2;
    groups.groups[0] = ceil_div(p->rows, SORT_ROOM / (size_t)pass.tile);
    TRY(program_kernel(&groups.kernel, out->op->device, &(program_key){.file = row->file, .dtype = p->in.dtype},
                       "sort_bitonic", err));
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                         ARG_VALUE(&pass)),
                    err));
done:
    return status;
}

#define SMALL_ROW 40 /* as in sort_plain.cl: these need no scratch memory */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const sort_problem *p = data;
    const sort_pass pass = pass_of(p);
    const bool wide = radix_is_wide(p->count), small = p->count <= SMALL_ROW;
    const size_t room = small ? 0 : 2 * p->rows * p->count, place = wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    lun_block *temp = NULL, *places = NULL;
    cl_kernel kernel;
    const program_key key = {
        .file = row->file, .dtype = p->in.dtype, .defines = wide ? "#define POSITION ulong\n" : NULL};
    TRY(program_kernel(&kernel, out->op->device, &key, "sort_plain", err));
    if (!small)
        TRY(operation_scratch(out->op, &temp, room * lun_dtype_bytes(p->in.dtype), err));
    if (!small && p->positions)
        TRY(operation_scratch(out->op, &places, room * place, err));
    const launch groups = launch_spread(out->op->device, kernel, p->rows, 1);
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                         ARG_BLOCK(temp), ARG_BLOCK(places), ARG_VALUE(&pass)),
                    err));
done:
    return status;
}

/* bitonic  a group sorts rows of at most SORT_ROOM elements in local memory: GPUs; anywhere by name.
 * gpu      rows in passes by 4 bits, a group to a tile: GPUs; anywhere by name.
 * network  rows of at most 1024 elements of 4 bytes, some side by side in vectors: CPUs.
 * cpu      few long rows in passes by a byte, a work-item to a tile: CPUs.
 * plain    a work-item to a row, by insertion or by bytes: every device. */
static const variant rows[] = {
    {"bitonic", "sort_bitonic", CL_DEVICE_TYPE_GPU, 0, false, bitonic_applies, plan_bitonic},
    {"gpu", "radix_gpu", CL_DEVICE_TYPE_GPU, 0, false, gpu_applies, plan_on_gpu},
    {"network", "sort_network", CL_DEVICE_TYPE_CPU, 0, false, network_applies, plan_network},
    {"cpu", "sort_cpu", CL_DEVICE_TYPE_CPU, 0, false, cpu_applies, plan_on_cpu},
    {"plain", "sort_plain", 0, 0, false, variant_anywhere, plan_plain},
};
const variants sort_variants = {rows, COUNT(rows)};

/* ---- what operations that sort share ---------------------------------------------------------------------------- */

lun_array sort_axis_last(const lun_array *array, int axis)
{
    lun_array view = *array;
    const int last = array->ndim - 1;
    for (int i = axis; i < last; i++)
        view.shape[i] = array->shape[i + 1], view.stride[i] = array->stride[i + 1];
    view.shape[last] = array->shape[axis];
    view.stride[last] = array->stride[axis];
    return view;
}

lun_status sort_dense(lun_array *out, plan *p, const lun_array *array, lun_dtype dtype, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool before = p->scratch_only;
    *out = *array;
    if (lun_array_is_contiguous(array) && array->dtype == dtype)
        return LUN_OK;
    TRY(operation_scratch_array(p->op, out, dtype, array->ndim, array->shape, err));
    p->scratch_only = true;
    TRY(plan_array_copy(p, out, array, err));
    p->scratch_only = before;
done:
    return status;
}

lun_status sort_result(lun_array *made, plan *p, const lun_array *out, lun_error *err)
{
    *made = *out;
    return lun_array_is_contiguous(out) ? LUN_OK
                                        : operation_scratch_array(p->op, made, out->dtype, out->ndim, out->shape, err);
}

lun_status sort_give(plan *p, const lun_array *out, const lun_array *made, lun_error *err)
{
    return made->block == out->block ? LUN_OK : plan_array_copy(p, out, made, err);
}

#define QUICK ((size_t)1 << 15)

void sort_quick(operation *op, size_t elements)
{
    if (elements <= QUICK)
        operation_quick(op);
}

lun_dtype sort_real(const lun_device *device, lun_dtype dtype)
{
    if (lun_dtype_kind(dtype) == LUN_FLOAT)
        return dtype_summed(dtype);
    return device->info.fp64 ? LUN_f64 : LUN_f32;
}

/* The dense array that is sorted into: the result itself, or scratch memory that give_result copies from. */
static lun_status find_result(lun_array *dense, const lun_array **wanted, plan *p, const lun_array *result,
                              const lun_array *in, lun_error *err)
{
    lun_status status = LUN_OK;
    *wanted = NULL;
    if (!result)
        return LUN_OK;
    *wanted = dense;
    *dense = *result;
    if (!shape_equal(result, in) || !lun_array_is_contiguous(result))
        TRY(operation_scratch_array(p->op, dense, result->dtype, in->ndim, in->shape, err));
done:
    return status;
}

/* Copies what was sorted into scratch memory to the result, which may have fewer of each row. */
static lun_status give_result(plan *p, const lun_array *result, const lun_array *dense, lun_error *err)
{
    if (!result || dense->block == result->block)
        return LUN_OK;
    lun_array first = *dense;
    first.shape[first.ndim - 1] = result->shape[first.ndim - 1];
    first.size = result->size;
    return plan_array_copy(p, result, &first, err);
}

lun_status sort_plan(plan *p, const sort_problem *problem, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    sort_problem dense = *problem;
    lun_array values, positions;
    const lun_array *in = &problem->in;
    dense.count = in->shape[in->ndim - 1];
    dense.rows = in->size / dense.count;
    TRY(find_result(&values, &dense.values, p, problem->values, in, err));
    TRY(find_result(&positions, &dense.positions, p, problem->positions, in, err));
    const bool direct = (dense.values && values.block == problem->values->block) ||
                        (dense.positions && positions.block == problem->positions->block);
    const bool before = p->scratch_only;
    p->scratch_only = before || !direct;
    TRY(plan_variant(p, &sort_variants, &dense, name, err));
    p->scratch_only = before;
    TRY(give_result(p, problem->values, &values, err));
    TRY(give_result(p, problem->positions, &positions, err));
done:
    return status;
}

lun_status sort_check_axis(const lun_array *array, int axis, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(array_check_live(array, "the array", err));
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be sorted");
    if (axis < 0 || axis >= array->ndim)
        FAIL(LUN_MISUSE, "axis %d is out of range: the array has %d", axis + 1, array->ndim);
done:
    return status;
}

lun_status sort_check_out(const lun_array *out, const lun_array *in, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err)
{
    lun_status status = LUN_OK;
    char has[200], wanted[200];
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, in, "out", err));
    if (out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    if (out->ndim != ndim || memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", lun_shape_text(has, sizeof has, out->ndim, out->shape),
             lun_shape_text(wanted, sizeof wanted, ndim, shape));
    TRY(array_check_apart(out, in, err));
done:
    return status;
}

/* ---- sort, argsort, topk ---------------------------------------------------------------------------------------- */

static lun_status check_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                             const lun_sorting *sorting, lun_error *err)
{
    lun_status status = LUN_OK;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_sort_result(shape, in, sorting, err));
    if (values)
        TRY(sort_check_out(values, in, in->dtype, in->ndim, shape, err));
    if (positions)
        TRY(sort_check_out(positions, in, LUN_i64, in->ndim, shape, err));
    if (values && positions)
        TRY(array_check_apart(values, positions, err));
done:
    return status;
}

lun_status lun_sort_result(size_t *shape, const lun_array *in, const lun_sorting *sorting, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(sort_check_axis(in, sorting->axis, err));
    const size_t count = in->shape[sorting->axis];
    if (sorting->some && sorting->first > count)
        FAIL(LUN_MISUSE, "the first %zu are asked for; axis %d has %zu positions", sorting->first, sorting->axis + 1,
             count);
    memcpy(shape, in->shape, sizeof in->shape);
    if (sorting->some)
        shape[sorting->axis] = sorting->first;
done:
    return status;
}

lun_status lun_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                    const lun_sorting *sorting, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    const variant *row;
    sort_problem problem = {.descending = sorting->descending};
    lun_array to_values, to_positions;
    TRY(check_sort(values, positions, in, sorting, err));
    operation_init(&op, in->device, sorting->some ? "topk" : values ? "sort" : "argsort", call);
    plan_init(&p, &op);
    TRY(operation_reads(&op, in, err));
    if (values) {
        TRY(operation_writes(&op, values, err));
        to_values = sort_axis_last(values, sorting->axis);
        problem.values = &to_values;
    }
    if (positions) {
        TRY(operation_writes(&op, positions, err));
        to_positions = sort_axis_last(positions, sorting->axis);
        problem.positions = &to_positions;
    }
    TRY(variant_choose(&row, &sort_variants, op.device, NULL, variant_named(call), err));
    if ((values ? values : positions)->size) {
        const lun_array view = sort_axis_last(in, sorting->axis);
        TRY(sort_dense(&problem.in, &p, &view, in->dtype, err));
        TRY(sort_plan(&p, &problem, variant_named(call), err));
    }
    sort_quick(&op, in->size);
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
