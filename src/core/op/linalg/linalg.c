/* Linear algebra: matrices as views, the variants, and the launching of their leaves. */
#include "op/linalg/linalg.h"
#include "base/dtype.h"

#include <stdio.h>

/* ---- matrices -------------------------------------------------------------------------------------------------- */

lun_array matrix_part(const lun_array *a, size_t row, size_t rows, size_t column, size_t columns)
{
    lun_array part = *a;
    const int i = a->ndim - 2, j = a->ndim - 1;
    part.offset += (int64_t)row * a->stride[i] + (int64_t)column * a->stride[j];
    part.shape[i] = rows;
    part.shape[j] = columns;
    part.size = matrix_batches(a) * rows * columns;
    return part;
}

lun_array matrix_transposed(const lun_array *a)
{
    lun_array view = *a;
    const int i = a->ndim - 2, j = a->ndim - 1;
    view.shape[i] = a->shape[j];
    view.shape[j] = a->shape[i];
    view.stride[i] = a->stride[j];
    view.stride[j] = a->stride[i];
    return view;
}

lun_array matrix_reversed(const lun_array *a, bool rows, bool columns)
{
    lun_array view = *a;
    for (int back = 0; back < 2; back++) {
        const int axis = a->ndim - 2 + back;
        if (!(back ? columns : rows) || a->shape[axis] == 0)
            continue;
        view.offset += (int64_t)(a->shape[axis] - 1) * a->stride[axis];
        view.stride[axis] = -a->stride[axis];
    }
    return view;
}

matmul_view matrix_view(const lun_array *a)
{
    size_t shape[LUN_MAX_AXES];
    int64_t stride[LUN_MAX_AXES];
    for (int i = 0; i < a->ndim; i++) {
        shape[i] = a->shape[i];
        stride[i] = a->stride[i];
    }
    const int ndim = shape_collapse(a->ndim - 2, shape, (int64_t *const[]){stride}, 1);
    return (matmul_view){.offset = a->offset,
                         .row = a->stride[a->ndim - 2],
                         .column = a->stride[a->ndim - 1],
                         .batch = layout_of(ndim, shape, stride)};
}

size_t matrix_batches(const lun_array *a)
{
    size_t batches = 1;
    for (int i = 0; i < a->ndim - 2; i++)
        batches *= a->shape[i];
    return batches;
}

size_t matrix_half(size_t n, size_t block) { return ceil_div(n, block) / 2 * block; }

/* ---- variants -------------------------------------------------------------------------------------------------- */

/* On GPUs GROUP items share a leaf. If a group has one item, and on CPUs that run groups by name, blocks are small,
 * because compilers for CPUs take long for code that is unrolled around barriers. */
static const linalg_leaves on_cpu = {.file = "linalg_cpu", .leaf = 64, .panel = 16, .block = 64, .tall = 1024},
                           on_gpu = {.file = "linalg_plain",
                                     .leaf = 32,
                                     .corner = 64,
                                     .panel = 8,
                                     .lu_panel = 16,
                                     .block = 64,
                                     .tall = 1024,
                                     .items = 256,
                                     .panel_items = 512,
                                     .registers = 64,
                                     .swaps_solve = true,
                                     .team_items = 256,
                                     .team_panel = 32,
                                     .team_registers = 128},
                           on_any = {.file = "linalg_plain",
                                     .leaf = 8,
                                     .corner = 8,
                                     .panel = 4,
                                     .lu_panel = 8,
                                     .block = 16,
                                     .tall = 128,
                                     .registers = 16,
                                     .swaps_solve = true};

/* Vectors hold half as many complex numbers as real ones, and registers and local memory half as many numbers of 16 bytes as of 8. */
static linalg_leaves leaves_for(const linalg_leaves *leaves, lun_dtype dtype)
{
    linalg_leaves own = *leaves;
    const unsigned parts = lun_dtype_has(dtype, LUN_PAIRS) ? 2 : 1, more = lun_dtype_bytes(dtype) > 8 ? 2 : 1;
    own.panel /= parts;
    own.leaf /= more;
    own.corner /= more;
    return own;
}

/* Can groups of a launch wait for each other? They can if all of them run at the same time: teams use at most half of
 * the units, so that there is room for those of two queues. */
static bool has_teams(const lun_device *device) { return device->nvidia >= 7; }

/* The elements of info, after those of the matrices, through which the groups of teams exchange words. */
static size_t told_room(const lun_device *device, const linalg_leaves *leaves, size_t batches)
{
    const size_t units = device->info.units, words = leaves->team_registers;
    return has_teams(device) && 2 * batches <= units ? units * words * 2 * 2 : 0;
}

static lun_status plan_with(plan *p, const linalg_leaves *leaves, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const linalg_leaves own = leaves_for(leaves, c->dtype);
    const size_t batches = ceil_div(c->batches, 2) * 2, room = told_room(p->op->device, &own, c->batches);
    const size_t words = batches + room;
    size_t steps = 0;
    linalg l = {.p = p, .leaves = &own, .dtype = c->dtype, .batches = c->batches, .steps = &steps};
    lun_array info;
    TRY(operation_scratch_array(p->op, &info, LUN_i32, 1, &words, err));
    TRY(plan_array_fill(p, &info, (cl_ulong2){{0, 0}}, err));
    l.info = info.block;
    l.told = room > 0 ? batches : 0;
    return c->run(&l, c, err);
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_with(out, &on_cpu, data, err);
}

static lun_status plan_anywhere(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_with(out, variant_on_cpu(out->op->device, NULL) ? &on_any : &on_gpu, data, err);
}

/* cpu    a work-item takes a leaf: CPUs.
 * plain  a group takes a leaf, rows or columns in its items' registers: every device, but CPUs under newer PoCLs. */
static const variant rows[] = {
    {.name = "cpu", .file = "linalg_cpu", ON_CPU, .applies = variant_on_cpu, .plan = plan_on_cpu},
    {.name = "plain",
     .file = "linalg_plain",
     .applies = variant_unless_it_aborts,
     .plan = plan_anywhere,
     .rounds = true},
};
const variants linalg_variants = {rows, COUNT(rows)};

/* ---- leaves ---------------------------------------------------------------------------------------------------- */

/* Does one work-item process a leaf? Then it copies panels. */
static bool on_cpus(const linalg *l) { return l->leaves->registers == 0; }

size_t linalg_groups(const linalg *l, size_t wanted)
{
    const size_t units = l->p->op->device->info.units;
    return larger(1, smaller(wanted, units * (on_cpus(l) ? 16 : 64)));
}

static size_t group_of(const linalg *l) { return on_cpus(l) ? 1 : device_group(l->p->op->device); }

static size_t wide_group_of(const linalg *l) { return larger(group_of(l), l->leaves->items); }

static lun_status launch_leaf(const linalg *l, const char *file, const char *defines, const char *name, size_t groups,
                              size_t items, const launch_arg *args, size_t count, lun_error *err)
{
    return plan_groups(l->p, &(program_key){.file = file, .dtype = l->dtype, .defines = defines}, name,
                       linalg_groups(l, groups), items, args, count, err);
}

#define DEFINES 120

static const char *define_leaves(char *text, const linalg *l)
{
    const linalg_leaves *leaves = l->leaves;
    snprintf(text, DEFINES, "#define LEAF %u\n#define PANEL %u\n#define BLOCK %u\n#define WIDE %zu\n", leaves->leaf,
             leaves->panel, leaves->corner, wide_group_of(l));
    return text;
}

lun_status linalg_launch(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                         lun_error *err)
{
    char defines[DEFINES];
    return launch_leaf(l, l->leaves->file, define_leaves(defines, l), name, groups, group_of(l), args, count, err);
}

lun_status linalg_launch_wide(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                              lun_error *err)
{
    char defines[DEFINES];
    return launch_leaf(l, l->leaves->file, define_leaves(defines, l), name, groups, wide_group_of(l), args, count, err);
}

/* For a panel shared by a team; `held` is 0 if the teams of all matrices could not run at the same time. */
static linalg_panel team_panel_of(const linalg *l, size_t height, bool sums)
{
    const size_t words = lun_dtype_bytes(l->dtype) / 4, groups = linalg_team_most(l);
    const unsigned most = l->leaves->team_registers;
    linalg_panel panel = {l->leaves->team_panel, sums ? 2 : 1, l->leaves->team_items / (sums ? 2 : 1), 1};
    if (!has_teams(l->p->op->device))
        return (linalg_panel){0};
    while (panel.columns * panel.held * words > most || panel.columns * words * 2 > most)
        panel.columns /= 2;
    if (height <= panel.held * panel.items) /* one group takes it, for any number of matrices */
        return panel;
    if (l->told == 0)
        return (linalg_panel){0};
    while (panel.held * panel.items * smaller(groups, panel.items) < height)
        panel.held *= 2;
    panel.team = larger(1, ceil_div(height, panel.held * panel.items));
    if (panel.columns * panel.held * words > most)
        panel.held = 0;
    return panel;
}

linalg_panel linalg_panel_of(const linalg *l, size_t height, bool sums)
{
    const linalg_panel shared = team_panel_of(l, height, sums);
    if (shared.held > 0)
        return shared;
    const size_t bytes = lun_dtype_bytes(l->dtype), most = larger(group_of(l), l->leaves->panel_items);
    const size_t items = sums ? wide_group_of(l) : most, registers = l->leaves->registers * most / items;
    linalg_panel panel = {l->leaves->lu_panel, 1, items, 1};
    if (registers == 0)
        return (linalg_panel){l->leaves->panel, 0, 1, 1};
    while (sums && panel.columns * items * bytes > (size_t)l->p->op->device->info.local_memory * 4 / 5)
        panel.columns /= 2;
    while (panel.held * items < height)
        panel.held *= 2;
    while (panel.columns > 4 && panel.columns * panel.held * bytes / 4 > registers)
        panel.columns /= 2;
    if (panel.columns * panel.held * bytes / 4 > registers)
        panel.held = 0;
    return panel;
}

linalg_team linalg_team_of(const linalg *l, size_t groups, size_t times)
{
    const linalg_team team = {(abi_long)groups, (abi_long)l->told, (abi_long)*l->steps};
    *l->steps += groups > 1 ? times : 0;
    return team;
}

size_t linalg_team_most(const linalg *l)
{
    return l->told > 0 ? larger(1, l->p->op->device->info.units / 2 / l->batches) : 1;
}

lun_status linalg_launch_panel(const linalg *l, const char *file, const char *name, size_t groups, linalg_panel panel,
                               const launch_arg *args, size_t count, lun_error *err)
{
    char defines[DEFINES];
    if (on_cpus(l))
        return linalg_launch(l, name, groups, args, count, err);
    snprintf(defines, sizeof defines, "#define PANEL %u\n#define ROWS %u\n#define ITEMS %zu\n", panel.columns,
             panel.held, panel.items);
    return launch_leaf(l, file, defines, name, panel.team > 1 ? l->batches * panel.team : groups, panel.items, args,
                       count, err);
}

/* The numbers of a vector, in kernels for CPUs. */
static size_t lanes_of(lun_dtype dtype) { return 64 / lun_dtype_bytes(dtype); }

bool linalg_is_few(const linalg *l, const lun_array *a, const lun_array *b)
{
    return !lun_dtype_has(l->dtype, LUN_PAIRS) && rows_of(a) <= LINALG_FEW && columns_of(b) <= LINALG_SIDES &&
           matrix_batches(b) == l->batches;
}

lun_status linalg_solve_few(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x, bool positive,
                            lun_error *err)
{
    char defines[DEFINES] = "";
    const bool alone = on_cpus(l);
    size_t most = 4, sides = 1, side_by_side = lanes_of(l->dtype), items = 1;
    if (!alone) {
        while (most < rows_of(a))
            most *= 2;
        while (sides < columns_of(b))
            sides *= 2;
        items = LINALG_FEW;
        side_by_side = items / most;
        snprintf(defines, sizeof defines, "#define MOST %zu\n#define SIDES %zu\n#define ITEMS %zu\n", most, sides,
                 items);
    }
    return launch_leaf(l, alone ? "solve_cpu" : "solve_plain", defines, "solve_small",
                       ceil_div(l->batches, side_by_side), items,
                       ARGS(ARG_MATRIX(a), ARG_MATRIX(b), ARG_MATRIX(x), ARG_BLOCK(l->info), ARG_LONG(l->batches),
                            ARG_LONG(rows_of(a)), ARG_LONG(columns_of(b)), ARG_LONG(positive)),
                       err);
}

static lun_status launch_spread_of(const linalg *l, const char *file, const char *name, size_t items,
                                   const launch_arg *args, size_t count, lun_error *err)
{
    const lun_device *device = l->p->op->device;
    return plan_spread(l->p, &(program_key){.file = file, .dtype = l->dtype, .defines = ""}, name, items,
                       spread_tuned(device)->plain, args, count, err);
}

/* The other kernels, which are the same for all devices. */
lun_status linalg_launch_finish(const linalg *l, const char *name, size_t items, const launch_arg *args, size_t count,
                                lun_error *err)
{
    return launch_spread_of(l, "linalg_finish", name, items, args, count, err);
}

lun_status linalg_permutation(const linalg *l, const lun_array *permutation, const lun_array *pivots, int first,
                              lun_error *err)
{
    const size_t n = permutation->shape[permutation->ndim - 1], count = pivots->shape[pivots->ndim - 1];
    return linalg_launch(l, "permutations", l->batches,
                         ARGS(ARG_BLOCK(pivots->block), ARG_BLOCK(permutation->block), ARG_LONG(l->batches),
                              ARG_LONG(n), ARG_LONG(count), ARG_LONG(first)),
                         err);
}

static lun_status move_rows(const linalg *l, const char *kernel, const lun_array *x, const lun_array *b,
                            const lun_array *permutation, int first, lun_error *err)
{
    lun_array column = *permutation;
    column.stride[column.ndim] = 0;
    column.shape[column.ndim++] = 1;
    const matmul_view p_at = matrix_view(&column);
    if (x->size == 0)
        return LUN_OK;
    return linalg_launch_finish(l, kernel, x->size,
                                ARGS(ARG_MATRIX(x), ARG_MATRIX(b), ARG_BLOCK(permutation->block), ARG_VALUE(&p_at),
                                     ARG_LONG(l->batches), ARG_LONG(rows_of(x)), ARG_LONG(columns_of(x)),
                                     ARG_LONG(first)),
                                err);
}

lun_status linalg_take_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                            int first, lun_error *err)
{
    return move_rows(l, "take_rows", x, b, permutation, first, err);
}

lun_status linalg_put_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                           int first, lun_error *err)
{
    return move_rows(l, "put_rows", x, b, permutation, first, err);
}

lun_status linalg_determinant(const linalg *l, const lun_array *lu, const lun_array *pivots, const lun_array *sign,
                              const lun_array *logarithm, lun_error *err)
{
    return linalg_launch_finish(l, "determinants", l->batches,
                                ARGS(ARG_MATRIX(lu), ARG_BLOCK(pivots->block), ARG_BLOCK(sign->block),
                                     ARG_BLOCK(logarithm ? logarithm->block : NULL), ARG_LONG(l->batches),
                                     ARG_LONG(rows_of(lu)), ARG_LONG(!logarithm)),
                                err);
}

lun_status linalg_find_zeros(const linalg *l, const lun_array *a, lun_error *err)
{
    return linalg_launch_finish(l, "find_zeros", l->batches,
                                ARGS(ARG_MATRIX(a), ARG_LONG(l->batches), ARG_LONG(rows_of(a)), ARG_BLOCK(l->info)),
                                err);
}

lun_status linalg_launch_conditions(const linalg *l, const lun_array *conditions, double least, lun_error *err)
{
    return linalg_launch_finish(l, "judge_conditions", l->batches,
                                ARGS(ARG_BLOCK(conditions->block), ARG_LONG(l->batches),
                                     launch_real(lun_dtype_part(l->dtype), least), ARG_VERDICT(l->p->op)),
                                err);
}

lun_status linalg_judge(const linalg *l, verdict_words *words, lun_error *err)
{
    TRY(plan_verdict(l->p, words, (int64_t)l->batches, err));
    return launch_spread_of(l, l->judges ? l->judges : "linalg_finish", "judge", l->batches,
                            ARGS(ARG_BLOCK(l->info), ARG_LONG(l->batches), ARG_VERDICT(l->p->op)), err);
}
