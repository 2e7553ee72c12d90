/* The matrix product: shapes and batches are brought to one form, then a variant runs it. */
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As matmul_view in the kernels: element (i, j) is at offset + i*row + j*column + the batch's offset. */
typedef struct view {
    cl_long offset, row, column;
    layout batch;
} view;

/* C = alpha A B + beta C with C m x n and the sum over k, for each of the batches. */
typedef struct problem {
    lun_dtype dtype; /* of the program: integers wrap, so they are computed as unsigned ones */
    const lun_array *out, *left, *right; /* a is in `left`, b in `right` */
    view c, a, b;
    size_t batches, m, n, k;
    lun_number alpha, beta;
} problem;

/* ---- shapes ---------------------------------------------------------------------------------------------- */

/* A vector is a row on the left and a column on the right; its second axis is not in the result. */
typedef struct sides {
    size_t m, n, k, k_right;
    int a_batch, b_batch, batch; /* axes before the matrix */
    size_t shape[LUN_MAX_AXES];  /* of the batch */
} sides;

static size_t batch_size(const lun_array *array, int axes, int axis, int of)
{
    int own = axis - (of - axes);
    return own < 0 ? 1 : array->shape[own];
}

static lun_status find_sides(sides *out, const lun_array *a, const lun_array *b, lun_error *err)
{
    lun_status status = LUN_OK;
    char left[200], right[200];
    lun_shape_text(left, sizeof left, a->ndim, a->shape);
    lun_shape_text(right, sizeof right, b->ndim, b->shape);
    if (a->ndim == 0 || b->ndim == 0)
        FAIL(LUN_MISUSE, "arrays without axes have no product: (%s) x (%s)", left, right);
    out->m = a->ndim > 1 ? a->shape[a->ndim - 2] : 1;
    out->k = a->shape[a->ndim - 1];
    out->n = b->ndim > 1 ? b->shape[b->ndim - 1] : 1;
    out->k_right = b->ndim > 1 ? b->shape[b->ndim - 2] : b->shape[0];
    if (out->k != out->k_right)
        FAIL(LUN_MISUSE, "inner sizes differ: (%s) x (%s)", left, right);
    out->a_batch = a->ndim > 2 ? a->ndim - 2 : 0;
    out->b_batch = b->ndim > 2 ? b->ndim - 2 : 0;
    out->batch = out->a_batch > out->b_batch ? out->a_batch : out->b_batch;
    for (int i = 0; i < out->batch; i++) {
        size_t x = batch_size(a, out->a_batch, i, out->batch), y = batch_size(b, out->b_batch, i, out->batch);
        if (x != y && x != 1 && y != 1)
            FAIL(LUN_MISUSE, "batch axes differ: (%s) x (%s)", left, right);
        out->shape[i] = x == 1 ? y : x;
    }
done:
    return status;
}

static void result_shape(int *ndim, size_t *shape, const sides *found, const lun_array *a, const lun_array *b)
{
    *ndim = found->batch;
    memcpy(shape, found->shape, (size_t)found->batch * sizeof *shape);
    if (a->ndim > 1)
        shape[(*ndim)++] = found->m;
    if (b->ndim > 1)
        shape[(*ndim)++] = found->n;
}

lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err)
{
    lun_status status = LUN_OK;
    sides found;
    TRY(array_check_live(a, "the first array", err));
    TRY(array_check_live(b, "the second array", err));
    TRY(find_sides(&found, a, b, err));
    result_shape(ndim, shape, &found, a, b);
done:
    return status;
}

/* ---- the form that the variants take ----------------------------------------------------------------------- */

static void batch_strides(int64_t *stride, const lun_array *array, int axes, const sides *found)
{
    for (int i = 0; i < found->batch; i++) {
        int own = i - (found->batch - axes);
        stride[i] = own < 0 || array->shape[own] == 1 ? 0 : array->stride[own];
    }
}

/* The rows of a whole stack are the rows of one matrix, when one matrix on the right serves the whole innermost batch axis. */
static bool fold_rows(problem *p, layout *c, layout *a, const layout *b)
{
    int axis = (int)c->ndim - 1;
    if (axis < 0 || b->stride[axis] != 0)
        return false;
    if (p->m == 1) {
        p->a.row = a->stride[axis];
        p->c.row = c->stride[axis];
    } else if (a->stride[axis] != (cl_long)p->m * p->a.row || c->stride[axis] != (cl_long)p->m * p->c.row) {
        return false;
    }
    p->m *= (size_t)c->size[axis];
    return true;
}

/* C^T = B^T A^T. */
static void swap_sides(problem *p)
{
    const view a = p->a, b = p->b;
    const lun_array *left = p->left;
    const size_t m = p->m;
    p->a = (view){b.offset, b.column, b.row, b.batch};
    p->b = (view){a.offset, a.column, a.row, a.batch};
    p->left = p->right;
    p->right = left;
    p->c = (view){p->c.offset, p->c.column, p->c.row, p->c.batch};
    p->m = p->n;
    p->n = m;
}

static void drop_axis(problem *p)
{
    p->c.batch.ndim--;
    p->a.batch.ndim--;
    p->b.batch.ndim--;
}

static void fold_batches(problem *p)
{
    bool folded = true;
    while (folded && p->c.batch.ndim > 0) {
        folded = fold_rows(p, &p->c.batch, &p->a.batch, &p->b.batch);
        if (!folded) {
            swap_sides(p);
            folded = fold_rows(p, &p->c.batch, &p->a.batch, &p->b.batch);
            swap_sides(p);
        }
        if (folded)
            drop_axis(p);
    }
    p->batches = 1;
    for (int i = 0; i < p->c.batch.ndim; i++)
        p->batches *= (size_t)p->c.batch.size[i];
}

static void normalise(problem *p, const sides *found)
{
    const lun_array *a = p->left, *b = p->right, *c = p->out;
    size_t size[LUN_MAX_AXES];
    int64_t strides[3][LUN_MAX_AXES];
    int rows = a->ndim > 1, columns = b->ndim > 1;
    p->m = found->m;
    p->n = found->n;
    p->k = found->k;
    p->a = (view){.offset = a->offset, .row = rows ? a->stride[a->ndim - 2] : 0, .column = a->stride[a->ndim - 1]};
    p->b = (view){.offset = b->offset, .row = columns ? b->stride[b->ndim - 2] : b->stride[0],
                  .column = columns ? b->stride[b->ndim - 1] : 0};
    p->c = (view){.offset = c->offset, .row = rows ? c->stride[found->batch] : 0,
                  .column = columns ? c->stride[found->batch + rows] : 0};
    memcpy(size, found->shape, sizeof size);
    memcpy(strides[0], c->stride, sizeof strides[0]);
    batch_strides(strides[1], a, found->a_batch, found);
    batch_strides(strides[2], b, found->b_batch, found);
    int ndim = shape_collapse(found->batch, size, (int64_t *const[]){strides[0], strides[1], strides[2]}, 3);
    layout *batches[] = {&p->c.batch, &p->a.batch, &p->b.batch};
    for (int k = 0; k < 3; k++) {
        batches[k]->ndim = ndim;
        for (int i = 0; i < LUN_MAX_AXES; i++) {
            batches[k]->size[i] = i < ndim ? (cl_long)size[i] : 1;
            batches[k]->stride[i] = i < ndim ? strides[k][i] : 0;
        }
    }
    fold_batches(p);
}

/* ---- what all variants use --------------------------------------------------------------------------------- */

static launch_arg scalar_arg(const problem *p, lun_number x)
{
    double real = x.is_integer ? (double)x.integer : x.real;
    if (lun_dtype_kind(p->dtype) != LUN_FLOAT)
        return (launch_arg)ARG_LONG(x.integer);
    return p->dtype == LUN_f64 ? (launch_arg)ARG_DOUBLE(real) : (launch_arg)ARG_FLOAT(real);
}

static size_t parts(size_t n, size_t part) { return (n + part - 1) / part; }
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* ---- plain ---------------------------------------------------------------------------------------------------- */

static lun_status run_plain(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const problem *p = data;
    const size_t group = device_group(op->device), side = group == 1 ? 1 : 8, tile = 4 * side;
    cl_kernel kernel;
    TRY(program_kernel(&kernel, op->device, &(program_key){row->file, p->dtype, NULL}, "matmul_plain", err));
    TRY(operation_begin(op, err));
    size_t tiles = p->batches * parts(p->m, tile) * parts(p->n, tile);
    size_t most = (size_t)op->device->info.units * (group == 1 ? 16 : 64);
    launch_plan plan = {kernel, 1, {smaller(tiles, most), 1, 1}, {side * side, 1, 1}};
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                    ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_LONG(p->batches), ARG_LONG(p->m), ARG_LONG(p->n),
                    ARG_LONG(p->k), scalar_arg(p, p->alpha), scalar_arg(p, p->beta)),
               err));
done:
    return status;
}

/* ---- cpu ------------------------------------------------------------------------------------------------------ */

/* As matmul_size in the kernels. */
typedef struct extent {
    cl_long batches, m, n, k, tile_m, tile_n, depth, splits, run;
} extent;

/* Measured on two Zen 3 cores (AVX2, 32 KiB L1, 512 KiB L2) with PoCL 3.1; bench/NOTES.md has the steps. */
static const struct tuning {
    unsigned vector;       /* floats in a vector register: the first row that the device reaches */
    unsigned rows;         /* of the block in the registers; its columns are two vectors */
    size_t depth;          /* of k at a time: a panel of B then takes three quarters of the L1 cache */
    size_t direct_panels;  /* of B that a task packs for itself, at most */
    size_t direct_bytes;   /* A up to this size is read in place, by all tasks */
    size_t block_panels;   /* of A that a task packs: half of the L2 cache at most */
    size_t block_columns;  /* of a task, at most: each of its panels of A is used so often */
    size_t packed_part;    /* the part of the last cache that packed B takes at most */
    size_t strip;          /* elements of a vector that are summed at a time */
    size_t vector_work;    /* elements of the matrix that a task takes at least */
} tunings[] = {
    {16, 12, 256, 4, 2 << 20, 8, 2048, 8, 4096, 16384},
    {8, 6, 512, 4, 1 << 20, 8, 2048, 8, 4096, 16384},
    {0, 6, 512, 4, 1 << 20, 8, 2048, 8, 4096, 16384},
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
static size_t even(size_t n, size_t most, size_t unit)
{
    return parts(parts(n, parts(n, most)), unit) * unit;
}

static void find_geometry(geometry *g, const lun_device *device, const variant *row, lun_dtype dtype, size_t k)
{
    const struct tuning *tuned = tunings;
    while (tuned->vector > device->info.vector_f32)
        tuned++;
    unsigned vector = tuned->vector ? tuned->vector : 4;
    size_t bytes = lun_dtype_bytes(dtype);
    g->tuned = tuned;
    g->units = device->info.units ? device->info.units : 1;
    g->stored = bytes;
    g->computed = bytes == 1 ? 2 : dtype == LUN_f16 ? 4 : bytes;
    g->rows = tuned->rows;
    g->cols = 2 * smaller(16, vector * 4 / g->computed);
    g->local = device->info.local_memory / 2;
    g->packed = larger(1 << 20, device->info.cache_bytes / tuned->packed_part);
    g->depth = even(k, smaller(tuned->depth, g->local / (g->cols * g->computed)), 8);
    g->key = (program_key){row->file, dtype, g->defines};
    snprintf(g->defines, sizeof g->defines, "#define VECTOR %u\n#define ROWS %u\n", vector, tuned->rows);
}

/* As many groups as tasks, but for so many that starting them would count. */
static launch_plan plan_tasks(const geometry *g, cl_kernel kernel, size_t tasks)
{
    return (launch_plan){kernel, 1, {smaller(tasks, 64 * g->units), 1, 1}, {1, 1, 1}};
}

static extent whole(const problem *p)
{
    return (extent){.batches = (cl_long)p->batches, .m = (cl_long)p->m, .n = (cl_long)p->n, .k = (cl_long)p->k,
                    .splits = 1, .run = (cl_long)p->k};
}

/* A long k is split when there is too little else to share: parts of at least `least`, as many as `wanted` needs. */
static void split_k(extent *size, size_t tasks, size_t wanted, size_t least)
{
    size_t splits = smaller(wanted / larger(tasks, 1), (size_t)size->k / least);
    if (splits < 2)
        return;
    size->run = (cl_long)(parts(parts((size_t)size->k, splits), least) * least);
    size->splits = (cl_long)parts((size_t)size->k, (size_t)size->run);
}

static lun_status sum_kernel(cl_kernel *kernel, lun_block **partial, operation *op, const geometry *g, const extent *size,
                             lun_error *err)
{
    lun_status status = LUN_OK;
    if (size->splits < 2)
        return LUN_OK;
    TRY(operation_scratch(op, partial, (size_t)(size->splits * size->batches * size->m * size->n) * g->computed, err));
    TRY(program_kernel(kernel, op->device, &g->key, "matmul_cpu_sum", err));
done:
    return status;
}

static lun_status sum_parts(operation *op, const geometry *g, const problem *p, cl_kernel kernel, lun_block *partial,
                            const extent *size, lun_error *err)
{
    extent each = *size;
    each.tile_n = 512;
    launch_plan plan = plan_tasks(g, kernel, (size_t)(size->batches * size->m) * parts((size_t)size->n, (size_t)each.tile_n));
    if (size->splits < 2)
        return LUN_OK;
    return launch(op, &plan,
                  ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(partial), ARG_VALUE(&each),
                       scalar_arg(p, p->beta)),
                  err);
}

static lun_status run_vector(operation *op, const geometry *g, const problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool across = p->m > 1 || (p->b.column == 1 && p->n > 1);
    const size_t wanted = larger(1, smaller(8 * g->units, p->batches * p->n * p->k / g->tuned->vector_work));
    const size_t least = across ? 1024 : 4, most = across ? smaller(g->tuned->strip, g->local / p->m / g->computed) : p->n;
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL;
    extent size = whole(p);
    size_t tile = parts(parts(p->n, parts(wanted, p->batches)), least) * least;
    size.tile_n = (cl_long)larger(1, smaller(tile, most));
    split_k(&size, p->batches * parts(p->n, (size_t)size.tile_n), wanted, 1024);
    TRY(program_kernel(&kernel, op->device, &g->key, across ? "matmul_cpu_axpy" : "matmul_cpu_dot", err));
    TRY(sum_kernel(&sum, &partial, op, g, &size, err));
    TRY(operation_begin(op, err));
    launch_plan plan = plan_tasks(g, kernel, (size_t)size.splits * p->batches * parts(p->n, (size_t)size.tile_n));
    const launch_arg args[] = {ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                               ARG_BLOCK(p->right->block), ARG_VALUE(&p->b),
                               ARG_BLOCK(partial ? partial : p->out->block), ARG_VALUE(&size),
                               scalar_arg(p, p->alpha), scalar_arg(p, p->beta),
                               ARG_LOCAL((size_t)size.tile_n * p->m * g->computed)};
    TRY(launch(op, &plan, args, COUNT(args) - !across, err));
    TRY(sum_parts(op, g, p, sum, partial, &size, err));
done:
    return status;
}

/* Tasks for every core, several where the sizes allow it: fewer panels of B to a task, then fewer rows. A that is too
 * large for the caches is better read once, by tasks that hold all of B's columns. */
static void tile_direct(extent *size, const geometry *g, const problem *p)
{
    const size_t wanted = 4 * g->units, panels = parts(p->n, g->cols);
    const size_t room = larger(1, g->local / (g->cols * g->depth * g->computed));
    const bool large = p->m * p->k * g->stored > g->tuned->direct_bytes;
    const size_t fair = larger(1, p->batches * panels / wanted);
    const size_t most = large ? 2 * g->tuned->direct_panels : smaller(g->tuned->direct_panels, fair);
    const size_t tile = even(panels, smaller(most, room), 1);
    const size_t tasks = p->batches * parts(panels, tile);
    const size_t down = tasks < wanted ? parts(wanted, tasks) : 1;
    const size_t least = 8 * g->rows;
    size->tile_n = (cl_long)(tile * g->cols);
    size->tile_m = (cl_long)(larger(1, parts(parts(p->m, down), least)) * least);
    size->depth = (cl_long)g->depth;
}

static lun_status run_direct(operation *op, const geometry *g, const problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel, sum = NULL;
    lun_block *partial = NULL;
    extent size = whole(p);
    view c = p->c;
    tile_direct(&size, g, p);
    size_t tasks = p->batches * parts(p->m, (size_t)size.tile_m) * parts(p->n, (size_t)size.tile_n);
    split_k(&size, tasks, 2 * g->units, 4 * g->depth);
    TRY(program_kernel(&kernel, op->device, &g->key, "matmul_cpu_direct", err));
    TRY(sum_kernel(&sum, &partial, op, g, &size, err));
    TRY(operation_begin(op, err));
    if (partial)
        c = (view){.row = size.n, .column = 1,
                   .batch = {1, {size.splits * size.batches}, {size.m * size.n}}};
    launch_plan plan = plan_tasks(g, kernel, (size_t)size.splits * tasks);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(partial ? partial : p->out->block), ARG_VALUE(&c), ARG_BLOCK(p->left->block),
                    ARG_VALUE(&p->a), ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_VALUE(&size),
                    scalar_arg(p, p->alpha), scalar_arg(p, partial ? (lun_number){.is_integer = true} : p->beta),
                    ARG_LOCAL((size_t)(size.tile_n * size.depth) * g->computed)),
               err));
    TRY(sum_parts(op, g, p, sum, partial, &size, err));
done:
    return status;
}

/* One launch packs a piece of B, the next multiplies by it. */
typedef struct block_run {
    operation *op;
    const geometry *g;
    cl_kernel pack, block;
    lun_block *packed, *sums;
    size_t n_most, k_most, batches_most; /* a piece */
} block_run;

static lun_status run_piece(const block_run *run, const problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    const geometry *g = run->g;
    extent size = whole(p);
    const size_t columns = smaller(parts(p->n, g->cols) * g->cols, parts(g->tuned->block_columns, g->cols) * g->cols);
    const size_t room = larger(1, g->local / (g->rows * g->depth * g->computed));
    const size_t panels = parts(p->m, g->rows), tasks = parts(8 * g->units, p->batches * parts(p->n, columns));
    const size_t tile = even(panels, smaller(larger(1, panels / tasks), smaller(g->tuned->block_panels, room)), 1);
    size.depth = (cl_long)g->depth;
    size.tile_m = (cl_long)(tile * g->rows);
    size.tile_n = (cl_long)columns;
    size_t packs = p->batches * parts(parts(p->n, g->cols), 8) * parts(p->k, (size_t)size.depth);
    launch_plan pack = plan_tasks(g, run->pack, packs);
    TRY(launch(run->op, &pack,
               ARGS(ARG_BLOCK(run->packed), ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_VALUE(&size)), err));
    launch_plan block = plan_tasks(g, run->block, p->batches * parts(p->m, (size_t)size.tile_m) * parts(p->n, columns));
    TRY(launch(run->op, &block,
               ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                    ARG_BLOCK(run->packed), ARG_BLOCK(run->sums ? run->sums : run->packed), ARG_VALUE(&size),
                    scalar_arg(p, p->alpha), scalar_arg(p, p->beta),
                    ARG_LOCAL(((size_t)(size.tile_m * size.depth) + 16) * g->computed)),
               err));
done:
    return status;
}

static lun_status run_matrix(const block_run *run, const problem *whole_p, lun_error *err)
{
    lun_status status = LUN_OK;
    for (size_t j = 0; j < whole_p->n; j += run->n_most)
        for (size_t k = 0; k < whole_p->k; k += run->k_most) {
            problem p = *whole_p;
            p.n = smaller(run->n_most, p.n - j);
            p.k = smaller(run->k_most, p.k - k);
            p.a.offset += (cl_long)k * p.a.column;
            p.b.offset += (cl_long)k * p.b.row + (cl_long)j * p.b.column;
            p.c.offset += (cl_long)j * p.c.column;
            if (k > 0)
                p.beta = (lun_number){true, 1, 1};
            TRY(run_piece(run, &p, err));
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
static lun_status run_batches(const block_run *run, const problem *all, lun_error *err)
{
    lun_status status = LUN_OK;
    if (all->batches <= run->batches_most)
        return run_matrix(run, all, err);
    const size_t count = (size_t)all->c.batch.size[0], each = all->batches / count;
    const size_t step = larger(1, run->batches_most / each);
    for (size_t from = 0; from < count; from += step) {
        problem p = *all;
        view *views[] = {&p.c, &p.a, &p.b};
        size_t here = smaller(step, count - from);
        p.batches = here * each;
        for (int i = 0; i < 3; i++) {
            first_of(&views[i]->batch, &views[i]->offset, (cl_long)from, (cl_long)here);
            if (here == 1)
                without_first(&views[i]->batch);
        }
        TRY(run_batches(run, &p, err));
    }
done:
    return status;
}

static lun_status run_block(operation *op, const geometry *g, const problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    block_run run = {.op = op, .g = g, .n_most = p->n, .k_most = p->k};
    const size_t most = g->packed / g->computed;
    const size_t padded = parts(p->n, g->cols) * g->cols;
    const bool halves = p->dtype == LUN_f16; /* their sums over k must stay in one piece */
    run.batches_most = larger(1, most / (padded * p->k));
    if (padded * p->k > most) {
        const size_t columns = smaller(padded, parts(g->tuned->block_columns, g->cols) * g->cols);
        if (!halves)
            run.k_most = smaller(p->k, larger(1, most / columns / g->depth) * g->depth);
        run.n_most = larger(1, most / run.k_most / columns) * columns;
    }
    const size_t n = smaller(p->n, run.n_most), batches = smaller(p->batches, run.batches_most);
    const size_t tiles = batches * parts(p->m, g->rows) * parts(n, g->cols);
    TRY(program_kernel(&run.pack, op->device, &g->key, "matmul_cpu_pack", err));
    TRY(program_kernel(&run.block, op->device, &g->key, "matmul_cpu_block", err));
    TRY(operation_scratch(op, &run.packed, batches * parts(n, g->cols) * g->cols * smaller(p->k, run.k_most) * g->computed,
                          err));
    if (halves && p->k > g->depth)
        TRY(operation_scratch(op, &run.sums, tiles * g->rows * g->cols * g->computed, err));
    TRY(operation_begin(op, err));
    TRY(run_batches(&run, p, err));
done:
    return status;
}

/* Reading A in place saves a launch and a pass over it, as long as it stays in the caches. */
static bool is_direct(const geometry *g, const problem *p)
{
    if (g->stored != g->computed)
        return false;
    if (p->n <= 2 * g->tuned->direct_panels * g->cols && p->a.column == 1)
        return true;
    if (p->m * p->k * g->stored > g->tuned->direct_bytes)
        return false;
    return p->a.column == 1 || p->m * p->k * g->stored <= g->tuned->direct_bytes / 32;
}

/* Few rows are not worth the packing of B, if its rows are long enough. */
static bool is_vector(const problem *p) { return p->m == 1 || (p->m <= 4 && p->b.column == 1 && p->n >= 256); }

static lun_status run_cpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    problem p = *(const problem *)data;
    geometry g;
    if (p.k == 0) /* beta * C */
        return run_plain(op, &(variant){.file = "matmul_plain"}, data, err);
    if (p.m > 1 && (p.n == 1 || (p.c.column != 1 && p.c.row == 1)))
        swap_sides(&p);
    find_geometry(&g, op->device, row, p.dtype, p.k);
    return is_vector(&p)       ? run_vector(op, &g, &p, err)
           : is_direct(&g, &p) ? run_direct(op, &g, &p, err)
                               : run_block(op, &g, &p, err);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

const variant matmul_variants[] = {
    {"cpu", "matmul_cpu", CL_DEVICE_TYPE_CPU, variant_on_cpu, run_cpu},
    {"plain", "matmul_plain", 0, variant_anywhere, run_plain},
};
const size_t matmul_variant_count = COUNT(matmul_variants);

static lun_status integral(lun_number *x, const char *name, lun_dtype dtype, lun_error *err)
{
    if (lun_dtype_kind(dtype) == LUN_FLOAT || x->is_integer)
        return LUN_OK;
    if (!(fabs(x->real) < 0x1p63) || floor(x->real) != x->real)
        return fail(err, LUN_MISUSE, "%s must be an integer for %s; %.17g came", name, lun_dtype_name(dtype), x->real);
    *x = (lun_number){true, (int64_t)x->real, x->real};
    return LUN_OK;
}

static lun_status check(problem *p, const sides *found, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a = p->left, *b = p->right, *out = p->out;
    lun_array wanted = {0};
    char have[200], want[200];
    TRY(array_check_same_device(a, b, "the second array", err));
    TRY(array_check_same_device(a, out, "out", err));
    if (a->dtype != b->dtype)
        FAIL(LUN_MISUSE, "dtypes differ: %s x %s; cast one of them", lun_dtype_name(a->dtype), lun_dtype_name(b->dtype));
    if (out->dtype != a->dtype)
        FAIL(LUN_MISUSE, "out is %s; the product is %s", lun_dtype_name(out->dtype), lun_dtype_name(a->dtype));
    result_shape(&wanted.ndim, wanted.shape, found, a, b);
    if (!shape_equal(out, &wanted))
        FAIL(LUN_MISUSE, "out has shape (%s); the product has (%s)", lun_shape_text(have, sizeof have, out->ndim, out->shape),
             lun_shape_text(want, sizeof want, wanted.ndim, wanted.shape));
    TRY(array_check_apart(out, a, err));
    TRY(array_check_apart(out, b, err));
    TRY(integral(&p->alpha, "alpha", a->dtype, err));
    TRY(integral(&p->beta, "beta", a->dtype, err));
done:
    return status;
}

static bool is_zero(lun_number x) { return x.is_integer ? x.integer == 0 : x.real == 0; }

lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    sides found;
    const variant *row;
    problem p = {.out = out, .left = a, .right = b, .alpha = alpha, .beta = beta};
    TRY(array_check_live(a, "the first array", err));
    TRY(array_check_live(b, "the second array", err));
    TRY(array_check_live(out, "out", err));
    TRY(find_sides(&found, a, b, err));
    TRY(check(&p, &found, err));
    p.dtype = lun_dtype_kind(a->dtype) == LUN_FLOAT ? a->dtype : dtype_of_bytes(lun_dtype_bytes(a->dtype));
    normalise(&p, &found);
    operation_init(&op, out->device, "matmul", call);
    TRY(operation_reads(&op, a, err));
    TRY(operation_reads(&op, b, err));
    TRY(is_zero(p.beta) ? operation_writes(&op, out, err) : operation_reads_writes(&op, out, err));
    TRY(variant_choose(&row, matmul_variants, matmul_variant_count, op.device, &p, call ? call->variant : NULL, err));
    if (out->size == 0)
        TRY(operation_begin(&op, err));
    else
        TRY(row->run(&op, row, &p, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}
