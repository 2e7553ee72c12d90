/* Products of a matrix and a few columns, or a few rows and a matrix, on GPUs: how groups share the matrix. */
#include "matmul.h"

#include <stdio.h>

#define MOST_COLUMNS 4
#define ITEMS 256

static bool fits(const matmul_problem *p)
{
    return p->n <= MOST_COLUMNS && p->k > 0 && (matmul_a_deep(p) || p->a.row == 1);
}

/* Brings the few to the right; where both sides are few, the one that is contiguous along k to the left. */
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
    return fit(&p);
}

/* How a kernel's groups divide A, found on an H200; bench/NOTES.md has the steps. */
typedef struct sharing {
    unsigned lanes, each; /* as in matmul_thin.cl */
    size_t rows;          /* of A that a group takes */
    size_t step;          /* of k that a group takes at once */
    size_t least;         /* k of a part */
} sharing;

static sharing share_rows(const matmul_problem *p, size_t vector, uint32_t units)
{
    const bool few = p->m * p->batches < 8 * (size_t)units, is_short = p->k < 32 * vector;
    const unsigned lanes = is_short ? 8 : few ? ITEMS : 32, each = is_short ? 2 : 1;
    return (sharing){lanes, each, ITEMS / lanes * each, lanes * vector, 4 * lanes * vector};
}

/* Where there are too few columns for many groups, narrow ones take the whole k rather than wide ones a part of it: that
 * saves the launch that adds the parts. Of vectors that is: single numbers would come in pairs. */
static sharing share_columns(const matmul_problem *p, size_t vector, uint32_t units)
{
    const size_t vectors = p->m * p->batches / vector, many = 4 * (size_t)units;
    const unsigned narrow = !matmul_a_wide(p, vector) ? 8 : vector == 2 ? 4 : 2;
    const unsigned lanes = vectors / 32 >= many ? 32 : vectors / 8 >= many ? 8 : narrow;
    return (sharing){lanes, 1, lanes * vector, ITEMS / lanes, 8 * ITEMS / lanes};
}

lun_status matmul_thin_run(operation *op, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    const uint32_t units = op->device->info.units;
    const size_t vector = lun_dtype_bytes(p.dtype) == 8 ? 2 : 4;
    char defines[200];
    fit(&p);
    const bool deep = matmul_a_deep(&p), b_wide = matmul_b_deep(&p) && matmul_b_wide(&p, vector);
    sharing s = deep ? share_rows(&p, vector, units) : share_columns(&p, vector, units);
    const size_t blocks = ceil_div(p.m, s.rows), groups = blocks * p.batches;
    /* Two groups a unit keep the memory busy where rows are read, four where columns are. */
    const size_t wanted = (deep ? 2 : 4) * (size_t)units;
    size_t splits = groups * 2 > wanted ? 1 : ceil_div(wanted, groups);
    splits = splits > p.k / s.least ? larger(p.k / s.least, 1) : splits;
    const size_t part = ceil_div(ceil_div(p.k, splits), s.step) * s.step;
    const matmul_size size = {.batches = (cl_long)p.batches,
                              .m = (cl_long)p.m,
                              .n = (cl_long)p.n,
                              .k = (cl_long)p.k,
                              .splits = (cl_long)ceil_div(p.k, part),
                              .part = (cl_long)part};
    snprintf(defines, sizeof defines,
             "#define FEW %zu\n#define LANES %u\n#define EACH %u\n#define WIDE %d\n#define B_WIDE %d\n",
             p.n == 3 ? 4 : p.n, s.lanes, s.each, matmul_a_wide(&p, vector), b_wide);
    return matmul_launch(op, &(program_key){row->file, p.dtype, defines},
                         deep ? "matmul_thin_rows" : "matmul_thin_columns", &p, &size, blocks, ITEMS, err);
}
