/* Reductions: axes are sorted and merged into one form, then a variant runs it. */
#include "op/reduce/reduce.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "base/text.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the operations ------------------------------------------------------------------------------------------ */

static const reduce_row rows[] = {
#define REDUCE(name, accumulator, map, identity, combine, empty, ...)                                                  \
    {#name, accumulator, map, identity, combine, empty, accumulator == ADDED},
#define FOLD(...)
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* The rows beyond are reductions of expressions, op/map/fold.c; those here are numbers that are combined. */
static bool is_folded(lun_reduce_op op) { return (size_t)op >= COUNT(rows); }

static lun_dtype result_dtype(lun_reduce_op op, lun_dtype dtype)
{
    return rows[op].accumulator == SAME ? dtype : dtype_summed(dtype);
}

/* ---- the form that variants get --------------------------------------------------------------------------------- */

static void sort_axes(int ndim, size_t *size, int64_t *in, int64_t *out)
{
    for (int i = 1; i < ndim; i++)
        for (int j = i; j > 0 && llabs(in[j - 1]) < llabs(in[j]); j--) {
            size_t s = size[j];
            int64_t a = in[j], b = out[j];
            size[j] = size[j - 1], in[j] = in[j - 1], out[j] = out[j - 1];
            size[j - 1] = s, in[j - 1] = a, out[j - 1] = b;
        }
}

static reduce_problem find_problem(const lun_array *out, const lun_array *in, const lun_reduction *reduction)
{
    size_t kept_size[LUN_MAX_AXES], reduced_size[LUN_MAX_AXES];
    int64_t kept[LUN_MAX_AXES], kept_out[LUN_MAX_AXES], reduced[LUN_MAX_AXES], ignored[LUN_MAX_AXES] = {0};
    int kept_count = 0, reduced_count = 0;
    bool with_axes = out->ndim == in->ndim; /* the reduced axes are still there, with size 1 */
    reduce_problem p = {
        .out = out, .in = in, .op = &rows[reduction->op], .first = in->offset, .outputs = 1, .elements = 1};
    p.accurate = reduction->accurate && p.op->adds && lun_dtype_kind(in->dtype) == LUN_FLOAT;
    for (int i = 0; i < in->ndim; i++) {
        if (!reduction->axis[i]) {
            kept_size[kept_count] = in->shape[i];
            kept[kept_count] = in->stride[i];
            kept_out[kept_count] = out->stride[with_axes ? i : kept_count];
            kept_count++;
            p.outputs *= in->shape[i];
            continue;
        }
        if (in->stride[i] < 0)
            p.first += in->stride[i] * ((int64_t)in->shape[i] - 1);
        reduced_size[reduced_count] = in->shape[i];
        reduced[reduced_count++] = llabs(in->stride[i]);
        p.elements *= in->shape[i];
    }
    sort_axes(kept_count, kept_size, kept, kept_out);
    sort_axes(reduced_count, reduced_size, reduced, ignored);
    kept_count = shape_collapse(kept_count, kept_size, (int64_t *const[]){kept, kept_out}, 2);
    reduced_count = shape_collapse(reduced_count, reduced_size, (int64_t *const[]){reduced}, 1);
    p.kept = layout_of(kept_count, kept_size, kept);
    p.kept_out = layout_of(kept_count, kept_size, kept_out);
    p.reduced = layout_of(reduced_count, reduced_size, reduced);
    return p;
}

cl_long reduce_last_stride(const layout *l, cl_long without) { return l->ndim ? l->stride[l->ndim - 1] : without; }

layout reduce_without_last(layout l)
{
    if (l.ndim)
        l.ndim--;
    return l;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

/* The dtype in which values are combined. Integers that are added or multiplied wrap, so they are computed as unsigned. */
static lun_dtype accumulator_dtype(const reduce_problem *p)
{
    if (p->op->accumulator == SAME)
        return dtype_computed(p->in->dtype);
    const lun_dtype summed = dtype_summed(p->in->dtype);
    return lun_dtype_kind(summed) == LUN_FLOAT ? summed : dtype_of_bytes(lun_dtype_bytes(summed));
}

size_t reduce_accumulator_bytes(const reduce_problem *p) { return lun_dtype_bytes(accumulator_dtype(p)); }

size_t reduce_leaf_type(const char **name, const reduce_problem *p)
{
    static const lun_dtype twice[2][3] = {{LUN_u8, LUN_u16, LUN_u32}, {LUN_i8, LUN_i16, LUN_i32}};
    const size_t bytes = lun_dtype_bytes(p->in->dtype);
    const lun_kind kind = lun_dtype_kind(p->in->dtype);
    const bool narrow = p->op->accumulator == ADDED && kind != LUN_FLOAT && bytes <= 2;
    const lun_dtype leaf = narrow ? twice[kind == LUN_SIGNED][bytes] : accumulator_dtype(p);
    *name = dtype_cl(leaf);
    return lun_dtype_bytes(leaf);
}

size_t reduce_vector(const lun_device *device)
{
    return device->info.vector_f32 >= 16 ? 16 : device->info.vector_f32 >= 8 ? 8 : 4;
}

size_t reduce_lanes(const reduce_problem *p)
{
    const char *leaf;
    return REDUCE_LANES(reduce_vector(p->in->device), reduce_leaf_type(&leaf, p), p->accurate);
}

lun_status reduce_kernel(cl_kernel *out, const reduce_problem *p, const char *file, const char *name, const char *more,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    text_builder defines = {0};
    const char *leaf, *combined = dtype_cl(accumulator_dtype(p));
    const size_t leaf_bytes = reduce_leaf_type(&leaf, p);
    const bool same = p->op->accumulator == SAME, packed = same && dtype_is_packed(p->in->dtype);
    text_add(
        &defines,
        "%s#define MAP(x, type) %s\n#define IDENTITY %s\n#define COMBINE(a, b) %s\n#define ACC %s\n"
        "#define ACC_BYTES %zu\n#define OUT %s\n%s%s#define LEAF_TYPE %s\n#define LEAF_BYTES %zu\n#define LANES %zu\n%s",
        more ? more : "", p->op->map, p->op->identity, p->op->combine, combined, reduce_accumulator_bytes(p),
        packed ? dtype_cl(p->in->dtype) : combined, packed ? "#define OUT_PACKED 1\n" : "",
        p->accurate ? "#define ACCURATE 1\n" : "", leaf, leaf_bytes, reduce_lanes(p),
        lun_dtype_kind(p->in->dtype) == LUN_SIGNED ? "#define IS_SIGNED 1\n" : "");
    TRY(text_check(&defines, err));
    TRY(program_kernel(out, p->in->device,
                       &(program_key){.file = file, .dtype = p->in->dtype, .defines = defines.chars}, name, err));
done:
    text_clear(&defines);
    return status;
}

lun_status reduce_partial(lun_block **out, plan *of, const reduce_problem *p, size_t count, lun_error *err)
{
    const size_t bytes = reduce_accumulator_bytes(p) * (p->accurate ? 2 : 1);
    *out = NULL;
    return count ? operation_scratch(of->op, out, count * bytes, err) : LUN_OK;
}

/* ---- plain -------------------------------------------------------------------------------------------------------- */

#define PLAIN_LEAST 1024 /* elements in a part */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const reduce_problem *p = data;
    const lun_device *device = out->op->device;
    cl_kernel kernel, combine = NULL;
    lun_block *partial;
    const size_t workers = device->info.units * (device_group(device) == 1 ? 8 : 2048);
    const size_t wanted = smaller(ceil_div(workers, p->outputs), ceil_div(p->elements, PLAIN_LEAST));
    const size_t part = ceil_div(p->elements, larger(wanted, 1)), parts = ceil_div(p->elements, part);
    const reduce_plain_shape shape = {.in = p->first,
                                      .out = p->out->offset,
                                      .outputs = (cl_long)p->outputs,
                                      .parts = (cl_long)parts,
                                      .part = (cl_long)part,
                                      .elements = (cl_long)p->elements};
    TRY(reduce_kernel(&kernel, p, row->file, "reduce_plain", NULL, err));
    if (parts > 1)
        TRY(reduce_kernel(&combine, p, row->file, "reduce_plain_combine", NULL, err));
    TRY(reduce_partial(&partial, out, p, parts > 1 ? p->outputs * parts : 0, err));
    const launch first = launch_spread(device, kernel, p->outputs * parts, 1);
    TRY(plan_launch(out, &first,
                    ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&p->kept),
                         ARG_VALUE(&p->kept_out), ARG_VALUE(&p->reduced), ARG_VALUE(&shape)),
                    err));
    if (parts > 1) {
        const launch second = launch_spread(device, combine, p->outputs, 16);
        TRY(plan_launch(out, &second,
                        ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_VALUE(&p->kept_out), ARG_VALUE(&shape)),
                        err));
    }
done:
    return status;
}

/* ---- the ways to run them: reduce_cpu.c, reduce_gpu.c ----------------------------------------------------------------
 * cpu     a work-item to a core, long vectors, no local memory: CPUs. Three kernels: rows (an output's elements are
 *         neighbours), short (rows of a few elements), columns (the outputs are neighbours).
 * nvidia  reduce_gpu.cl with inline PTX: parts of an output are joined within the launch, items of a warp exchange values.
 * gpu     reduce_gpu.cl in OpenCL C alone: a second launch joins the parts. Other GPUs; anywhere by name.
 *         Both: reduce_short.cl in place of that file where blocks of a few elements each lie one behind another.
 * plain   one element at a time: every device and view, and what the others refuse (say, a view with two odd strides). */

static const variant ways[] = {
    {"cpu", "reduce_cpu", CL_DEVICE_TYPE_CPU, 0, false, reduce_cpu_applies, reduce_cpu_plan},
    {"nvidia", "reduce_gpu", CL_DEVICE_TYPE_GPU, 7, false, reduce_gpu_applies, reduce_gpu_plan},
    {"gpu", "reduce_gpu", CL_DEVICE_TYPE_GPU, 0, false, reduce_gpu_applies, reduce_gpu_plan},
    {"plain", "reduce_plain", 0, 0, false, variant_anywhere, plan_plain},
};
const variants reduce_variants = {ways, COUNT(ways)};

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

/* An array as an expression. */
#define ARRAY_ALONE(array)                                                                                             \
    (const lun_expression)                                                                                             \
    {                                                                                                                  \
        .name = "reduce", .nodes = &(const lun_node){.kind = LUN_NODE_ARRAY}, .node_count = 1,                         \
        .results = &(const unsigned){0}, .result_count = 1, .arrays = (const lun_array *[]){array}, .array_count = 1,  \
        .dtype = LUN_DTYPES                                                                                            \
    }

lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    lun_status status = LUN_OK;
    char text[200];
    bool nothing = false;
    TRY(array_check_live(in, "the array", err));
    if (is_folded(reduction->op)) {
        TRY(lun_fold_result(dtype, ndim, shape, &ARRAY_ALONE(in), &reduction->op, reduction, keepdims, err));
        return LUN_OK;
    }
    *dtype = result_dtype(reduction->op, in->dtype);
    *ndim = 0;
    for (int i = 0; i < in->ndim; i++) {
        bool goes = reduction->axis[i];
        nothing |= goes && in->shape[i] == 0;
        if (!goes || keepdims)
            shape[(*ndim)++] = goes ? 1 : in->shape[i];
    }
    if (nothing && rows[reduction->op].empty == NOTHING)
        FAIL(LUN_MISUSE, "%s of no elements: the reduced extent of shape %s is 0", rows[reduction->op].name,
             lun_shape_text(text, sizeof text, in->ndim, in->shape));
done:
    return status;
}

static lun_status check_out(const lun_array *out, const lun_array *in, const lun_reduction *reduction, lun_error *err)
{
    lun_status status = LUN_OK;
    char has[200], wanted[200];
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, in, "out", err));
    TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, out->ndim == in->ndim, err));
    if (ndim != out->ndim || memcmp(shape, out->shape, (size_t)ndim * sizeof *shape) != 0) {
        TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, false, err));
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", lun_shape_text(has, sizeof has, out->ndim, out->shape),
             lun_shape_text(wanted, sizeof wanted, ndim, shape));
    }
    if (dtype != out->dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    TRY(array_check_apart(out, in, err));
done:
    return status;
}

/* Bytes up to which a reader may as well block for the result: below a millisecond. */
static size_t quick_bytes(const lun_device *device)
{
    return (size_t)1 << (device->type & CL_DEVICE_TYPE_GPU ? 28 : 22);
}

lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan planned = {0};
    const variant *row;
    TRY(array_check_live(in, "the array", err));
    if (is_folded(reduction->op)) {
        TRY(lun_fold(&out, &ARRAY_ALONE(in), &reduction->op, reduction, call, err));
        return LUN_OK;
    }
    TRY(check_out(out, in, reduction, err));
    reduce_problem p = find_problem(out, in, reduction);
    operation_init(&op, in->device, "reduce", call);
    plan_init(&planned, &op);
    if (in->size == 0) { /* nothing, or the identity */
        TRY(variant_choose(&row, &reduce_variants, in->device, &p, variant_named(call), err));
        lun_call same = call ? *call : (lun_call){0};
        same.variant = NULL;
        return lun_array_fill(out, lun_integer(out->size ? p.op->empty : 0), &same, err);
    }
    TRY(operation_reads(&op, in, err));
    TRY(operation_writes(&op, out, err));
    TRY(plan_variant(&planned, &reduce_variants, &p, variant_named(call), err));
    if (p.outputs * p.elements * lun_dtype_bytes(in->dtype) <= quick_bytes(in->device))
        operation_quick(&op);
    TRY(operation_run(&op, &planned, err));
done:
    plan_clear(&planned);
    operation_clear(&op);
    return status;
}

/* ---- numbers at once ------------------------------------------------------------------------------------------------- */

/* May the host block for the numbers: is nothing under way that could fail, or take long? */
static bool is_quick(const lun_array *in, const lun_call *call)
{
    lun_error ignored;
    bool ready = false;
    if (lun_array_is_live(in))
        failures_sweep(in->device);
    return lun_array_is_live(in) && in->size > 0 && in->size * lun_dtype_bytes(in->dtype) <= quick_bytes(in->device) &&
           !in->device->failures && lun_array_await(&ready, in, LUN_READ, call, 0, &ignored) == LUN_OK && ready;
}

/* Plans one op, whose result is the answer at that position. */
static lun_status plan_answer(plan *out, lun_block *answers, size_t position, const lun_array *in,
                              const lun_reduction *reduction, const lun_call *call, lun_error *err)
{
    lun_array to = {.device = in->device, .block = answers, .dtype = result_dtype(reduction->op, in->dtype), .size = 1};
    to.offset = (int64_t)(position * 8 / lun_dtype_bytes(to.dtype));
    const reduce_problem p = find_problem(&to, in, reduction);
    return plan_variant(out, &reduce_variants, &p, variant_named(call), err);
}

/* Waits without a slice. Unless *sound, something has failed meanwhile, and the numbers may be wrong. */
static lun_status numbers_at_once(bool *sound, lun_number *out, const lun_array *in, const lun_reduction *reduction,
                                  const lun_reduce_op *ops, size_t count, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    char data[ANSWERS][8];
    operation op = {0};
    plan p = {0};
    lun_block *answers;
    lun_reduction each = *reduction;
    TRY(array_check_live(in, "the array", err));
    TRY(answer_block(&answers, in->device, err));
    operation_init(&op, in->device, "reduce", call);
    operation_unrecorded(&op, answer_polled(in->device));
    plan_init(&p, &op);
    TRY(operation_reads(&op, in, err));
    for (size_t i = 0; i < count; i++) {
        each.op = ops[i];
        TRY(plan_answer(&p, answers, i, in, &each, call, err));
    }
    TRY(operation_begin(&op, err));
    TRY(plan_enqueue(&p, err));
    TRY(answer_read(data, &op, count * 8, err));
    for (size_t i = 0; i < count; i++)
        out[i] = lun_number_load(data[i], result_dtype(ops[i], in->dtype));
    *sound = !in->device->failures && !operation_in_doubt(&op);
done:
    if (status != LUN_OK && op.begun)
        clFinish(queue_cl(op.queue));
    plan_clear(&p);
    operation_clear(&op);
    return status;
}

struct lun_numbers {
    lun_array results[LUN_REDUCE_NUMBERS];
    size_t enqueued;
};

void lun_numbers_free(lun_numbers *pending)
{
    for (size_t i = 0; pending && i < pending->enqueued; i++)
        lun_array_clear(&pending->results[i]);
    free(pending);
}

static lun_status enqueue_number(lun_numbers *to, const lun_array *in, const lun_reduction *reduction,
                                 const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array *result = &to->results[to->enqueued];
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, false, err));
    TRY(lun_array_create(result, in->device, dtype, ndim, shape, err));
    TRY(lun_reduce(result, in, reduction, call, err));
    to->enqueued++;
done:
    if (status != LUN_OK)
        lun_array_clear(result);
    return status;
}

/* *ready: is the last result there? The others are before it in the queue. */
static lun_status read_numbers(bool *ready, lun_number *out, const lun_numbers *from, const lun_call *call,
                               lun_error *err)
{
    lun_status status = LUN_OK;
    char element[8];
    const lun_call reading = {.queue = call ? call->queue : NULL};
    TRY(lun_array_await(ready, &from->results[from->enqueued - 1], LUN_READ, &reading, LUN_SLICE, err));
    for (size_t i = 0; i < from->enqueued && *ready; i++) {
        TRY(lun_array_read(element, &from->results[i], &reading, err));
        out[i] = lun_number_load(element, from->results[i].dtype);
    }
done:
    return status;
}

lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    bool done = false;
    lun_reduction each = *reduction;
    *more = false;
    bool folded = false;
    for (size_t i = 0; i < count; i++)
        folded = folded || is_folded(ops[i]);
    if (!*pending && !folded && is_quick(in, call))
        TRY(numbers_at_once(&done, out, in, reduction, ops, count, call, err));
    if (done)
        return LUN_OK;
    if (!*pending)
        *pending = calloc(1, sizeof **pending);
    if (!*pending)
        FAIL(LUN_NO_MEMORY, "out of host memory for the results of a reduction");
    if ((*pending)->enqueued < count) {
        each.op = ops[(*pending)->enqueued];
        TRY(enqueue_number(*pending, in, &each, call, err));
    } else {
        TRY(read_numbers(&done, out, *pending, call, err));
    }
    *more = !done;
    if (done) {
        lun_numbers_free(*pending);
        *pending = NULL;
    }
done:
    return status;
}
