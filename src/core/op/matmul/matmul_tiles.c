/* Matmul on GPUs: what its variants share, from the form of a problem to the parts of a split k. */
#include "op/matmul/matmul.h"
#include "op/matmul/matmul_tuning.h"
#include "op/planning.h"

#include <math.h>
#include <stdio.h>

/* ---- the form ------------------------------------------------------------------------------------------------ */

bool matmul_a_deep(const matmul_problem *p) { return p->a.column == 1 || p->k == 1; }
bool matmul_b_deep(const matmul_problem *p) { return p->b.row == 1 || p->k == 1; }

static bool aligned(const matmul_view *v, cl_long step, cl_long count)
{
    bool all = v->offset % count == 0 && step % count == 0;
    for (int i = 0; i < v->batch.ndim; i++)
        all &= v->batch.stride[i] % count == 0;
    return all;
}

bool matmul_a_wide(const matmul_problem *p, size_t count)
{
    const bool deep = matmul_a_deep(p);
    return (deep ? p->k : p->m) % count == 0 && aligned(&p->a, deep ? p->a.row : p->a.column, (cl_long)count);
}

bool matmul_b_wide(const matmul_problem *p, size_t count)
{
    const bool deep = matmul_b_deep(p);
    return (deep ? p->k : p->n) % count == 0 && aligned(&p->b, deep ? p->b.column : p->b.row, (cl_long)count);
}

bool matmul_c_wide(const matmul_problem *p, size_t count) { return aligned(&p->c, p->c.row, (cl_long)count); }

static bool fits(const matmul_problem *p)
{
    return (matmul_a_deep(p) || p->a.row == 1 || p->m == 1) && (matmul_b_deep(p) || p->b.column == 1 || p->n == 1) &&
           (p->c.column == 1 || p->n == 1) && p->k > 0;
}

bool matmul_fit_tiles(matmul_problem *p)
{
    if (fits(p))
        return true;
    matmul_swap_sides(p);
    return fits(p);
}

/* ---- the tiling ------------------------------------------------------------------------------------------------ */

/* The seconds that a tiling takes. The groups of the fullest unit share its rate, but none is faster than it would be
 * alone. */
static double estimate(const matmul_problem *p, const matmul_tiling *t, double rate, size_t blocks, size_t splits,
                       const lun_device *device)
{
    const matmul_gpu_tuning *tuned = matmul_gpu_tuned(device);
    const double group = 2.0 * t->down * t->across * ((double)p->k / (double)splits + tuned->start) / rate;
    const size_t held = ceil_div(blocks * splits, device->info.units);
    const double made = (double)(p->batches * p->m * p->n) * (double)lun_dtype_bytes(p->dtype);
    const double shared = (double)held * group, single = (double)ceil_div(held, t->resident) * group / t->alone;
    const double sum = splits == 1 ? 0 : tuned->sum_seconds + 2 * made * (double)splits / tuned->sum_bytes;
    return (shared > single ? shared : single) + sum;
}

static bool can_run(const lun_device *device, const matmul_tiling *t, size_t bytes)
{
    const size_t local = (size_t)t->stages * t->depth * (t->down + t->across + 8) * bytes;
    return local <= device->info.local_memory &&
           32u * t->items_down * t->items_across * t->slices <= device->info.max_group;
}

/* Is it worth trying `splits` parts of k: are they long enough, are there units for them, is there memory? */
static bool can_split(const matmul_problem *p, const matmul_tiling *t, size_t blocks, size_t splits,
                      const lun_device *device)
{
    const double made = (double)(p->batches * p->m * p->n) * (double)lun_dtype_bytes(p->dtype);
    return p->k >= splits * matmul_gpu_tuned(device)->least_part * t->depth &&
           blocks * splits <= (size_t)device->info.units * t->resident &&
           made * (double)splits <= matmul_gpu_tuned(device)->most_partial;
}

const matmul_tiling *matmul_choose_tiling(matmul_size *size, const matmul_problem *p, const lun_device *device,
                                          const matmul_tiling *rows, size_t count)
{
    const size_t bytes = lun_dtype_bytes(p->dtype), vector = bytes == 8 ? 2 : 4;
    const bool wide = matmul_a_wide(p, vector) && matmul_b_wide(p, vector);
    const matmul_tiling *best = &rows[count - 1];
    size_t splits = 1;
    double least = INFINITY;
    for (const matmul_tiling *t = rows; t < rows + count; t++) {
        const size_t blocks = p->batches * ceil_div(p->m, t->down) * ceil_div(p->n, t->across);
        const double rate = wide ? t->wide_rate : t->narrow_rate;
        if (!can_run(device, t, bytes < 4 ? 4 : bytes))
            continue;
        for (size_t parts = 1; parts == 1 || can_split(p, t, blocks, parts, device); parts *= 2) {
            const double seconds = estimate(p, t, rate, blocks, parts, device);
            if (seconds >= least)
                continue;
            least = seconds;
            best = t;
            splits = parts;
        }
    }
    const size_t part = ceil_div(ceil_div(p->k, splits), best->depth) * best->depth;
    *size = (matmul_size){.batches = (cl_long)p->batches,
                          .m = (cl_long)p->m,
                          .n = (cl_long)p->n,
                          .k = (cl_long)p->k,
                          .splits = (cl_long)ceil_div(p->k, part),
                          .part = (cl_long)part};
    return best;
}

bool matmul_in_lines(const matmul_problem *p, const matmul_size *size, const lun_device *device)
{
    return !size->wide && size->splits == 1 && p->k <= matmul_gpu_tuned(device)->lines_most;
}

/* ---- the launches ---------------------------------------------------------------------------------------------- */

/* Sums are kept in the numbers that the kernels compute with. */
static size_t number_bytes(lun_dtype dtype) { return lun_dtype_bytes(dtype) == 8 ? 8 : 4; }

lun_status matmul_plan_tiles(plan *out, const program_key *key, const char *kernel_name, const matmul_problem *p,
                             const matmul_size *size, size_t groups, size_t items, lun_error *err)
{
    lun_device *device = out->op->device;
    cl_kernel kernel, sum;
    lun_block *partial = NULL;
    const size_t made = p->batches * p->m * p->n, splits = (size_t)size->splits;
    const size_t shares = made > matmul_gpu_tuned(device)->sum_items * device->info.units
                              ? 1
                              : 8; /* work-items that add up the parts of a number */
    TRY(program_kernel(&kernel, device, key, kernel_name, err));
    if (splits > 1) {
        const char *defines = shares == 1 ? "#define SHARES 1\n" : "#define SHARES 8\n";
        TRY(program_kernel(&sum, device, &(program_key){.file = "matmul_sum", .dtype = p->dtype, .defines = defines},
                           "matmul_sum", err));
        TRY(operation_scratch(out->op, &partial, splits * made * number_bytes(p->dtype), err));
    }
    TRY(plan_launch(out, &(launch){kernel, 1, {groups * splits * p->batches, 1, 1}, {items, 1, 1}},
                    ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                         ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(partial), ARG_VALUE(size),
                         matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta)),
                    err));
    if (splits > 1)
        TRY(plan_launch(out, &(launch){sum, 1, {ceil_div(made * shares, 256), 1, 1}, {256, 1, 1}},
                        ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(partial), ARG_LONG(made),
                             ARG_LONG(p->m), ARG_LONG(p->n), ARG_LONG(splits), matmul_scalar(p, p->alpha),
                             matmul_scalar(p, p->beta)),
                        err));
    return LUN_OK;
}

lun_status matmul_plan_tiling(plan *out, const variant *row, const matmul_problem *p, const matmul_size *size,
                              const matmul_tiling *t, size_t vector, const char *more, lun_error *err)
{
    char defines[400];
    const program_key key = {.file = row->file, .dtype = p->dtype, .defines = defines};
    snprintf(defines, sizeof defines,
             "%s#define DOWN %u\n#define ACROSS %u\n#define DEPTH %u\n#define ITEMS_DOWN %u\n#define ITEMS_ACROSS %u\n"
             "#define SLICES %u\n#define STAGES %u\n#define A_DEEP %d\n#define B_DEEP %d\n#define A_WIDE %d\n"
             "#define B_WIDE %d\n",
             more, t->down, t->across, t->depth, t->items_down, t->items_across, t->slices, t->stages, matmul_a_deep(p),
             matmul_b_deep(p), matmul_a_wide(p, vector), matmul_b_wide(p, vector));
    return matmul_plan_tiles(out, &key, row->file, p, size, ceil_div(p->m, t->down) * ceil_div(p->n, t->across),
                             32 * t->items_down * t->items_across * t->slices, err);
}
