/* Transposing anywhere, between any two layouts: each work-item moves a small tile, so that cache lines are shared
 * within it. Built per item size. */
#include "abi/move.h"

#define TILE TRANSPOSE_PLAIN_TILE

KERNEL(GROUP) transpose_plain(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                              transpose_shape plan)
{
    const long across = (plan.columns + TILE - 1) / TILE, down = (plan.rows + TILE - 1) / TILE;
    FOR_SPREAD(job, plan.batch * down * across)
    {
        const long batch = job / (down * across), column = job % across * TILE, row = job / across % down * TILE;
        global T *d = dst + plan.dst + layout_offset(&to, batch);
        global const T *s = src + plan.src + layout_offset(&from, batch);
        for (long j = column; j < min(plan.columns, column + TILE); j++)
            for (long i = row; i < min(plan.rows, row + TILE); i++)
                d[j * plan.dst_column + i * plan.dst_row] = s[i * plan.src_row + j * plan.src_column];
    }
}
