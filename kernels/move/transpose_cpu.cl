/* Transposing on CPU devices: tiles in registers, whole cache lines written at a time, past the cache where the result
 * would not stay in it anyway. Built per item size.
 *
 * A strip of rows is first copied to private memory, each row in one go: in place they would fight for the same few
 * sets of the cache and entries of the TLB, being a power of two apart or a page each. */
#include "abi/move.h"

#ifndef SPAN_BYTES
#define SPAN_BYTES 256 /* of a row of src that are read together */
#define RUN_BYTES 1024 /* of a row of dst that are gathered before they are written */
#define AHEAD 0        /* rows that the copy of a strip fetches ahead; 0: the next strip's, spread over this one's tiles */
#define VECTOR_BYTES 16
#endif
#ifndef __clang__
#undef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#define LINE_BYTES TRANSPOSE_CPU_LINE

#define LINE (LINE_BYTES / ITEM_BYTES) /* all in items */
#define SPAN (SPAN_BYTES / ITEM_BYTES)
#define RUN (RUN_BYTES / ITEM_BYTES)
#define PITCH (SPAN + LINE)         /* of a strip: the last one of a row may be a line wider; not a power of two */
#define RUN_PITCH (RUN + 3 * LINE) /* the same, and what completes a run's last line: an odd number of lines */

/* A vector has lanes of 16 bytes, each of which holds another SIDE rows; SIDE is the items in a lane. */
#define LANES (VECTOR_BYTES / 16)
#define PAIR(i) (i), (i) + WIDTH
#if ITEM_BYTES == 1
#define SIDE 16
#define HALF_LANE(i) PAIR(i), PAIR(i + 1), PAIR(i + 2), PAIR(i + 3), PAIR(i + 4), PAIR(i + 5), PAIR(i + 6), PAIR(i + 7)
#define LANE(i) i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15
#elif ITEM_BYTES == 2
#define SIDE 8
#define HALF_LANE(i) PAIR(i), PAIR(i + 1), PAIR(i + 2), PAIR(i + 3)
#define LANE(i) i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7
#elif ITEM_BYTES == 4
#define SIDE 4
#define HALF_LANE(i) PAIR(i), PAIR(i + 1)
#define LANE(i) i, i + 1, i + 2, i + 3
#else
#define SIDE 2
#define HALF_LANE(i) PAIR(i)
#define LANE(i) i, i + 1
#endif
#define WIDTH (SIDE * LANES) /* items in a vector */
#define TILES (LINE / WIDTH)

/* PIECE: a lane. HALVES: one half of each lane of two vectors, an item of each in turn. JOINED: a piece of every
 * SIDE-th row, a lane each. */
typedef JOIN(T, SIDE) PIECE;
typedef PIECE UNALIGNED_PIECE __attribute__((aligned(ITEM_BYTES)));
#if LANES == 1
typedef PIECE VEC;
typedef ulong4 RAW __attribute__((aligned(ITEM_BYTES)));
#define HALVES(i) HALF_LANE(i)
#define JOINED(p, step) LOAD_PIECE(p)
#define WIDE
#else
typedef T VEC __attribute__((ext_vector_type(WIDTH)));
typedef ulong8 RAW __attribute__((aligned(ITEM_BYTES)));
#define TWO(p, step) __builtin_shufflevector(LOAD_PIECE(p), LOAD_PIECE((p) + SIDE * (step)), LANE(0), LANE(SIDE))
#if LANES == 2
#define HALVES(i) HALF_LANE(i), HALF_LANE(i + SIDE)
#define JOINED(p, step) TWO(p, step)
#else
#define HALVES(i) HALF_LANE(i), HALF_LANE(i + SIDE), HALF_LANE(i + 2 * SIDE), HALF_LANE(i + 3 * SIDE)
#define JOINED(p, step)                                                                                          \
    __builtin_shufflevector(TWO(p, step), TWO((p) + 2 * SIDE * (step), step), LANE(0), LANE(SIDE),               \
                            LANE(2 * SIDE), LANE(3 * SIDE))
#endif
/* Without it clang halves vectors of 64 bytes where it has the choice. */
#define WIDE __attribute__((min_vector_width(VECTOR_BYTES * 8)))
#endif
#define RAW_ITEMS ((int)sizeof(RAW) / ITEM_BYTES) /* copied at a time */

/* Not vload and vstore: PoCL 3.1's vstore16 writes bytes one by one. */
typedef VEC UNALIGNED __attribute__((aligned(ITEM_BYTES)));
#define UNROLLED _Pragma("unroll") for

#ifdef __clang__
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, HALVES(0))
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, HALVES(SIDE / 2))
#else
#define ZIP_LOW(a, b) shuffle2(a, b, (VEC)(HALVES(0)))
#define ZIP_HIGH(a, b) shuffle2(a, b, (VEC)(HALVES(SIDE / 2)))
#endif

#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__)) /* PoCL, and no interpreter of its code */
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(p) __builtin_prefetch((const void *)(ulong)(p), 0, 3)
#endif
#endif
#ifndef PREFETCH
#define PREFETCH(p) prefetch(p, 1)
#endif


inline void fetch_row(global const T *row, int columns)
{
    for (int c = 0; c < columns; c += LINE)
        PREFETCH(row + c);
    PREFETCH(row + columns - 1); /* a row that begins within a line ends in one more */
}

/* rows x columns to private memory; `left` rows follow one another in src. */
WIDE inline void read_strip(T *strip, global const T *src, long step, int rows, int columns, int left)
{
    for (int r = 0; r < rows; r++, src += step, strip += PITCH) {
        int c = 0;
        if (AHEAD > 0 && r + AHEAD < left)
            fetch_row(src + AHEAD * step, columns);
        for (; c + RAW_ITEMS <= columns; c += RAW_ITEMS)
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
#define LOAD_ROWS(src, step) UNROLLED(int i = 0; i < SIDE; i++) t[i] = JOINED(src + i * (step), step);
#else
#define LOAD_ROWS(src, step)                                                                                     \
    UNROLLED(int i = 0; i < SIDE; i++) u[i] = JOINED(src + i * (step), step);                                        \
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

WIDE TILE_FUNCTION void tile(VEC *to, int apart, const T *strip)
{
    VEC t[SIDE], u[SIDE];
#define LOAD_PIECE(p) (*(const UNALIGNED_PIECE *)(p))
    LOAD_ROWS(strip, PITCH)
#undef LOAD_PIECE
    ZIP_ROWS
    UNROLLED(int i = 0; i < SIDE; i++) to[i * apart] = t[i];
}

/* SIDE columns of a strip to as many lines; what lies outside of it is there, and of no meaning. */
WIDE inline void turn(VEC *lines, int apart, const T *strip, int rows)
{
    for (int i = 0; i * WIDTH < rows; i++)
        tile(lines + i, apart, strip + i * WIDTH * PITCH);
}

/* The same out of src itself: better where a strip has few rows, worse where these are a power of two apart. */
#define IN_PLACE (SIDE <= 4)
WIDE inline void turn_in_place(VEC *lines, int apart, global const T *src, long step)
{
#if IN_PLACE
    EACH_TILE(int tile = 0; tile < TILES; tile++)
    {
        VEC t[SIDE], u[SIDE];
        global const T *rows = src + tile * WIDTH * step;
#define LOAD_PIECE(p) (*(global const UNALIGNED_PIECE *)(p))
        LOAD_ROWS(rows, step)
#undef LOAD_PIECE
        ZIP_ROWS
        UNROLLED(int i = 0; i < SIDE; i++) lines[i * apart + tile] = t[i];
    }
#endif
}

/* Fewer items than a line has. */
inline void write_part(global T *dst, const T *from, int count)
{
    if (count < SIDE)
        for (int i = 0; i < count; i++)
            dst[i] = from[i];
    else
        for (int i = 0; i < count; i += SIDE) {
            const int at = min(i, count - SIDE); /* the last two overlap */
            *(global UNALIGNED_PIECE *)(dst + at) = *(const UNALIGNED_PIECE *)(from + at);
        }
}

/* A line of dst. The cast drops the alignment of UNALIGNED, for which clang would write eight bytes at a time. */
#define STREAM_LINE(dst, line)                                                                                   \
    UNROLLED(int k = 0; k < TILES; k++) STORE_PAST_CACHE((global VEC *)(dst) + k, (VEC)((line)[k]))

/* A line, or the beginning of one. */
WIDE inline void write_line(global T *dst, const VEC *line, int count, int streams)
{
    if (count < LINE)
        write_part(dst, (const T *)line, count);
    else if (streams)
        STREAM_LINE(dst, line);
    else
        UNROLLED(int i = 0; i < TILES; i++) *(global UNALIGNED *)(dst + i * WIDTH) = line[i];
}

/* For lines of dst that begin where the job does, or that stay in the cache. `left`: rows of src from here on. */
WIDE inline void direct(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns,
                        long left, int streams)
{
    T strip[LINE * PITCH] __attribute__((aligned(LINE_BYTES)));
    for (int i = 0; i < rows; i += LINE) {
        const int count = min(rows - i, LINE), more = min(left - i, 2L * LINE);
        const int in_place = IN_PLACE && count == LINE ? columns / SIDE * SIDE : 0;
        global const T *p = src + i * src_step;
        if (in_place < columns)
            read_strip(strip, p + in_place, src_step, count, columns - in_place, more);
        for (int j = 0; j < columns; j += SIDE) {
            VEC lines[SIDE * TILES];
            if (AHEAD == 0 || j < in_place)
                fetch_ahead(p + LINE * src_step, src_step, j, more - LINE, columns);
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

/* From p to where the next line begins. */
inline int rest_of_line(global const T *p) { return (int)(-((ulong)p / ITEM_BYTES) % LINE); }

/* Where lines of dst begin differs from row to row, or its rows are a power of two apart, so that lines of all of them
 * go to one memory channel: up to RUN items of each are gathered, and whole lines of these are written: all that begin
 * in this job, so that it reads what completes the last ones, and the first of all jobs writes what is before.
 * `next_columns`: of the same rows in the next job. */
#define GATHERS_IN_PLACE (SIDE == 2)
WIDE inline void gathered(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns,
                          long left, int is_first, int is_aligned, int next_columns)
{
    T strip[LINE * PITCH] __attribute__((aligned(LINE_BYTES)));
    VEC runs[PITCH * RUN_PITCH / WIDTH];
    const int all = is_aligned ? rows : min(rows + LINE - 1L, left);
    for (int i = 0; i < all; i += LINE) {
        const int count = min(all - i, LINE);
        const int in_place = GATHERS_IN_PLACE && count == LINE ? columns / SIDE * SIDE : 0;
        global const T *p = src + i * src_step;
        if (in_place < columns)
            read_strip(strip, p + in_place, src_step, count, columns - in_place, all - i);
        for (int j = 0; j < columns; j += SIDE) {
            VEC *to = runs + (j * RUN_PITCH + i) / WIDTH;
            if (AHEAD == 0 || j < in_place)
                fetch_ahead(p + LINE * src_step, src_step, j, all - i - LINE, columns);
            if (j < in_place)
                turn_in_place(to, RUN_PITCH / WIDTH, p + j, src_step);
            else
                turn(to, RUN_PITCH / WIDTH, strip + j - in_place, count);
        }
    }
    for (int j = 0; j < columns; j++, dst += dst_step) {
        const T *run = (const T *)runs + j * RUN_PITCH;
        if (AHEAD > 0 && j < min(rows, LINE) && next_columns > 0)
            fetch_row(src + j * src_step + columns, next_columns);
        const int end = rows == left ? rows : rows + rest_of_line(dst + rows);
        int i = min(rest_of_line(dst), end);
        if (is_first)
            write_part(dst, run, i);
        for (; i + LINE <= end; i += LINE)
            STREAM_LINE(dst + i, (const UNALIGNED *)(run + i));
        write_part(dst + i, run + i, end - i);
    }
}

/* Too small for tiles. */
inline void by_item(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            dst[j * dst_step + i] = src[i * src_step + j];
}

WIDE kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void transpose_cpu(global T *dst, global const T *src, lun_layout to, lun_layout from, transpose_blocks plan)
{
    const long first = get_group_id(0) * plan.per_item, last = min(plan.jobs, first + plan.per_item);
    const long step_bytes = plan.dst_step * ITEM_BYTES;
    const int one_channel = SIDE > 2 ? step_bytes % 4096 == 0 : 0;
    long batch = first / (plan.column_blocks * plan.row_blocks);
    long row_at = first / plan.column_blocks % plan.row_blocks, column_at = first % plan.column_blocks;
    for (long job = first; job < last; job++) {
        const long row = row_at * plan.row_block, column = column_at * plan.column_block;
        const long left = plan.rows - row;
        const int last_row = row_at + 1 == plan.row_blocks, last_column = column_at + 1 == plan.column_blocks;
        const int rows = last_row ? left : plan.row_block;
        const int columns = last_column ? plan.columns - column : plan.column_block;
        global T *d = dst + plan.dst + layout_offset(&to, batch) + column * plan.dst_step + row;
        global const T *s = src + plan.src + layout_offset(&from, batch) + row * plan.src_step + column;
        const int begins_at_line = ((ulong)d | (ulong)step_bytes) % LINE_BYTES == 0;
        if (min(rows, columns) < SIDE || rows * columns <= 64)
            by_item(d, plan.dst_step, s, plan.src_step, rows, columns);
        else if (plan.streams && (one_channel || !begins_at_line))
            gathered(d, plan.dst_step, s, plan.src_step, rows, columns, left, row == 0, begins_at_line,
                     min(plan.columns - column - columns, plan.column_block));
        else
            direct(d, plan.dst_step, s, plan.src_step, rows, columns, left, plan.streams);
        if (++column_at == plan.column_blocks) {
            column_at = 0;
            if (++row_at == plan.row_blocks) {
                row_at = 0;
                batch++;
            }
        }
    }
}
