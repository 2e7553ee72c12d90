/* Matmul on CPU devices with B packed before its use: blocks of C, in pieces of B that stay in the last cache. */
#include "op/matmul/matmul_cpu.h"
#include "op/planning.h"

#include <string.h>

/* What the launches have in common, one for each piece of B. */
typedef struct block_run {
    plan *out;
    const matmul_cpu_geometry *g;
    cl_kernel kernel;
    lun_block *packed, *sums;
    size_t n_most, k_most, batches_most; /* the sizes of a piece, at most */
} block_run;

#define CUTS 8 /* tile_block cuts the widest task into up to that many, and the tallest into up to 4 */

/* The time of all tasks, of `tall` panels of A and `wide` panels of B each, in halves of the time in which one number of A
 * is multiplied by one of B. Cores are not equally fast: the last of them works half a task longer. */
static size_t block_time(const matmul_cpu_geometry *g, const matmul_problem *p, size_t tall, size_t wide)
{
    const size_t rows = tall * g->rows, columns = wide * g->cols;
    const size_t tasks = p->batches * ceil_div(p->m, rows) * ceil_div(p->n, columns);
    const size_t each = rows * columns + rows * g->tuned->pack_columns + columns * g->tuned->pack_rows;
    return (2 * ceil_div(tasks, g->units) + 1) * each;
}

/* Finds tasks with many rows for each use of a panel of B, and many columns for each packing of A, but with equal shares
 * for all cores. Where k is so short that a task's part of B stays in the L2 cache (B may take half as much again as A,
 * which is then read once), C makes most of the traffic, and tasks walk along its rows. */
static void tile_block(matmul_cpu_size *size, const matmul_cpu_geometry *g, const matmul_problem *p)
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
    matmul_cpu_size size = matmul_cpu_whole(p);
    tile_block(&size, run->g, p);
    const launch groups = matmul_cpu_tasks(run->g, run->kernel, run->g->units);
    return plan_launch(run->out, &groups,
                       ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                            ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(run->packed), ARG_BLOCK(run->sums),
                            ARG_VALUE(&size), matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta), ARG_COUNTERS,
                            ARG_LOCAL(((size_t)(size.tile_m * size.depth) + 16) * run->g->computed)),
                       err);
}

static lun_status plan_matrix(const block_run *run, const matmul_problem *whole_p, lun_error *err)
{
    for (size_t j = 0; j < whole_p->n; j += run->n_most)
        for (size_t k = 0; k < whole_p->k; k += run->k_most) {
            matmul_problem p = *whole_p;
            p.n = smaller(run->n_most, p.n - j);
            p.k = smaller(run->k_most, p.k - k);
            p.a.offset += (cl_long)k * p.a.column;
            p.b.offset += (cl_long)k * p.b.row + (cl_long)j * p.b.column;
            p.c.offset += (cl_long)j * p.c.column;
            if (k > 0)
                p.beta = lun_integer(1);
            TRY(plan_piece(run, &p, err));
        }
    return LUN_OK;
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

/* Plans as many batches along the first batch axis at a time as fit in a piece; where not even one fits, goes on along the
 * next axis. */
static lun_status plan_batches(const block_run *run, const matmul_problem *all, lun_error *err)
{
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
    return LUN_OK;
}

lun_status matmul_cpu_plan_block(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, lun_error *err)
{
    block_run run = {.out = out, .g = g, .n_most = p->n, .k_most = p->k};
    const size_t most = g->packed / g->computed;
    const size_t padded = ceil_div(p->n, g->cols) * g->cols;
    const bool halves = dtype_is_packed(p->dtype); /* the running sums over k stay in f32 until the last part of k */
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
    return plan_batches(&run, p, err);
}
