/* Transposing on a GPU where all lines of dst and rows of src begin on vectors: as transpose_gpu.cl, in whole vectors.
 *
 * A work-item reads blocks of EDGE x EDGE items, one vector of each row, turns them in registers and stores one vector
 * for each line of dst. So it needs one instruction for a vector where transpose_gpu.cl needs one for a word. The lines
 * of the tile are without gaps. The place of a vector in its line depends on the number of the line, so that neither
 * the vectors of a column nor those of a line share a bank. Groups walk in bands of `band` tiles along a row of src.
 * Built per item size. */
#ifndef LENGTH
#define LENGTH 4 /* words in a vector */
#endif
#ifndef WIDE
#define WIDE 16 /* a group's items are WIDE x DEEP */
#endif
#ifndef DEEP
#define DEEP 16
#endif
#ifndef EACH
#define EACH 1 /* blocks to a work-item */
#endif
#if ITEM_BYTES == 8
typedef ulong word;
typedef JOIN(ulong, LENGTH) vector;
#define PACK 1 /* items in a word */
#else
typedef uint word;
typedef JOIN(uint, LENGTH) vector;
#define PACK (4 / ITEM_BYTES)
#endif
#define EDGE (LENGTH * PACK)
#define COLUMNS (WIDE * EDGE)
#define SLOTS (DEEP * EACH) /* vectors in a line of the tile */
#define ROWS (SLOTS * EDGE)
#define VECTOR_BYTES (LENGTH * (ITEM_BYTES == 8 ? 8 : 4))
#define BESIDE (WIDE * DEEP / SLOTS) /* lines that are written at once */
#define TURNS (SLOTS < 128 / VECTOR_BYTES ? SLOTS : 128 / VECTOR_BYTES)
#if WIDE * DEEP % SLOTS || COLUMNS % BESIDE || (SLOTS & (SLOTS - 1))
#error the tile does not divide
#endif

#include "abi/move.h"

/* The place of vector `slot` in its line of the tile. */
inline int place_of(int slot, int line) { return slot ^ (line / EDGE & (TURNS - 1)); }

/* Turns PACK words, one of each of PACK rows, into PACK words, one of each of PACK columns. */
inline void turn_words(word *w)
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

inline void take(word *w, vector v)
{
    w[0] = v.x, w[1] = v.y;
#if LENGTH == 4
    w[2] = v.z, w[3] = v.w;
#endif
}

inline vector give(const word *w)
{
#if LENGTH == 4
    return (vector)(w[0], w[1], w[2], w[3]);
#else
    return (vector)(w[0], w[1]);
#endif
}

/* The first `left` items of a row's vector. */
inline vector take_part(global const T *src, int left)
{
    word w[LENGTH];
#pragma unroll
    for (int k = 0; k < LENGTH; k++) {
        w[k] = 0;
#pragma unroll
        for (int q = 0; q < PACK; q++)
            if (k * PACK + q < left)
                w[k] |= (word)src[k * PACK + q] << q * (8 * ITEM_BYTES % (8 * (int)sizeof(word)));
    }
    return give(w);
}

inline void give_part(global T *dst, vector v, int left)
{
    word w[LENGTH];
    take(w, v);
#pragma unroll
    for (int k = 0; k < LENGTH; k++)
#pragma unroll
        for (int q = 0; q < PACK; q++)
            if (k * PACK + q < left)
                dst[k * PACK + q] = (T)(w[k] >> q * (8 * ITEM_BYTES % (8 * (int)sizeof(word))));
}

/* At an edge of the matrix (`edge`) the tile has only `rows` rows and `columns` columns; elsewhere it is whole. */
inline __attribute__((always_inline)) void read_tile(local vector (*tile)[SLOTS], global const T *src, long step,
                                                     int rows, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1), left = columns - x * EDGE;
    word held[EACH][EDGE][LENGTH];
    src += x * EDGE + y * EDGE * step;
#pragma unroll
    for (int b = 0; b < EACH; b++)
#pragma unroll
        for (int q = 0; q < EDGE; q++) {
            global const T *at = src + (b * DEEP * EDGE + q) * step;
            const bool there = !edge || (b * DEEP + y) * EDGE + q < rows;
            if (there && (!edge || left >= EDGE))
                take(held[b][q], *(global const vector *)at);
            else
                take(held[b][q], take_part(at, there ? left : 0));
        }
#pragma unroll
    for (int b = 0; b < EACH; b++)
#pragma unroll
        for (int m = 0; m < LENGTH; m++) {
            word turned[PACK][LENGTH];
#pragma unroll
            for (int k = 0; k < LENGTH; k++) {
                word w[PACK];
#pragma unroll
                for (int q = 0; q < PACK; q++)
                    w[q] = held[b][k * PACK + q][m];
                turn_words(w);
#pragma unroll
                for (int q = 0; q < PACK; q++)
                    turned[q][k] = w[q];
            }
#pragma unroll
            for (int q = 0; q < PACK; q++) {
                const int line = x * EDGE + m * PACK + q;
                tile[line][place_of(b * DEEP + y, line)] = give(turned[q]);
            }
        }
}

inline __attribute__((always_inline)) void write_tile(local vector (*tile)[SLOTS], global T *dst, long step, int rows,
                                                      int columns, const bool edge)
{
    const int item = get_local_id(1) * WIDE + get_local_id(0), slot = item % SLOTS, y = item / SLOTS;
    dst += slot * EDGE + y * step;
#pragma unroll 4
    for (int c = 0; c < COLUMNS / BESIDE; c++, dst += BESIDE * step) {
        const int line = c * BESIDE + y;
        if (edge && line >= columns)
            break;
        const vector v = tile[line][place_of(slot, line)];
        if (!edge || slot * EDGE + EDGE <= rows)
            *(global vector *)dst = v;
        else
            give_part(dst, v, rows - slot * EDGE);
    }
}

kernel __attribute__((reqd_work_group_size(WIDE, DEEP, 1)))
void transpose_vector(global T *restrict dst, global const T *restrict src, lun_layout to, lun_layout from,
                      transpose_shape plan, uint down, uint across, uint band)
{
    local vector tile[COLUMNS][SLOTS];
    const uint group = get_group_id(0), batch = group / (down * across), place = group - batch * (down * across);
    const uint left_tile = place / (band * down) * band, rest = place - left_tile * down;
    const uint wide = min(band, across - left_tile), lower = rest / wide;
    const long row = (long)lower * ROWS, column = (long)(left_tile + rest - lower * wide) * COLUMNS;
    const int rows = (int)min((long)ROWS, plan.rows - row), columns = (int)min((long)COLUMNS, plan.columns - column);
    src += plan.src + layout_offset(&from, batch) + row * plan.src_row + column;
    dst += plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    if (rows == ROWS && columns == COLUMNS) {
        read_tile(tile, src, plan.src_row, rows, columns, false);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, plan.dst_column, rows, columns, false);
    } else {
        read_tile(tile, src, plan.src_row, rows, columns, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, dst, plan.dst_column, rows, columns, true);
    }
}
