/* The variants that sort rows. */
#include "op/planning.h"
#include "op/radix.h"
#include "op/sort/sort.h"
#include "op/sort/sort_tuning.h"

static const lun_block *block_of(const lun_array *array) { return array ? array->block : NULL; }

static sort_pass pass_of(const sort_problem *p)
{
    return (sort_pass){.rows = (cl_long)p->rows,
                       .count = (cl_long)p->count,
                       .flip = p->descending ? ~(cl_ulong)0 : 0,
                       .from = p->in.offset,
                       .to = p->values ? p->values->offset : 0,
                       .end = p->positions ? p->positions->offset : 0};
}

static lun_status plan_radix(plan *out, const sort_problem *p, const radix_kernels *kernels, lun_error *err)
{
    int ignored;
    radix_sort sort = {.dtype = p->in.dtype,
                       .rows = p->rows,
                       .count = p->count,
                       .bits = 8 * (unsigned)lun_dtype_bytes(p->in.dtype),
                       .descending = p->descending,
                       .places = p->positions != NULL,
                       .wide = p->count > kernels->most,
                       .in = p->in.block,
                       .in_at = p->in.offset};
    if (p->values)
        sort.out = p->values->block, sort.out_at = p->values->offset;
    if (p->positions)
        sort.end = p->positions->block, sort.end_at = p->positions->offset;
    TRY(radix_find_kernels(out, &sort, kernels, err));
    TRY(radix_scratch(&sort, out, kernels, err));
    return radix_plan(&ignored, out, &sort, kernels, err);
}

static bool gpu_applies(const lun_device *device, const void *problem)
{
    (void)problem;
    return device->info.max_group >= radix_bytes.items;
}

static lun_status plan_bytes(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_radix(out, data, &radix_bytes, err);
}

static bool once_applies(const lun_device *device, const void *problem)
{
    return variant_groups_go_on(device) && gpu_applies(device, problem);
}

static lun_status plan_once(plan *out, const variant *row, const void *data, lun_error *err)
{
    return plan_radix(out, data, row->nvidia ? &radix_nvidia : &radix_once, err);
}

/* Networks do more work than passes by bytes, but in vectors. */
#define NETWORK_ROWS 4

static bool network_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    const size_t most =
        device->info.vector_f32 >= 16 ? sort_tuned(device)->network_wide : sort_tuned(device)->network_narrow;
    return variant_on_cpu(device, data) &&
           (!p || (p->count <= most && p->rows >= NETWORK_ROWS && lun_dtype_bytes(p->in.dtype) <= 4));
}

static lun_status plan_network(plan *out, const variant *row, const void *data, lun_error *err)
{
    const sort_problem *p = data;
    const sort_pass pass = pass_of(p);
    return plan_spread(out, &(program_key){.file = row->file, .dtype = p->in.dtype}, "sort_network",
                       ceil_div(p->rows, NETWORK_ROWS), 1,
                       ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                            ARG_VALUE(&pass)),
                       err);
}

/* Long rows, too few to give each core a row. */

static bool cpu_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    return variant_on_cpu(device, data) &&
           (!p || (p->count >= sort_tuned(device)->cpu_row && p->rows < 4 * (size_t)device->info.units));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_radix(out, data, &radix_cpu, err);
}

#define BITONIC_ITEMS 256

static bool bitonic_applies(const lun_device *device, const void *data)
{
    const sort_problem *p = data;
    return device->info.max_group >= BITONIC_ITEMS && (!p || p->count <= SORT_ROOM);
}

static lun_status plan_bitonic(plan *out, const variant *row, const void *data, lun_error *err)
{
    const sort_problem *p = data;
    sort_pass pass = pass_of(p);
    launch groups = {NULL, 1, {1, 1, 1}, {BITONIC_ITEMS, 1, 1}};
    for (pass.tile = 1; pass.tile < pass.count;)
        pass.tile *= 2;
    groups.groups[0] = ceil_div(p->rows, SORT_ROOM / (size_t)pass.tile);
    TRY(program_kernel(&groups.kernel, out->op->device, &(program_key){.file = row->file, .dtype = p->in.dtype},
                       "sort_bitonic", err));
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                            ARG_VALUE(&pass)),
                       err);
}

#define SMALL_ROW 40 /* as in sort_plain.cl: these need no scratch memory */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const sort_problem *p = data;
    const sort_pass pass = pass_of(p);
    const bool wide = p->count > UINT32_MAX, small = p->count <= SMALL_ROW;
    const size_t place = wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    lun_block *temp = NULL, *places = NULL;
    cl_kernel kernel;
    const program_key key = {
        .file = row->file, .dtype = p->in.dtype, .defines = wide ? "#define POSITION ulong\n" : NULL};
    TRY(program_kernel(&kernel, out->op->device, &key, "sort_plain", err));
    const launch groups = launch_spread(out->op->device, kernel, p->rows, 1);
    const size_t room = 2 * groups.groups[0] * groups.local[0] * p->count;
    if (!small)
        TRY(operation_scratch(out->op, &temp, room * lun_dtype_bytes(p->in.dtype), err));
    if (!small && p->positions)
        TRY(operation_scratch(out->op, &places, room * place, err));
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(block_of(p->values)), ARG_BLOCK(block_of(p->positions)), ARG_BLOCK(p->in.block),
                            ARG_BLOCK(temp), ARG_BLOCK(places), ARG_VALUE(&pass)),
                       err);
}

/* bitonic  a group sorts rows of at most SORT_ROOM elements in local memory: GPUs; anywhere by name.
 * nvidia   as once, with PTX: what keys of a warp have the same digit is found by ballots.
 * once     rows in passes by 8 bits that read each key once: tiles tell those behind them their counts: GPUs
 *          whose groups go on while others wait.
 * bytes    rows in passes by 8 bits, a group orders a tile in local memory first: GPUs; anywhere by name.
 * network  rows of at most 1024 elements of 4 bytes, some side by side in vectors: CPUs.
 * cpu      few long rows in passes by a byte, a work-item to a tile: CPUs.
 * plain    a work-item to a row, by insertion or by bytes: every device. */
static const variant rows[] = {
    {.name = "bitonic", .file = "sort_bitonic", ON_GPU, .applies = bitonic_applies, .plan = plan_bitonic},
    {.name = "nvidia", .file = "radix_once", ON_NVIDIA(7), .applies = once_applies, .plan = plan_once},
    {.name = "once", .file = "radix_once", ON_GPU, .applies = once_applies, .plan = plan_once},
    {.name = "bytes", .file = "radix_bytes", ON_GPU, .applies = gpu_applies, .plan = plan_bytes},
    {.name = "network", .file = "sort_network", ON_CPU, .applies = network_applies, .plan = plan_network},
    {.name = "cpu", .file = "sort_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "plain", .file = "sort_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants sort_variants = {rows, COUNT(rows)};
