/* Reductions on a GPU: how a problem is shared out among groups. */
#include "reduce.h"

#include <stdio.h>

#define ITEMS 256   /* in a group, as in reduce_gpu.cl */
#define CHAINS 4    /* of an item */
#define CHAIN 32    /* elements in one: what a leaf's type has room for, and a sum's accuracy */
#define COMBINED 32 /* parts from which a whole group joins those of an output */

typedef struct gpu_plan { /* as in reduce_gpu.cl */
    cl_long in, out, outer, parts, columns, part, elements, out_step, share;
} gpu_plan;

static size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static bool by_rows(const reduce_problem *p)
{
    return p->reduced.ndim <= 1 && (reduce_last_stride(&p->reduced, 1) == 1 || p->elements == 1);
}

bool reduce_gpu_applies(const lun_device *device, const void *data)
{
    const reduce_problem *p = data;
    if (device->info.max_group < ITEMS || device->info.local_memory < ITEMS * 16)
        return false;
    return !p || by_rows(p) || reduce_last_stride(&p->kept, 0) == 1;
}

/* The largest power of 2 that is not above n. */
static size_t power_below(size_t n)
{
    size_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Elements of 16 bytes, where every output's first is aligned to as many. */
static size_t vector_items(const reduce_problem *p)
{
    size_t item = lun_dtype_bytes(p->in->dtype), count = 16 / item;
    bool aligned = p->first % (int64_t)count == 0;
    for (int i = 0; i < p->kept.ndim; i++)
        aligned &= p->kept.stride[i] % (cl_long)count == 0;
    return aligned ? count : 1;
}

static lun_status combine(operation *op, const reduce_problem *p, cl_kernel kernel, lun_block *partial,
                          const layout *kept_out, gpu_plan plan, lun_error *err)
{
    plan.share = plan.parts > COMBINED ? ITEMS : 1;
    size_t groups = ceil_div((size_t)(plan.outer * plan.columns), (size_t)(ITEMS / plan.share));
    return launch(op, &(launch_plan){kernel, 1, {groups, 1, 1}, {ITEMS, 1, 1}},
                  ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_VALUE(kept_out), ARG_VALUE(&plan)), err);
}

static lun_status find_kernels(cl_kernel *kernel, cl_kernel *joiner, lun_block **partial, operation *op,
                               const reduce_problem *p, const variant *row, const char *name, const char *defines,
                               const gpu_plan *plan, lun_error *err)
{
    lun_status status = LUN_OK;
    bool several = plan->parts > 1;
    TRY(reduce_kernel(kernel, p, row, name, defines, err));
    if (several)
        TRY(reduce_kernel(joiner, p, row, "reduce_gpu_combine", defines, err));
    TRY(reduce_partial(partial, op, p, several ? p->outputs * (size_t)plan->parts : 0, err));
    TRY(operation_begin(op, err));
done:
    return status;
}

/* Short rows are shared by few items, so that none stands idle. */
static lun_status run_rows(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, joiner = NULL;
    lun_block *partial;
    char defines[64];
    size_t vector = vector_items(p);
    size_t share = power_below(least(ITEMS, ceil_div(p->elements, 2 * vector)));
    size_t part = share * vector * CHAINS * CHAIN, wanted = 4 * (size_t)op->device->info.units;
    if (share == ITEMS && p->outputs < wanted) { /* too few rows for the device: smaller parts, of one round at least */
        size_t round = share * vector * CHAINS, fair = ceil_div(p->elements, ceil_div(wanted, p->outputs));
        part = least(part, ceil_div(fair, round) * round);
    }
    gpu_plan plan = {.in = p->first,
                     .out = p->out->offset,
                     .outer = (cl_long)p->outputs,
                     .columns = 1,
                     .parts = (cl_long)ceil_div(p->elements, part),
                     .part = (cl_long)part,
                     .elements = (cl_long)p->elements,
                     .share = (cl_long)share};
    snprintf(defines, sizeof defines, "#define VECTOR_ITEMS %zu\n", vector);
    TRY(find_kernels(&kernel, &joiner, &partial, op, p, row, "reduce_gpu_rows", defines, &plan, err));
    size_t groups = ceil_div(p->outputs * (size_t)plan.parts, ITEMS / share);
    TRY(launch(op, &(launch_plan){kernel, 1, {groups, 1, 1}, {ITEMS, 1, 1}},
               ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&p->kept),
                    ARG_VALUE(&p->kept_out), ARG_VALUE(&plan)),
               err));
    if (plan.parts > 1)
        TRY(combine(op, p, joiner, partial, &p->kept_out, plan, err));
done:
    return status;
}

static lun_status run_columns(operation *op, const variant *row, const reduce_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, joiner = NULL;
    lun_block *partial;
    layout kept = reduce_without_last(p->kept), kept_out = reduce_without_last(p->kept_out);
    size_t columns = (size_t)p->kept.size[p->kept.ndim - 1], outer = p->outputs / columns;
    size_t share = least(ITEMS, 2 * power_below(columns));
    share = share > 32 && columns < 4096 ? 32 : share;
    size_t strips = ceil_div(columns, share), rows = ITEMS / share;
    size_t fair = ceil_div(p->elements, ceil_div(8 * (size_t)op->device->info.units, outer * strips));
    size_t round = rows * CHAINS, part = least(ceil_div(fair, round), CHAIN) * round;
    gpu_plan plan = {.in = p->first,
                     .out = p->out->offset,
                     .outer = (cl_long)outer,
                     .columns = (cl_long)columns,
                     .parts = (cl_long)ceil_div(p->elements, part),
                     .part = (cl_long)part,
                     .elements = (cl_long)p->elements,
                     .out_step = reduce_last_stride(&p->kept_out, 0),
                     .share = (cl_long)share};
    TRY(find_kernels(&kernel, &joiner, &partial, op, p, row, "reduce_gpu_columns", NULL, &plan, err));
    size_t groups = outer * strips * (size_t)plan.parts;
    TRY(launch(op, &(launch_plan){kernel, 1, {groups, 1, 1}, {ITEMS, 1, 1}},
               ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&kept),
                    ARG_VALUE(&kept_out), ARG_VALUE(&p->reduced), ARG_VALUE(&plan)),
               err));
    if (plan.parts > 1)
        TRY(combine(op, p, joiner, partial, &kept_out, plan, err));
done:
    return status;
}

lun_status reduce_gpu_run(operation *op, const variant *row, const void *data, lun_error *err)
{
    const reduce_problem *p = data;
    return by_rows(p) ? run_rows(op, row, p, err) : run_columns(op, row, p, err);
}
