/* The tree over bodies: its memory, and the commands that build it (tree_build.cl). */
#include "packages/nbody/tree.h"
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"

#include <stdio.h>

#define MOST_BOXES 128 /* one work-item joins them */
/* Counts that one group scans; more are scanned in parts of that many, or that many parts. */
#ifdef LUN_FAULTS
#define SCAN_PART ((size_t)16)
#else
#define SCAN_PART ((size_t)4096)
#endif
#define SCAN_PARTS ((size_t)1024)

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static size_t tile_of(const force *f, const lun_device *device)
{
    const nbody_tuning *tuned = nbody_tuned(device);
    const size_t tiles = tuned->core_tiles * device->info.units;
    return device_group(device) > 1 ? tuned->gpu_tile : larger(ceil_div(f->of->active, tiles), tuned->least_tile);
}

static size_t tiles_of(const force *f, const lun_device *device) { return ceil_div(f->of->active, tile_of(f, device)); }

static size_t counts_of(const force *f, const lun_device *device) { return TREE_LEVELS * tiles_of(f, device); }

tree_targets tree_all_targets(const force *f) { return (tree_targets){0, f->of->count}; }

bool tree_is_shared(const force *f, tree_targets targets)
{
    return targets.first == 0 && targets.count == f->of->active;
}

const lun_block *tree_order(const force *f, tree_targets targets)
{
    return f->kept[tree_is_shared(f, targets) ? TREE_SOURCES : TREE_TARGETS].block;
}

lun_status tree_create(force *f, lun_device *device, tree_targets targets, lun_error *err)
{
    const size_t sources = f->of->active, most = larger(sources, targets.count);
    const size_t real = lun_dtype_bytes(f->of->dtype), sorted = ceil_div(4 * real * sources, sizeof(cl_ulong));
    const struct {
        lun_dtype dtype;
        size_t size;
    } made[TREE_KEPT] = {
        [TREE_KEYS] = {LUN_u64, larger(2 * most, sorted)},
        [TREE_SPARE] = {LUN_u32, most},
        [TREE_SOURCES] = {LUN_u32, sources},
        [TREE_TARGETS] = {LUN_u32, tree_is_shared(f, targets) ? 0 : targets.count},
        [TREE_CELLS] = {LUN_u8, TREE_ROOM(sources) * TREE_CELL_BYTES(real)},
        [TREE_COUNTS] = {LUN_i64, counts_of(f, device) + 2 + SCAN_PARTS},
        [TREE_REALS] = {f->of->dtype, TREE_FRAME + TREE_BOX * MOST_BOXES},
        [TREE_SOFTS] = {f->of->dtype, f->of->has_softs ? sources : 0},
    };
    for (int i = 0; i < TREE_KEPT; i++)
        if (made[i].size)
            TRY(lun_array_create(&f->kept[i], device, made[i].dtype, 1, &made[i].size, err));
    return LUN_OK;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static lun_status find_kernel(cl_kernel *out, const bodies *b, lun_device *device, const char *name, lun_error *err)
{
    const program_key key = {.file = "tree_build", .dtype = b->dtype};
    return program_kernel(out, device, &key, name, err);
}

static const radix_kernels *sorting_kernels(const force *f) { return f->items ? &radix_bytes : &radix_cpu; }

static radix_sort sort_of(const force *f, const lun_array *order, size_t count)
{
    const lun_array *keys = &f->kept[TREE_KEYS];
    return (radix_sort){.dtype = LUN_u64,
                        .rows = 1,
                        .count = count,
                        .bits = 3 * TREE_DEPTH,
                        .places = true,
                        .in = keys->block,
                        .keys = {keys->block, keys->block},
                        .keys_at = {0, (int64_t)count},
                        .positions = {order->block, f->kept[TREE_SPARE].block}};
}

lun_status tree_find_kernels(const force *f, plan *p, lun_error *err)
{
    cl_kernel kernel;
    const radix_sort sort = sort_of(f, &f->kept[TREE_SOURCES], 1);
    TRY(find_kernel(&kernel, f->of, p->op->device, "tree_box", err));
    return radix_find_kernels(p, &sort, sorting_kernels(f), err);
}

/* ---- the commands ----------------------------------------------------------------------------------------------- */

/* count: of bodies, behind which are points; negative: of those of each of several systems. */
static void say_fault(char *text, size_t room, const lun_verdict *found, int64_t count)
{
    static const struct {
        const char *of, *is, *wanted;
    } faults[] = {
        [TREE_NAN_POSITION] = {"position", "NaN", "positions must be finite"},
        [TREE_INFINITE_POSITION] = {"position", "infinite", "positions must be finite"},
        [TREE_NEGATIVE_MASS] = {"mass", "negative", "masses must be finite and 0 or more"},
        [TREE_NAN_MASS] = {"mass", "NaN", "masses must be finite and 0 or more"},
        [TREE_INFINITE_MASS] = {"mass", "infinite", "masses must be finite and 0 or more"},
        [TREE_WRONG_SOFTENING] = {"softening", "NaN or too large", "softenings must be finite"},
    };
    const bool is_batch = count < 0, is_body = is_batch || found->position < count;
    char system[40] = "";
    if (is_batch)
        snprintf(system, sizeof system, " of system %lld", (long long)(found->position / -count) + 1);
    const int64_t place = is_batch ? found->position % -count : found->position - (is_body ? 0 : count);
    snprintf(text, room, "the %s of %s %lld%s is %s; with accuracy, %s", faults[found->value].of,
             is_body ? "body" : "point", (long long)place + 1, system, faults[found->value].is,
             faults[found->value].wanted);
}

lun_status tree_plan_check(plan *p, const bodies *b, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const size_t last = b->count + b->points;
    const bool before = p->scratch_only;
    TRY_DONE(find_kernel(&kernel, b, p->op->device, "tree_check", err));
    TRY_DONE(plan_verdict(p, say_fault, b->systems > 1 ? -(int64_t)b->count : (int64_t)b->count, err));
    launch spread = launch_spread(p->op->device, kernel, last, nbody_tuned(p->op->device)->keyed);
    spread.dims = 2;
    spread.groups[1] = b->systems;
    p->scratch_only = true;
    TRY_DONE(plan_launch(p, &spread,
                         ARGS(ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->active), ARG_LONG(b->has_softs),
                              ARG_LONG(last), ARG_VERDICT(p->op)),
                         err));
done:
    p->scratch_only = before;
    return status;
}

/* The box around all, and keys to a unit of length. */
static lun_status plan_frame(plan *p, const force *f, tree_targets targets, lun_error *err)
{
    lun_device *device = p->op->device;
    const bodies *b = f->of;
    const lun_array *reals = &f->kept[TREE_REALS], *counts = &f->kept[TREE_COUNTS];
    cl_kernel kernel;
    const size_t last = larger(b->active, targets.first + targets.count);
    TRY(plan_verdict(p, say_fault, (int64_t)b->count, err));
    TRY(find_kernel(&kernel, f->of, device, "tree_box", err));
    launch spread = launch_spread(device, kernel, last, nbody_tuned(device)->keyed);
    spread.groups[0] = smaller(spread.groups[0], MOST_BOXES);
    TRY(plan_launch(p, &spread,
                    ARGS(ARG_BLOCK(reals->block), ARG_LONG(TREE_FRAME), ARG_BLOCK(b->rows.block), ARG_LONG(b->size),
                         ARG_LONG(b->active), ARG_LONG(b->has_softs), ARG_LONG(targets.first),
                         ARG_LONG(targets.first + targets.count), ARG_VERDICT(p->op)),
                    err));
    TRY(find_kernel(&kernel, f->of, device, "tree_frame", err));
    return plan_launch(p, &(launch){kernel, 1, {1, 1, 1}, {1, 1, 1}},
                       ARGS(ARG_BLOCK(reals->block), ARG_LONG(TREE_FRAME), ARG_LONG(spread.groups[0]),
                            ARG_BLOCK(counts->block), ARG_LONG(counts_of(f, device) + 1)),
                       err);
}

/* Keys of rows of bodies, and their order. */
static lun_status plan_order(plan *p, const force *f, const lun_array *order, tree_targets rows, lun_error *err)
{
    lun_device *device = p->op->device;
    const bodies *b = f->of;
    cl_kernel kernel;
    int list;
    radix_sort sort = sort_of(f, order, rows.count);
    TRY(radix_scratch(&sort, p, sorting_kernels(f), err));
    TRY(find_kernel(&kernel, f->of, device, "tree_keys", err));
    const launch spread = launch_spread(device, kernel, rows.count, nbody_tuned(device)->keyed);
    TRY(plan_launch(p, &spread,
                    ARGS(ARG_BLOCK(sort.in), ARG_BLOCK(f->kept[TREE_REALS].block), ARG_BLOCK(b->rows.block),
                         ARG_LONG(b->size), ARG_LONG(rows.first), ARG_LONG(rows.count)),
                    err));
    return radix_plan(&list, p, &sort, sorting_kernels(f), err);
}

/* The scan of n counts; behind them come their sum, the size of leaves, and the sums of parts. */
static lun_status plan_scan(plan *p, const force *f, size_t n, int leaf, lun_error *err)
{
    lun_device *device = p->op->device;
    const lun_block *counts = f->kept[TREE_COUNTS].block;
    const size_t part = larger(SCAN_PART, ceil_div(n, SCAN_PARTS)), parts = ceil_div(n, part), sums = n + 2;
    const size_t from = parts > 1 ? sums : 0, end = parts > 1 ? sums + parts : n;
    launch one = {NULL, 1, {1, 1, 1}, {device_group(device), 1, 1}}, each = one;
    each.groups[0] = parts;
    TRY(find_kernel(&one.kernel, f->of, device, "tree_scan", err));
    if (parts > 1) {
        TRY(find_kernel(&each.kernel, f->of, device, "tree_sums", err));
        TRY(plan_launch(p, &each, ARGS(ARG_BLOCK(counts), ARG_LONG(n + 1), ARG_LONG(n), ARG_LONG(part), ARG_LONG(sums)),
                        err));
    }
    TRY(plan_launch(p, &one,
                    ARGS(ARG_BLOCK(counts), ARG_LONG(n + 1), ARG_LONG(n), ARG_LONG(from), ARG_LONG(end),
                         ARG_LONG(TREE_ROOM(f->of->active)), ARG_LONG(leaf)),
                    err));
    if (parts > 1) {
        TRY(find_kernel(&each.kernel, f->of, device, "tree_spread", err));
        TRY(plan_launch(p, &each, ARGS(ARG_BLOCK(counts), ARG_LONG(n + 1), ARG_LONG(n), ARG_LONG(part), ARG_LONG(sums)),
                        err));
    }
    return LUN_OK;
}

/* The cells, with leaves as small as there is room for. */
static lun_status plan_cells(plan *p, const force *f, lun_error *err)
{
    static const int leaves[] = {TREE_LEAF, TREE_NEXT_LEAF, TREE_LAST_LEAF};
    lun_device *device = p->op->device;
    const lun_block *counts = f->kept[TREE_COUNTS].block, *keys = f->kept[TREE_KEYS].block;
    const size_t sources = f->of->active, tile = tile_of(f, device), tiles = tiles_of(f, device),
                 n = counts_of(f, device);
    const size_t state = n + 1;
    cl_kernel kernel;
    for (size_t i = 0; i < COUNT(leaves); i++) {
        TRY(find_kernel(&kernel, f->of, device, "tree_count", err));
        const launch spread = launch_spread(device, kernel, tiles, 1);
        TRY(plan_launch(p, &spread,
                        ARGS(ARG_BLOCK(counts), ARG_LONG(state), ARG_BLOCK(keys), ARG_LONG(sources), ARG_LONG(tiles),
                             ARG_LONG(tile), ARG_LONG(leaves[i])),
                        err));
        TRY(plan_scan(p, f, n, leaves[i], err));
    }
    TRY(find_kernel(&kernel, f->of, device, "tree_cells", err));
    const launch spread = launch_spread(device, kernel, tiles, 1);
    return plan_launch(p, &spread,
                       ARGS(ARG_BLOCK(f->kept[TREE_CELLS].block), ARG_BLOCK(counts), ARG_LONG(state), ARG_BLOCK(keys),
                            ARG_LONG(sources), ARG_LONG(tiles), ARG_LONG(tile)),
                       err);
}

/* The bodies in the tree's order, and the cells' moments from the deepest level up. */
static lun_status plan_moments(plan *p, const force *f, lun_error *err)
{
    lun_device *device = p->op->device;
    const bodies *b = f->of;
    const lun_block *sorted = f->kept[TREE_KEYS].block, *softs = f->kept[TREE_SOFTS].block;
    cl_kernel kernel;
    TRY(find_kernel(&kernel, f->of, device, "tree_gather", err));
    launch spread = launch_spread(device, kernel, b->active, nbody_tuned(device)->keyed);
    TRY(plan_launch(p, &spread,
                    ARGS(ARG_BLOCK(sorted), ARG_BLOCK(softs), ARG_BLOCK(f->kept[TREE_SOURCES].block),
                         ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(b->active)),
                    err));
    TRY(find_kernel(&kernel, f->of, device, "tree_moments", err));
    spread = launch_spread(device, kernel, TREE_ROOM(b->active), nbody_tuned(device)->celled);
    for (int level = TREE_LEVELS - 1; level >= 0; level--)
        TRY(plan_launch(p, &spread,
                        ARGS(ARG_BLOCK(f->kept[TREE_CELLS].block), ARG_BLOCK(sorted), ARG_BLOCK(softs),
                             ARG_BLOCK(f->kept[TREE_COUNTS].block), ARG_LONG(tiles_of(f, device)), ARG_LONG(level)),
                        err));
    return LUN_OK;
}

lun_status tree_plan_build(plan *p, const force *f, tree_targets targets, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool before = p->scratch_only;
    p->scratch_only = true;
    TRY_DONE(plan_frame(p, f, targets, err));
    if (!tree_is_shared(f, targets))
        TRY_DONE(plan_order(p, f, &f->kept[TREE_TARGETS], targets, err));
    TRY_DONE(plan_order(p, f, &f->kept[TREE_SOURCES], (tree_targets){0, f->of->active}, err));
    TRY_DONE(plan_cells(p, f, err));
    TRY_DONE(plan_moments(p, f, err));
done:
    p->scratch_only = before;
    return status;
}
