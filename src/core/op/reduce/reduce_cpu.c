/* Reductions on CPU devices, one work-item a group: how a problem is shared out among them. */
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "flow/queue.h"
#include "memory/block.h"
#include "op/old.h"
#include "op/operation.h"
#include "op/reduce/reduce.h"

/* Found on 2 cores of a Xeon with AVX-512 and of an EPYC with AVX2 (PoCL 3.1); the cost of a launch, the caches, and how
 * PoCL deals out groups stand behind them: to a thread that asks a core's share of what is left, but no more than 32
 * groups for each core. */
static const struct {
    size_t alone; /* bytes that one work-item does by itself: waking another thread costs 10 to 30 us */
    size_t group; /* bytes of a group, where that makes neither too few nor too many */
    size_t wide;  /* the same of a group that reduces columns, whose partial results are many */
    size_t least; /* groups per core: a thread that falls behind is helped out */
    size_t most;  /* groups per core: what is done for each is little against it */
    size_t merge; /* elements from which narrow columns are merged into wide ones */
} tuning = {1 << 20, 1 << 17, 1 << 20, 8, 512, 1 << 15};

/* LEAF_VECTORS, BLOCK, MOST_BLOCKS and STRIP as reduce_cpu.cl has them. A short row is at most SHORT_VECTORS long, and since
 * bytes are summed in 16 bits there, SHORT_MOST elements: 255 of -128 would still fit. */
enum { LEAF_VECTORS = 64, BLOCK = 64, MOST_BLOCKS = 65535, STRIP = 256, SHORT_VECTORS = 32, SHORT_MOST = 240 };

typedef struct whole_plan {
    cl_long out, outer, parts, columns, out_step, past_cache;
} whole_plan;

typedef struct rows_plan {
    layout kept, kept_out, runs;
    cl_long in, part, run, elements, per_item;
    whole_plan whole;
} rows_plan;

typedef struct short_plan {
    layout kept, kept_out;
    cl_long in, out, outer, inner, step, out_step, elements, readable, per_item, dense, past_cache;
} short_plan;

typedef struct columns_plan {
    layout kept, kept_out, reduced;
    cl_long in, part, rows, columns, last, fold, strips, strip, per_item;
    whole_plan whole;
} columns_plan;

/* Of the last axis; without any there is one element. */
static cl_long last_size(const layout *l) { return l->ndim ? l->size[l->ndim - 1] : 1; }

/* As many as there may be outputs, or strips of them, that are made of parts: fewer than groups. */
static size_t most_items(const lun_device *device) { return smaller(device->info.units * tuning.most, QUEUE_COUNTERS); }

/* Columns so long that they are made of parts whatever else, and more of them than there are tickets. */
static bool has_too_many_parts(const reduce_problem *p)
{
    return p->elements > (size_t)BLOCK * MOST_BLOCKS && p->outputs > most_items(p->in->device);
}

/* The innermost axis of all has neighbouring elements. */
bool reduce_cpu_applies(const lun_device *device, const void *data)
{
    const reduce_problem *p = data;
    if (!variant_on_cpu(device, data))
        return false;
    if (!p || reduce_last_stride(&p->reduced, 1) == 1)
        return true;
    return reduce_last_stride(&p->kept, 0) == 1 && !has_too_many_parts(p);
}

/* As LANES in reduce_cpu.cl: an accurate sum's vector holds pairs. */
static size_t lanes(const reduce_problem *p)
{
    const char *leaf;
    size_t count = reduce_vector(p->in->device) * 4 / reduce_leaf_type(&leaf, p), limit = p->accurate ? 8 : 16;
    return count < 2 ? 2 : count > limit ? limit : count;
}

/* Results of a call that touches more than the caches hold would not stay there, and cost a read of their memory. */
static cl_long goes_past_cache(const reduce_problem *p)
{
    const size_t results = p->outputs * lun_dtype_bytes(p->out->dtype);
    return passes_cache(p->in->device, p->outputs * p->elements * lun_dtype_bytes(p->in->dtype) + results);
}

/* Groups that the work should be cut into, `group` bytes each. */
static size_t work_items(const reduce_problem *p, size_t group)
{
    const lun_device *device = p->in->device;
    size_t bytes = p->outputs * p->elements * lun_dtype_bytes(p->in->dtype);
    size_t wanted = larger(ceil_div(bytes, group), device->info.units * tuning.least);
    return bytes <= tuning.alone ? 1 : smaller(wanted, most_items(device));
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
    size_t inner = (size_t)last_size(&p->kept), outer = p->outputs / inner;
    size_t jobs = outer * ceil_div(inner, lanes(p)),
           per_item = ceil_div(jobs, smaller(jobs, work_items(p, tuning.group)));
    short_plan plan = {.kept = reduce_without_last(p->kept),
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
                       .readable = (cl_long)(p->in->block->bytes_asked / lun_dtype_bytes(p->in->dtype))};
    TRY(reduce_kernel(&kernel, p, row, "reduce_cpu_short", NULL, err));
    TRY(operation_begin(op, err));
    launch_plan groups = single_items(kernel, ceil_div(jobs, per_item));
    TRY(launch(op, &groups, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_VALUE(&plan)), err));
done:
    return status;
}

/* What outputs that are made of parts need, which are then joined within the launch. */
typedef struct parted {
    cl_kernel kernel;
    lun_block *partial;
    cl_mem tickets;
} parted;

static lun_status prepare(parted *out, operation *op, const variant *row, const reduce_problem *p, const char *name,
                          const whole_plan *whole, lun_error *err)
{
    lun_status status = LUN_OK;
    bool several = whole->parts > 1;
    *out = (parted){0};
    TRY(reduce_kernel(&out->kernel, p, row, name, NULL, err));
    TRY(reduce_partial(&out->partial, op, p, several ? (size_t)(whole->outer * whole->parts * whole->columns) : 0,
                       err));
    TRY(operation_begin(op, err));
    if (several)
        TRY(queue_counters(&out->tickets, op->queue, err));
done:
    return status;
}

static lun_status run_parted(operation *op, const parted *made, const reduce_problem *p, size_t groups, launch_arg plan,
                             lun_error *err)
{
    launch_plan items = single_items(made->kernel, groups);
    return launch(
        op, &items,
        ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(made->partial), ARG_BLOCK(p->in->block), ARG_MEM(made->tickets), plan),
        err);
}

static lun_status run_rows(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    parted made;
    size_t leaf = LEAF_VECTORS * lanes(p), items = work_items(p, tuning.group);
    size_t part = ceil_div(p->elements, ceil_div(items, p->outputs));
    part = part < p->elements ? ceil_div(part, leaf) * leaf : p->elements;
    size_t parts = ceil_div(p->elements, part), jobs = p->outputs * parts,
           per_item = ceil_div(jobs, smaller(items, jobs));
    rows_plan plan = {
        .kept = p->kept,
        .kept_out = p->kept_out,
        .runs = reduce_without_last(p->reduced),
        .in = p->first,
        .part = (cl_long)part,
        .run = last_size(&p->reduced),
        .elements = (cl_long)p->elements,
        .per_item = (cl_long)per_item,
        .whole = {.out = p->out->offset, .outer = (cl_long)p->outputs, .parts = (cl_long)parts, .columns = 1}};
    TRY(prepare(&made, op, row, p, "reduce_cpu_rows", &plan.whole, err));
    TRY(run_parted(op, &made, p, ceil_div(jobs, per_item), (launch_arg)ARG_VALUE(&plan), err));
done:
    return status;
}

/* Narrow columns without gaps: several rows are seen as one wide row, whose columns are brought together at the end. */
static void merge_rows(columns_plan *plan, const reduce_problem *p)
{
    layout *walk = &plan->reduced;
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
    size_t widest = STRIP * lanes(p), rows_count = (size_t)plan->rows, items = work_items(p, tuning.wide);
    size_t strips = ceil_div((size_t)plan->columns, widest), outer = (size_t)plan->whole.outer;
    size_t strip = ceil_div(ceil_div((size_t)plan->columns, strips), lanes(p)) * lanes(p);
    plan->strip = (cl_long)strip;
    plan->strips = (cl_long)ceil_div((size_t)plan->columns, strip);
    size_t places = outer * (size_t)plan->strips;
    size_t parts = larger(ceil_div(items, places), ceil_div(rows_count, BLOCK * MOST_BLOCKS));
    size_t part = ceil_div(ceil_div(rows_count, parts), BLOCK) * BLOCK;
    plan->part = (cl_long)part;
    plan->whole.parts = (cl_long)ceil_div(rows_count, part);
    size_t jobs = places * (size_t)plan->whole.parts;
    plan->per_item = (cl_long)ceil_div(jobs, smaller(items, jobs));
}

static lun_status run_columns(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    parted made;
    size_t columns = (size_t)last_size(&p->kept), outer = p->outputs / columns;
    columns_plan plan = {.kept = reduce_without_last(p->kept),
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
    merge_rows(&plan, p);
    cut_columns(&plan, p);
    size_t places = outer * (size_t)plan.strips, jobs = places * (size_t)plan.whole.parts;
    TRY(prepare(&made, op, row, p, "reduce_cpu_columns", &plan.whole, err));
    TRY(run_parted(op, &made, p, ceil_div(jobs, (size_t)plan.per_item), (launch_arg)ARG_VALUE(&plan), err));
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
