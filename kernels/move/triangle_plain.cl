/* Zeros in one triangle of each matrix of a batch: below diagonal k (upper), or above it. `all` are all axes but the
 * last, whose positions are the columns. */
/* Every `by`-th of the columns that are cleared in row i of a matrix, from the `first` on. */
inline void clear_row(global T *line, long i, long columns, long step, long k, int upper, long first, long by)
{
    const long from = upper ? 0 : clamp(i + k + 1, 0L, columns);
    const long to = upper ? clamp(i + k, 0L, columns) : columns;
    if (step == 1)
        for (long j = from + first; j < to; j += by)
            line[j] = 0;
    else
        for (long j = from + first; j < to; j += by)
            line[j * step] = 0;
}

/* A work-item has a run of rows where it has a core to itself; else `width` neighbours share a row. */
KERNEL(GROUP) triangle_plain(global T *dst, long offset, lun_layout all, long rows, long matrix_rows, long columns,
                             long step, long k, int upper, long width)
{
    dst += offset;
#if GROUP == 1
    const long end = SPREAD_TO(rows);
    long row = SPREAD_FROM(rows), i = row % matrix_rows;
    for (; row < end; row++) {
        clear_row(dst + layout_offset(&all, row), i, columns, step, k, upper, 0, 1);
        i = i + 1 < matrix_rows ? i + 1 : 0;
    }
#else
    const long id = get_global_id(0), down = get_global_size(0) / width;
    for (long row = id / width; row < rows; row += down)
        clear_row(dst + layout_offset(&all, row), row % matrix_rows, columns, step, k, upper, id % width, width);
#endif
}
