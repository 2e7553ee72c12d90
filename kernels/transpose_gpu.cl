/* Transposing on a GPU: a tile goes through local memory, so that both sides are read and written along their lines.
 *
 * What moves is words of 4 bytes (8 for items of 8). Small items are turned in registers, PACK x PACK at a time, on
 * their way into the tile, whose lines run along dst. Where the rows of a side begin anywhere (SHIFTED), aligned words
 * are read and shifted into place, on both sides; and a group writes whole sectors of dst only: its part of a line
 * begins and ends on one, so that its tile is a parallelogram, for which it reads up to EXTRA rows more. Groups are
 * walked in bands of BAND tiles along a row of src. Built per item size. */
#ifndef T
#define T float
#define ITEM_BYTES 4
#endif
#ifndef ROWS
#define ROWS 128 /* of a tile, in items: neighbours in dst */
#endif
#ifndef WIDE
#define WIDE 32 /* a group's items are WIDE x DEEP; WIDE words of a row of src are a tile's columns */
#endif
#ifndef DEEP
#define DEEP 8
#endif
#ifndef BAND
#define BAND 1
#endif
#ifndef HELD
#define HELD 32 /* words that a work-item fetches before it stores them */
#endif
#if ITEM_BYTES == 8
typedef ulong word;
#define PACK 1 /* items in a word */
#else
typedef uint word;
#define PACK (4 / ITEM_BYTES)
#endif
#define COLUMNS (WIDE * PACK)
#ifdef SHIFTED
#define EXTRA (32 / ITEM_BYTES) /* items in a sector */
#else
#define EXTRA 0
#endif
#define LINE ((ROWS + EXTRA) / PACK) /* words in a line of the tile */
#define PITCH (LINE | 1)             /* odd: words of one column fall into different banks */
#define BLOCKS ((LINE + DEEP - 1) / DEEP)
#define BATCH (HELD / PACK < BLOCKS ? HELD / PACK : BLOCKS)
#define EVEN (LINE % (DEEP * BATCH) == 0)
#ifndef UNROLL
#define UNROLL 4
#endif
#if ITEM_BYTES < 4
#define ITEM_OF(w, q) ((T)((w) >> (q) * 8 * ITEM_BYTES))
#else
#define ITEM_OF(w, q) ((T)(w))
#endif

typedef struct {
    long dst, src;            /* first elements */
    long rows, columns;       /* rows are neighbours in dst, columns in src */
    long dst_row, dst_column; /* strides; those between neighbours are 1 */
    long src_row, src_column;
    long batch;
} transpose_plan;

/* A word that begins `shift` bits behind the first of two neighbours. */
inline word joined(word low, word high, int shift)
{
#if ITEM_BYTES < 4
    return (uint)(upsample(high, low) >> shift);
#else
    return low;
#endif
}

/* The word of items x * PACK and on of the row of src that begins at item `at`; of its last word, of `columns`
 * items in all, what there is. */
inline word fetch(global const T *src, long at, int x, int columns, const bool edge)
{
#if defined(SHIFTED) && ITEM_BYTES < 4
    global const word *words = (global const word *)src + at / PACK;
    const int odd = (int)at & (PACK - 1), next = x + (odd > 0);
    return joined(words[x], words[edge ? min(next, (odd + columns - 1) / PACK) : next], odd * 8 * ITEM_BYTES);
#else
    return ((global const word *)(src + at))[x];
#endif
}

/* PACK words of as many rows into words of as many columns. */
inline void turn(word *w)
{
#if PACK == 4
    const uchar4 a = as_uchar4(w[0]), b = as_uchar4(w[1]), c = as_uchar4(w[2]), d = as_uchar4(w[3]);
    const uchar4 ab = (uchar4)(a.x, b.x, a.y, b.y), cd = (uchar4)(c.x, d.x, c.y, d.y);
    const uchar4 ef = (uchar4)(a.z, b.z, a.w, b.w), gh = (uchar4)(c.z, d.z, c.w, d.w);
    w[0] = as_uint((uchar4)(ab.xy, cd.xy));
    w[1] = as_uint((uchar4)(ab.zw, cd.zw));
    w[2] = as_uint((uchar4)(ef.xy, gh.xy));
    w[3] = as_uint((uchar4)(ef.zw, gh.zw));
#elif PACK == 2
    const ushort2 a = as_ushort2(w[0]), b = as_ushort2(w[1]);
    w[0] = as_uint((ushort2)(a.x, b.x));
    w[1] = as_uint((ushort2)(a.y, b.y));
#endif
}

/* Rows from..to-1 of the tile are there, and `columns` columns; all of them unless `edge`. */
inline __attribute__((always_inline)) void read_tile(local word (*tile)[PITCH], global const T *src, long at, long step,
                                                     int from, int to, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1);
    if (edge && x * PACK >= columns)
        return;
    at += y * PACK * step;
    for (int first = 0; first < BLOCKS; first += BATCH) {
        word held[BATCH][PACK];
#pragma unroll
        for (int b = 0; b < BATCH; b++)
#pragma unroll
            for (int q = 0; q < PACK; q++) {
                const int block = (first + b) * DEEP, row = (block + y) * PACK + q;
                held[b][q] = 0;
                if (edge ? row >= from && row < to : EVEN || block + y < LINE)
                    held[b][q] = fetch(src, at + (block * PACK + q) * step, x, columns, edge);
            }
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            const int block = (first + b) * DEEP + y;
            turn(held[b]);
            if (EVEN || block < LINE)
#pragma unroll
                for (int q = 0; q < PACK; q++)
                    tile[q * WIDE + x][block] = held[b][q];
        }
    }
}

/* Writes the lines of `columns` columns. The tile's row EXTRA is the place `at` in dst's first line. */
inline __attribute__((always_inline)) void write_tile(local word (*tile)[PITCH], global T *dst, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1);
#pragma unroll UNROLL
    for (int c = 0; c < COLUMNS / DEEP; c++) {
        const int j = c * DEEP + y;
        if (edge && j >= columns)
            break;
        const long place = at + j * step;
        const int before = EXTRA ? (int)place & (EXTRA - 1) : 0; /* items from the sector's beginning to it */
        const int start = EXTRA - before, shift = start % PACK * 8 * ITEM_BYTES;
        local const word *line = tile[j % PACK * WIDE + j / PACK] + start / PACK;
        global word *out = (global word *)(dst + (place - before));
#pragma unroll
        for (int part = 0; part < ROWS / PACK / WIDE; part++) {
            const int k = part * WIDE + x;
            const word w = joined(line[k], line[k + (shift > 0)], shift);
            const int row = start + k * PACK;
            if (!edge || (row >= from && row + PACK <= to))
                out[k] = w;
            else
                for (int q = 0; q < PACK; q++)
                    if (row + q >= from && row + q < to)
                        ((global T *)(out + k))[q] = ITEM_OF(w, q);
        }
    }
}

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_gpu(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                   transpose_plan plan, uint down, uint across)
{
    local word tile[COLUMNS][PITCH];
    const uint group = get_group_id(0), tiles = down * across, batch = group / tiles, place = group % tiles;
    const uint band = place / (BAND * down), rest = place - band * BAND * down, wide = min((uint)BAND, across - band * BAND);
    const long row = (long)(rest / wide) * ROWS, column = (long)(band * BAND + rest % wide) * COLUMNS;
    const int first = (int)max(0L, EXTRA - row), last = (int)min((long)(ROWS + EXTRA), plan.rows - row + EXTRA);
    const int columns = (int)min((long)COLUMNS, plan.columns - column);
    const long in = plan.src + layout_offset(&from, batch) + (row - EXTRA) * plan.src_row + column;
    const long out = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    if (first == 0 && last == ROWS + EXTRA && columns == COLUMNS) {
        read_tile(tile, src, in, plan.src_row, first, last, columns, false);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, false);
    } else {
        read_tile(tile, src, in, plan.src_row, first, last, columns, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, true);
    }
}
