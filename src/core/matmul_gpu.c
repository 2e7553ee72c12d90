/* Matmul on a GPU: which problems its kernel takes, and in tiles of which size. */
#include "matmul.h"

#include <stdio.h>

/* Measured on an H200 (132 units); bench/NOTES.md has the steps. The first row whose blocks of C give every unit
 * `fill` of them is taken, or the last. */
typedef struct tiling {
    unsigned down, across, depth;      /* of a group's tiles */
    unsigned items_down, items_across; /* blocks of 32 items */
    double fill;
} tiling;

static const tiling tilings[] = {
    {128, 128, 16, 2, 4, 2.0},
    {128, 64, 16, 2, 2, 0.9},
    {64, 64, 16, 2, 2, 0},
};
static const tiling tilings_of_8_bytes[] = {
    {128, 64, 8, 2, 2, 0.9},
    {64, 64, 8, 1, 2, 0},
};

static size_t parts(size_t n, size_t part) { return (n + part - 1) / part; }

static size_t blocks(const matmul_problem *p, const tiling *t)
{
    return p->batches * parts(p->m, t->down) * parts(p->n, t->across);
}

static const tiling *choose_tiling(const matmul_problem *p, uint32_t units)
{
    const tiling *t = lun_dtype_bytes(p->dtype) == 8 ? tilings_of_8_bytes : tilings;
    while (t->fill > 0 && (double)blocks(p, t) < t->fill * units)
        t++;
    return t;
}

/* Is the matrix contiguous along k? An axis of one element has no stride to speak of. */
static bool a_deep(const matmul_problem *p) { return p->a.column == 1 || p->k == 1; }
static bool b_deep(const matmul_problem *p) { return p->b.row == 1 || p->k == 1; }

static bool fits(const matmul_problem *p)
{
    return (a_deep(p) || p->a.row == 1 || p->m == 1) && (b_deep(p) || p->b.column == 1 || p->n == 1) &&
           (p->c.column == 1 || p->n == 1) && p->k > 0;
}

bool matmul_gpu_applies(const lun_device *device, const void *data)
{
    const size_t most_local = 2 * 16 * (128 + 128 + 8) * 4; /* the largest row of both tables */
    /* A CPU could run it, but takes half a minute to compile it for each form. */
    if (!(device->type & CL_DEVICE_TYPE_GPU) || device->info.local_memory < most_local || device->info.max_group < 256)
        return false;
    if (!data)
        return true;
    matmul_problem p = *(const matmul_problem *)data;
    if (fits(&p))
        return true;
    matmul_swap_sides(&p);
    return fits(&p);
}

/* Does every vector of 4 that starts at a multiple of 4 along that axis start at a multiple of 4 in memory? */
static bool is_wide(const matmul_view *v, cl_long step)
{
    bool wide = v->offset % 4 == 0 && step % 4 == 0;
    for (int i = 0; i < v->batch.ndim; i++)
        wide &= v->batch.stride[i] % 4 == 0;
    return wide;
}

lun_status matmul_gpu_run(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    matmul_problem p = *(const matmul_problem *)data;
    char defines[256];
    cl_kernel kernel;
    if (!fits(&p))
        matmul_swap_sides(&p);
    const tiling *t = choose_tiling(&p, op->device->info.units);
    const bool a_is_deep = a_deep(&p), b_is_deep = b_deep(&p);
    const bool wide =
        is_wide(&p.a, a_is_deep ? p.a.row : p.a.column) && is_wide(&p.b, b_is_deep ? p.b.column : p.b.row);
    snprintf(defines, sizeof defines,
             "#define DOWN %u\n#define ACROSS %u\n#define DEPTH %u\n#define ITEMS_DOWN %u\n#define ITEMS_ACROSS %u\n"
             "#define A_DEEP %d\n#define B_DEEP %d\n%s",
             t->down, t->across, t->depth, t->items_down, t->items_across, a_is_deep, b_is_deep,
             wide ? "#define WIDE 1\n" : "");
    TRY(program_kernel(&kernel, op->device, &(program_key){row->file, p.dtype, defines}, "matmul_gpu", err));
    TRY(operation_begin(op, err));
    launch_plan plan = {kernel, 1, {blocks(&p, t), 1, 1}, {32 * t->items_down * t->items_across, 1, 1}};
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(p.out->block), ARG_VALUE(&p.c), ARG_BLOCK(p.left->block), ARG_VALUE(&p.a),
                    ARG_BLOCK(p.right->block), ARG_VALUE(&p.b), ARG_LONG(p.m), ARG_LONG(p.n), ARG_LONG(p.k),
                    matmul_scalar(&p, p.alpha), matmul_scalar(&p, p.beta)),
               err));
done:
    return status;
}
