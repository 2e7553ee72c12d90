/* Transposing on a GPU: a tile goes through local memory, so that both sides are read and written along their lines.
 *
 * What moves is words of 4 bytes (8 for items of 8). Small items are turned in registers, PACK x PACK at a time, on
 * their way into the tile, whose lines run along dst. Where the rows of a side begin anywhere (SHIFTED), aligned words
 * are read and shifted into place, on both sides; and a group writes whole sectors of dst only: its part of a line
 * begins and ends on one, so that its tile is a parallelogram, for which it reads up to EXTRA rows more. Groups are
 * walked in bands of `band` tiles along a row of src. Built per item size. */
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
#if ITEM_BYTES == 8
typedef ulong word;
#define PACK 1 /* items in a word */
#else
typedef uint word;
#define PACK (4 / ITEM_BYTES)
#endif
#ifdef SHIFTED
#define EXTRA (32 / ITEM_BYTES) /* items in a sector */
#else
#define EXTRA 0
#endif
#define COLUMNS (WIDE * PACK)
#define LINE ((ROWS + EXTRA) / PACK) /* words in a line of the tile */
#define PITCH (LINE + 1)             /* odd: the words of a column are in different banks */
#define BLOCKS (LINE / DEEP)         /* of PACK rows, to a work-item */
#ifndef BATCH
#define BATCH BLOCKS /* of these, how many are fetched before they are stored */
#endif
#define ACROSS (ROWS / PACK < WIDE ? ROWS / PACK : WIDE) /* work-items that write a line together */
#define BESIDE (WIDE * DEEP / ACROSS)                    /* lines that are written at once */
#if ROWS / PACK % ACROSS || LINE % DEEP || BLOCKS % BATCH || COLUMNS % BESIDE
#error the tile does not divide
#endif

typedef struct {
    long dst, src;            /* first elements */
    long rows, columns;       /* rows are neighbours in dst, columns in src */
    long dst_row, dst_column; /* strides; those between neighbours are 1 */
    long src_row, src_column;
    long batch;
} transpose_plan;

/* The word that begins `shift` bits behind the first of two neighbours. */
inline word joined(word low, word high, int shift)
{
#if ITEM_BYTES < 4
    return (uint)(upsample(high, low) >> shift);
#else
    return low;
#endif
}

/* The word at item `at` of a row that has `left` items from there on. */
inline word fetch(global const uchar *src, long at, int left, const bool edge)
{
    global const word *words = (global const word *)(src + (at * ITEM_BYTES & -(long)sizeof(word)));
#if defined(SHIFTED) && ITEM_BYTES < 4
    const int odd = (int)at & (PACK - 1);
    return joined(words[0], words[!edge || PACK - odd < left], odd * 8 * ITEM_BYTES);
#else
    return words[0];
#endif
}

/* PACK words of as many rows into words of as many columns. */
inline void turn(word *w)
{
#if PACK == 4
    const uint even = 0x00ff00ff, low = 0x0000ffff;
    const uint a = bitselect(w[1] << 8, w[0], even), b = bitselect(w[1], w[0] >> 8, even);
    const uint c = bitselect(w[3] << 8, w[2], even), d = bitselect(w[3], w[2] >> 8, even);
    w[0] = bitselect(c << 16, a, low);
    w[1] = bitselect(d << 16, b, low);
    w[2] = bitselect(c, a >> 16, low);
    w[3] = bitselect(d, b >> 16, low);
#elif PACK == 2
    const uint low = 0x0000ffff, a = w[0];
    w[0] = bitselect(w[1] << 16, a, low);
    w[1] = bitselect(w[1], a >> 16, low);
#endif
}

/* Rows from..to-1 of the tile are there, and `columns` columns; all of them, and one more, unless `edge`. */
inline __attribute__((always_inline)) void read_tile(local word (*tile)[PITCH], global const T *src, long at, long step,
                                                     int from, int to, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1);
    if (edge && x * PACK >= columns)
        return;
    at += x * PACK + y * PACK * step;
#pragma unroll 1
    for (int first = 0; first < BLOCKS; first += BATCH) {
        word held[BATCH][PACK];
#pragma unroll
        for (int b = 0; b < BATCH; b++)
#pragma unroll
            for (int q = 0; q < PACK; q++) {
                const int row = (b * DEEP + y) * PACK + q + first * DEEP * PACK;
                held[b][q] = 0;
                if (!edge || (row >= from && row < to))
                    held[b][q] =
                        fetch((global const uchar *)src, at + (b * DEEP * PACK + q) * step, columns - x * PACK, edge);
            }
        at += BATCH * DEEP * PACK * step;
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            turn(held[b]);
#pragma unroll
            for (int q = 0; q < PACK; q++)
                tile[q * WIDE + x][(first + b) * DEEP + y] = held[b][q];
        }
    }
}

/* Writes the lines of `columns` columns. The tile's row EXTRA is the place `at` in dst's first line. */
inline __attribute__((always_inline)) void write_tile(local word (*tile)[PITCH], global T *dst, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const uint item = get_local_id(1) * WIDE + get_local_id(0), x = item % ACROSS, y = item / ACROSS;
    at += y * step;
#pragma unroll 4
    for (int c = 0; c < COLUMNS / BESIDE; c++, at += BESIDE * step) {
        const uint j = c * BESIDE + y;
        if (edge && (int)j >= columns)
            break;
        const uint before = EXTRA ? (uint)at & (EXTRA - 1) : 0; /* items from the sector's beginning to it */
        const uint start = EXTRA - before, shift = start % PACK * 8 * ITEM_BYTES;
        local const word *line = tile[j % PACK * WIDE + j / PACK] + start / PACK + x;
        global word *out = (global word *)(dst + (at - before)) + x;
#pragma unroll
        for (int k = 0; k < ROWS / PACK; k += ACROSS) {
            const word w = joined(line[k], line[k + (PACK > 1 ? EXTRA > 0 : 0)], (int)shift);
            const int row = (int)(start + (k + x) * PACK);
            if (!edge || (row >= from && row + PACK <= to))
                out[k] = w;
            else
                for (int q = 0; q < PACK; q++)
                    if (row + q >= from && row + q < to)
                        ((global T *)(out + k))[q] = (T)(w >> q * (8 * ITEM_BYTES % (8 * (int)sizeof w)));
        }
    }
}

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_gpu(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                   transpose_plan plan, uint down, uint across, uint band)
{
    local word tile[COLUMNS][PITCH];
    const uint group = get_group_id(0), batch = group / (down * across), place = group - batch * (down * across);
    const uint left_tile = place / (band * down) * band, rest = place - left_tile * down;
    const uint wide = min(band, across - left_tile), lower = rest / wide;
    const long row = (long)lower * ROWS, column = (long)(left_tile + rest - lower * wide) * COLUMNS;
    const int first = (int)max(0L, EXTRA - row), last = (int)min((long)(ROWS + EXTRA), plan.rows - row + EXTRA);
    const long left = plan.columns - column;
    const int columns = (int)min((long)COLUMNS, left);
    const long in = plan.src + layout_offset(&from, batch) + (row - EXTRA) * plan.src_row + column;
    const long out = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    if (first == 0 && last == ROWS + EXTRA && left >= COLUMNS + (EXTRA > 0)) {
        read_tile(tile, src, in, plan.src_row, first, last, columns, false);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, false);
    } else {
        read_tile(tile, src, in, plan.src_row, first, last, columns, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, true);
    }
}
