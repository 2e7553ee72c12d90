/* Matmul by an NVIDIA GPU's matrix instructions: which devices have them, and in tiles of which size. */
#include "op/matmul/matmul.h"
#include "op/planning.h"

#include <stdio.h>

/* Measured on an H200 (132 units). */
static const matmul_tiling tilings_of_f64[] = {
    /* down, across, depth, items down, items across, slices, stages, resident, wide rate, narrow rate, alone */
    {128, 64, 8, 2, 2, 1, 3, 2, 446e9, 415e9, 0.93},
    {64, 64, 8, 2, 2, 1, 4, 3, 419e9, 386e9, 0.92},
    {32, 64, 16, 1, 2, 1, 3, 4, 347e9, 261e9, 0.6},
};
static const matmul_tiling tilings_of_f16[] = {
    {128, 128, 32, 2, 2, 1, 2, 2, 2690e9, 2690e9, 0.8},
    {64, 64, 64, 2, 2, 1, 2, 3, 1860e9, 1860e9, 0.5},
};

/* f16 from compute capability 8.0 on (7.0 has other shapes). f64 from 8.0 on too, and at full speed in a shape of 9.0. */
bool matmul_nvidia_applies(const lun_device *device, const void *data)
{
    if (device->info.local_memory < 47 * 1024)
        return false;
    if (!data)
        return true;
    matmul_problem p = *(const matmul_problem *)data;
    if (p.dtype != LUN_f64 && p.dtype != LUN_f16)
        return false;
    return matmul_fit_tiles(&p) && (p.dtype == LUN_f64 || (matmul_a_wide(&p, 8) && matmul_b_wide(&p, 8)));
}

lun_status matmul_nvidia_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    matmul_problem p = *(const matmul_problem *)data;
    matmul_size size;
    char defines[160];
    const size_t chunk = 16 / lun_dtype_bytes(p.dtype);
    matmul_fit_tiles(&p);
    const matmul_tiling *t =
        p.dtype == LUN_f64 ? matmul_choose_tiling(&size, &p, out->op->device, tilings_of_f64, COUNT(tilings_of_f64))
                           : matmul_choose_tiling(&size, &p, out->op->device, tilings_of_f16, COUNT(tilings_of_f16));
    size.wide = matmul_c_wide(&p, 2);
    const bool lines = p.dtype == LUN_f64 && matmul_in_lines(&p, &size, out->op->device);
    snprintf(defines, sizeof defines,
             "#define PTX 1\n%s#define WARPS_DOWN ITEMS_DOWN\n#define WARPS_ACROSS ITEMS_ACROSS\n#define SHAPE %d\n",
             lines ? "#define IN_LINES 1\n" : "", out->op->device->nvidia < 9 ? 884 : 1684);
    return matmul_plan_tiling(out, row, &p, &size, t, chunk, defines, err);
}
