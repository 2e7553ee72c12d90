/* A stable sort by digits, the lowest first: each pass counts the digits of tiles, sums the counts and moves the
 * keys. */
#include "op/radix.h"
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/tuning.h"

#include <stdio.h>

#define ONCE                                                                                                           \
    .file = "radix_once", .count = "radix_once_count", .move = "radix_once_move", .scan = "radix_once_begin",          \
    .digit_bits = 8, .items = 256, .tile_bytes = RADIX_TILE_BYTES, .clear = "radix_once_clear",                        \
    .most = ((size_t)1 << 30) - RADIX_TILE_BYTES /* two bits of a reported word are not part of the count */

const radix_kernels radix_bytes = {.file = "radix_bytes",
                                   .count = "radix_bytes_count",
                                   .move = "radix_bytes_move",
                                   .scan = "radix_bytes_scan",
                                   .digit_bits = 8,
                                   .items = 256,
                                   .tile_bytes = RADIX_TILE_BYTES,
                                   .bases = "radix_bytes_bases",
                                   .most = UINT32_MAX};
const radix_kernels radix_once = {ONCE};
const radix_kernels radix_nvidia = {ONCE, .defines = "#define PTX 1\n"};
const radix_kernels radix_cpu = {.file = "sort_cpu",
                                 .count = "sort_cpu_count",
                                 .move = "sort_cpu_move",
                                 .scan = "sort_cpu_scan",
                                 .digit_bits = 8,
                                 .items = 1,
                                 .most = UINT32_MAX};

static lun_status find_kernel(cl_kernel *out, plan *p, const radix_sort *sort, const radix_kernels *kernels,
                              const char *name, lun_error *err)
{
    char defines[100];
    const program_key key = {.file = kernels->file, .dtype = sort->dtype, .defines = defines};
    snprintf(defines, sizeof defines, "%s%s", kernels->defines ? kernels->defines : "",
             sort->wide ? "#define POSITION ulong\n#define POSITION_BYTES 8\n" : "");
    return program_kernel(out, p->op->device, &key, name, err);
}

lun_status radix_find_kernels(plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err)
{
    cl_kernel kernel;
    TRY(find_kernel(&kernel, p, sort, kernels, kernels->count, err));
    return find_kernel(&kernel, p, sort, kernels, kernels->move, err);
}

/* Measured constants of passes by digits. */
#define RADIX_TUNING(TUNED)                                                                                            \
    TUNED(size_t, core_tiles, 2)       /* of a core of a CPU */                                                        \
    TUNED(size_t, least_tile, 1 << 12) /* keys of one, at least */                                                     \
    TUNED(size_t, count_groups, 8)     /* that count on each unit of a GPU */                                          \
    TUNED(size_t, count_part, 2048)    /* keys of one, a multiple of */                                                \
    TUNED(size_t, clear_groups, 256)

DEFINE_TUNING(radix, RADIX_TUNING,
              "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")

static size_t place_bytes(const radix_sort *sort) { return sort->wide ? sizeof(cl_ulong) : sizeof(cl_uint); }

static size_t tile_of(const lun_device *device, const radix_sort *sort, const radix_kernels *kernels)
{
    const size_t tiles = ceil_div(radix_tuned(device)->core_tiles * device->info.units, sort->rows);
    if (kernels->tile_bytes)
        return kernels->tile_bytes / larger(lun_dtype_bytes(sort->dtype), place_bytes(sort));
    return larger(ceil_div(sort->count, tiles), radix_tuned(device)->least_tile);
}

/* The number of counts of all tiles, in each pass. */
static size_t counts_of(const lun_device *device, const radix_sort *sort, const radix_kernels *kernels)
{
    return (sort->rows * ceil_div(sort->count, tile_of(device, sort, kernels))) << kernels->digit_bits;
}

static unsigned passes_of(const radix_sort *sort, const radix_kernels *kernels)
{
    return (sort->bits + kernels->digit_bits - 1) / kernels->digit_bits;
}

/* Words of 4 bytes before the two lists of tiles' reports in radix_once.cl. */
static size_t words_before_lists(const radix_sort *sort, const radix_kernels *kernels)
{
    return RADIX_COUNTERS + (sort->rows * lun_dtype_bytes(sort->dtype) * 2 << kernels->digit_bits);
}

static size_t counts_bytes(const lun_device *device, const radix_sort *sort, const radix_kernels *kernels)
{
    const size_t counts = counts_of(device, sort, kernels), place = place_bytes(sort);
    if (kernels->clear)
        return words_before_lists(sort, kernels) * sizeof(cl_uint) + 2 * counts * place;
    return kernels->bases ? (counts + (sort->rows << kernels->digit_bits)) * place : (counts + 1) * sizeof(cl_long);
}

lun_status radix_scratch(radix_sort *sort, plan *p, const radix_kernels *kernels, lun_error *err)
{
    const unsigned passes = passes_of(sort, kernels), lists = passes - (sort->out || sort->end);
    const size_t keys = sort->rows * sort->count;
    for (unsigned i = 0; i < 2 && i < lists; i++) {
        const unsigned list = (i + 1) & 1;
        if (!sort->keys[list])
            TRY(operation_scratch(p->op, &sort->keys[list], keys * lun_dtype_bytes(sort->dtype), err));
        if (sort->places && !sort->positions[list])
            TRY(operation_scratch(p->op, &sort->positions[list], keys * place_bytes(sort), err));
    }
    return operation_scratch(p->op, &sort->counts, counts_bytes(p->op->device, sort, kernels), err);
}

lun_status radix_plan_scan(plan *p, const lun_block *counts, size_t count, lun_error *err)
{
    launch one = {NULL, 1, {1, 1, 1}, {256, 1, 1}};
    TRY(program_kernel(&one.kernel, p->op->device, &(program_key){.file = "counts_gpu", .dtype = LUN_u8}, "counts_gpu",
                       err));
    return plan_launch(p, &one, ARGS(ARG_BLOCK(counts), ARG_LONG(count)), err);
}

/* The scan of a variant that has bases. */
static lun_status plan_digits(plan *p, const radix_sort *sort, const radix_kernels *kernels, const sort_pass *pass,
                              lun_error *err)
{
    launch digits = {NULL, 1, {sort->rows << kernels->digit_bits, 1, 1}, {kernels->items, 1, 1}};
    launch each_row = {NULL, 1, {sort->rows, 1, 1}, {kernels->items, 1, 1}};
    TRY(find_kernel(&digits.kernel, p, sort, kernels, kernels->scan, err));
    TRY(plan_launch(p, &digits, ARGS(ARG_BLOCK(sort->counts), ARG_VALUE(pass)), err));
    TRY(find_kernel(&each_row.kernel, p, sort, kernels, kernels->bases, err));
    return plan_launch(p, &each_row, ARGS(ARG_BLOCK(sort->counts), ARG_VALUE(pass)), err);
}

static lun_status plan_scan(plan *p, const radix_sort *sort, const radix_kernels *kernels, const sort_pass *pass,
                            lun_error *err)
{
    const size_t count = counts_of(p->op->device, sort, kernels);
    launch one = {NULL, 1, {1, 1, 1}, {1, 1, 1}};
    if (kernels->bases)
        return plan_digits(p, sort, kernels, pass, err);
    if (!kernels->scan)
        return radix_plan_scan(p, sort->counts, count, err);
    TRY(find_kernel(&one.kernel, p, sort, kernels, kernels->scan, err));
    return plan_launch(p, &one, ARGS(ARG_BLOCK(sort->counts), ARG_LONG(count)), err);
}

/* The work before the first pass, in a variant that counts the digits of all passes at once. */
static lun_status plan_counts(plan *p, const radix_sort *sort, const radix_kernels *kernels, const sort_pass *pass,
                              lun_error *err)
{
    const lun_device *device = p->op->device;
    const struct radix_tuning *tuned = radix_tuned(device);
    const size_t list = counts_of(device, sort, kernels) * place_bytes(sort) / sizeof(cl_uint);
    const size_t words = words_before_lists(sort, kernels) + list;
    const size_t parts = ceil_div(tuned->count_groups * device->info.units, sort->rows);
    const size_t part = ceil_div(ceil_div(sort->count, parts), tuned->count_part) * tuned->count_part;
    const size_t bases = sort->rows * lun_dtype_bytes(sort->dtype);
    launch clear = {
        NULL, 1, {smaller(ceil_div(words, kernels->items), tuned->clear_groups), 1, 1}, {kernels->items, 1, 1}};
    launch count = {NULL, 1, {sort->rows * ceil_div(sort->count, part), 1, 1}, {kernels->items, 1, 1}};
    launch begin = {NULL, 1, {bases, 1, 1}, {kernels->items, 1, 1}};
    sort_pass parted = *pass;
    parted.tile = (cl_long)part;
    parted.tiles = (cl_long)ceil_div(sort->count, part);
    TRY(find_kernel(&clear.kernel, p, sort, kernels, kernels->clear, err));
    TRY(find_kernel(&count.kernel, p, sort, kernels, kernels->count, err));
    TRY(find_kernel(&begin.kernel, p, sort, kernels, kernels->scan, err));
    TRY(plan_launch(p, &clear, ARGS(ARG_BLOCK(sort->counts), ARG_LONG(words)), err));
    TRY(plan_launch(p, &count, ARGS(ARG_BLOCK(sort->counts), ARG_BLOCK(sort->in), ARG_VALUE(&parted)), err));
    return plan_launch(p, &begin, ARGS(ARG_BLOCK(sort->counts)), err);
}

/* One pass from `keys` to list `to`, or to the results. */
typedef struct radix_step {
    const lun_block *keys, *positions; /* NULL positions: those in order */
    int to;
    bool last; /* which writes the results, if there are any */
    sort_pass pass;
} radix_step;

static lun_status plan_step(plan *p, const radix_sort *sort, const radix_kernels *kernels, const radix_step *step,
                            lun_error *err)
{
    const sort_pass *pass = &step->pass;
    const lun_block *keys = step->last ? sort->out : sort->keys[step->to];
    const lun_block *positions = step->last || !sort->places ? NULL : sort->positions[step->to];
    launch groups = {NULL, 1, {(size_t)(pass->rows * pass->tiles), 1, 1}, {kernels->items, 1, 1}};
    if (!kernels->clear) {
        TRY(find_kernel(&groups.kernel, p, sort, kernels, kernels->count, err));
        TRY(plan_launch(p, &groups, ARGS(ARG_BLOCK(sort->counts), ARG_BLOCK(step->keys), ARG_VALUE(pass)), err));
        TRY(plan_scan(p, sort, kernels, pass, err));
    }
    TRY(find_kernel(&groups.kernel, p, sort, kernels, kernels->move, err));
    return plan_launch(p, &groups,
                       ARGS(ARG_BLOCK(keys), ARG_BLOCK(positions), ARG_BLOCK(step->last ? sort->end : NULL),
                            ARG_BLOCK(step->keys), ARG_BLOCK(step->positions), ARG_BLOCK(sort->counts),
                            ARG_VALUE(pass)),
                       err);
}

lun_status radix_plan(int *list, plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err)
{
    const unsigned passes = passes_of(sort, kernels);
    const size_t tile = tile_of(p->op->device, sort, kernels);
    radix_step step = {.keys = sort->in,
                       .pass = {.rows = (cl_long)sort->rows,
                                .count = (cl_long)sort->count,
                                .tiles = (cl_long)ceil_div(sort->count, tile),
                                .tile = (cl_long)tile,
                                .flip = sort->descending ? ~(cl_ulong)0 : 0,
                                .from = sort->in_at}};
    *list = 0;
    if (kernels->clear)
        TRY(plan_counts(p, sort, kernels, &step.pass, err));
    for (unsigned i = 0; i < passes; i++) {
        step.to = *list = (int)(i + 1) & 1;
        step.last = i + 1 == passes && (sort->out || sort->end);
        step.pass.to = step.last ? sort->out_at : sort->keys_at[step.to];
        step.pass.end = step.last ? sort->end_at : 0;
        step.pass.shift = i * kernels->digit_bits;
        TRY(plan_step(p, sort, kernels, &step, err));
        step.keys = sort->keys[step.to];
        step.positions = sort->places ? sort->positions[step.to] : NULL;
        step.pass.from = sort->keys_at[step.to];
    }
    return LUN_OK;
}
