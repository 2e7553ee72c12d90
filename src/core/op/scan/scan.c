/* Scans: what they check, the lines that they go along, and the call. */
#include "op/scan/scan.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/scan/scan_tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ops ---------------------------------------------------------------------------------------------------------- */

enum { ADDED, WIDE, SAME };

static const scan_row rows[] = {
#define REDUCE(name, says, accumulator, map, identity, combine, ...) {#name, identity, combine, accumulator == SAME},
#define FOLD(...)
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* Of complex numbers, by op; without a name: there is none. */
static const scan_row paired_rows[LUN_REDUCE_OPS] = {
#define REDUCE(...)
#define FOLD(...)
#define PAIRED(name, family, acc, map, identity, combine, ...)                                                         \
    [LUN_REDUCE_##name] = {#name, "((T)(" identity ", 0))", combine, false},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

static const scan_row *row_of(lun_reduce_op op, lun_dtype dtype)
{
    return lun_dtype_has(dtype, LUN_PAIRS) && paired_rows[op].name ? &paired_rows[op] : &rows[op];
}

static const lun_reduce_op scanned[] = {
#define SCAN(op) LUN_REDUCE_##op,
#include "op/scan/scan.def"
#undef SCAN
};

lun_status lun_scan_find(lun_reduce_op *out, const char *name, lun_error *err)
{
    char known[100];
    size_t used = 0;
    for (size_t i = 0; i < COUNT(scanned); i++)
        if (strcmp(rows[scanned[i]].name, name) == 0) {
            *out = scanned[i];
            return LUN_OK;
        }
    for (size_t i = 0; i < COUNT(scanned) && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", rows[scanned[i]].name);
    return fail(err, LUN_MISUSE, "unknown op '%.40s'; known are %s", name, known);
}

lun_dtype scan_accumulator(const scan_problem *p)
{
    if (p->row->same)
        return dtype_computed(p->in->dtype);
    const lun_dtype summed = dtype_summed(p->in->dtype);
    return dtype_is_whole(summed) ? dtype_of_bytes(lun_dtype_bytes(summed)) : summed;
}

size_t scan_accumulator_bytes(const scan_problem *p) { return lun_dtype_bytes(scan_accumulator(p)); }

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static void drop_axis(lun_array *array, int axis)
{
    const size_t behind = (size_t)(array->ndim - axis - 1);
    memmove(array->shape + axis, array->shape + axis + 1, behind * sizeof array->shape[0]);
    memmove(array->stride + axis, array->stride + axis + 1, behind * sizeof array->stride[0]);
    array->ndim--;
}

static scan_problem find_problem(const lun_array *out, const lun_array *in, int axis, const lun_scan_options *options)
{
    lun_array to = *out, from = *in;
    scan_problem p = {.row = row_of(options->op, in->dtype),
                      .out = out,
                      .in = in,
                      .exclusive = options->exclusive,
                      .elements = in->shape[axis],
                      .step = in->stride[axis],
                      .out_step = out->stride[axis]};
    drop_axis(&to, axis);
    drop_axis(&from, axis);
    p.lines = shape_axis_pairs(&to, &from);
    if (p.elements == 1)
        p.step = p.out_step = 1;
    if (options->reverse) {
        p.lines.src_first += p.step * ((int64_t)p.elements - 1);
        p.lines.dst_first += p.out_step * ((int64_t)p.elements - 1);
        p.step = -p.step;
        p.out_step = -p.out_step;
    }
    return p;
}

bool scan_is_columns(const scan_problem *p)
{
    const int last = p->lines.count - 1;
    return last >= 0 && p->lines.dst[last] == 1 && p->lines.src[last] == 1;
}

bool scan_is_rows(const scan_problem *p)
{
    return llabs(p->step) == 1 && llabs(p->out_step) == 1 && !(p->elements == 1 && scan_is_columns(p));
}

static bool is_simple(const scan_problem *p) { return scan_is_rows(p) || scan_is_columns(p); }

bool scan_is_fast(const scan_problem *p) { return !p || (is_simple(p) && !lun_dtype_has(p->in->dtype, LUN_PAIRS)); }

/* ---- what kernels get --------------------------------------------------------------------------------------------- */

scan_shape scan_shape_of(const scan_problem *p, bool by_columns)
{
    const axis_pairs *lines = &p->lines;
    const int outer = lines->count - by_columns;
    scan_shape s = {.outer = layout_of(outer, lines->size, lines->src),
                    .outer_out = layout_of(outer, lines->size, lines->dst),
                    .in = lines->src_first,
                    .out = lines->dst_first,
                    .step = p->step,
                    .out_step = p->out_step,
                    .places = 1,
                    .columns = by_columns ? (cl_long)lines->size[outer] : 1,
                    .elements = (cl_long)p->elements,
                    .parts = 1,
                    .part = (cl_long)p->elements,
                    .exclusive = p->exclusive};
    for (int i = 0; i < outer; i++)
        s.places *= (cl_long)lines->size[i];
    return s;
}

void scan_cut(scan_shape *s, size_t wanted, size_t step)
{
    const size_t steps = ceil_div((size_t)s->elements, step), parts = smaller(larger(wanted, 1), steps);
    s->part = (cl_long)(ceil_div(steps, parts) * step);
    s->parts = (cl_long)ceil_div((size_t)s->elements, (size_t)s->part);
}

lun_status scan_kernel(cl_kernel *out, const scan_problem *p, const variant *row, const char *more, const char *name,
                       lun_error *err)
{
    char defines[500];
    const lun_dtype made = scan_accumulator(p);
    const bool packed = p->row->same && dtype_is_packed(p->in->dtype);
    snprintf(defines, sizeof defines,
             "%s#define MAP(x, type) (x)\n#define IDENTITY %s\n#define COMBINE(a, b) %s\n#define ACC %s\n"
             "#define ACC_BYTES %zu\n#define OUT %s\n%s%s",
             more ? more : "", p->row->identity, p->row->combine, dtype_cl(made), lun_dtype_bytes(made),
             dtype_cl(packed ? p->in->dtype : made), packed ? "#define OUT_PACKED 1\n" : "",
             !dtype_is_whole(p->in->dtype) && p->row->same ? "#define EXTREMES 1\n" : "");
    return program_kernel(out, p->in->device,
                          &(program_key){.file = row->file, .dtype = p->in->dtype, .defines = defines}, name, err);
}

lun_status scan_sums(lun_block **out, plan *of, const scan_problem *p, const scan_shape *s, lun_error *err)
{
    *out = NULL;
    if (s->parts == 1)
        return LUN_OK;
    return operation_scratch(of->op, out, (size_t)(s->places * s->parts * s->columns) * scan_accumulator_bytes(p), err);
}

/* ---- plain -------------------------------------------------------------------------------------------------------- */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const scan_problem *p = data;
    const lun_device *device = out->op->device;
    scan_shape s = scan_shape_of(p, false);
    cl_kernel kernel, sum = NULL;
    lun_block *sums;
    const size_t workers = device->info.units * (device_group(device) == 1 ? 8 : 2048);
    scan_cut(&s, smaller(ceil_div(workers, (size_t)s.places), scan_tuned(device)->plain_parts),
             scan_tuned(device)->plain_part);
    TRY(scan_kernel(&kernel, p, row, NULL, "scan_plain", err));
    if (s.parts > 1)
        TRY(scan_kernel(&sum, p, row, NULL, "scan_plain_sums", err));
    TRY(scan_sums(&sums, out, p, &s, err));
    const bool before = out->scratch_only;
    if (s.parts > 1) {
        const launch first = launch_spread(device, sum, (size_t)(s.places * (s.parts - 1)), 1);
        out->scratch_only = true;
        TRY(plan_launch(out, &first, ARGS(ARG_BLOCK(sums), ARG_BLOCK(p->in->block), ARG_VALUE(&s)), err));
        out->scratch_only = before;
    }
    const launch second = launch_spread(device, kernel, (size_t)(s.places * s.parts), 1);
    return plan_launch(out, &second,
                       ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(sums), ARG_BLOCK(p->in->block), ARG_VALUE(&s)), err);
}

/* cpu    rows in vectors that are scanned in registers, columns in vectors side by side: CPUs.
 * nvidia as once, with instructions of NVIDIA's by which the items of a warp hand values on, but not f32: NVIDIA's GPUs.
 * once   rows of some million elements in one pass over memory, the rest as gpu: GPUs whose groups go on while others wait for them; CPUs by name.
 * gpu    a group to a part of a row, a work-item to a part of a column or to a short row: GPUs; anywhere by name.
 * plain  one element at a time: every device and view. */
static const variant variant_rows[] = {
    {.name = "cpu", .file = "scan_cpu", ON_CPU, .applies = scan_cpu_applies, .plan = scan_cpu_plan},
    {.name = "nvidia", .file = "scan_gpu", ON_NVIDIA(7), .applies = scan_nvidia_applies, .plan = scan_once_plan},
    {.name = "once", .file = "scan_gpu", ON_GPU, .applies = scan_once_applies, .plan = scan_once_plan},
    {.name = "gpu", .file = "scan_gpu", ON_GPU, .applies = scan_gpu_applies, .plan = scan_gpu_plan},
    {.name = "plain", .file = "scan_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants scan_variants = {variant_rows, COUNT(variant_rows)};

/* ---- the call ----------------------------------------------------------------------------------------------------- */

lun_status lun_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                           const lun_scan_options *options, lun_error *err)
{
    TRY(array_check_live(in, "the array", err));
    if (rows[options->op].same)
        TRY(dtype_check_ordered(in->dtype, err));
    *dtype = rows[options->op].same ? in->dtype : dtype_summed(in->dtype);
    *ndim = options->axis == LUN_FLATTENED ? 1 : in->ndim;
    if (options->axis == LUN_FLATTENED)
        shape[0] = in->size;
    else
        memcpy(shape, in->shape, (size_t)in->ndim * sizeof *shape);
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, const lun_array *in, const lun_scan_options *options, lun_error *err)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_scan_result(&dtype, &ndim, shape, in, options, err));
    TRY(array_check_out(out, in, dtype, ndim, shape, err));
    return array_check_apart(out, in, err);
}

/* The elements in a row-major copy of that shape. */
static lun_status copy_dense(lun_array *out, plan *p, const lun_array *in, lun_error *err)
{
    TRY(operation_scratch_array(p->op, out, in->dtype, in->ndim, in->shape, err));
    p->scratch_only = true;
    TRY(plan_array_copy(p, out, in, err));
    p->scratch_only = false;
    return LUN_OK;
}

/* The array as one axis, a view where its elements lie at equal distances. */
static lun_status flatten(lun_array *out, plan *p, const lun_array *in, lun_error *err)
{
    lun_array made = *in;
    layout axes = array_layout(in);
    if (axes.ndim > 1) {
        TRY(copy_dense(&made, p, in, err));
        axes = array_layout(&made);
    }
    made.ndim = 1;
    made.shape[0] = in->size;
    made.stride[0] = axes.ndim ? axes.stride[0] : 1;
    *out = made;
    return LUN_OK;
}

static lun_status plan_scan(plan *p, const lun_array *out, const lun_array *in, const lun_scan_options *options,
                            const lun_call *call, lun_error *err)
{
    const char *named = variant_named(call);
    const bool plain = in->size < scan_tuned(p->op->device)->least_copied || (named && strcmp(named, "plain") == 0);
    const int axis = options->axis == LUN_FLATTENED ? 0 : options->axis;
    lun_array from = *in, to = *out, dense;
    if (options->axis == LUN_FLATTENED)
        TRY(flatten(&from, p, in, err));
    scan_problem problem = find_problem(&to, &from, axis, options);
    if (!plain && !is_simple(&problem)) {
        TRY(copy_dense(&dense, p, &from, err));
        from = dense;
        problem = find_problem(&to, &from, axis, options);
    }
    const bool through = !plain && !is_simple(&problem);
    if (through) {
        TRY(operation_scratch_array(p->op, &to, out->dtype, out->ndim, out->shape, err));
        problem = find_problem(&to, &from, axis, options);
    }
    p->scratch_only = through;
    TRY(plan_variant(p, &scan_variants, &problem, named, err));
    p->scratch_only = false;
    if (through)
        TRY(plan_array_copy(p, out, &to, err));
    return LUN_OK;
}

lun_status lun_scan(const lun_array *out, const lun_array *in, const lun_scan_options *options, const lun_call *call,
                    lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    const variant *row;
    TRY_DONE(check_out(out, in, options, err));
    operation_init(&op, in->device, "scan", call);
    plan_init(&p, &op);
    TRY_DONE(operation_reads(&op, in, err));
    TRY_DONE(operation_writes(&op, out, err));
    operation_weigh(&op, 2 * (double)in->size);
    if (out->size)
        TRY_DONE(plan_scan(&p, out, in, options, call, err));
    else
        TRY_DONE(variant_choose(&row, &scan_variants, op.device, NULL, variant_named(call), err));
    if (in->size <= scan_tuned(op.device)->quick)
        operation_quick(&op);
    TRY_DONE(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
