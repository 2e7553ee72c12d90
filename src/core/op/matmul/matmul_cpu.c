/* Matmul on CPU devices: which of its kernels, in pieces of which size. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/matmul/matmul.h"

#include <stdio.h>
#include <string.h>

/* Measured with PoCL 3.1: AVX-512 on two virtual cores of a Xeon (Emerald Rapids, 48 KiB L1, 2 MiB L2 to two of them), AVX2
 * on two Zen 3 cores (32 KiB L1, 512 KiB L2); depth and block_bytes of AVX-512 on two Skylake cores (32 KiB L1, 1 MiB L2)
 * as well. bench/NOTES.md has the steps. */
static const struct tuning {
    unsigned vector;      /* floats in a vector register: the first row that the device reaches */
    unsigned rows;        /* of the block in the registers; its columns are two vectors */
    size_t depth;         /* of k at a time: C is read and written once for each */
    size_t direct_depth;  /* the same where a task's panels of B are in local memory */
    size_t direct_panels; /* of B that a task packs for itself, at most */
    size_t direct_bytes;  /* A up to this size is read in place, by all tasks */
    size_t block_bytes;   /* of A that a task packs, at most: with two panels of B, half of the L2 cache */
    size_t block_columns; /* of a task, at most: each of its panels of A is used so often */
    size_t pack_columns;  /* as many columns take as long to multiply as A to pack */
    size_t pack_rows;     /* as many rows take as long to multiply as B to come from a far cache */
    size_t packed_part;   /* the part of the last cache that packed B takes at most */
    size_t strip;         /* elements of a vector that are summed at a time */
    size_t vector_work;   /* elements of the matrix that a task takes at least */
} tunings[] = {
    /* vector, rows, depth, direct_depth, direct_panels, direct_bytes, block_bytes, block_columns, pack_columns, pack_rows,
     * packed_part, strip, vector_work */
    {16, 14, 1024, 512, 4, 128 << 10, 320 << 10, 2048, 64, 16, 8, 4096, 16384},
    {8, 6, 512, 512, 4, 1 << 20, 96 << 10, 2048, 32, 8, 8, 4096, 16384},
    {0, 6, 512, 512, 4, 1 << 20, 96 << 10, 2048, 32, 8, 8, 4096, 16384},
};

/* What the device and the dtype make of them. */
typedef struct geometry {
    const struct tuning *tuned;
    size_t units, rows, cols;
    size_t stored, computed; /* bytes of an element and of what it is computed in */
    size_t depth;
    size_t local, packed; /* bytes that a task and that packed B may take */
    program_key key;
    char defines[64];
} geometry;

/* Shares n out in equal parts of at most `most`, each a multiple of `unit`. */
static size_t even(size_t n, size_t at_most, size_t unit)
{
    return ceil_div(ceil_div(n, ceil_div(n, at_most)), unit) * unit;
}

static void find_geometry(geometry *g, const lun_device *device, const variant *row, lun_dtype dtype)
{
    const struct tuning *tuned = tunings;
    while (tuned->vector > device->info.vector_f32)
        tuned++;
    unsigned vector = tuned->vector ? tuned->vector : 4;
    size_t bytes = lun_dtype_bytes(dtype);
    g->tuned = tuned;
    g->units = device->info.units ? device->info.units : 1;
    g->stored = bytes;
    g->computed = bytes == 1 ? 2 : lun_dtype_bytes(dtype_computed(dtype));
    g->rows = tuned->rows;
    g->cols = 2 * smaller(16, vector * 4 / g->computed);
    g->local = device->info.local_memory / 2;
    g->packed = larger(1 << 20, device_cache(device) / tuned->packed_part);
    g->key = (program_key){.file = row->file, .dtype = dtype, .defines = g->defines};
    snprintf(g->defines, sizeof g->defines, "#define VECTOR %u\n#define ROWS %u\n", vector, tuned->rows);
}

/* As many groups as tasks, but for so many that starting them would count. Groups that claim tasks are one to a core. */
static launch tasks_of(const geometry *g, cl_kernel kernel, size_t tasks)
{
    return (launch){kernel, 1, {smaller(tasks, 64 * g->units), 1, 1}, {1, 1, 1}};
}

static matmul_cpu_size whole(const matmul_problem *p)
{
    return (matmul_cpu_size){.batches = (cl_long)p->batches,
                             .m = (cl_long)p->m,
                             .n = (cl_long)p->n,
                             .k = (cl_long)p->k,
                             .splits = 1,
                             .run = (cl_long)p->k};
}

/* A long k is split when there is too little else to share: parts of at least `least`, as many as `wanted` needs. */
static void split_k(matmul_cpu_size *size, size_t tasks, size_t wanted, size_t least)
{
    size_t splits = smaller(wanted / larger(tasks, 1), (size_t)size->k / least);
    if (splits < 2)
        return;
    size->run = (cl_long)(ceil_div(ceil_div((size_t)size->k, splits), least) * least);
    size->splits = (cl_long)ceil_div((size_t)size->k, (size_t)size->run);
}

static lun_status sum_kernel(cl_kernel *kernel, lun_block **partial, plan *out, const geometry *g,
                             const matmul_cpu_size *size, lun_error *err)
{
    lun_status status = LUN_OK;
    if (size->splits < 2)
        return LUN_OK;
    TRY(operation_scratch(out->op, partial, (size_t)(size->splits * size->batches * size->m * size->n) * g->computed,
                          err));
    TRY(program_kernel(kernel, out->op->device, &g->key, "matmul_cpu_sum", err));
done:
    return status;
}

static lun_status plan_sum(plan *out, const geometry *g, const matmul_problem *p, cl_kernel kernel, lun_block *partial,
                           const matmul_cpu_size *size, lun_error *err)
{
    matmul_cpu_size each = *size;
    each.tile_n = 512;
    const launch groups =
        tasks_of(g, kernel, (size_t)(size->batches * size->m) * ceil_div((size_t)size->n, (size_t)each.tile_n));
    if (size->splits < 2)
        return LUN_OK;
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(partial), ARG_VALUE(&each),
                            matmul_scalar(p, p->beta)),
                       err);
}

/* Across memory, whole rows of B are read as long as a split of k gives every core a task; along memory, whole columns
 * as long as there are columns for all. */
static void tile_vector(matmul_cpu_size *size, const geometry *g, const matmul_problem *p, bool across)
{
    const size_t work = p->batches * p->n * p->k / g->tuned->vector_work;
    const size_t wanted = larger(1, smaller(8 * g->units, work));
    if (across) {
        const size_t strip = smaller(g->tuned->strip, g->local / p->m / g->computed);
        size_t tile = even(p->n, strip, 16);
        split_k(size, p->batches * ceil_div(p->n, tile), wanted, 128);
        const size_t tasks = p->batches * (size_t)size->splits;
        if (tasks * ceil_div(p->n, tile) < wanted)
            tile = smaller(tile, larger(256, even(p->n, ceil_div(p->n, ceil_div(wanted, tasks)), 16)));
        size->tile_n = (cl_long)tile;
    } else {
        const size_t tile = even(p->n, ceil_div(p->n, ceil_div(wanted, p->batches)), 4);
        split_k(size, p->batches * ceil_div(p->n, tile), wanted, 1024);
        size->tile_n = (cl_long)tile;
    }
}

static lun_status plan_vector(plan *out, const geometry *g, const matmul_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool across = p->m > 1 || (p->b.column == 1 && p->n > 1);
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL;
    matmul_cpu_size size = whole(p);
    tile_vector(&size, g, p, across);
    TRY(program_kernel(&kernel, out->op->device, &g->key, across ? "matmul_cpu_axpy" : "matmul_cpu_dot", err));
    TRY(sum_kernel(&sum, &partial, out, g, &size, err));
    const launch groups = tasks_of(g, kernel, (size_t)size.splits * p->batches * ceil_div(p->n, (size_t)size.tile_n));
    const size_t strip = across ? (size_t)size.tile_n * p->m : 1; /* numbers of local memory */
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                         ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(partial), ARG_VALUE(&size),
                         matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta), ARG_LOCAL(strip * g->computed)),
                    err));
    TRY(plan_sum(out, g, p, sum, partial, &size, err));
done:
    return status;
}

/* A that does not stay in the caches from one task to the next. */
static bool is_large(const geometry *g, const matmul_problem *p)
{
    return p->m * p->k * g->stored > g->tuned->direct_bytes;
}

/* Tasks for every core, several where the sizes allow it: fewer panels of B to a task, then fewer rows. A that is too
 * large for the caches is better read once, by tasks that hold all of B's columns. */
static void tile_direct(matmul_cpu_size *size, const geometry *g, const matmul_problem *p)
{
    const size_t wanted = 4 * g->units, panels = ceil_div(p->n, g->cols);
    const size_t room = larger(1, g->local / (g->cols * g->depth * g->computed));
    const size_t fair = larger(1, p->batches * panels / wanted);
    const size_t most = is_large(g, p) ? 2 * g->tuned->direct_panels : smaller(g->tuned->direct_panels, fair);
    const size_t tile = even(panels, smaller(most, room), 1);
    const size_t tasks = p->batches * ceil_div(panels, tile);
    const size_t down = tasks < wanted ? ceil_div(wanted, tasks) : 1;
    const size_t least = 8 * g->rows;
    size->tile_n = (cl_long)(tile * g->cols);
    size->tile_m = (cl_long)(larger(1, ceil_div(ceil_div(p->m, down), least)) * least);
    size->depth = (cl_long)g->depth;
}

/* Is a block of A to be copied before its use? One from beyond the caches comes faster then: row by row, and fetched while
 * the one before is multiplied. Rows a multiple of 4096 bytes apart share a set of the first cache, which holds 8 lines or
 * 12: more of them drive each other out at each step of k. */
static bool is_copied(const geometry *g, const matmul_problem *p)
{
    const bool collide = p->a.row * (cl_long)g->stored % 4096 == 0 && smaller(p->m, g->rows) > 8;
    return p->a.column == 1 && (is_large(g, p) || collide);
}

static lun_status plan_direct(plan *out, const geometry *g, const matmul_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL, *copies = NULL;
    matmul_cpu_size size = whole(p);
    matmul_view c = p->c;
    tile_direct(&size, g, p);
    size_t tasks = p->batches * ceil_div(p->m, (size_t)size.tile_m) * ceil_div(p->n, (size_t)size.tile_n);
    split_k(&size, tasks, 2 * g->units, 4 * g->depth);
    TRY(program_kernel(&kernel, out->op->device, &g->key, "matmul_cpu_direct", err));
    TRY(sum_kernel(&sum, &partial, out, g, &size, err));
    if (is_copied(g, p))
        TRY(operation_scratch(out->op, &copies, g->units * g->rows * ((size_t)size.depth * g->stored + 64), err));
    if (partial)
        c = (matmul_view){.row = size.n, .column = 1, .batch = {1, {size.splits * size.batches}, {size.m * size.n}}};
    const launch groups = tasks_of(g, kernel, smaller(g->units, (size_t)size.splits * tasks));
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(partial ? partial : p->out->block), ARG_VALUE(&c), ARG_BLOCK(p->left->block),
                         ARG_VALUE(&p->a), ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(copies),
                         ARG_VALUE(&size), matmul_scalar(p, p->alpha),
                         matmul_scalar(p, partial ? lun_integer(0) : p->beta), ARG_COUNTERS,
                         ARG_LOCAL((size_t)(size.tile_n * size.depth) * g->computed)),
                    err));
    TRY(plan_sum(out, g, p, sum, partial, &size, err));
done:
    return status;
}

/* A launch for each piece of B. */
typedef struct block_run {
    plan *out;
    const geometry *g;
    cl_kernel kernel;
    lun_block *packed, *sums;
    size_t n_most, k_most, batches_most; /* a piece */
} block_run;

#define CUTS 8 /* of the widest task, at most, and into a quarter of the tallest */

/* The time of all tasks of that many panels, in halves of multiplying one number of A by one of B. Cores are not equally
 * fast: the last of them waits for half a task more. */
static size_t block_time(const geometry *g, const matmul_problem *p, size_t tall, size_t wide)
{
    const size_t rows = tall * g->rows, columns = wide * g->cols;
    const size_t tasks = p->batches * ceil_div(p->m, rows) * ceil_div(p->n, columns);
    const size_t each = rows * columns + rows * g->tuned->pack_columns + columns * g->tuned->pack_rows;
    return (2 * ceil_div(tasks, g->units) + 1) * each;
}

/* Many rows for each use of a panel of B and many columns for each packing of A, but equal shares for all cores. A k so
 * short that a task's part of B stays in the L2 cache (half as much again as of A, which is read once then) leaves C
 * the most of the traffic: along its rows. */
static void tile_block(matmul_cpu_size *size, const geometry *g, const matmul_problem *p)
{
    const size_t panel = g->rows * g->depth * g->computed, panels = ceil_div(p->n, g->cols);
    const size_t tallest =
        smaller(ceil_div(p->m, g->rows), larger(1, smaller(g->tuned->block_bytes, g->local) / panel));
    const size_t widest = smaller(panels, ceil_div(g->tuned->block_columns, g->cols));
    size_t best = SIZE_MAX;
    for (size_t tall = tallest; tall > 0 && tall >= tallest / 4; tall--)
        for (size_t cuts = 1; cuts <= smaller(CUTS, widest); cuts++) {
            const size_t wide = ceil_div(panels, ceil_div(panels, widest) * cuts), time = block_time(g, p, tall, wide);
            if (time >= best)
                continue;
            best = time;
            size->tile_m = (cl_long)(tall * g->rows);
            size->tile_n = (cl_long)(wide * g->cols);
        }
    const size_t fair = p->batches * panels * ceil_div(p->k, g->depth) / (4 * g->units);
    size->tile_pack = (cl_long)(larger(1, smaller(4, fair)) * g->cols);
    size->along = 2 * (size_t)size->tile_n * g->depth * g->computed <= 3 * g->tuned->block_bytes;
    size->depth = (cl_long)g->depth;
}

static lun_status plan_piece(const block_run *run, const matmul_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    matmul_cpu_size size = whole(p);
    tile_block(&size, run->g, p);
    const launch groups = tasks_of(run->g, run->kernel, run->g->units);
    TRY(plan_launch(run->out, &groups,
                    ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                         ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(run->packed), ARG_BLOCK(run->sums),
                         ARG_VALUE(&size), matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta), ARG_COUNTERS,
                         ARG_LOCAL(((size_t)(size.tile_m * size.depth) + 16) * run->g->computed)),
                    err));
done:
    return status;
}

static lun_status plan_matrix(const block_run *run, const matmul_problem *whole_p, lun_error *err)
{
    lun_status status = LUN_OK;
    for (size_t j = 0; j < whole_p->n; j += run->n_most)
        for (size_t k = 0; k < whole_p->k; k += run->k_most) {
            matmul_problem p = *whole_p;
            p.n = smaller(run->n_most, p.n - j);
            p.k = smaller(run->k_most, p.k - k);
            p.a.offset += (cl_long)k * p.a.column;
            p.b.offset += (cl_long)k * p.b.row + (cl_long)j * p.b.column;
            p.c.offset += (cl_long)j * p.c.column;
            if (k > 0)
                p.beta = (lun_number){true, 1, 1};
            TRY(plan_piece(run, &p, err));
        }
done:
    return status;
}

static void first_of(layout *batch, cl_long *offset, cl_long from, cl_long count)
{
    *offset += from * batch->stride[0];
    batch->size[0] = count;
}

static void without_first(layout *batch)
{
    memmove(batch->size, batch->size + 1, sizeof batch->size - sizeof *batch->size);
    memmove(batch->stride, batch->stride + 1, sizeof batch->stride - sizeof *batch->stride);
    batch->ndim--;
}

/* As many along the first batch axis as fit in a piece; where not even one does, along the next. */
static lun_status plan_batches(const block_run *run, const matmul_problem *all, lun_error *err)
{
    lun_status status = LUN_OK;
    if (all->batches <= run->batches_most)
        return plan_matrix(run, all, err);
    const size_t count = (size_t)all->c.batch.size[0], each = all->batches / count;
    const size_t step = larger(1, run->batches_most / each);
    for (size_t from = 0; from < count; from += step) {
        matmul_problem p = *all;
        matmul_view *views[] = {&p.c, &p.a, &p.b};
        size_t here = smaller(step, count - from);
        p.batches = here * each;
        for (int i = 0; i < 3; i++) {
            first_of(&views[i]->batch, &views[i]->offset, (cl_long)from, (cl_long)here);
            if (here == 1)
                without_first(&views[i]->batch);
        }
        TRY(plan_batches(run, &p, err));
    }
done:
    return status;
}

static lun_status plan_block(plan *out, const geometry *g, const matmul_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    block_run run = {.out = out, .g = g, .n_most = p->n, .k_most = p->k};
    const size_t most = g->packed / g->computed;
    const size_t padded = ceil_div(p->n, g->cols) * g->cols;
    const bool halves = dtype_is_packed(p->dtype); /* sums over k must stay in f32 until the end */
    run.batches_most = larger(1, most / (padded * p->k));
    if (padded * p->k > most) {
        const size_t columns = smaller(padded, ceil_div(g->tuned->block_columns, g->cols) * g->cols);
        if (!halves)
            run.k_most = smaller(p->k, larger(1, most / columns / g->depth) * g->depth);
        run.n_most = larger(1, most / run.k_most / columns) * columns;
    }
    const size_t n = smaller(p->n, run.n_most), batches = smaller(p->batches, run.batches_most);
    const size_t tiles = batches * ceil_div(p->m, g->rows) * ceil_div(n, g->cols);
    TRY(program_kernel(&run.kernel, out->op->device, &g->key, "matmul_cpu_block", err));
    TRY(operation_scratch(out->op, &run.packed,
                          batches * ceil_div(n, g->cols) * g->cols * smaller(p->k, run.k_most) * g->computed, err));
    if (halves && p->k > g->depth)
        TRY(operation_scratch(out->op, &run.sums, tiles * g->rows * g->cols * g->computed, err));
    TRY(plan_batches(&run, p, err));
done:
    return status;
}

/* Reading A in place saves a launch and a pass over it, as long as it stays in the caches. */
static bool is_direct(const geometry *g, const matmul_problem *p)
{
    if (g->stored != g->computed)
        return false;
    if (p->n <= 2 * g->tuned->direct_panels * g->cols && p->a.column == 1)
        return true;
    if (is_large(g, p))
        return false;
    return p->a.column == 1 || p->m * p->k * g->stored <= g->tuned->direct_bytes / 32;
}

/* Few rows are not worth the packing of B, if its rows are contiguous and long. */
static bool is_vector(const matmul_problem *p) { return p->m == 1 || (p->m <= 4 && p->b.column == 1 && p->n >= 256); }

/* A vector, or what is nearly one, goes to the left; C's rows become contiguous. */
static bool wants_swap(const matmul_problem *p)
{
    if (p->m == 1)
        return false;
    return p->n == 1 || (p->n <= 4 && p->m >= 256 && p->a.row == 1) || (p->c.column != 1 && p->c.row == 1);
}

lun_status matmul_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    geometry g;
    if (p.k == 0) /* beta * C */
        return matmul_plain_plan(out, row, data, err);
    if (wants_swap(&p))
        matmul_swap_sides(&p);
    find_geometry(&g, out->op->device, row, p.dtype);
    const bool direct = is_direct(&g, &p);
    const size_t most = direct ? g.tuned->direct_depth : g.tuned->depth;
    g.depth = even(p.k, smaller(most, g.local / (g.cols * g.computed)), 8);
    return is_vector(&p) ? plan_vector(out, &g, &p, err)
           : direct      ? plan_direct(out, &g, &p, err)
                         : plan_block(out, &g, &p, err);
}
