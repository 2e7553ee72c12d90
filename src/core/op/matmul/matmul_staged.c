/* Matmul in f32 on GPUs that copy to local memory by themselves: which they are, and in tiles of which size. */
#include "op/matmul/matmul.h"
#include "op/planning.h"

#include <stdio.h>

/* Measured on an H200 (132 units). */
static const matmul_tiling tilings[] = {
    /* down, across, depth, items down, items across, slices, stages, resident, wide rate, narrow rate, alone */
    {128, 128, 16, 2, 4, 1, 2, 2, 408e9, 359e9, 0.9}, /* large products */
    {128, 64, 16, 2, 2, 2, 3, 2, 376e9, 335e9, 0.85}, /* where blocks of 128 x 128 would leave units idle */
    {64, 64, 16, 1, 2, 2, 3, 4, 383e9, 339e9, 0.6},   /* about a thousand rows and columns */
    {64, 32, 16, 1, 2, 2, 3, 5, 300e9, 320e9, 0.45},  /* about a thousand rows and columns, copied number by number */
    {32, 32, 32, 1, 1, 4, 2, 5, 259e9, 240e9, 0.35},  /* few rows and columns, long sums */
};
/* Tilings where both A and B are copied number by number. */
static const matmul_tiling tilings_of_deep_b[] = {
    {128, 128, 16, 2, 4, 1, 2, 2, 395e9, 359e9, 0.9},
    {128, 64, 16, 2, 2, 2, 3, 2, 376e9, 335e9, 0.9},
    {64, 64, 16, 1, 2, 2, 3, 4, 340e9, 320e9, 0.45},
    {32, 32, 32, 1, 1, 4, 2, 5, 240e9, 220e9, 0.35},
};
/* For devices that are not GPUs, which run the kernel only to check it: tiles that compile quickly. */
static const matmul_tiling small_tilings[] = {{32, 16, 16, 1, 1, 2, 3, 1, 1e9, 1e9, 1}};

/* Offsets within a tile, of at most 128 rows, are counted in 32 bits. */
#define MOST_STEP (1 << 22)

static bool steps_fit(const matmul_problem *p)
{
    const cl_long a = matmul_a_deep(p) ? p->a.row : p->a.column, b = matmul_b_deep(p) ? p->b.column : p->b.row;
    return a >= 0 && a < MOST_STEP && b >= 0 && b < MOST_STEP;
}

static bool can_run(const lun_device *device)
{
    const bool gpu = (device->type & CL_DEVICE_TYPE_GPU) != 0;
    const size_t most_local = gpu ? 40 * 1024 : 12 * 1024, most_items = gpu ? 256 : 64; /* of the largest tiling */
    return device->info.local_memory >= most_local && device->info.max_group >= most_items;
}

bool matmul_staged_applies(const lun_device *device, const void *data)
{
    if (!can_run(device))
        return false;
    if (!data)
        return true;
    matmul_problem p = *(const matmul_problem *)data;
    return p.dtype == LUN_f32 && matmul_fit_tiles(&p) && steps_fit(&p);
}

#define CHOOSE(rows) matmul_choose_tiling(size, p, device, rows, COUNT(rows))

static const matmul_tiling *choose(matmul_size *size, const matmul_problem *p, const lun_device *device)
{
    if (!(device->type & CL_DEVICE_TYPE_GPU))
        return CHOOSE(small_tilings);
    return matmul_b_deep(p) ? CHOOSE(tilings_of_deep_b) : CHOOSE(tilings);
}

lun_status matmul_staged_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    matmul_size size;
    char defines[80];
    matmul_fit_tiles(&p);
    const matmul_tiling *t = choose(&size, &p, out->op->device);
    size.wide = matmul_c_wide(&p, 4);
    snprintf(defines, sizeof defines, "%s%s", row->nvidia ? "#define PTX 1\n" : "",
             matmul_in_lines(&p, &size, out->op->device) ? "#define IN_LINES 1\n" : "");
    return matmul_plan_tiling(out, row, &p, &size, t, 4, defines, err);
}
