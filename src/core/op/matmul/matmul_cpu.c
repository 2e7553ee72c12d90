/* Matmul on CPU devices: which of its kernels runs, and in pieces of which size. */
#include "op/matmul/matmul_cpu.h"
#include "op/planning.h"

#include <stdio.h>

/* Measured with PoCL 3.1: AVX-512 on two virtual cores of a Xeon (Emerald Rapids, 48 KiB L1, 2 MiB L2 to two of
 * them), AVX2 on two Zen 3 cores (32 KiB L1, 512 KiB L2); depth and block_bytes of AVX-512 on two Skylake cores (32
 * KiB L1, 1 MiB L2) as well. Blocks of 14 rows beat 12 by 8 % on AVX-512 (13 rows take 1.7 times as long in f64);
 * depth 1024 in place of 512 halves the passes over C; the next panel of B is fetched to L2 while one is multiplied.
 * Huge pages and pinned threads help more, and are the user's. */
static const matmul_cpu_tuning tunings[] = {
    /* vector, rows, depth, direct_depth, direct_panels, direct_bytes, block_bytes, block_columns, pack_columns, pack_rows,
     * packed_part, strip, vector_work */
    {16, 14, 1024, 512, 4, 128 << 10, 320 << 10, 2048, 64, 16, 8, 4096, 16384},
    {8, 6, 512, 512, 4, 1 << 20, 96 << 10, 2048, 32, 8, 8, 4096, 16384},
    {0, 6, 512, 512, 4, 1 << 20, 96 << 10, 2048, 32, 8, 8, 4096, 16384},
};

size_t matmul_cpu_even(size_t n, size_t at_most, size_t unit)
{
    return ceil_div(ceil_div(n, ceil_div(n, at_most)), unit) * unit;
}

static void find_geometry(matmul_cpu_geometry *g, const lun_device *device, const variant *row, lun_dtype dtype)
{
    const matmul_cpu_tuning *tuned = tunings;
    while (tuned->vector > device->info.vector_f32)
        tuned++;
    unsigned vector = tuned->vector ? tuned->vector : 4;
    size_t bytes = lun_dtype_bytes(dtype);
    g->tuned = tuned;
    g->units = device->info.units ? device->info.units : 1;
    g->stored = bytes;
    g->computed = larger(2, lun_dtype_bytes(dtype_computed(dtype))); /* bytes in 16 bits */
    g->rows = tuned->rows;
    g->cols = 2 * smaller(16, vector * 4 / g->computed);
    g->local = device->info.local_memory / 2;
    g->packed = larger(1 << 20, device_cache(device) / tuned->packed_part);
    g->key = (program_key){.file = row->file, .dtype = dtype, .defines = g->defines};
    snprintf(g->defines, sizeof g->defines, "#define VECTOR %u\n#define ROWS %u\n", vector, tuned->rows);
}

launch matmul_cpu_tasks(const matmul_cpu_geometry *g, cl_kernel kernel, size_t tasks)
{
    return (launch){kernel, 1, {smaller(tasks, 64 * g->units), 1, 1}, {1, 1, 1}};
}

matmul_cpu_size matmul_cpu_whole(const matmul_problem *p)
{
    return (matmul_cpu_size){.batches = (cl_long)p->batches,
                             .m = (cl_long)p->m,
                             .n = (cl_long)p->n,
                             .k = (cl_long)p->k,
                             .splits = 1,
                             .run = (cl_long)p->k};
}

/* Splits a long k where there is too little else to share out: in parts of at least `least`, as many as `wanted` tasks
 * need. */
static void split_k(matmul_cpu_size *size, size_t tasks, size_t wanted, size_t least)
{
    size_t splits = smaller(wanted / larger(tasks, 1), (size_t)size->k / least);
    if (splits < 2)
        return;
    size->run = (cl_long)(ceil_div(ceil_div((size_t)size->k, splits), least) * least);
    size->splits = (cl_long)ceil_div((size_t)size->k, (size_t)size->run);
}

static lun_status sum_kernel(cl_kernel *kernel, lun_block **partial, plan *out, const matmul_cpu_geometry *g,
                             const matmul_cpu_size *size, lun_error *err)
{
    if (size->splits < 2)
        return LUN_OK;
    TRY(operation_scratch(out->op, partial, (size_t)(size->splits * size->batches * size->m * size->n) * g->computed,
                          err));
    return program_kernel(kernel, out->op->device, &g->key, "matmul_cpu_sum", err);
}

static lun_status plan_sum(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, cl_kernel kernel,
                           lun_block *partial, const matmul_cpu_size *size, lun_error *err)
{
    matmul_cpu_size each = *size;
    each.tile_n = 512;
    const launch groups =
        matmul_cpu_tasks(g, kernel, (size_t)(size->batches * size->m) * ceil_div((size_t)size->n, (size_t)each.tile_n));
    if (size->splits < 2)
        return LUN_OK;
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(partial), ARG_VALUE(&each),
                            matmul_scalar(p, p->beta)),
                       err);
}

/* `across`: rows of B are contiguous, and a task reads them whole as long as a split of k gives every core a task.
 * Otherwise columns of B are, and a task reads whole ones as long as there are enough for all cores. */
static void tile_vector(matmul_cpu_size *size, const matmul_cpu_geometry *g, const matmul_problem *p, bool across)
{
    const size_t work = p->batches * p->n * p->k / g->tuned->vector_work;
    const size_t wanted = larger(1, smaller(8 * g->units, work));
    if (across) {
        const size_t strip = smaller(g->tuned->strip, g->local / p->m / g->computed);
        size_t tile = matmul_cpu_even(p->n, strip, 16);
        split_k(size, p->batches * ceil_div(p->n, tile), wanted, 128);
        const size_t tasks = p->batches * (size_t)size->splits;
        if (tasks * ceil_div(p->n, tile) < wanted)
            tile = smaller(tile, larger(256, matmul_cpu_even(p->n, ceil_div(p->n, ceil_div(wanted, tasks)), 16)));
        size->tile_n = (cl_long)tile;
    } else {
        const size_t tile = matmul_cpu_even(p->n, ceil_div(p->n, ceil_div(wanted, p->batches)), 4);
        split_k(size, p->batches * ceil_div(p->n, tile), wanted, 1024);
        size->tile_n = (cl_long)tile;
    }
}

static lun_status plan_vector(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, lun_error *err)
{
    const bool across = p->m > 1 || (p->b.column == 1 && p->n > 1);
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL;
    matmul_cpu_size size = matmul_cpu_whole(p);
    tile_vector(&size, g, p, across);
    TRY(program_kernel(&kernel, out->op->device, &g->key, across ? "matmul_cpu_axpy" : "matmul_cpu_dot", err));
    TRY(sum_kernel(&sum, &partial, out, g, &size, err));
    const launch groups =
        matmul_cpu_tasks(g, kernel, (size_t)size.splits * p->batches * ceil_div(p->n, (size_t)size.tile_n));
    const size_t strip = across ? (size_t)size.tile_n * p->m : 1; /* numbers of local memory */
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                         ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(partial), ARG_VALUE(&size),
                         matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta), ARG_LOCAL(strip * g->computed)),
                    err));
    return plan_sum(out, g, p, sum, partial, &size, err);
}

/* Is A too large to stay in the caches from one task to the next? */
static bool is_large(const matmul_cpu_geometry *g, const matmul_problem *p)
{
    return p->m * p->k * g->stored > g->tuned->direct_bytes;
}

/* Finds tasks for every core, several where the sizes allow it: first by fewer panels of B to a task, then by fewer rows.
 * An A that is too large for the caches is better read once, by tasks that hold all columns of B. */
static void tile_direct(matmul_cpu_size *size, const matmul_cpu_geometry *g, const matmul_problem *p)
{
    const size_t wanted = 4 * g->units, panels = ceil_div(p->n, g->cols);
    const size_t room = larger(1, g->local / (g->cols * g->depth * g->computed));
    const size_t fair = larger(1, p->batches * panels / wanted);
    const size_t most = is_large(g, p) ? 2 * g->tuned->direct_panels : smaller(g->tuned->direct_panels, fair);
    const size_t tile = matmul_cpu_even(panels, smaller(most, room), 1);
    const size_t tasks = p->batches * ceil_div(panels, tile);
    const size_t down = tasks < wanted ? ceil_div(wanted, tasks) : 1;
    const size_t least = 8 * g->rows;
    size->tile_n = (cl_long)(tile * g->cols);
    size->tile_m = (cl_long)(larger(1, ceil_div(ceil_div(p->m, down), least)) * least);
    size->depth = (cl_long)g->depth;
}

/* Is a block of A to be copied before its use? A block from beyond the caches arrives faster so: row by row, fetched while
 * the block before is multiplied. And rows that are a multiple of 4096 bytes apart share a set of the first cache, which
 * holds 8 or 12 lines: more rows than these drive each other out at each step of k. */
static bool is_copied(const matmul_cpu_geometry *g, const matmul_problem *p)
{
    const bool collide = p->a.row * (cl_long)g->stored % 4096 == 0 && smaller(p->m, g->rows) > 8;
    return p->a.column == 1 && (is_large(g, p) || collide);
}

static lun_status plan_direct(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, lun_error *err)
{
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL, *copies = NULL;
    matmul_cpu_size size = matmul_cpu_whole(p);
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
    const launch groups = matmul_cpu_tasks(g, kernel, smaller(g->units, (size_t)size.splits * tasks));
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(partial ? partial : p->out->block), ARG_VALUE(&c), ARG_BLOCK(p->left->block),
                         ARG_VALUE(&p->a), ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(copies),
                         ARG_VALUE(&size), matmul_scalar(p, p->alpha),
                         matmul_scalar(p, partial ? lun_integer(0) : p->beta), ARG_COUNTERS,
                         ARG_LOCAL((size_t)(size.tile_n * size.depth) * g->computed)),
                    err));
    return plan_sum(out, g, p, sum, partial, &size, err);
}

/* Is A read in place? That saves a launch and a pass over A, as long as A stays in the caches. */
static bool is_direct(const matmul_cpu_geometry *g, const matmul_problem *p)
{
    if (g->stored != g->computed)
        return false;
    if (p->n <= 2 * g->tuned->direct_panels * g->cols && p->a.column == 1)
        return true;
    if (is_large(g, p))
        return false;
    return p->a.column == 1 || p->m * p->k * g->stored <= g->tuned->direct_bytes / 32;
}

/* Is the problem one of few rows, which are not worth the packing of a B whose rows are contiguous and long? */
static bool is_vector(const matmul_problem *p) { return p->m == 1 || (p->m <= 4 && p->b.column == 1 && p->n >= 256); }

/* Are the sides to be swapped? A vector, or a matrix that is nearly one, goes to the left, and rows of C become
 * contiguous. */
static bool wants_swap(const matmul_problem *p)
{
    if (p->m == 1)
        return false;
    return p->n == 1 || (p->n <= 4 && p->m >= 256 && p->a.row == 1) || (p->c.column != 1 && p->c.row == 1);
}

lun_status matmul_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    matmul_cpu_geometry g;
    if (p.k == 0) /* beta * C */
        return matmul_plain_plan(out, row, data, err);
    if (wants_swap(&p))
        matmul_swap_sides(&p);
    find_geometry(&g, out->op->device, row, p.dtype);
    const bool direct = is_direct(&g, &p);
    const size_t most = direct ? g.tuned->direct_depth : g.tuned->depth;
    g.depth = matmul_cpu_even(p.k, smaller(most, g.local / (g.cols * g.computed)), 8);
    return is_vector(&p) ? plan_vector(out, &g, &p, err)
           : direct      ? plan_direct(out, &g, &p, err)
                         : matmul_cpu_plan_block(out, &g, &p, err);
}
