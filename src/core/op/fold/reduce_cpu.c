/* Reductions on CPU devices, one work-item a group: how a problem is shared out among them. */
#include "op/fold/fold_states.h"
#include "op/fold/fold_tuning.h"
#include "op/fold/reduce_array.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>

/* A short row has at most SHORT_VECTORS vectors, and at most SHORT_MOST elements, since bytes are summed in 16 bits there:
 * even 255 times -128 would fit. */
enum { SHORT_VECTORS = 32, SHORT_MOST = 240 };

/* The size of the last axis; 1 where there are no axes. */
static cl_long last_size(const layout *l) { return l->ndim ? l->size[l->ndim - 1] : 1; }

/* Groups at most, and so outputs (or strips of outputs) at most that are made in parts: each of these takes a counter of
 * the queue. */
static size_t most_items(const lun_device *device)
{
    return smaller(device->info.units * fold_tuned(device)->array.most, QUEUE_COUNTERS);
}

/* Are the columns so long that each has to be made in parts, and are there more of them than counters? */
static bool has_too_many_parts(const lun_device *device, const fold_problem *p)
{
    return p->fold.elements > (cl_long)REDUCE_BLOCK * REDUCE_MOST_BLOCKS &&
           (size_t)p->fold.outputs > most_items(device);
}

/* Are results written past the caches? If a call touches more than the caches hold, its results would not stay there, and
 * each line of them would be read before it is written. */
static cl_long goes_past_cache(const reduce_problem *p)
{
    const size_t results = p->outputs * lun_dtype_bytes(p->out->dtype);
    return passes_cache(p->in->device, p->outputs * p->elements * lun_dtype_bytes(p->in->dtype) + results);
}

/* Groups that the work is cut into, of about `group` bytes each. */
static size_t work_items(const reduce_problem *p, size_t group)
{
    const lun_device *device = p->in->device;
    const reduce_tuning *tuned = &fold_tuned(device)->array;
    size_t bytes = p->outputs * p->elements * lun_dtype_bytes(p->in->dtype);
    size_t wanted = larger(ceil_div(bytes, group), device->info.units * tuned->least);
    return bytes <= tuned->alone ? 1 : smaller(wanted, most_items(device));
}

/* Values side by side in a vector. */
static size_t lanes_of(const reduce_problem *p)
{
    const lun_dtype leaf = fold_leaf_dtype(p->op, p->in->dtype, p->combined);
    return fold_cpu_lanes(p->in->device, lun_dtype_bytes(leaf));
}

static lun_status cpu_kernel(cl_kernel *out, const reduce_problem *p, const variant *row, const char *name,
                             lun_error *err)
{
    char defines[40];
    snprintf(defines, sizeof defines, "#define LANES %zu\n", lanes_of(p));
    return reduce_kernel(out, p->op, p->in, row->file, name, defines, err);
}

static launch single_items(cl_kernel kernel, size_t groups) { return (launch){kernel, 1, {groups, 1, 1}, {1, 1, 1}}; }

static bool is_dense(const reduce_problem *p)
{
    const bool fits = p->elements > 1 && p->elements <= lanes_of(p) && (p->elements & (p->elements - 1)) == 0;
    return fits && reduce_last_stride(&p->kept, 0) == (int64_t)p->elements;
}

static lun_status plan_short(plan *out, const variant *row, const reduce_problem *p, lun_error *err)
{
    cl_kernel kernel;
    const size_t inner = (size_t)last_size(&p->kept), outer = p->outputs / inner;
    const size_t jobs = outer * ceil_div(inner, lanes_of(p));
    const size_t per_item = ceil_div(jobs, smaller(jobs, work_items(p, fold_tuned(p->in->device)->array.group)));
    const reduce_short_shape shape = {
        .kept = reduce_without_last(p->kept),
        .kept_out = reduce_without_last(p->kept_out),
        .in = p->first,
        .out = p->out->offset,
        .outer = (cl_long)outer,
        .inner = (cl_long)inner,
        .step = reduce_last_stride(&p->kept, 0),
        .out_step = reduce_last_stride(&p->kept_out, 0),
        .elements = (cl_long)p->elements,
        .per_item = (cl_long)per_item,
        .dense = is_dense(p),
        .past_cache = goes_past_cache(p),
        .readable = (cl_long)(block_bytes(p->in->block) / lun_dtype_bytes(p->in->dtype)),
    };
    TRY(cpu_kernel(&kernel, p, row, "reduce_cpu_short", err));
    const launch groups = single_items(kernel, ceil_div(jobs, per_item));
    return plan_launch(out, &groups, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_VALUE(&shape)), err);
}

/* Plans a kernel that may make an output in parts, which it then joins within the launch. `shape` is the argument that
 * shows this kernel the problem. */
static lun_status plan_parted(plan *out, const variant *row, const reduce_problem *p, const char *name, size_t groups,
                              const reduce_parts *whole, launch_arg shape, lun_error *err)
{
    const size_t partials = whole->parts > 1 ? (size_t)(whole->outer * whole->parts * whole->columns) : 0;
    cl_kernel kernel;
    lun_block *partial;
    TRY(cpu_kernel(&kernel, p, row, name, err));
    TRY(reduce_partial(&partial, out, partials, reduce_accumulator_bytes(p), err));
    const launch items = single_items(kernel, groups);
    const launch_arg counters = partials ? (launch_arg)ARG_COUNTERS : (launch_arg)ARG_BLOCK((lun_block *)NULL);
    return plan_launch(
        out, &items, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), counters, shape), err);
}

/* Merges rows of narrow columns that lie without gaps: several rows become one wide row. The kernel joins the columns that
 * belong together at the end. */
static void merge_rows(reduce_columns_shape *shape, const reduce_problem *p)
{
    layout *walk = &shape->reduced;
    cl_long widest = (cl_long)(REDUCE_STRIP * lanes_of(p)), vector = (cl_long)lanes_of(p);
    if (walk->ndim != 1 || walk->stride[0] != shape->columns ||
        p->elements * p->outputs < fold_tuned(p->in->device)->array.merge)
        return;
    cl_long fold = (cl_long)smaller((size_t)(widest / shape->columns), (size_t)(shape->rows / REDUCE_BLOCK));
    if (fold > vector)
        fold -= fold % vector; /* whole vectors */
    if (fold < 2)
        return;
    cl_long all = shape->rows * shape->columns;
    shape->fold = fold;
    shape->columns *= fold;
    shape->rows = (all + shape->columns - 1) / shape->columns;
    shape->last = all - (shape->rows - 1) * shape->columns;
    walk->size[0] = shape->rows;
    walk->stride[0] = shape->columns;
}

static void cut_columns(reduce_columns_shape *shape, const reduce_problem *p)
{
    size_t widest = REDUCE_STRIP * lanes_of(p), rows_count = (size_t)shape->rows,
           items = work_items(p, fold_tuned(p->in->device)->array.wide);
    size_t strips = ceil_div((size_t)shape->columns, widest), outer = (size_t)shape->whole.outer;
    size_t strip = ceil_div(ceil_div((size_t)shape->columns, strips), lanes_of(p)) * lanes_of(p);
    shape->strip = (cl_long)strip;
    shape->strips = (cl_long)ceil_div((size_t)shape->columns, strip);
    size_t places = outer * (size_t)shape->strips;
    size_t parts = larger(ceil_div(items, places), ceil_div(rows_count, REDUCE_BLOCK * REDUCE_MOST_BLOCKS));
    size_t part = ceil_div(ceil_div(rows_count, parts), REDUCE_BLOCK) * REDUCE_BLOCK;
    shape->part = (cl_long)part;
    shape->whole.parts = (cl_long)ceil_div(rows_count, part);
    size_t jobs = places * (size_t)shape->whole.parts;
    shape->per_item = (cl_long)ceil_div(jobs, smaller(items, jobs));
}

static lun_status plan_columns(plan *out, const variant *row, const reduce_problem *p, lun_error *err)
{
    const size_t columns = (size_t)last_size(&p->kept), outer = p->outputs / columns;
    reduce_columns_shape shape = {.kept = reduce_without_last(p->kept),
                                  .kept_out = reduce_without_last(p->kept_out),
                                  .reduced = p->reduced,
                                  .in = p->first,
                                  .rows = (cl_long)p->elements,
                                  .columns = (cl_long)columns,
                                  .last = (cl_long)columns,
                                  .fold = 1,
                                  .whole = {.out = p->out->offset,
                                            .outer = (cl_long)outer,
                                            .columns = (cl_long)columns,
                                            .out_step = reduce_last_stride(&p->kept_out, 0),
                                            .past_cache = goes_past_cache(p)}};
    merge_rows(&shape, p);
    cut_columns(&shape, p);
    const size_t jobs = outer * (size_t)shape.strips * (size_t)shape.whole.parts;
    return plan_parted(out, row, p, "reduce_cpu_columns", ceil_div(jobs, (size_t)shape.per_item), &shape.whole,
                       (launch_arg)ARG_VALUE(&shape), err);
}

static bool is_short(const reduce_problem *p)
{
    return p->reduced.ndim <= 1 && p->elements <= smaller(SHORT_VECTORS * lanes_of(p), SHORT_MOST) &&
           reduce_last_stride(&p->kept, 0) > 0 && (size_t)last_size(&p->kept) >= 2 * lanes_of(p);
}

/* Neighbours belong to different outputs, or to one where these are short. Rows the kernels of expressions make. */
bool reduce_cpu_applies(const lun_device *device, const void *data)
{
    const fold_problem *p = data;
    if (!p || !variant_on_cpu(device, data))
        return variant_on_cpu(device, data);
    const reduce_problem r = reduce_problem_of(p);
    if (reduce_last_stride(&r.reduced, 1) == 1)
        return is_short(&r);
    return r.kept.ndim > 0 && reduce_last_stride(&r.kept, 0) == 1 && !has_too_many_parts(device, p);
}

lun_status reduce_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const reduce_problem p = reduce_problem_of(data);
    return reduce_last_stride(&p.reduced, 1) == 1 ? plan_short(out, row, &p, err) : plan_columns(out, row, &p, err);
}
