/* Counting: the ways to count bins, and how often each integer occurs; weights are added up in order. */
#include "abi/sort.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/add_at.h"
#include "op/fill.h"
#include "op/sort/count_room.h"

#include <stdio.h>

/* ---- the ways to count ------------------------------------------------------------------------------------------ */

/* What rows that count get: the bin of each element, -1 for none. */
typedef struct count_problem {
    lun_block *bins;
    const lun_array *weights; /* dense, or NULL */
    const lun_array *out;     /* dense */
    size_t size;
} count_problem;

static bool gpu_applies(const lun_device *device, const void *data)
{
    const count_problem *p = data;
    return device->info.max_group >= 256 && (!p || (!p->weights && p->out->size <= COUNT_ROOM));
}

static bool all_applies(const lun_device *device, const void *data)
{
    const count_problem *p = data;
    return device->info.max_group >= 256 && (!p || (!p->weights && p->size <= UINT32_MAX));
}

/* The kernels of one way: what counts chunks, and how many chunks and groups there are. */
typedef struct count_way {
    launch groups;
    size_t chunks;
} count_way;

static lun_status find_kernel(cl_kernel *out, plan *p, const count_problem *of, const char *file, const char *name,
                              lun_error *err)
{
    char defines[60];
    const lun_dtype dtype = of->weights ? of->weights->dtype : LUN_i64;
    snprintf(defines, sizeof defines, "#define WEIGHT %s\n", dtype_cl(of->out->dtype));
    return program_kernel(out, p->op->device, &(program_key){.file = file, .dtype = dtype, .defines = defines}, name,
                          err);
}

#define LEAST_A_CHUNK ((size_t)1 << 12)
#define MOST_BYTES ((size_t)1 << 26) /* of counts of all chunks, unless those of one chunk are more */
#define BIN_VALUES 4                 /* at least, of a chunk for each bin: a chunk clears and adds up all bins */

static lun_status plan_count(plan *out, const count_problem *p, const count_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_shape s = {.size = (cl_long)p->size,
                           .bins = (cl_long)p->out->size,
                           .chunks = (cl_long)way->chunks,
                           .weights = p->weights ? p->weights->offset : 0,
                           .to = p->out->offset};
    cl_kernel join;
    lun_block *counts;
    const bool before = out->scratch_only;
    TRY(find_kernel(&join, out, p, "count_plain", "count_plain_join", err));
    TRY(operation_scratch(out->op, &counts, way->chunks * lun_array_bytes(p->out), err));
    const launch joining = launch_spread(out->op->device, join, p->out->size, 64);
    out->scratch_only = true;
    if (p->weights)
        TRY(plan_launch(out, &way->groups,
                        ARGS(ARG_BLOCK(counts), ARG_BLOCK(p->bins), ARG_BLOCK(p->weights->block), ARG_VALUE(&s)), err));
    else
        TRY(plan_launch(out, &way->groups, ARGS(ARG_BLOCK(counts), ARG_BLOCK(p->bins), ARG_VALUE(&s)), err));
    out->scratch_only = before;
    TRY(plan_launch(out, &joining, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(counts), ARG_VALUE(&s)), err));
done:
    return status;
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_problem *p = data;
    const size_t most = 8 * (size_t)out->op->device->info.units;
    count_way way = {.chunks = smaller(larger(ceil_div(p->size, LEAST_A_CHUNK), 1), most)};
    way.groups = (launch){NULL, 1, {way.chunks, 1, 1}, {256, 1, 1}};
    TRY(find_kernel(&way.groups.kernel, out, p, row->file, "count_gpu", err));
    TRY(plan_count(out, p, &way, err));
done:
    return status;
}

#define GROUPS_A_UNIT 32

static launch groups_of(cl_kernel kernel, const lun_device *device, size_t items)
{
    const size_t most = GROUPS_A_UNIT * (size_t)device->info.units;
    return (launch){kernel, 1, {larger(smaller(ceil_div(items, 256), most), 1), 1, 1}, {256, 1, 1}};
}

static lun_status plan_all(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_problem *p = data;
    const count_shape s = {.size = (cl_long)p->size, .bins = (cl_long)p->out->size, .to = p->out->offset};
    const bool before = out->scratch_only;
    cl_kernel clear, count, widen;
    lun_block *counts;
    TRY(find_kernel(&clear, out, p, row->file, "count_gpu_clear", err));
    TRY(find_kernel(&count, out, p, row->file, "count_gpu_all", err));
    TRY(find_kernel(&widen, out, p, row->file, "count_gpu_widen", err));
    TRY(operation_scratch(out->op, &counts, p->out->size * sizeof(cl_uint), err));
    const launch each_bin = groups_of(clear, out->op->device, p->out->size);
    const launch each = groups_of(count, out->op->device, p->size);
    const launch widening = groups_of(widen, out->op->device, p->out->size);
    out->scratch_only = true;
    TRY(plan_launch(out, &each_bin, ARGS(ARG_BLOCK(counts), ARG_LONG(p->out->size)), err));
    TRY(plan_launch(out, &each, ARGS(ARG_BLOCK(counts), ARG_BLOCK(p->bins), ARG_VALUE(&s)), err));
    out->scratch_only = before;
    TRY(plan_launch(out, &widening, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(counts), ARG_VALUE(&s)), err));
done:
    return status;
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_problem *p = data;
    cl_kernel kernel;
    TRY(find_kernel(&kernel, out, p, row->file, p->weights ? "count_plain_weights" : "count_plain", err));
    count_way way = {.groups = launch_spread(out->op->device, kernel, p->size, LEAST_A_CHUNK)};
    const size_t items = way.groups.groups[0] * way.groups.local[0], room = MOST_BYTES / lun_array_bytes(p->out);
    way.chunks = larger(smaller(items, smaller(room, p->size / p->out->size / BIN_VALUES)), 1);
    TRY(plan_count(out, p, &way, err));
done:
    return status;
}

#define LEAST_SORTED ((size_t)1 << 16) /* elements: below, a work-item to each chunk of them is as fast for few bins */

static bool sorted_applies(const lun_device *device, const void *data)
{
    const count_problem *p = data;
    return device->info.max_group >= 256 &&
           (!p || (p->weights && (p->out->size > COUNT_ROOM || p->size >= LEAST_SORTED) && p->size));
}

static lun_status plan_sorted(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_problem *p = data;
    lun_array weights = *p->weights;
    const lun_array bins = {.device = p->out->device,
                            .block = p->bins,
                            .dtype = LUN_i32,
                            .ndim = 1,
                            .size = p->size,
                            .shape = {p->size},
                            .stride = {1}};
    (void)row;
    if (weights.dtype != p->out->dtype) {
        TRY(operation_scratch_array(out->op, &weights, p->out->dtype, p->weights->ndim, p->weights->shape, err));
        const bool before = out->scratch_only;
        out->scratch_only = true;
        TRY(plan_array_copy(out, &weights, p->weights, err));
        out->scratch_only = before;
    }
    TRY(plan_array_fill(out, p->out, 0, err));
    TRY(add_at_plan_bins(out, p->out, &bins, &weights, err));
done:
    return status;
}

/* gpu    a group counts in local memory, at most COUNT_ROOM bins without weights: GPUs; anywhere by name.
 * all    all groups count in one list, by atomics, without weights: GPUs; anywhere by name.
 * sorted weights are sorted by bin, and runs of equal bins summed, many bins or elements: GPUs; anywhere by name.
 * plain  a work-item has a chunk of the elements: every device. */
static const variant rows[] = {
    {"gpu", "count_gpu", CL_DEVICE_TYPE_GPU, 0, false, gpu_applies, plan_on_gpu},
    {"all", "count_gpu", CL_DEVICE_TYPE_GPU, 0, false, all_applies, plan_all},
    {"sorted", NULL, CL_DEVICE_TYPE_GPU, 0, false, sorted_applies, plan_sorted},
    {"plain", "count_plain", 0, 0, false, variant_anywhere, plan_plain},
};
const variants count_variants = {rows, COUNT(rows)};

/* ---- what the operations share ---------------------------------------------------------------------------------- */

lun_dtype lun_count_dtype(const lun_array *weights) { return weights ? dtype_summed(weights->dtype) : LUN_i64; }

lun_status count_check(const lun_array *out, const lun_array *in, const lun_array *weights, lun_error *err)
{
    lun_status status = LUN_OK;
    char has[200], wanted[200];
    TRY(array_check_live(in, "the array", err));
    if (weights) {
        TRY(array_check_live(weights, "the array of weights", err));
        TRY(array_check_same_device(weights, in, "the array of weights", err));
        if (!shape_equal(weights, in))
            FAIL(LUN_MISUSE, "the weights have shape %s; the array has %s",
                 lun_shape_text(has, sizeof has, weights->ndim, weights->shape),
                 lun_shape_text(wanted, sizeof wanted, in->ndim, in->shape));
        TRY(array_check_apart(out, weights, err));
    }
    TRY(sort_check_out(out, in, lun_count_dtype(weights), 1, out->shape, err));
    if (out->size > INT32_MAX)
        FAIL(LUN_MISUSE, "%zu bins are too many; %d are possible", out->size, INT32_MAX);
done:
    return status;
}

lun_status count_begin(counting *c, const char *name, const lun_array *out, const lun_array *in,
                       const lun_array *weights, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *row;
    operation_init(&c->op, in->device, name, call);
    plan_init(&c->plan, &c->op);
    TRY(operation_reads(&c->op, in, err));
    TRY(operation_writes(&c->op, out, err));
    if (weights)
        TRY(operation_reads(&c->op, weights, err));
    TRY(variant_choose(&row, &count_variants, in->device, NULL, variant_named(call), err));
    TRY(sort_dense(&c->in, &c->plan, in, in->dtype, err));
    if (weights)
        TRY(sort_dense(&c->weights, &c->plan, weights, weights->dtype, err));
    TRY(sort_result(&c->out, &c->plan, out, err));
    TRY(operation_scratch(&c->op, &c->bins, in->size * sizeof(cl_int), err));
done:
    return status;
}

lun_status count_finish(counting *c, const lun_array *out, bool weights, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    const count_problem problem = {
        .bins = c->bins, .weights = weights ? &c->weights : NULL, .out = &c->out, .size = c->in.size};
    if (out->size) {
        c->plan.scratch_only = c->out.block != out->block;
        TRY(plan_variant(&c->plan, &count_variants, &problem, variant_named(call), err));
        c->plan.scratch_only = false;
        TRY(sort_give(&c->plan, out, &c->out, err));
    }
    sort_quick(&c->op, c->in.size);
    TRY(operation_run(&c->op, &c->plan, err));
done:
    return status;
}

lun_status count_find_bins(launch *out, plan *p, lun_dtype dtype, lun_dtype real, const char *name, size_t items,
                           lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const program_key key = {.file = "bins_plain",
                             .dtype = dtype,
                             .defines = real == LUN_f64 ? "#define REAL double\n" : "#define REAL float\n"};
    TRY(program_kernel(&kernel, p->op->device, &key, name, err));
    *out = launch_spread(p->op->device, kernel, items, LEAST_A_CHUNK);
done:
    return status;
}

/* ---- bincount --------------------------------------------------------------------------------------------------- */

static void say_from_1(char *text, size_t room, const lun_verdict *found, int64_t last)
{
    snprintf(text, room, "value %lld at position %lld is out of range 1..%lld", (long long)found->value,
             (long long)found->position + 1, (long long)last);
}

static void say_from_0(char *text, size_t room, const lun_verdict *found, int64_t last)
{
    snprintf(text, room, "value %lld at position %lld is out of range 0..%lld", (long long)found->value,
             (long long)found->position + 1, (long long)last);
}

lun_status lun_bincount(const lun_array *out, const lun_array *in, const lun_array *weights, int64_t base,
                        const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    counting c = {0};
    launch groups;
    TRY(count_check(out, in, weights, err));
    if (lun_dtype_kind(in->dtype) == LUN_FLOAT)
        FAIL(LUN_MISUSE, "the array is %s; integers are wanted", lun_dtype_name(in->dtype));
    if (base != 0 && base != 1)
        FAIL(LUN_MISUSE, "from is %lld; 0 or 1 is wanted", (long long)base);
    TRY(count_begin(&c, "bincount", out, in, weights, call, err));
    TRY(count_find_bins(&groups, &c.plan, in->dtype, LUN_f32, "bins_of_integers", in->size, err));
    if (in->size) {
        const bins_shape s = {.from = c.in.offset, .size = (cl_long)in->size, .bins = (cl_long)out->size, .base = base};
        TRY(plan_verdict(&c.plan, base ? say_from_1 : say_from_0, base + (int64_t)out->size - 1, err));
        c.plan.scratch_only = true;
        TRY(plan_launch(&c.plan, &groups,
                        ARGS(ARG_BLOCK(c.bins), ARG_BLOCK(c.in.block), ARG_VALUE(&s), ARG_VERDICT(&c.op)), err));
        c.plan.scratch_only = false;
    }
    TRY(count_finish(&c, out, weights != NULL, call, err));
done:
    plan_clear(&c.plan);
    operation_clear(&c.op);
    return status;
}
