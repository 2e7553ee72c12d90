/* A stable sort by digits, the lowest first: each pass counts the digits of tiles, sums the counts up and moves the keys. */
#include "op/radix.h"
#include "base/error.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"

/* radix_gpu.cl's and sort_cpu.cl's own numbers. */
const radix_way radix_gpu = {"radix_gpu", "radix_gpu_count", "radix_gpu_move", NULL, 4, 256, 2048};
const radix_way radix_cpu = {"sort_cpu", "sort_cpu_count", "sort_cpu_move", "sort_cpu_scan", 8, 1, 0};

bool radix_is_wide(size_t count) { return count > UINT32_MAX; }

static lun_status find_kernel(cl_kernel *out, plan *p, const radix_sort *sort, const radix_way *way, const char *name,
                              lun_error *err)
{
    const program_key key = {
        .file = way->file, .dtype = sort->dtype, .defines = sort->wide ? "#define POSITION ulong\n" : NULL};
    return program_kernel(out, p->op->device, &key, name, err);
}

lun_status radix_find_kernels(plan *p, const radix_sort *sort, const radix_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    TRY(find_kernel(&kernel, p, sort, way, way->count, err));
    TRY(find_kernel(&kernel, p, sort, way, way->move, err));
done:
    return status;
}

#define TILES_A_CORE 2
#define LEAST_A_TILE ((size_t)1 << 12)

static size_t tile_of(const lun_device *device, const radix_sort *sort, const radix_way *way)
{
    const size_t tiles = ceil_div(TILES_A_CORE * device->info.units, sort->rows);
    return way->tile ? way->tile : larger(ceil_div(sort->count, tiles), LEAST_A_TILE);
}

static size_t counts_of(const lun_device *device, const radix_sort *sort, const radix_way *way)
{
    return (sort->rows * ceil_div(sort->count, tile_of(device, sort, way))) << way->digit_bits;
}

static unsigned passes_of(const radix_sort *sort, const radix_way *way)
{
    return (sort->bits + way->digit_bits - 1) / way->digit_bits;
}

lun_status radix_scratch(radix_sort *sort, plan *p, const radix_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    const unsigned passes = passes_of(sort, way), lists = passes - (sort->out || sort->end);
    const size_t keys = sort->rows * sort->count, place = sort->wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    for (unsigned i = 0; i < 2 && i < lists; i++) {
        const unsigned list = (i + 1) & 1;
        if (!sort->keys[list])
            TRY(operation_scratch(p->op, &sort->keys[list], keys * lun_dtype_bytes(sort->dtype), err));
        if (sort->places)
            TRY(operation_scratch(p->op, &sort->positions[list], keys * place, err));
    }
    TRY(operation_scratch(p->op, &sort->counts, (counts_of(p->op->device, sort, way) + 1) * sizeof(cl_long), err));
done:
    return status;
}

lun_status radix_plan_scan(plan *p, const lun_block *counts, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    launch one = {NULL, 1, {1, 1, 1}, {256, 1, 1}};
    TRY(program_kernel(&one.kernel, p->op->device, &(program_key){.file = "counts_gpu", .dtype = LUN_u8}, "counts_gpu",
                       err));
    TRY(plan_launch(p, &one, ARGS(ARG_BLOCK(counts), ARG_LONG(count)), err));
done:
    return status;
}

static lun_status plan_scan(plan *p, const radix_sort *sort, const radix_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t count = counts_of(p->op->device, sort, way);
    launch one = {NULL, 1, {1, 1, 1}, {1, 1, 1}};
    if (!way->scan)
        return radix_plan_scan(p, sort->counts, count, err);
    TRY(find_kernel(&one.kernel, p, sort, way, way->scan, err));
    TRY(plan_launch(p, &one, ARGS(ARG_BLOCK(sort->counts), ARG_LONG(count)), err));
done:
    return status;
}

/* One pass from `keys` to list `to`, or to the results. */
typedef struct radix_step {
    const lun_block *keys, *positions; /* NULL positions: those in order */
    int to;
    bool last; /* which goes to the results, where there are any */
    sort_pass pass;
} radix_step;

static lun_status plan_step(plan *p, const radix_sort *sort, const radix_way *way, const radix_step *step,
                            lun_error *err)
{
    lun_status status = LUN_OK;
    const sort_pass *pass = &step->pass;
    const lun_block *keys = step->last ? sort->out : sort->keys[step->to];
    const lun_block *positions = step->last || !sort->places ? NULL : sort->positions[step->to];
    const bool outer = p->scratch_only;
    launch groups = {NULL, 1, {(size_t)(pass->rows * pass->tiles), 1, 1}, {way->items, 1, 1}};
    p->scratch_only = true;
    TRY(find_kernel(&groups.kernel, p, sort, way, way->count, err));
    TRY(plan_launch(p, &groups, ARGS(ARG_BLOCK(sort->counts), ARG_BLOCK(step->keys), ARG_VALUE(pass)), err));
    TRY(plan_scan(p, sort, way, err));
    TRY(find_kernel(&groups.kernel, p, sort, way, way->move, err));
    p->scratch_only = !step->last || outer;
    TRY(plan_launch(p, &groups,
                    ARGS(ARG_BLOCK(keys), ARG_BLOCK(positions), ARG_BLOCK(step->last ? sort->end : NULL),
                         ARG_BLOCK(step->keys), ARG_BLOCK(step->positions), ARG_BLOCK(sort->counts), ARG_VALUE(pass)),
                    err));
    p->scratch_only = outer;
done:
    return status;
}

lun_status radix_plan(int *list, plan *p, const radix_sort *sort, const radix_way *way, lun_error *err)
{
    lun_status status = LUN_OK;
    const unsigned passes = passes_of(sort, way);
    const size_t tile = tile_of(p->op->device, sort, way);
    radix_step step = {.keys = sort->in,
                       .pass = {.rows = (cl_long)sort->rows,
                                .count = (cl_long)sort->count,
                                .tiles = (cl_long)ceil_div(sort->count, tile),
                                .tile = (cl_long)tile,
                                .flip = sort->descending ? ~(cl_ulong)0 : 0,
                                .from = sort->in_at}};
    *list = 0;
    for (unsigned i = 0; i < passes; i++) {
        step.to = *list = (int)(i + 1) & 1;
        step.last = i + 1 == passes && (sort->out || sort->end);
        step.pass.to = step.last ? sort->out_at : 0;
        step.pass.end = step.last ? sort->end_at : 0;
        step.pass.shift = i * way->digit_bits;
        TRY(plan_step(p, sort, way, &step, err));
        step.keys = sort->keys[step.to];
        step.positions = sort->places ? sort->positions[step.to] : NULL;
        step.pass.from = 0;
    }
done:
    return status;
}
