/* Transposing on CPU devices: tiles in registers, whole cache lines written at a time, past the cache where the result
 * would not stay in it anyway. Built per item size.
 *
 * A strip of rows is first copied to private memory, each row in one go: in place they would fight for the same few
 * sets of the cache and entries of the TLB, being a power of two apart or a page each. */
#ifndef SPAN_BYTES
#define SPAN_BYTES 256 /* of a row of src that are read together */
#define RUN_BYTES 1024 /* of a row of dst that are gathered before they are written */
#endif
#define LINE_BYTES 64
#define RAW_BYTES 32 /* copied at a time */

#define LINE (LINE_BYTES / ITEM_BYTES) /* all in items */
#define SPAN (SPAN_BYTES / ITEM_BYTES)
#define RUN (RUN_BYTES / ITEM_BYTES)
#define PITCH (SPAN + RAW_BYTES / ITEM_BYTES) /* not a power of two */

/* A tile's side is the items in 16 bytes. */
#if ITEM_BYTES == 1
#define SIDE 16
#define LOW_LANES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_LANES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif ITEM_BYTES == 2
#define SIDE 8
#define LOW_LANES 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_LANES 4, 12, 5, 13, 6, 14, 7, 15
#elif ITEM_BYTES == 4
#define SIDE 4
#define LOW_LANES 0, 4, 1, 5
#define HIGH_LANES 2, 6, 3, 7
#else
#define SIDE 2
#define LOW_LANES 0, 2
#define HIGH_LANES 1, 3
#endif
#define TILES (LINE / SIDE)

#define VEC JOIN(T, SIDE)
/* Not vload and vstore: PoCL 3.1's vstore16 writes bytes one by one. */
typedef VEC UNALIGNED __attribute__((aligned(ITEM_BYTES)));
typedef ulong4 RAW __attribute__((aligned(ITEM_BYTES)));
#define UNROLLED _Pragma("unroll") for

/* The lower, or the upper, halves of two vectors, one item of each in turn. */
#ifdef __clang__
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, LOW_LANES)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, HIGH_LANES)
#else
#define ZIP_LOW(a, b) shuffle2(a, b, (VEC)(LOW_LANES))
#define ZIP_HIGH(a, b) shuffle2(a, b, (VEC)(HIGH_LANES))
#endif

#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__)) /* PoCL, and no interpreter of its code */
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(p) __builtin_prefetch((const void *)(ulong)(p), 0, 3)
#endif
#endif
#ifndef PREFETCH
#define PREFETCH(p) prefetch(p, 1)
#endif

typedef struct {
    long dst, src;           /* first elements */
    long rows, columns;      /* of src; columns are its neighbours, rows dst's */
    long dst_step, src_step; /* from column to column of dst, from row to row of src */
    long row_block, row_blocks, column_block, column_blocks;
    long jobs, per_item;     /* batch * row_blocks * column_blocks, dealt out in ranges of so many */
    long streams;            /* write past the cache */
} transpose_plan;

/* rows x columns to private memory. */
inline void read_strip(T *strip, global const T *src, long step, int rows, int columns)
{
    for (int r = 0; r < rows; r++, src += step, strip += PITCH) {
        int c = 0;
        for (; c + RAW_BYTES / ITEM_BYTES <= columns; c += RAW_BYTES / ITEM_BYTES)
            *(RAW *)(strip + c) = *(global const RAW *)(src + c);
        for (; c < columns; c++)
            strip[c] = src[c];
    }
}

/* SIDE of the next strip's lines, while the processor is busy with the columns from `at` of this one. */
inline void fetch_ahead(global const T *next, long step, int at, int rows, int columns)
{
    for (int line = at; line < at + SIDE; line++) {
        const int r = line / (SPAN / LINE), c = line % (SPAN / LINE) * LINE;
        if (r < rows && c < columns)
            PREFETCH(next + r * step + c);
        if (r < rows && c == 0)
            PREFETCH(next + r * step + columns - 1); /* a row that begins within a line ends in one more */
    }
}

#define ZIP(to, from)                                                                                            \
    UNROLLED(int i = 0; i < SIDE / 2; i++)                                                                       \
    {                                                                                                            \
        to[2 * i] = ZIP_LOW(from[i], from[i + SIDE / 2]);                                                        \
        to[2 * i + 1] = ZIP_HIGH(from[i], from[i + SIDE / 2]);                                                   \
    }

/* SIDE rows become as many columns, `apart` vectors from one another: the upper half is zipped with the lower log2(SIDE) times. */
#if SIDE == 4 || SIDE == 16
#define LOAD_ROWS(src, step) UNROLLED(int i = 0; i < SIDE; i++) t[i] = LOAD_VEC(src + i * (step));
#else
#define LOAD_ROWS(src, step)                                                                                     \
    UNROLLED(int i = 0; i < SIDE; i++) u[i] = LOAD_VEC(src + i * (step));                                        \
    ZIP(t, u)
#endif
#if SIDE > 8
#define ZIP_ROWS ZIP(u, t) ZIP(t, u) ZIP(u, t) ZIP(t, u)
#elif SIDE > 2
#define ZIP_ROWS ZIP(u, t) ZIP(t, u)
#else
#define ZIP_ROWS
#endif

/* A tile of many registers is not inlined: that would double the time of building. */
#if SIDE > 4
#define TILE_FUNCTION __attribute__((noinline)) static
#define EACH_TILE for
#else
#define TILE_FUNCTION inline
#define EACH_TILE UNROLLED
#endif

TILE_FUNCTION void tile(VEC *to, int apart, const T *strip)
{
    VEC t[SIDE], u[SIDE];
#define LOAD_VEC(p) (*(const UNALIGNED *)(p))
    LOAD_ROWS(strip, PITCH)
#undef LOAD_VEC
    ZIP_ROWS
    UNROLLED(int i = 0; i < SIDE; i++) to[i * apart] = t[i];
}

/* SIDE columns of a strip to as many lines; what lies outside of it is there, and of no meaning. */
inline void turn(VEC *lines, int apart, const T *strip, int rows)
{
    for (int i = 0; i * SIDE < rows; i++)
        tile(lines + i, apart, strip + i * SIDE * PITCH);
}

/* The same out of src itself: better where a strip has few rows, worse where these are a power of two apart. */
#define IN_PLACE (SIDE <= 4)
inline void turn_in_place(VEC *lines, int apart, global const T *src, long step)
{
#if IN_PLACE
    EACH_TILE(int tile = 0; tile < TILES; tile++)
    {
        VEC t[SIDE], u[SIDE];
        global const T *rows = src + tile * SIDE * step;
#define LOAD_VEC(p) (*(global const UNALIGNED *)(p))
        LOAD_ROWS(rows, step)
#undef LOAD_VEC
        ZIP_ROWS
        UNROLLED(int i = 0; i < SIDE; i++) lines[i * apart + tile] = t[i];
    }
#endif
}

/* A line, or the beginning of one. */
inline void write_line(global T *dst, const VEC *line, int count, int streams)
{
    if (count < LINE)
        for (int i = 0; i < count; i++)
            dst[i] = ((const T *)line)[i];
    else if (streams)
        UNROLLED(int i = 0; i < TILES; i++) STORE_PAST_CACHE((global VEC *)(dst + i * SIDE), line[i]);
    else
        UNROLLED(int i = 0; i < TILES; i++) *(global UNALIGNED *)(dst + i * SIDE) = line[i];
}

/* For lines of dst that begin where the job does, or that stay in the cache. */
inline void direct(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns, int streams)
{
    T strip[LINE * PITCH] __attribute__((aligned(LINE_BYTES)));
    for (int i = 0; i < rows; i += LINE) {
        const int count = min(rows - i, LINE);
        const int in_place = IN_PLACE && count == LINE ? columns / SIDE * SIDE : 0;
        global const T *p = src + i * src_step;
        read_strip(strip, p + in_place, src_step, count, columns - in_place);
        for (int j = 0; j < columns; j += SIDE) {
            VEC lines[LINE];
            fetch_ahead(p + LINE * src_step, src_step, j, rows - i - LINE, columns);
            if (j < in_place)
                turn_in_place(lines, TILES, p + j, src_step);
            else
                turn(lines, TILES, strip + j - in_place, count);
            EACH_TILE(int c = 0; c < SIDE; c++)
                if (j + c < columns)
                    write_line(dst + (j + c) * dst_step + i, lines + c * TILES, count, streams);
        }
    }
}

/* Where lines of dst begin differs from row to row, or its rows are a power of two apart, so that lines of all of them
 * go to one memory channel: up to RUN items of each are gathered, and whole lines of these are written. */
inline void gathered(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns)
{
    T strip[LINE * PITCH] __attribute__((aligned(LINE_BYTES)));
    VEC runs[SPAN * (RUN + LINE) / SIDE];
    for (int i = 0; i < rows; i += LINE) {
        const int count = min(rows - i, LINE);
        const int in_place = SIDE == 2 && count == LINE ? columns / SIDE * SIDE : 0;
        global const T *p = src + i * src_step;
        read_strip(strip, p + in_place, src_step, count, columns - in_place);
        for (int j = 0; j < columns; j += SIDE) {
            VEC *to = runs + (j * (RUN + LINE) + i) / SIDE;
            fetch_ahead(p + LINE * src_step, src_step, j, rows - i - LINE, columns);
            if (j < in_place)
                turn_in_place(to, (RUN + LINE) / SIDE, p + j, src_step);
            else
                turn(to, (RUN + LINE) / SIDE, strip + j - in_place, count);
        }
    }
    for (int j = 0; j < columns; j++, dst += dst_step) {
        const T *run = (const T *)runs + j * (RUN + LINE);
        const int head = min(rows, (int)(-((ulong)dst / ITEM_BYTES) % LINE));
        const int whole = head + (rows - head) / LINE * LINE;
        for (int i = 0; i < head; i++)
            dst[i] = run[i];
        for (int i = head; i < whole; i += LINE)
            UNROLLED(int k = 0; k < LINE; k += SIDE) STORE_PAST_CACHE((global VEC *)(dst + i + k), *(const UNALIGNED *)(run + i + k));
        for (int i = whole; i < rows; i++)
            dst[i] = run[i];
    }
}

/* Too small for tiles. */
inline void by_item(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            dst[j * dst_step + i] = src[i * src_step + j];
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void transpose_cpu(global T *dst, global const T *src, lun_layout to, lun_layout from, transpose_plan plan)
{
    const long first = get_group_id(0) * plan.per_item, last = min(plan.jobs, first + plan.per_item);
    const long step_bytes = plan.dst_step * ITEM_BYTES;
    const int one_channel = SIDE > 2 ? step_bytes % 4096 == 0 : 0;
    long batch = first / (plan.column_blocks * plan.row_blocks);
    long row = first / plan.column_blocks % plan.row_blocks * plan.row_block;
    long column = first % plan.column_blocks * plan.column_block;
    for (long job = first; job < last; job++) {
        const int rows = min(plan.row_block, plan.rows - row), columns = min(plan.column_block, plan.columns - column);
        global T *d = dst + plan.dst + layout_offset(&to, batch) + column * plan.dst_step + row;
        global const T *s = src + plan.src + layout_offset(&from, batch) + row * plan.src_step + column;
        const int begins_at_line = ((ulong)d | (ulong)step_bytes) % LINE_BYTES == 0;
        if (min(rows, columns) < SIDE || rows * columns <= 64)
            by_item(d, plan.dst_step, s, plan.src_step, rows, columns);
        else if (plan.streams && (one_channel || !begins_at_line))
            gathered(d, plan.dst_step, s, plan.src_step, rows, columns);
        else
            direct(d, plan.dst_step, s, plan.src_step, rows, columns, plan.streams);
        if ((column += plan.column_block) >= plan.columns) {
            column = 0;
            if ((row += plan.row_block) >= plan.rows) {
                row = 0;
                batch++;
            }
        }
    }
}
