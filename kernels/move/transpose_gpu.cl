/* Transposing on a GPU where lines begin at any address: a tile goes through local memory.
 *
 * Work-items read aligned vectors of 16 bytes. Unless all rows of src begin on such vectors (STRAIGHT), the first
 * vector of a row begins up to one vector before the tile's first column, at another place in each row. Items are not
 * shifted into place: an item's position in its vector shows to which column, and so to which line of the tile, it
 * belongs.
 *
 * Items of 1 and 2 bytes are packed in words of 4 bytes. A work-item reads PACK rows that are SPACE apart; SPACE is a
 * multiple of a vector's items, so the vectors of these rows begin at the same place. It turns the items PACK x PACK
 * and stores words whose items are SPACE rows apart. A work-item that writes a line of dst takes such words of PACK
 * neighbouring rows, beginning with the row of the first item of a word of dst, and turns them again, into words of
 * neighbouring items.
 *
 * Unless all lines of dst begin on sectors of 32 bytes (SECTORS), a group's part of a line begins and ends on a sector.
 * Its tile is then a parallelogram, and the group reads up to EXTRA rows more. Groups walk in bands of `band` tiles
 * along a row of src. Built per item size. */
#ifndef SPACE
#define SPACE (ITEM_BYTES < 4 ? 32 : 32 + 32 / ITEM_BYTES) /* words in a line of the tile */
#endif
#ifndef WIDE
#define WIDE 16 /* a group's items are WIDE x DEEP; WIDE vectors of a row of src are read */
#endif
#ifndef DEEP
#define DEEP 4
#endif
#if ITEM_BYTES == 8
typedef ulong word;
typedef ulong2 vector;
#define PACK 1 /* items in a word */
#else
typedef uint word;
typedef uint4 vector;
#define PACK (ITEM_BYTES == 4 ? 1 : 4 / ITEM_BYTES)
#endif
#define WORDS (ITEM_BYTES == 8 ? 2 : 4) /* words in a vector */
#define LENGTH (16 / ITEM_BYTES)        /* items in a vector */
#ifdef SECTORS
#define EXTRA 0
#else
#define EXTRA (32 / ITEM_BYTES) /* items in a sector */
#endif
#ifdef STRAIGHT
#define SLANT 0
#else
#define SLANT 1 /* vectors of a row that lie in the tile only in part, counted together */
#endif
#define ROWS (SPACE * PACK - EXTRA)
#define COLUMNS ((WIDE - SLANT) * LENGTH)
#define REACH (COLUMNS + SLANT * LENGTH)
#define SIDE (WIDE < 32 ? 32 / WIDE : 1) /* rows that 32 work-items read at once. PITCH is an odd multiple of SIDE, */
/* So that the words that they store are in different banks. */
#define PITCH (SPACE + (3 * SIDE - SPACE % (2 * SIDE)) % (2 * SIDE))
#define BLOCKS (SPACE / DEEP)            /* words of a line that one work-item stores */
#define LANES (PACK > 1 ? SPACE / PACK : ROWS)
#define ACROSS (LANES < 32 ? LANES : 32) /* work-items that write a line together */
#define BESIDE (WIDE * DEEP / ACROSS)    /* lines that are written at once */
#if SPACE % DEEP || BLOCKS % PACK || LANES % ACROSS || WIDE * DEEP % ACROSS || (PACK > 1 && SPACE % LENGTH)
#error the tile does not divide
#endif

#include "abi/move.h"

/* Turns PACK words, one of each of PACK rows, into PACK words, one of each of PACK columns. */
#ifdef PTX
#define PERMUTE(w, a, b, which) asm("prmt.b32 %0, %1, %2, " #which ";" : "=r"(w) : "r"(a), "r"(b))
#endif
#if PACK == 4
#define TURN(w)                                                                              \
    do {                                                                                     \
        const uint4 turned_ = turn((uint4)((w)[0], (w)[1], (w)[2], (w)[3]));                 \
        (w)[0] = turned_.x, (w)[1] = turned_.y, (w)[2] = turned_.z, (w)[3] = turned_.w;      \
    } while (0)
inline uint4 turn(uint4 w)
{
#ifdef PTX
    uint a, b, c, d;
    PERMUTE(a, w.x, w.y, 0x5140);
    PERMUTE(b, w.x, w.y, 0x7362);
    PERMUTE(c, w.z, w.w, 0x5140);
    PERMUTE(d, w.z, w.w, 0x7362);
    PERMUTE(w.x, a, c, 0x5410);
    PERMUTE(w.y, a, c, 0x7632);
    PERMUTE(w.z, b, d, 0x5410);
    PERMUTE(w.w, b, d, 0x7632);
    return w;
#else
    const uint even = 0x00ff00ff, low = 0x0000ffff;
    const uint a = bitselect(w.y << 8, w.x, even), b = bitselect(w.y, w.x >> 8, even);
    const uint c = bitselect(w.w << 8, w.z, even), d = bitselect(w.w, w.z >> 8, even);
    return (uint4)(bitselect(c << 16, a, low), bitselect(d << 16, b, low), bitselect(c, a >> 16, low),
                   bitselect(d, b >> 16, low));
#endif
}
#elif PACK == 2
#define TURN(w)                                                                              \
    do {                                                                                     \
        const uint a_ = (w)[0], low_ = 0x0000ffff;                                           \
        (w)[0] = bitselect((w)[1] << 16, a_, low_);                                          \
        (w)[1] = bitselect((w)[1], a_ >> 16, low_);                                          \
    } while (0)
#else
#define TURN(w)
#endif

/* The vector at item `at` of src, a multiple of LENGTH; if fewer items are left, only the words that hold some. */
inline vector fetch(global const T *src, long at, int left, const bool edge)
{
    global const word *p = (global const word *)(src + at);
    if (!edge || left >= LENGTH)
        return *(global const vector *)p;
    vector v = 0;
    v.x = left > 0 ? p[0] : 0;
    v.y = left > PACK ? p[1] : 0;
#if WORDS == 4
    v.z = left > 2 * PACK ? p[2] : 0;
    v.w = left > 3 * PACK ? p[3] : 0;
#endif
    return v;
}

/* The place in a line of the tile where the word of row i is: beside the words of the rows i +- PACK. */
inline int place_of(int i) { return i % PACK * (SPACE / PACK) + i / PACK; }

/* Reads the tile. At an edge of the matrix (`edge`) only rows from..to-1 and `left` columns exist; elsewhere all rows
 * do, and the items beside the tile that its vectors hold. `at`: place of the tile's first item in src. */
inline __attribute__((always_inline)) void read_tile(local word (*tile)[PITCH], global const T *src, long at, long step,
                                                     int from, int to, int left, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1);
    const uint low = (uint)at, low_step = (uint)step; /* 32 bits: 64 for each vector would take twice the registers */
    word held[BLOCKS][PACK][WORDS];
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        const int i = (b / PACK * DEEP + y) * PACK + b % PACK;
#pragma unroll
        for (int g = 0; g < PACK; g++) {
            const int row = i + g * SPACE;
            const long place = at + row * step;
            const int before = SLANT ? (int)place & (LENGTH - 1) : 0;
            vector v = 0;
            if (!edge || (row >= from && row < to))
                v = fetch(src, place - before + x * LENGTH, left + before - x * LENGTH, edge);
            held[b][g][0] = v.x, held[b][g][1] = v.y;
#if WORDS == 4
            held[b][g][2] = v.z, held[b][g][3] = v.w;
#endif
        }
    }
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        const int i = (b / PACK * DEEP + y) * PACK + b % PACK;
        const uint before = SLANT ? (low + i * low_step) & (LENGTH - 1) : 0;
#pragma unroll
        for (int m = 0; m < WORDS; m++) {
            word w[PACK];
#pragma unroll
            for (int g = 0; g < PACK; g++)
                w[g] = held[b][g][m];
            TURN(w);
#pragma unroll
            for (int p = 0; p < PACK; p++) { /* lines of columns outside the tile are not read */
                const uint k = m * PACK + p;
                tile[((k - before) & (LENGTH - 1)) * (WIDE + SLANT) + x + (SLANT && k >= before)][place_of(i)] = w[p];
            }
        }
    }
}

/* Writes the lines of `columns` columns. Row EXTRA of the tile goes to the place `at` of the first line of dst. */
inline __attribute__((always_inline)) void write_tile(local const word (*tile)[PITCH], global T *dst, long at,
                                                      long step, int from, int to, int columns, const bool edge)
{
    const int item = get_local_id(1) * WIDE + get_local_id(0), x = item % ACROSS, y = item / ACROSS;
    at += y * step;
#pragma unroll 2
    for (int c = 0; c < (COLUMNS + BESIDE - 1) / BESIDE; c++, at += BESIDE * step) {
        const int j = c * BESIDE + y;
        if ((edge || COLUMNS % BESIDE) && j >= columns)
            break;
        const int before = EXTRA ? (int)at & (EXTRA - 1) : 0; /* items from the beginning of the sector to `at` */
        const int start = EXTRA - before;
        local const word *line = tile[j % LENGTH * (WIDE + SLANT) + j / LENGTH + SLANT];
        global word *out = (global word *)(dst + (at - before)) + x;
#pragma unroll
        for (int k = 0; k < LANES; k += ACROSS) {
            word w[PACK];
#pragma unroll
            for (int q = 0; q < PACK; q++) {
#if PACK > 1
                const int i = (start + q) / PACK + k + x;
                const bool next = i >= SPACE / PACK; /* the next of the items that share a word */
                w[q] = line[(start + q) % PACK * (SPACE / PACK) + (next ? i - SPACE / PACK : i)];
                w[q] >>= next ? 8 * ITEM_BYTES : 0;
#else
                w[q] = line[start + k + x];
#endif
            }
            TURN(w);
#pragma unroll
            for (int g = 0; g < PACK; g++) {
                const int rest = (k + x) * PACK + g * SPACE, row = start + rest;
                global word *p = out + k + g * (SPACE / PACK);
                if (PACK > 1 && g == PACK - 1 && rest >= ROWS)
                    continue;
                if (!edge || (row >= from && row + PACK <= to))
                    *p = w[g];
                else
                    for (int q = 0; q < PACK; q++)
                        if (row + q >= from && row + q < to)
                            ((global T *)p)[q] = (T)(w[g] >> q * (8 * ITEM_BYTES % (8 * (int)sizeof(word))));
            }
        }
    }
}

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_gpu(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                   transpose_shape plan, uint down, uint across, uint band)
{
    local word tile[LENGTH * (WIDE + SLANT)][PITCH];
    const uint group = get_group_id(0), batch = group / (down * across), place = group - batch * (down * across);
    const uint left_tile = place / (band * down) * band, rest = place - left_tile * down;
    const uint wide = min(band, across - left_tile), lower = rest / wide;
    const long row = (long)lower * ROWS, column = (long)(left_tile + rest - lower * wide) * COLUMNS;
    const int first = (int)max(0L, EXTRA - row), last = (int)min((long)(ROWS + EXTRA), plan.rows - row + EXTRA);
    const int left = (int)min((long)REACH, plan.columns - column);
    const long in = plan.src + layout_offset(&from, batch) + (row - EXTRA) * plan.src_row + column;
    const long out = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    const bool inner = first == 0 && last == ROWS + EXTRA && left == REACH;
    if (inner)
        read_tile(tile, src, in, plan.src_row, first, last, left, false);
    else
        read_tile(tile, src, in, plan.src_row, first, last, left, true);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inner)
        write_tile(tile, dst, out, plan.dst_column, first, last, COLUMNS, false);
    else
        write_tile(tile, dst, out, plan.dst_column, first, last, min(left, COLUMNS), true);
}
