/* Transposing on CPU devices: tiles are turned in registers, and whole cache lines are written, past the cache where
 * the result is larger than it. Built per item size.
 *
 * A strip of rows is first copied to private memory, one whole row after the other. Read in place, rows that are a
 * power of two apart would share a few sets of the cache, and rows a page apart would each need an entry of the TLB. */
#include "abi/move.h"

#ifndef SPAN_BYTES
#define SPAN_BYTES 256 /* of a row of src that are read together */
#define RUN_BYTES 1024 /* of a row of dst that are gathered before they are written */
/* Rows that copying a strip prefetches; 0: the next strip is prefetched while this one's tiles are turned. */
#define AHEAD 0
#define VECTOR_BYTES 16
#endif
#ifndef __clang__
#undef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#define LINE_BYTES TRANSPOSE_CPU_LINE

#define LINE (LINE_BYTES / ITEM_BYTES) /* items in a cache line; the lengths below are in items too */
#define SPAN (SPAN_BYTES / ITEM_BYTES)
#define RUN (RUN_BYTES / ITEM_BYTES)
/* Of a strip in private memory: the last strip of a row may be a line wider. Not a power of two. */
#define PITCH (SPAN + LINE)
/* Of gathered runs, with room to complete a run's last line: an odd number of lines. */
#define RUN_PITCH (RUN + 3 * LINE)

/* A vector has lanes of 16 bytes, each of which holds another SIDE rows; SIDE is the items in a lane. */
#define LANES (VECTOR_BYTES / 16)
#define PAIR(i) (i), (i) + WIDTH
#if ITEM_BYTES == 1
#define SIDE 16
#define HALF_LANE(i) PAIR(i), PAIR(i + 1), PAIR(i + 2), PAIR(i + 3), PAIR(i + 4), PAIR(i + 5), PAIR(i + 6), PAIR(i + 7)
#define LANE(i) LANE8(i), LANE8(i + 8)
#define LANE8(i) i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7
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

/* PIECE: one lane of a vector. HALVES: interleaves one half of each lane of two vectors. JOINED: a vector made of one
 * PIECE of every SIDE-th row. */
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
/* Without this attribute clang splits vectors of 64 bytes in two. */
#define WIDE __attribute__((min_vector_width(VECTOR_BYTES * 8)))
#endif
#define RAW_ITEMS ((int)sizeof(RAW) / ITEM_BYTES) /* items that one copy moves */

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

/* Compiled by PoCL; Oclgrind, which interprets the code, does not know the built-in. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
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

/* Prefetches SIDE rows of the next strip while the columns from `at` on of this strip are turned. */
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

/* Turns SIDE rows into SIDE columns, stored `apart` vectors from one another: log2(SIDE) times the upper half of the
 * rows is interleaved with the lower half. */
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

/* A tile of many registers is not inlined, since that would double the build time. */
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

/* Turns SIDE columns of a strip into SIDE lines. Items outside the strip are readable and are not used. */
WIDE inline void turn(VEC *lines, int apart, const T *strip, int rows)
{
    for (int i = 0; i * WIDTH < rows; i++)
        tile(lines + i, apart, strip + i * WIDTH * PITCH);
}

/* The same, read from src itself: faster where a strip has few rows, slower where the rows are a power of two apart. */
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

/* Writes `count` items, fewer than a line has. */
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

/* Writes a line of dst. The cast drops the alignment of UNALIGNED, for which clang would write eight bytes at a
 * time. */
#define STREAM_LINE(dst, line)                                                                                   \
    UNROLLED(int k = 0; k < TILES; k++) STORE_PAST_CACHE((global VEC *)(dst) + k, (VEC)((line)[k]))

/* Writes a line, or its first items. */
WIDE inline void write_line(global T *dst, const VEC *line, int count, int streams)
{
    if (count < LINE)
        write_part(dst, (const T *)line, count);
    else if (streams)
        STREAM_LINE(dst, line);
    else
        UNROLLED(int i = 0; i < TILES; i++) *(global UNALIGNED *)(dst + i * WIDTH) = line[i];
}

/* For rows of dst whose lines begin where the job begins, or that stay in the cache. `left`: rows of src from this job
 * on. */
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

/* Items from p to the beginning of the next line. */
inline int rest_of_line(global const T *p) { return (int)(-((ulong)p / ITEM_BYTES) % LINE); }

/* For rows of dst whose lines begin at different places, or that are a power of two apart, so that their lines go to
 * one memory channel. Up to RUN items of each row of dst are gathered, then written as whole lines: those lines that
 * begin in this job. So the job also reads the items that complete its last lines, and the first job writes the items
 * before the first line. `next_columns`: columns that the next job has of the same rows. */
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

/* For matrices that are too small for tiles. */
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
