/* Transposing on a GPU where the lines of dst are short and lie one behind the other: a tile has whole lines, and is
 * written as one run of memory.
 *
 * A group reads `width` columns of all rows of src in aligned words. It puts each item where it belongs in the run,
 * which lies in local memory as it will in dst, beginning within a vector of 16 bytes as the run does. So a work-item
 * writes a whole vector of dst at a time; the vectors at both ends are written in part. Built per item size. */
#ifndef WIDE
#define WIDE 64 /* a group's items are WIDE x DEEP; WIDE words of a row of src are read together */
#endif
#define DEEP (256 / WIDE)
#if ITEM_BYTES == 8
typedef ulong word;
#else
typedef uint word;
#endif
#define PACK (ITEM_BYTES < 4 ? 4 / ITEM_BYTES : 1) /* items in a word */
#define LENGTH (16 / ITEM_BYTES)                   /* items in a vector */
#define EACH 4                                     /* rows whose loads are under way together */

#include "abi/move.h"

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_thin(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                    transpose_shape plan, uint across, uint width)
{
    local uint4 vectors[TRANSPOSE_THIN_BYTES / 16 + 1];
    local T *run = (local T *)vectors;
    const uint group = get_group_id(0), batch = group / across;
    const long column = (long)(group - batch * across) * width;
    const int rows = (int)plan.rows, columns = (int)min((long)width, plan.columns - column);
    const long in = plan.src + layout_offset(&from, batch) + column;
    const long out = plan.dst + layout_offset(&to, batch) + column * rows;
    const int before = (int)(out & (LENGTH - 1)), end = before + columns * rows;
    for (int x = get_local_id(0); x * PACK < columns + PACK - 1; x += WIDE)
        for (int first = get_local_id(1); first < rows; first += EACH * DEEP) {
            word held[EACH];
            int at[EACH]; /* the column of the word's first item */
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                const int row = first + e * DEEP;
                const long place = in + row * plan.src_row;
                const int odd = (int)(place & (PACK - 1));
                at[e] = x * PACK - odd;
                held[e] = 0;
                if (row < rows && at[e] < columns)
                    held[e] = ((global const word *)(src + (place - odd)))[x];
            }
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                const int row = first + e * DEEP;
#pragma unroll
                for (int p = 0; p < PACK; p++) {
                    const int c = at[e] + p;
                    if (row < rows && c >= 0 && c < columns)
                        run[before + c * rows + row] = (T)(held[e] >> p * (8 * ITEM_BYTES % (8 * (int)sizeof(word))));
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    global T *line = dst + (out - before);
    for (int v = get_local_id(1) * WIDE + get_local_id(0); v * LENGTH < end; v += WIDE * DEEP) {
        const int first = v * LENGTH;
        if (first >= before && first + LENGTH <= end)
            ((global uint4 *)line)[v] = vectors[v];
        else
            for (int k = max(first, before); k < min(first + LENGTH, end); k++)
                line[k] = run[k];
    }
}
