/* Reductions on CPU devices, one work-item a group: how a problem is shared out among them. */
#include "reduce.h"

/* Found on 2 cores with AVX2 (EPYC, PoCL 3.1); a core's second-level cache and the cost of a launch stand behind them. */
static const struct {
    size_t alone;    /* bytes that one work-item does by itself: a second launch costs 18 us */
    size_t per_unit; /* work-items per core */
    size_t merge;    /* elements from which narrow columns are merged into wide ones */
} tuning = {1 << 20, 32, 1 << 15};

/* As in reduce_cpu.cl. */
enum { LEAF_VECTORS = 64, BLOCK = 64, MOST_BLOCKS = 255, STRIP = 256, SHORT_VECTORS = 32, SHORT_MOST = 240 };

typedef struct rows_plan {
    cl_long in, out, outputs, parts, part, run, elements, per_item;
} rows_plan;

typedef struct short_plan {
    cl_long in, out, outer, inner, step, out_step, elements, readable, per_item, dense;
} short_plan;

typedef struct columns_plan {
    cl_long in, out, outer, parts, part, rows, columns, last, fold, strips, strip, out_stride, per_item;
} columns_plan;

/* Of the last axis; without any there is one element. */
static cl_long last_size(const layout *l) { return l->ndim ? l->size[l->ndim - 1] : 1; }

/* The innermost axis of all has neighbouring elements. */
bool reduce_cpu_applies(const lun_device *device, const void *data)
{
    const reduce_problem *p = data;
    if (!variant_on_cpu(device, data))
        return false;
    return !p || reduce_last_stride(&p->reduced, 1) == 1 || reduce_last_stride(&p->kept, 0) == 1;
}

/* As LANES in reduce_cpu.cl: an accurate sum's vector holds pairs. */
static size_t lanes(const reduce_problem *p)
{
    const char *leaf;
    size_t count = reduce_vector(p->in->device) * 4 / reduce_leaf_type(&leaf, p), limit = p->accurate ? 8 : 16;
    return count < 2 ? 2 : count > limit ? limit : count;
}

static size_t work_items(const reduce_problem *p, size_t jobs)
{
    size_t bytes = p->outputs * p->elements * lun_dtype_bytes(p->in->dtype);
    return bytes <= tuning.alone ? 1 : smaller(jobs, p->in->device->info.units * tuning.per_unit);
}

static launch_plan single_items(cl_kernel kernel, size_t groups)
{
    return (launch_plan){kernel, 1, {groups, 1, 1}, {1, 1, 1}};
}

static bool is_dense(const reduce_problem *p)
{
    const bool fits = p->elements > 1 && p->elements <= lanes(p) && (p->elements & (p->elements - 1)) == 0;
    return fits && reduce_last_stride(&p->kept, 0) == (int64_t)p->elements;
}

static lun_status run_short(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    layout kept = reduce_without_last(p->kept), kept_out = reduce_without_last(p->kept_out);
    size_t inner = (size_t)last_size(&p->kept), outer = p->outputs / inner;
    size_t jobs = outer * ceil_div(inner, lanes(p)), per_item = ceil_div(jobs, work_items(p, jobs));
    short_plan plan = {.in = p->first,
                       .out = p->out->offset,
                       .outer = (cl_long)outer,
                       .inner = (cl_long)inner,
                       .step = reduce_last_stride(&p->kept, 0),
                       .out_step = reduce_last_stride(&p->kept_out, 0),
                       .elements = (cl_long)p->elements,
                       .per_item = (cl_long)per_item,
                       .dense = is_dense(p),
                       .readable = (cl_long)(p->in->block->bytes_asked / lun_dtype_bytes(p->in->dtype))};
    TRY(reduce_kernel(&kernel, p, row, "reduce_cpu_short", NULL, err));
    TRY(operation_begin(op, err));
    launch_plan groups = single_items(kernel, ceil_div(jobs, per_item));
    TRY(launch(op, &groups,
               ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_VALUE(&kept), ARG_VALUE(&kept_out),
                    ARG_VALUE(&plan)),
               err));
done:
    return status;
}

/* Brings outer x parts x columns partial results together. */
static lun_status launch_combine(operation *op, const reduce_problem *p, cl_kernel kernel, lun_block *partial,
                                 const layout *kept_out, size_t outer, size_t parts, size_t columns, cl_long out_stride,
                                 lun_error *err)
{
    size_t jobs = outer * ceil_div(columns, lanes(p));
    size_t items = jobs * parts < 4096 ? 1 : smaller(jobs, op->device->info.units * tuning.per_unit);
    size_t per_item = ceil_div(jobs, items);
    launch_plan groups = single_items(kernel, ceil_div(jobs, per_item));
    return launch(op, &groups,
                  ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_VALUE(kept_out), ARG_LONG(p->out->offset),
                       ARG_LONG(outer), ARG_LONG(parts), ARG_LONG(columns), ARG_LONG(out_stride), ARG_LONG(per_item)),
                  err);
}

static lun_status run_rows(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, combine = NULL;
    lun_block *partial;
    layout runs = reduce_without_last(p->reduced);
    size_t leaf = LEAF_VECTORS * lanes(p), items = work_items(p, SIZE_MAX);
    size_t part = ceil_div(p->elements, ceil_div(items, p->outputs));
    part = part < p->elements ? ceil_div(part, leaf) * leaf : p->elements;
    size_t parts = ceil_div(p->elements, part), jobs = p->outputs * parts,
           per_item = ceil_div(jobs, smaller(items, jobs));
    rows_plan plan = {.in = p->first,
                      .out = p->out->offset,
                      .outputs = (cl_long)p->outputs,
                      .parts = (cl_long)parts,
                      .part = (cl_long)part,
                      .run = last_size(&p->reduced),
                      .elements = (cl_long)p->elements,
                      .per_item = (cl_long)per_item};
    TRY(reduce_kernel(&kernel, p, row, "reduce_cpu_rows", NULL, err));
    if (parts > 1)
        TRY(reduce_kernel(&combine, p, row, "reduce_cpu_combine", NULL, err));
    TRY(reduce_partial(&partial, op, p, parts > 1 ? jobs : 0, err));
    TRY(operation_begin(op, err));
    launch_plan groups = single_items(kernel, ceil_div(jobs, per_item));
    TRY(launch(op, &groups,
               ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&p->kept),
                    ARG_VALUE(&p->kept_out), ARG_VALUE(&runs), ARG_VALUE(&plan)),
               err));
    if (parts > 1)
        TRY(launch_combine(op, p, combine, partial, &p->kept_out, p->outputs, parts, 1, 0, err));
done:
    return status;
}

/* Narrow columns without gaps: several rows are seen as one wide row, whose columns are brought together at the end. */
static void merge_rows(columns_plan *plan, layout *walk, const reduce_problem *p)
{
    cl_long widest = (cl_long)(STRIP * lanes(p)), vector = (cl_long)lanes(p);
    if (walk->ndim != 1 || walk->stride[0] != plan->columns || p->elements * p->outputs < tuning.merge)
        return;
    cl_long fold = (cl_long)smaller((size_t)(widest / plan->columns), (size_t)(plan->rows / BLOCK));
    if (fold > vector)
        fold -= fold % vector; /* whole vectors */
    if (fold < 2)
        return;
    cl_long all = plan->rows * plan->columns;
    plan->fold = fold;
    plan->columns *= fold;
    plan->rows = (all + plan->columns - 1) / plan->columns;
    plan->last = all - (plan->rows - 1) * plan->columns;
    walk->size[0] = plan->rows;
    walk->stride[0] = plan->columns;
}

static void cut_columns(columns_plan *plan, const reduce_problem *p)
{
    size_t widest = STRIP * lanes(p), rows_count = (size_t)plan->rows, items = work_items(p, SIZE_MAX);
    size_t strips = ceil_div((size_t)plan->columns, widest), outer = (size_t)plan->outer;
    size_t strip = ceil_div(ceil_div((size_t)plan->columns, strips), lanes(p)) * lanes(p);
    plan->strip = (cl_long)strip;
    plan->strips = (cl_long)ceil_div((size_t)plan->columns, strip);
    size_t places = outer * (size_t)plan->strips;
    size_t parts = larger(ceil_div(items, places), ceil_div(rows_count, BLOCK * MOST_BLOCKS));
    size_t part = ceil_div(ceil_div(rows_count, parts), BLOCK) * BLOCK;
    plan->part = (cl_long)part;
    plan->parts = (cl_long)ceil_div(rows_count, part);
    size_t jobs = places * (size_t)plan->parts;
    plan->per_item = (cl_long)ceil_div(jobs, smaller(items, jobs));
}

static lun_status run_columns(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, combine = NULL;
    lun_block *partial;
    layout kept = reduce_without_last(p->kept), kept_out = reduce_without_last(p->kept_out), walk = p->reduced;
    size_t columns = (size_t)last_size(&p->kept), outer = p->outputs / columns;
    columns_plan plan = {.in = p->first,
                         .out = p->out->offset,
                         .outer = (cl_long)outer,
                         .rows = (cl_long)p->elements,
                         .columns = (cl_long)columns,
                         .last = (cl_long)columns,
                         .fold = 1,
                         .out_stride = reduce_last_stride(&p->kept_out, 0)};
    merge_rows(&plan, &walk, p);
    cut_columns(&plan, p);
    size_t parts = (size_t)plan.parts, jobs = outer * parts * (size_t)plan.strips;
    TRY(reduce_kernel(&kernel, p, row, "reduce_cpu_columns", NULL, err));
    if (parts > 1)
        TRY(reduce_kernel(&combine, p, row, "reduce_cpu_combine", NULL, err));
    TRY(reduce_partial(&partial, op, p, parts > 1 ? outer * parts * columns : 0, err));
    TRY(operation_begin(op, err));
    launch_plan groups = single_items(kernel, ceil_div(jobs, (size_t)plan.per_item));
    TRY(launch(op, &groups,
               ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&kept),
                    ARG_VALUE(&kept_out), ARG_VALUE(&walk), ARG_VALUE(&plan)),
               err));
    if (parts > 1)
        TRY(launch_combine(op, p, combine, partial, &kept_out, outer, parts, columns, plan.out_stride, err));
done:
    return status;
}

static bool is_short(const reduce_problem *p)
{
    return p->reduced.ndim <= 1 && p->elements <= smaller(SHORT_VECTORS * lanes(p), SHORT_MOST) &&
           reduce_last_stride(&p->kept, 0) > 0 && (size_t)last_size(&p->kept) >= 2 * lanes(p);
}

lun_status reduce_cpu_run(operation *op, const variant *row, const void *data, lun_error *err)
{
    const reduce_problem *p = data;
    if (reduce_last_stride(&p->reduced, 1) != 1)
        return run_columns(op, row, p, err);
    return is_short(p) ? run_short(op, row, p, err) : run_rows(op, row, p, err);
}
