/* The triangles of matrices on CPU devices: in one pass over rows without gaps, what stays is copied and the rest is
 * zero. */
#define LINE_BYTES 64
#define LINE (LINE_BYTES / ITEM_BYTES) /* elements in a line of the cache */

typedef ulong8 UNALIGNED __attribute__((aligned(1)));

/* How many elements come before the first whole line, of `count`. */
inline long head_of(global const T *dst, long count)
{
    return min(count, (long)((LINE_BYTES - (size_t)dst % LINE_BYTES) % LINE_BYTES / ITEM_BYTES));
}

inline void copy_run(global T *restrict dst, global const T *restrict src, long count, int streams)
{
    long i = 0;
    if (streams) {
        for (const long head = head_of(dst, count); i < head; i++)
            dst[i] = src[i];
        for (; i + LINE <= count; i += LINE)
            STORE_PAST_CACHE((global ulong8 *)(dst + i), (ulong8)*(global const UNALIGNED *)(src + i));
    }
    for (; i < count; i++)
        dst[i] = src[i];
}

inline void clear_run(global T *dst, long count, int streams)
{
    long i = 0;
    if (streams) {
        for (const long head = head_of(dst, count); i < head; i++)
            dst[i] = 0;
        for (; i + LINE <= count; i += LINE)
            STORE_PAST_CACHE((global ulong8 *)(dst + i), (ulong8)0);
    }
    for (; i < count; i++)
        dst[i] = 0;
}

/* `to` and `from` are all axes but the last, whose positions are the columns. upper: what lies below diagonal k is
 * zero, else what lies above it. */
KERNEL(1) triangle_cpu(global T *restrict dst, long dst_offset, lun_layout to, global const T *restrict src,
                       long src_offset, lun_layout from, long rows, long matrix_rows, long columns, long k, int upper,
                       int streams)
{
    dst += dst_offset;
    src += src_offset;
    const long end = SPREAD_TO(rows);
    long row = SPREAD_FROM(rows), i = row % matrix_rows;
    for (; row < end; row++) {
        const long first = upper ? clamp(i + k, 0L, columns) : 0,
                   last = upper ? columns : clamp(i + k + 1, 0L, columns);
        global T *d = dst + layout_offset(&to, row);
        clear_run(d, first, streams);
        copy_run(d + first, src + layout_offset(&from, row) + first, last - first, streams);
        clear_run(d + last, columns - last, streams);
        i = i + 1 < matrix_rows ? i + 1 : 0;
    }
}
