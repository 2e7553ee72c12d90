/* Transposing, and any copy between two orders of axes: the form that problems are brought to, on CPUs and anywhere. */
#include "abi/move.h"
#include "op/move/move.h"
#include "op/move/move_tuning.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the form that variants get --------------------------------------------------------------------------------- */

static void remove_axis(axis_pairs *a, int at)
{
    a->count--;
    for (int i = at; i < a->count; i++)
        a->size[i] = a->size[i + 1], a->dst[i] = a->dst[i + 1], a->src[i] = a->src[i + 1];
}

transpose_problem transpose_find_problem(const lun_array *dst, const lun_array *src)
{
    axis_pairs a = shape_axis_pairs(dst, src);
    transpose_problem p = {.dst = dst,
                           .src = src,
                           .dst_first = a.dst_first,
                           .src_first = a.src_first,
                           .rows = 1,
                           .columns = 1,
                           .batch = 1,
                           .dst_row = 1,
                           .src_column = 1};
    int near = a.count - 1; /* innermost axis of src; of two equal strides the one that is innermost in dst */
    for (int i = a.count - 2; i >= 0; i--)
        if (llabs(a.src[i]) < llabs(a.src[near]))
            near = i;
    p.same_order = near == a.count - 1;
    if (a.count > 0) {
        int last = a.count - 1;
        p.rows = a.size[last], p.dst_row = a.dst[last], p.src_row = a.src[last];
        if (near != last)
            p.columns = a.size[near], p.dst_column = a.dst[near], p.src_column = a.src[near];
        remove_axis(&a, last);
        if (near != last)
            remove_axis(&a, near);
    }
    p.to = layout_of(a.count, a.size, a.dst);
    p.from = layout_of(a.count, a.size, a.src);
    for (int i = 0; i < a.count; i++)
        p.batch *= a.size[i];
    return p;
}

transpose_shape transpose_shape_of(const transpose_problem *p)
{
    return (transpose_shape){p->dst_first,  p->src_first, (cl_long)p->rows, (cl_long)p->columns, p->dst_row,
                             p->dst_column, p->src_row,   p->src_column,    (cl_long)p->batch};
}

#define TRANSPOSE_TILED 8 /* bytes of the largest item that kernels with tiles move */

bool transpose_tiles(const transpose_problem *p)
{
    return !p->same_order && p->dst_row == 1 && p->src_column == 1 && lun_dtype_bytes(p->dst->dtype) <= TRANSPOSE_TILED;
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

lun_status transpose_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const transpose_problem *p = data;
    const program_key key = {.file = row->file, .dtype = dtype_of_bytes(lun_dtype_bytes(p->dst->dtype))};
    const transpose_shape shape = transpose_shape_of(p);
    size_t tiles = ceil_div(p->rows, TRANSPOSE_PLAIN_TILE) * ceil_div(p->columns, TRANSPOSE_PLAIN_TILE) * p->batch;
    return plan_spread(out, &key, "transpose_plain", tiles, 256,
                       ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                            ARG_VALUE(&shape)),
                       err);
}

/* ---- on CPUs: one work-item a group -------------------------------------------------------------------------------- */

/* A device uses the first row whose vector is not longer than its own. The row of 16 floats was measured on two cores each of
 * two Intel Xeons (AVX-512, 2 MiB and 1 MiB of second-level cache), the other row on two cores of an EPYC (Zen 3, AVX2), both
 * with PoCL 3.1. Rows a power of two apart lie in one memory channel, which limits them; large pages change nothing. */
static const struct cpu_tuning {
    unsigned vector; /* floats in a vector register, at least */
    size_t per_unit; /* work-items per core */
    size_t bytes;    /* of the vectors that tiles are turned in */
    size_t ahead;    /* rows that copying a strip prefetches; 0: the next strip is prefetched while tiles are turned */
    /* Indexed by the bytes of an item: */
    size_t run[9];  /* bytes of a row of dst that are written together */
    size_t span[9]; /* bytes of a row of src that are read together */
} cpu_tunings[] = {
    {16, 32, 64, 6, {[1] = 512, [2] = 512, [4] = 1024, [8] = 1024}, {[1] = 512, [2] = 256, [4] = 256, [8] = 512}},
    {0, 16, 16, 0, {[1] = 1024, [2] = 1024, [4] = 1024, [8] = 1024}, {[1] = 256, [2] = 256, [4] = 256, [8] = 512}},
};

static const struct cpu_tuning *cpu_tuning(const lun_device *device)
{
    const struct cpu_tuning *row = cpu_tunings;
    while (row->vector > device->info.vector_f32)
        row++;
    return row;
}

static lun_status cpu_kernel(cl_kernel *out, const variant *row, const transpose_problem *p, lun_error *err)
{
    char defines[160];
    const size_t item = lun_dtype_bytes(p->dst->dtype);
    const struct cpu_tuning *tuned = cpu_tuning(p->dst->device);
    snprintf(defines, sizeof defines,
             "#define SPAN_BYTES %zu\n#define RUN_BYTES %zu\n#define AHEAD %zu\n#define VECTOR_BYTES %zu\n",
             tuned->span[item], tuned->run[item], tuned->ahead, tuned->bytes);
    return program_kernel(out, p->dst->device,
                          &(program_key){.file = row->file, .dtype = dtype_of_bytes(item), .defines = defines},
                          "transpose_cpu", err);
}

/* How many blocks n items make: a rest of no more than a line goes to the last one. */
static size_t blocks_of(size_t n, size_t block, size_t item)
{
    const size_t rest = TRANSPOSE_CPU_LINE / item;
    return n <= block + rest ? 1 : ceil_div(n - rest, block);
}

bool transpose_cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || transpose_tiles(data));
}

lun_status transpose_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const transpose_problem *p = data;
    const lun_device *device = out->op->device;
    const struct cpu_tuning *tuned = cpu_tuning(device);
    const size_t item = lun_dtype_bytes(p->dst->dtype), bytes = lun_array_bytes(p->dst);
    const size_t row_block = tuned->run[item] / item, column_block = tuned->span[item] / item;
    const size_t row_blocks = blocks_of(p->rows, row_block, item);
    const size_t column_blocks = blocks_of(p->columns, column_block, item);
    const size_t jobs = row_blocks * column_blocks * p->batch;
    const size_t items =
        bytes <= move_tuned(device)->cpu_alone ? 1 : smaller(jobs, device->info.units * tuned->per_unit);
    const size_t per_item = ceil_div(jobs, items);
    const transpose_blocks blocks = {
        .dst = p->dst_first,
        .src = p->src_first,
        .rows = (cl_long)p->rows,
        .columns = (cl_long)p->columns,
        .dst_step = p->dst_column,
        .src_step = p->src_row,
        .row_block = (cl_long)row_block,
        .row_blocks = (cl_long)row_blocks,
        .column_block = (cl_long)column_block,
        .column_blocks = (cl_long)column_blocks,
        .jobs = (cl_long)jobs,
        .per_item = (cl_long)per_item,
        .streams = passes_cache(device, 4 * bytes), /* its lines evict each other sooner than those of a copy */
    };
    cl_kernel kernel;
    TRY(cpu_kernel(&kernel, row, p, err));
    return plan_launch(out, &(launch){kernel, 1, {ceil_div(jobs, per_item), 1, 1}, {1, 1, 1}},
                       ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                            ARG_VALUE(&blocks)),
                       err);
}
