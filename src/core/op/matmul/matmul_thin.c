/* Products of a matrix and a few columns, or a few rows and a matrix, on GPUs: how groups share the matrix. */
#include "op/matmul/matmul.h"
#include "op/planning.h"

#include <stdio.h>

#define MOST_COLUMNS 4
#define ITEMS 256

static bool fits(const matmul_problem *p)
{
    return p->n <= MOST_COLUMNS && p->k > 0 && (matmul_a_deep(p) || p->a.row == 1);
}

/* Brings the side of few rows or columns to the right; where both sides are so, the one that is contiguous along k goes to
 * the left. */
static bool fit(matmul_problem *p)
{
    if (fits(p) && (matmul_a_deep(p) || p->m > MOST_COLUMNS))
        return true;
    matmul_swap_sides(p);
    if (fits(p))
        return true;
    matmul_swap_sides(p);
    return fits(p);
}

bool matmul_thin_applies(const lun_device *device, const void *data)
{
    const bool able = device->info.local_memory >= 2 * MOST_COLUMNS * ITEMS * 8 && device->info.max_group >= ITEMS;
    if (!able || !data)
        return able;
    matmul_problem p = *(const matmul_problem *)data;
    return matmul_is_real(&p) && fit(&p);
}

/* How a kernel's groups divide A, found on an H200. */
typedef struct sharing {
    unsigned lanes, each; /* as in matmul_thin.cl */
    size_t rows;          /* rows of A that a group takes */
    size_t step;          /* steps of k that a group takes at once */
    size_t least;         /* steps of k of a part, at least */
} sharing;

static sharing share_rows(const matmul_problem *p, size_t vector, uint32_t units)
{
    const bool few = p->m * p->batches < 8 * (size_t)units, is_short = p->k < 32 * vector;
    unsigned lanes = is_short ? 8 : few ? ITEMS : 32, each = is_short ? 2 : 1;
    while (p->n == 1 && !is_short && lanes < ITEMS && 8 * lanes * vector <= p->k)
        lanes *= 2; /* as many lanes as walk through four vectors each */
    return (sharing){lanes, each, ITEMS / lanes * each, lanes * vector, 4 * lanes * vector};
}

/* How columns of A are shared. Strips as wide as 32 lanes read the memory best. Where they are too few for the device, k
 * is split, if joining its parts takes no second launch; else strips are narrow and take the whole k. Only strips of whole
 * vectors are made narrower than 8 lanes. */
static sharing share_columns(const matmul_problem *p, size_t vector, uint32_t units, bool joined)
{
    const size_t vectors = p->m * p->batches / vector, many = 4 * (size_t)units;
    const size_t parts = joined ? larger(p->k / 64, 1) : 1;
    const unsigned narrow = !matmul_a_wide(p, vector) || joined ? 8 : vector == 2 ? 4 : 2;
    const unsigned lanes = vectors / 32 * parts >= many ? 32 : vectors / 8 >= many ? 8 : narrow;
    return (sharing){lanes, 1, lanes * vector, ITEMS / lanes, 8 * ITEMS / lanes};
}

static matmul_size divide(const matmul_problem *p, const sharing *s, size_t groups, size_t wanted, bool joined)
{
    size_t splits = groups * 2 > wanted ? 1 : joined ? wanted / groups : ceil_div(wanted, groups);
    splits = splits > p->k / s->least ? larger(p->k / s->least, 1) : splits;
    const size_t part = ceil_div(ceil_div(p->k, splits), s->step) * s->step;
    return (matmul_size){.batches = (cl_long)p->batches,
                         .m = (cl_long)p->m,
                         .n = (cl_long)p->n,
                         .k = (cl_long)p->k,
                         .splits = (cl_long)ceil_div(p->k, part),
                         .part = (cl_long)part};
}

/* Plans one launch. For each block its groups take a ticket, and the last of them adds up the block's parts. */
static lun_status plan_joined(plan *out, const program_key *key, const matmul_problem *p, const matmul_size *size,
                              size_t blocks, lun_error *err)
{
    cl_kernel kernel;
    lun_block *partial;
    const size_t groups = blocks * p->batches * (size_t)size->splits, made = p->batches * p->m * p->n;
    const size_t bytes = (size_t)size->splits * made * (lun_dtype_bytes(p->dtype) == 8 ? 8 : 4);
    TRY(program_kernel(&kernel, out->op->device, key, "matmul_thin_columns", err));
    TRY(operation_scratch(out->op, &partial, bytes, err));
    return plan_launch(out, &(launch){kernel, 1, {groups, 1, 1}, {ITEMS, 1, 1}},
                       ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                            ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_BLOCK(partial), ARG_VALUE(size),
                            matmul_scalar(p, p->alpha), matmul_scalar(p, p->beta), ARG_COUNTERS),
                       err);
}

lun_status matmul_thin_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    const bool nvidia = row->nvidia > 0;
    const uint32_t units = out->op->device->info.units;
    const size_t vector = lun_dtype_bytes(p.dtype) == 8 ? 2 : 4;
    char defines[240];
    fit(&p);
    const bool deep = matmul_a_deep(&p), b_wide = matmul_b_deep(&p) && matmul_b_wide(&p, vector);
    bool joined = nvidia && !deep;
    sharing s = deep ? share_rows(&p, vector, units) : share_columns(&p, vector, units, joined);
    const size_t blocks = ceil_div(p.m, s.rows), groups = blocks * p.batches;
    /* Two groups a unit keep the memory busy where rows are read, four where columns are. */
    matmul_size size = divide(&p, &s, groups, (deep ? 2 : 4) * (size_t)units, joined);
    joined = joined && size.splits > 1 && groups <= QUEUE_COUNTERS;
    snprintf(defines, sizeof defines,
             "#define FEW %zu\n#define LANES %u\n#define EACH %u\n#define WIDE %d\n#define B_WIDE %d\n%s%s",
             p.n == 3 ? 4 : p.n, s.lanes, s.each, matmul_a_wide(&p, vector), b_wide, joined ? "#define NVIDIA 1\n" : "",
             nvidia && out->op->device->nvidia >= 8 ? "#define STREAM 1\n" : "");
    const program_key key = {.file = row->file, .dtype = p.dtype, .defines = defines};
    if (joined)
        return plan_joined(out, &key, &p, &size, blocks, err);
    return matmul_plan_tiles(out, &key, deep ? "matmul_thin_rows" : "matmul_thin_columns", &p, &size, blocks, ITEMS,
                             err);
}
