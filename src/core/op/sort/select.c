/* Selection: the elements at some positions of a row's sorted order, found digit by digit. */
#include "op/planning.h"
#include "op/radix.h"
#include "op/sort/sort.h"
#include "op/sort/sort_tuning.h"

#include <string.h>

/* The kernels of a variant that selects, and how they divide the work. */
typedef struct select_kernels {
    const char *file, *count, *choose, *sides, *take;
    const char *clear; /* the counts, which all tiles of a row share; NULL: each tile has its own */
    const char *scan;  /* a kernel of the same file; NULL: radix_plan_scan */
    size_t items;      /* of a group */
    size_t least;      /* elements of a tile */
    size_t take_tile;  /* of the extracted elements; 0: the same tiles */
    size_t tiles;      /* for each compute unit */
} select_kernels;

/* select_cpu.cl's and select_gpu.cl's own numbers. */
static const select_kernels cpu_kernels = {.file = "select_cpu",
                                           .count = "select_cpu_count",
                                           .choose = "select_cpu_choose",
                                           .sides = "select_cpu_sides",
                                           .take = "select_cpu_take",
                                           .scan = "select_cpu_scan",
                                           .items = 1,
                                           .least = 1 << 13,
                                           .tiles = 2},
                            gpu_kernels = {.file = "select_gpu",
                                           .count = "select_gpu_count",
                                           .choose = "select_gpu_choose",
                                           .sides = "select_gpu_sides",
                                           .take = "select_gpu_take",
                                           .clear = "select_gpu_clear",
                                           .items = 256,
                                           .least = 1 << 15,
                                           .take_tile = 2048,
                                           .tiles = 8};

/* The state of a selection. */
typedef struct selection {
    const select_kernels *kernels;
    const select_problem *problem;
    select_pass pass;
    lun_block *counts, *targets, *picked;
} selection;

static lun_status find_kernel(cl_kernel *out, plan *p, const selection *s, const char *name, lun_error *err)
{
    return program_kernel(out, p->op->device, &(program_key){.file = s->kernels->file, .dtype = s->problem->in.dtype},
                          name, err);
}

static lun_status find_groups(launch *out, plan *p, const selection *s, const char *name, size_t groups, lun_error *err)
{
    *out = (launch){NULL, 1, {groups, 1, 1}, {s->kernels->items, 1, 1}};
    return find_kernel(&out->kernel, p, s, name, err);
}

static void set_tiles(select_pass *pass, size_t count, size_t tile)
{
    pass->tile = (cl_long)tile;
    pass->tiles = (cl_long)ceil_div(count, tile);
}

/* ---- the passes --------------------------------------------------------------------------------------------------- */

static lun_status plan_clear_counts(plan *p, const selection *s, size_t counts, lun_error *err)
{
    cl_kernel kernel;
    if (!s->kernels->clear)
        return LUN_OK;
    TRY(find_kernel(&kernel, p, s, s->kernels->clear, err));
    const launch spread = launch_spread(p->op->device, kernel, counts, 1);
    return plan_launch(p, &spread, ARGS(ARG_BLOCK(s->counts), ARG_LONG(counts)), err);
}

static lun_status plan_passes(plan *p, selection *s, lun_error *err)
{
    const select_problem *of = s->problem;
    const size_t tasks = of->rows * of->targets, tiles = (size_t)s->pass.tiles;
    launch counting, choosing;
    const unsigned bits = 8 * (unsigned)lun_dtype_bytes(of->in.dtype);
    unsigned left = bits, passes = (bits + SELECT_BITS - 1) / SELECT_BITS;
    TRY(find_groups(&counting, p, s, s->kernels->count, tasks * tiles, err));
    TRY(find_groups(&choosing, p, s, s->kernels->choose, of->rows, err));
    for (; passes > 0; passes--) {
        const unsigned digit = (left + passes - 1) / passes;
        s->pass.first = left == bits;
        s->pass.last = passes == 1;
        left -= digit;
        s->pass.shift = left;
        s->pass.bits = digit;
        TRY(plan_clear_counts(p, s, tasks * SELECT_COUNTS, err));
        TRY(plan_launch(p, &counting,
                        ARGS(ARG_BLOCK(s->counts), ARG_BLOCK(s->targets), ARG_BLOCK(of->in.block), ARG_VALUE(&s->pass)),
                        err));
        TRY(plan_launch(p, &choosing,
                        ARGS(ARG_BLOCK(s->targets), ARG_BLOCK(s->picked), ARG_BLOCK(s->counts), ARG_VALUE(&s->pass)),
                        err));
    }
    return LUN_OK;
}

/* ---- the elements up to the target -------------------------------------------------------------------------------- */

/* The elements extracted from the rows, in their order, with their positions. */
typedef struct taken {
    lun_array keys;
    lun_block *positions;
} taken;

static lun_status plan_taken(taken *out, plan *p, selection *s, lun_error *err)
{
    const select_problem *of = s->problem;
    const size_t first = of->at[0] + 1;
    launch counting, taking, one;
    lun_block *sides;
    if (s->kernels->take_tile)
        set_tiles(&s->pass, of->count, s->kernels->take_tile);
    const size_t groups = of->rows * (size_t)s->pass.tiles, count = 2 * groups;
    TRY(find_groups(&counting, p, s, s->kernels->sides, groups, err));
    TRY(find_groups(&taking, p, s, s->kernels->take, groups, err));
    TRY(operation_scratch(p->op, &sides, (count + 1) * sizeof(cl_long), err));
    TRY(operation_scratch_array(p->op, &out->keys, of->in.dtype, 2, (size_t[]){of->rows, first}, err));
    TRY(operation_scratch(p->op, &out->positions, of->rows * first * sizeof(cl_long), err));
    TRY(plan_launch(p, &counting,
                    ARGS(ARG_BLOCK(sides), ARG_BLOCK(s->targets), ARG_BLOCK(of->in.block), ARG_VALUE(&s->pass)), err));
    if (s->kernels->scan) {
        TRY(find_groups(&one, p, s, s->kernels->scan, 1, err));
        TRY(plan_launch(p, &one, ARGS(ARG_BLOCK(sides), ARG_LONG(count)), err));
    } else {
        TRY(radix_plan_scan(p, sides, count, err));
    }
    return plan_launch(p, &taking,
                       ARGS(ARG_BLOCK(out->keys.block), ARG_BLOCK(out->positions), ARG_BLOCK(s->targets),
                            ARG_BLOCK(of->in.block), ARG_BLOCK(sides), ARG_VALUE(&s->pass)),
                       err);
}

/* Sorts the extracted elements. The results, values and positions, have the shape of rows, or are NULL. */
static lun_status plan_first(plan *p, selection *s, lun_error *err)
{
    const select_problem *of = s->problem;
    const size_t first = of->at[0] + 1, all = of->rows * first;
    lun_array order, values, positions, sorted;
    taken part;
    cl_kernel kernel;
    TRY(find_kernel(&kernel, p, s, "select_positions", err));
    TRY(plan_taken(&part, p, s, err));
    sort_problem problem = {.in = part.keys, .descending = of->descending};
    if (of->values) {
        TRY(operation_scratch_array(p->op, &values, of->in.dtype, of->values->ndim, of->values->shape, err));
        sorted = values;
        sorted.ndim = 2;
        memcpy(sorted.shape, part.keys.shape, sizeof sorted.shape);
        shape_strides(sorted.stride, 2, sorted.shape);
        problem.values = &sorted;
    }
    if (of->positions) {
        TRY(operation_scratch_array(p->op, &order, LUN_i64, 2, part.keys.shape, err));
        TRY(plan_array_result(&positions, p, of->positions, err));
        problem.positions = &order;
    }
    TRY(sort_plan(p, &problem, NULL, err));
    if (of->positions) {
        const launch spread = launch_spread(p->op->device, kernel, all, 1024);
        TRY(plan_launch(p, &spread,
                        ARGS(ARG_BLOCK(positions.block), ARG_BLOCK(order.block), ARG_BLOCK(part.positions),
                             ARG_LONG(positions.offset), ARG_LONG(first), ARG_LONG(all)),
                        err));
        TRY(plan_array_give(p, of->positions, &positions, err));
    }
    if (of->values)
        TRY(plan_array_copy(p, of->values, &values, err));
    return LUN_OK;
}

/* ---- the variants ------------------------------------------------------------------------------------------------------ */

static lun_status plan_selection(plan *out, const select_problem *of, const select_kernels *kernels, lun_error *err)
{
    const lun_device *device = out->op->device;
    selection s = {.kernels = kernels,
                   .problem = of,
                   .pass = {.rows = (cl_long)of->rows,
                            .count = (cl_long)of->count,
                            .flip = of->descending ? ~(cl_ulong)0 : 0,
                            .from = of->in.offset,
                            .targets = (cl_long)of->targets}};
    const size_t tasks = of->rows * of->targets, tiles = ceil_div(kernels->tiles * device->info.units, of->rows);
    set_tiles(&s.pass, of->count, larger(ceil_div(of->count, tiles), kernels->least));
    for (size_t t = 0; t < of->targets; t++)
        s.pass.at[t] = (cl_long)of->at[t];
    TRY(operation_scratch(out->op, &s.targets, tasks * sizeof(select_target), err));
    TRY(operation_scratch(out->op, &s.counts,
                          tasks * (kernels->clear ? 1 : (size_t)s.pass.tiles) * SELECT_COUNTS * sizeof(cl_uint), err));
    if (of->found)
        TRY(operation_scratch(out->op, &s.picked, of->rows * (of->targets + 1) * lun_dtype_bytes(of->in.dtype), err));
    TRY(plan_passes(out, &s, err));
    if (of->found)
        *of->found = (select_found){.rows = s.picked, .count = of->targets + 1, .picked = true};
    else
        TRY(plan_first(out, &s, err));
    return LUN_OK;
}

static bool applies(const select_problem *p)
{
    return !p || (p->targets <= SELECT_TARGETS && p->count <= UINT32_MAX &&
                  (p->found || p->at[0] < p->count / sort_tuned(p->in.device)->select_few));
}

static bool is_long(const select_problem *p) { return !p || p->count >= sort_tuned(p->in.device)->select_row; }

static bool cpu_applies(const lun_device *device, const void *problem)
{
    return variant_on_cpu(device, problem) && applies(problem) && is_long(problem);
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_selection(out, data, &cpu_kernels, err);
}

static bool gpu_applies(const lun_device *device, const void *problem)
{
    return device->info.max_group >= gpu_kernels.items && applies(problem) && is_long(problem);
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_selection(out, data, &gpu_kernels, err);
}

static lun_status plan_sort(plan *out, const variant *row, const void *data, lun_error *err)
{
    const select_problem *of = data;
    lun_array sorted;
    sort_problem problem = {
        .in = of->in, .values = of->values, .positions = of->positions, .descending = of->descending};
    (void)row;
    if (of->found) {
        TRY(operation_scratch_array(out->op, &sorted, of->in.dtype, 2, of->in.shape, err));
        problem.values = &sorted;
        *of->found = (select_found){.rows = sorted.block, .offset = sorted.offset, .count = of->count};
    }
    return sort_plan(out, &problem, NULL, err);
}

/* gpu   long rows, digit by digit, a group to a tile: GPUs; anywhere by name.
 * cpu   the same, a work-item to a tile: CPUs.
 * plain rows that are sorted whole: every device, and many places at once. */
static const variant rows[] = {
    {.name = "gpu", .file = "select_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "cpu", .file = "select_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "plain", .applies = variant_anywhere, .plan = plan_sort},
};
const variants select_variants = {rows, COUNT(rows)};
