/* Matmul on any GPU: in tiles of which size, and the form of its kernel. */
#include "op/matmul/matmul.h"
#include "op/planning.h"

/* Measured on an H200 (132 units). */
static const matmul_tiling tilings[] = {
    /* down, across, depth, items down, items across, slices, stages, resident, wide rate, narrow rate, alone */
    {128, 256, 8, 2, 4, 1, 2, 1, 384e9, 267e9, 1.0}, /* large products */
    {128, 128, 8, 2, 2, 1, 2, 2, 372e9, 267e9, 0.9}, /* where blocks of 128 x 256 would leave units idle */
    {64, 64, 16, 2, 2, 2, 2, 2, 325e9, 280e9, 0.75}, /* some hundreds of rows and columns */
    {64, 64, 16, 2, 2, 1, 2, 4, 306e9, 307e9, 0.6},  /* matrices that are read number by number */
    {32, 32, 32, 1, 1, 4, 2, 4, 200e9, 150e9, 0.6},  /* few rows and columns, long sums */
};
static const matmul_tiling tilings_of_8_bytes[] = {
    {128, 128, 8, 2, 4, 1, 2, 1, 178e9, 150e9, 0.9},
    {64, 64, 8, 2, 2, 1, 2, 3, 171e9, 150e9, 0.5},
    {32, 32, 16, 1, 1, 2, 2, 4, 100e9, 90e9, 0.5},
};
/* For devices that are not GPUs, which run the kernel only to check it: tiles that compile quickly. */
static const matmul_tiling small_tilings[] = {{32, 16, 8, 1, 1, 1, 2, 1, 1e9, 1e9, 1}};

bool matmul_gpu_applies(const lun_device *device, const void *data)
{
    const size_t most_local = 2 * 16 * (128 + 128 + 8) * 4; /* local memory of the largest tiling */
    const bool able = device->info.local_memory >= most_local && device->info.max_group >= 128;
    if (!able || !data)
        return able;
    matmul_problem p = *(const matmul_problem *)data;
    return matmul_is_real(&p) && matmul_fit_tiles(&p);
}

#define CHOOSE(rows) matmul_choose_tiling(size, p, device, rows, COUNT(rows))

static const matmul_tiling *choose(matmul_size *size, const matmul_problem *p, const lun_device *device)
{
    if (!(device->type & CL_DEVICE_TYPE_GPU))
        return CHOOSE(small_tilings);
    return lun_dtype_bytes(p->dtype) == 8 ? CHOOSE(tilings_of_8_bytes) : CHOOSE(tilings);
}

lun_status matmul_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    matmul_size size;
    matmul_fit_tiles(&p);
    const matmul_tiling *t = choose(&size, &p, out->op->device);
    const size_t vector = lun_dtype_bytes(p.dtype) == 8 ? 2 : 4;
    size.wide = matmul_c_wide(&p, vector);
    return matmul_plan_tiling(out, row, &p, &size, t, vector, "", err);
}
