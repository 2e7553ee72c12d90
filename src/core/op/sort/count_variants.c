/* Counting: the variants that find the bins of elements and count them; weights are added up in order. */
#include "base/order.h"
#include "op/add_at.h"
#include "op/fill.h"
#include "op/planning.h"
#include "op/sort/count_room.h"
#include "op/sort/sort_tuning.h"

#include <stdio.h>

/* ---- bins of elements ------------------------------------------------------------------------------------------- */

lun_status count_find_kernel(cl_kernel *out, plan *p, const char *file, lun_dtype dtype, lun_dtype edges,
                             const char *name, lun_error *err)
{
    char defines[120];
    const bool wide = edges == LUN_f64, parted = !dtype_is_whole(edges) && dtype_is_parted(dtype, edges);
    const program_key key = {.file = file, .dtype = dtype, .defines = defines};
    snprintf(defines, sizeof defines, "#define REAL %s\n#define REAL_EPSILON %s\n%s%s\n", wide ? "double" : "float",
             wide ? "DBL_EPSILON" : "FLT_EPSILON", parted ? "#define COUNTED " : "",
             parted ? dtype_cl(dtype_parted(dtype)) : "");
    return program_kernel(out, p->op->device, &key, name, err);
}

static bool has_edges(const bins_source *source) { return source->edges.device != NULL; }

static lun_status find_for(cl_kernel *out, plan *p, const char *file, const bins_source *source, const char *name,
                           lun_error *err)
{
    return count_find_kernel(out, p, file, source->in.dtype, source->edges.dtype, name, err);
}

/* Plans the bin of each element, in scratch memory. */
static lun_status plan_bins(plan *out, const count_problem *p, lun_block **bins, lun_error *err)
{
    TRY(operation_scratch(out->op, bins, p->size * sizeof(cl_int), err));
    for (size_t i = 0; p->size && i < p->source_count; i++) {
        const bins_source *source = &p->sources[i];
        const char *name = !has_edges(source) ? "bins_of_integers" : i == 0 ? "bins_of_numbers" : "bins_within";
        cl_kernel kernel;
        TRY(find_for(&kernel, out, "bins_plain", source, name, err));
        const launch each = launch_spread(out->op->device, kernel, p->size, spread_tuned(out->op->device)->indexed);
        const launch_arg to = ARG_BLOCK(*bins), in = ARG_BLOCK(source->in.block), s = ARG_VALUE(&source->shape);
        if (has_edges(source))
            TRY(plan_launch(out, &each, ARGS(to, in, ARG_BLOCK(source->edges.block), s), err));
        else
            TRY(plan_launch(out, &each, ARGS(to, in, s, ARG_VERDICT(out->op)), err));
    }
    return LUN_OK;
}

/* ---- the variants ------------------------------------------------------------------------------------------ */

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

static launch groups_of(cl_kernel kernel, const lun_device *device, size_t items)
{
    const size_t most = sort_tuned(device)->count_groups * (size_t)device->info.units;
    return (launch){kernel, 1, {larger(smaller(ceil_div(items, 256), most), 1), 1, 1}, {256, 1, 1}};
}

/* A list of the counts of all bins in two words each, which a variant clears first and widens last. */
typedef struct count_list {
    lun_block *words;
    launch clear, widen;
} count_list;

static lun_status find_list(count_list *out, plan *p, const variant *row, const count_problem *of, lun_error *err)
{
    cl_kernel clear, widen;
    const size_t words = 2 * of->out->size;
    TRY(find_for(&clear, p, row->file, of->sources, "count_gpu_clear", err));
    TRY(find_for(&widen, p, row->file, of->sources, "count_gpu_widen", err));
    TRY(operation_scratch(p->op, &out->words, words * sizeof(cl_uint), err));
    out->clear = groups_of(clear, p->op->device, words);
    out->widen = groups_of(widen, p->op->device, of->out->size);
    return LUN_OK;
}

/* Plans the launch that counts, between those that clear and widen the list. */
static lun_status plan_list(plan *out, const count_problem *p, const count_list *list, const launch *count,
                            const launch_arg *args, size_t arg_count, lun_error *err)
{
    const count_shape s = {.bins = (cl_long)p->out->size, .to = p->out->offset};
    TRY(plan_launch(out, &list->clear, ARGS(ARG_BLOCK(list->words), ARG_LONG(2 * p->out->size)), err));
    TRY(plan_launch(out, count, args, arg_count, err));
    return plan_launch(out, &list->widen, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(list->words), ARG_VALUE(&s)), err);
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const count_problem *p = data;
    const bins_source *source = p->sources;
    const bool once = p->source_count == 1;
    const size_t most = 8 * (size_t)out->op->device->info.units;
    const size_t chunks = smaller(larger(ceil_div(p->size, spread_tuned(out->op->device)->indexed), 1), most);
    const count_shape s = {.size = (cl_long)p->size, .bins = (cl_long)p->out->size, .chunks = (cl_long)chunks};
    count_list list;
    launch count = {NULL, 1, {chunks, 1, 1}, {256, 1, 1}};
    lun_block *bins = NULL;
    TRY(find_for(&count.kernel, out, row->file, source,
                 !once               ? "count_gpu"
                 : has_edges(source) ? "count_gpu_numbers"
                                     : "count_gpu_integers",
                 err));
    TRY(find_list(&list, out, row, p, err));
    if (!once)
        TRY(plan_bins(out, p, &bins, err));
    const launch_arg to = ARG_BLOCK(list.words), in = ARG_BLOCK(source->in.block), shape = ARG_VALUE(&source->shape);
    if (!once)
        TRY(plan_list(out, p, &list, &count, ARGS(to, ARG_BLOCK(bins), ARG_VALUE(&s)), err));
    else if (has_edges(source))
        TRY(plan_list(out, p, &list, &count, ARGS(to, in, ARG_BLOCK(source->edges.block), shape, ARG_VALUE(&s)), err));
    else
        TRY(plan_list(out, p, &list, &count, ARGS(to, in, shape, ARG_VALUE(&s), ARG_VERDICT(out->op)), err));
    return LUN_OK;
}

static lun_status plan_all(plan *out, const variant *row, const void *data, lun_error *err)
{
    const count_problem *p = data;
    const count_shape s = {.size = (cl_long)p->size};
    cl_kernel kernel;
    count_list list;
    lun_block *bins;
    TRY(find_for(&kernel, out, row->file, p->sources, "count_gpu_all", err));
    TRY(find_list(&list, out, row, p, err));
    TRY(plan_bins(out, p, &bins, err));
    const launch count = groups_of(kernel, out->op->device, p->size);
    return plan_list(out, p, &list, &count, ARGS(ARG_BLOCK(list.words), ARG_BLOCK(bins), ARG_VALUE(&s)), err);
}

static lun_status find_plain(cl_kernel *out, plan *p, const count_problem *of, const char *name, lun_error *err)
{
    char defines[60];
    const lun_dtype dtype = of->weights ? of->weights->dtype : LUN_i64;
    snprintf(defines, sizeof defines, "#define WEIGHT %s\n", dtype_cl(of->out->dtype));
    return program_kernel(out, p->op->device, &(program_key){.file = "count_plain", .dtype = dtype, .defines = defines},
                          name, err);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const count_problem *p = data;
    cl_kernel kernel, join;
    lun_block *bins, *counts;
    (void)row;
    TRY(find_plain(&kernel, out, p, p->weights ? "count_plain_weights" : "count_plain", err));
    TRY(find_plain(&join, out, p, "count_plain_join", err));
    const launch each = launch_spread(out->op->device, kernel, p->size, spread_tuned(out->op->device)->indexed);
    const launch joining = launch_spread(out->op->device, join, p->out->size, 64);
    const size_t items = each.groups[0] * each.local[0],
                 room = sort_tuned(out->op->device)->count_bytes / lun_array_bytes(p->out);
    const size_t chunks =
        larger(smaller(items, smaller(room, p->size / p->out->size / sort_tuned(out->op->device)->bin_values)), 1);
    const count_shape s = {.size = (cl_long)p->size,
                           .bins = (cl_long)p->out->size,
                           .chunks = (cl_long)chunks,
                           .weights = p->weights ? p->weights->offset : 0,
                           .to = p->out->offset};
    TRY(operation_scratch(out->op, &counts, chunks * lun_array_bytes(p->out), err));
    TRY(plan_bins(out, p, &bins, err));
    const launch_arg to = ARG_BLOCK(counts), from = ARG_BLOCK(bins), shape = ARG_VALUE(&s);
    if (p->weights)
        TRY(plan_launch(out, &each, ARGS(to, from, ARG_BLOCK(p->weights->block), shape), err));
    else
        TRY(plan_launch(out, &each, ARGS(to, from, shape), err));
    return plan_launch(out, &joining, ARGS(ARG_BLOCK(p->out->block), to, shape), err);
}

static bool added_applies(const lun_device *device, const void *data)
{
    const count_problem *p = data;
    return device->info.max_group >= 256 &&
           (!p || (p->weights && (p->out->size > COUNT_ROOM || p->size >= sort_tuned(device)->least_added) && p->size));
}

static lun_status plan_added(plan *out, const variant *row, const void *data, lun_error *err)
{
    const count_problem *p = data;
    lun_array weights = *p->weights;
    lun_array bins = {
        .device = p->out->device, .dtype = LUN_i32, .ndim = 1, .size = p->size, .shape = {p->size}, .stride = {1}};
    (void)row;
    TRY(plan_bins(out, p, &bins.block, err));
    if (weights.dtype != p->out->dtype) {
        TRY(operation_scratch_array(out->op, &weights, p->out->dtype, p->weights->ndim, p->weights->shape, err));
        TRY(plan_array_copy(out, &weights, p->weights, err));
    }
    TRY(plan_array_fill(out, p->out, (cl_ulong2){{0}}, err));
    return add_at_plan_bins(out, p->out, &bins, &weights, err);
}

/* gpu    a group counts in local memory, at most COUNT_ROOM bins without weights, and finds the bins of one axis itself: GPUs;
 *        anywhere by name.
 * all    all groups count in one list, by atomics, without weights: GPUs; anywhere by name.
 * added  weights are added at their bins, as add_at does, many bins or elements: GPUs; anywhere by name.
 * plain  a work-item has a chunk of the elements: every device. */
static const variant rows[] = {
    {.name = "gpu", .file = "count_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "all", .file = "count_gpu", ON_GPU, .applies = all_applies, .plan = plan_all},
    {.name = "added", ON_GPU, .applies = added_applies, .plan = plan_added},
    {.name = "plain", .file = "count_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants count_variants = {rows, COUNT(rows)};
