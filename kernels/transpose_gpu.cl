/* Transposing on a GPU: a tile goes through local memory, so that both sides are read and written along their lines.
 *
 * Groups that follow one another continue the same rows of dst, so that a line which two tiles share is still in the
 * cache when its second part comes. Where rows of dst do not begin on a line, items are shifted so that those
 * which write at the same time write one line. Small elements are moved in packs of 4 bytes where all rows of both
 * sides begin on such (PACKED). Built per item size. */
#ifdef PACKED
#define PACK (4 / ITEM_BYTES) /* elements that an item reads or writes at once */
typedef uint pack;
#else
#define PACK 1
typedef T pack;
#endif
#define ROWS (ITEM_BYTES == 8 ? 64 : 128) /* of a tile, in elements: neighbours in dst */
#define COLUMNS (ITEM_BYTES == 8 ? 32 : 64 * PACK)
#define WIDE (COLUMNS / PACK) /* a group's items are WIDE x DEEP */
#define DEEP 8
#define LINE (128 / ITEM_BYTES / PACK) /* packs */
#define PAD (ITEM_BYTES < 4 ? 4 / ITEM_BYTES : 1)

typedef struct {
    long dst, src;            /* first elements */
    long rows, columns;       /* rows are neighbours in dst, columns in src */
    long dst_row, dst_column; /* strides; those between neighbours are 1 */
    long src_row, src_column;
    long batch;
} transpose_plan;

/* PACK elements of column j of the tile, from row i on. */
#define GATHER(i, j) gather(&tile[i][j])
inline pack gather(local const T *from)
{
#if PACK == 4
    return as_uint((uchar4)(from[0], from[COLUMNS + PAD], from[2 * (COLUMNS + PAD)], from[3 * (COLUMNS + PAD)]));
#elif PACK == 2
    return as_uint((ushort2)(from[0], from[COLUMNS + PAD]));
#else
    return *from;
#endif
}

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_gpu(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                   transpose_plan plan)
{
    local T tile[ROWS][COLUMNS + PAD] __attribute__((aligned(8)));
    const int x = get_local_id(0), y = get_local_id(1);
    const long down = (plan.rows + ROWS - 1) / ROWS, across = (plan.columns + COLUMNS - 1) / COLUMNS;
    const long group = get_group_id(0), batch = group / (down * across);
    const long row = group % down * ROWS, column = group / down % across * COLUMNS;
    const int rows = (int)min((long)ROWS, plan.rows - row), columns = (int)min((long)COLUMNS, plan.columns - column);
    const long first = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    src += plan.src + layout_offset(&from, batch) + row * plan.src_row + column;
    dst += first;
    if (rows == ROWS && columns == COLUMNS) { /* all loads under way before the first is needed */
        pack held[ROWS / DEEP];
#pragma unroll
        for (int i = 0; i < ROWS / DEEP; i++)
            held[i] = ((global const pack *)(src + (y + i * DEEP) * plan.src_row))[x];
#pragma unroll
        for (int i = 0; i < ROWS / DEEP; i++)
            ((local pack *)tile[y + i * DEEP])[x] = held[i];
    } else {
        for (int i = y; i < rows; i += DEEP)
            for (int j = x; j < columns; j += WIDE)
                tile[i][j] = src[i * plan.src_row + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int whole = rows / PACK;
    for (int j = y; j < columns; j += DEEP) {
        global T *line = dst + j * plan.dst_column;
        const int shift = (int)((first + j * plan.dst_column) / PACK & (LINE - 1));
#pragma unroll
        for (int part = 0; part < ROWS / PACK + LINE; part += WIDE) {
            const int i = part + x - shift;
            if (i >= 0 && i < whole)
                ((global pack *)line)[i] = GATHER(i * PACK, j);
        }
        for (int i = whole * PACK + x; i < rows; i += WIDE)
            line[i] = tile[i][j];
    }
}
