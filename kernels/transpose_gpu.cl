/* Transposing on a GPU: a tile goes through local memory, so that both sides are read and written along their lines.
 *
 * Groups that follow one another continue the same rows of dst, so that a line which two tiles share is still in the
 * cache when its second part comes. Where rows of dst do not begin on a line, items are shifted so that those
 * which write at the same time write one line. Built per item size. */
#if ITEM_BYTES == 8
#define ROWS 64 /* of a tile: neighbours in dst */
#define COLUMNS 32
#elif ITEM_BYTES == 1
#define ROWS 128
#define COLUMNS 128
#else
#define ROWS 128
#define COLUMNS 64
#endif
#define DEEP (512 / COLUMNS)      /* a group's items are COLUMNS x DEEP */
#define LINE (128 / ITEM_BYTES)   /* elements */

typedef struct {
    long dst, src;            /* first elements */
    long rows, columns;       /* rows are neighbours in dst, columns in src */
    long dst_row, dst_column; /* strides; those between neighbours are 1 */
    long src_row, src_column;
    long batch;
} transpose_plan;

kernel __attribute__((reqd_work_group_size(COLUMNS, DEEP, 1)))
void transpose_gpu(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                   transpose_plan plan)
{
    local T tile[ROWS][COLUMNS + (ITEM_BYTES < 4 ? 4 / ITEM_BYTES : 1)];
    const int x = get_local_id(0), y = get_local_id(1);
    const long down = (plan.rows + ROWS - 1) / ROWS, across = (plan.columns + COLUMNS - 1) / COLUMNS;
    const long group = get_group_id(0), batch = group / (down * across);
    const long row = group % down * ROWS, column = group / down % across * COLUMNS;
    const int rows = (int)min((long)ROWS, plan.rows - row), columns = (int)min((long)COLUMNS, plan.columns - column);
    src += plan.src + layout_offset(&from, batch) + row * plan.src_row + column;
    dst += plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    if (rows == ROWS && columns == COLUMNS) { /* all loads under way before the first is needed */
        T held[ROWS / DEEP];
#pragma unroll
        for (int i = 0; i < ROWS / DEEP; i++)
            held[i] = src[(y + i * DEEP) * plan.src_row + x];
#pragma unroll
        for (int i = 0; i < ROWS / DEEP; i++)
            tile[y + i * DEEP][x] = held[i];
    } else {
        for (int i = y; i < rows; i += DEEP)
            if (x < columns)
                tile[i][x] = src[i * plan.src_row + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const long first = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    for (int j = y; j < columns; j += DEEP) {
        const int shift = (int)((first + j * plan.dst_column) % LINE);
#pragma unroll
        for (int part = 0; part < ROWS + LINE; part += COLUMNS) {
            const int i = part + x - shift;
            if (i >= 0 && i < rows)
                dst[j * plan.dst_column + i] = tile[i][j];
        }
    }
}
