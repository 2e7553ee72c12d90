/* Zeros in one triangle of each matrix of a batch: behind diagonal k (below is 0), or before it. `all` are all axes but the
 * last, whose positions are the columns. `width` neighbouring work-items share a row. */
#ifndef T
#define T uint
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triangle_plain(global T *dst, long offset, lun_layout all, long rows, long matrix_rows, long columns, long step, long k,
                    int below, long width)
{
    const long id = get_global_id(0), across = id % width, down = get_global_size(0) / width;
    dst += offset;
    for (long row = id / width; row < rows; row += down) {
        const long diagonal = row % matrix_rows + k;
        const long from = below ? 0 : clamp(diagonal + 1, 0L, columns);
        const long to = below ? clamp(diagonal, 0L, columns) : columns;
        global T *line = dst + layout_offset(&all, row);
        if (step == 1)
            for (long j = from + across; j < to; j += width)
                line[j] = 0;
        else
            for (long j = from + across; j < to; j += width)
                line[j * step] = 0;
    }
}
