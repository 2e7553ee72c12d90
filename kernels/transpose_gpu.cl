/* Transposing on a GPU: a tile goes through local memory, so that both sides are read and written along their lines.
 *
 * What moves is words of 4 bytes (8 for items of 8). Small items are turned in registers, PACK x PACK at a time, on
 * their way into the tile, whose lines run along dst. Where the rows of a side begin anywhere (SHIFTED), aligned words
 * are read and shifted into place, on both sides; and a group writes whole sectors of dst only: its part of a line
 * begins and ends on one, so that its tile is a parallelogram, for which it reads up to EXTRA rows more. A group does
 * STEPS tiles beside each other, so that what two of them need of a row is still in its unit's cache. Groups are walked
 * in bands of BAND along a row of src. Built per item size. */
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
#ifndef STEPS
#define STEPS 1
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
#if defined(SHIFTED) && PACK > 1 /* a row's words are put together from two each: the last work-item has none */
#define JOINS 1
#define COLUMNS ((WIDE - 1) * PACK)
#if defined(NVIDIA) && WIDE == 32
#define SHUFFLES 1 /* the next one is the next work-item's */
#endif
#else
#define COLUMNS (WIDE * PACK)
#endif
#define LINE ((ROWS + EXTRA) / PACK) /* words in a line of the tile */
#define PITCH (LINE + 1)             /* odd: the words of a column are in different banks */
#define BLOCKS (LINE / DEEP)         /* of PACK rows, to a work-item */
#define ACROSS (ROWS / PACK < WIDE ? ROWS / PACK : WIDE) /* work-items that write a line together */
#define BESIDE (WIDE * DEEP / ACROSS)                    /* lines that are written at once */
#if ROWS / PACK % ACROSS || LINE % DEEP
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

#ifdef NVIDIA
#ifndef HINT
#define HINT ""
#endif
#ifdef POLICY
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#if ITEM_BYTES == 8
#define STREAM(v, p) asm("{ .reg .b64 p; createpolicy.fractional.L2::" TEXT(POLICY) ".b64 p, 1.0; ld.global.L2::cache_hint.u64 %0, [%1], p; }" : "=l"(v) : "l"(p))
#else
#define STREAM(v, p) asm("{ .reg .b64 p; createpolicy.fractional.L2::" TEXT(POLICY) ".b64 p, 1.0; ld.global.L2::cache_hint.u32 %0, [%1], p; }" : "=r"(v) : "l"(p))
#endif
#elif ITEM_BYTES == 8
#define STREAM(v, p) asm("ld.global" HINT ".u64 %0, [%1];" : "=l"(v) : "l"(p))
#else
#define STREAM(v, p) asm("ld.global" HINT ".u32 %0, [%1];" : "=r"(v) : "l"(p))
#endif
#else
#define STREAM(v, p) v = *(p)
#endif

/* The aligned word that holds byte `at`, or the next one. */
inline word fetch(global const uchar *src, long at, bool next)
{
    word w;
    STREAM(w, (global const word *)(src + (at & -(long)sizeof(word))) + next);
    return w;
}

/* The word at byte `at` of a row that has `left` items from there on. */
inline word fetch_joined(global const uchar *src, long at, int left, const bool edge)
{
    const word low = fetch(src, at, false);
#ifdef JOINS
    const int odd = (int)at & 3;
    return joined(low, !edge || odd + left * ITEM_BYTES > 4 ? fetch(src, at, true) : low, odd * 8);
#else
    return low;
#endif
}

/* The same word, from the aligned one and the next work-item's. `odd`: the place of its first byte in that. */
inline word join_next(word low, uint odd)
{
    word high = low;
#ifdef SHUFFLES
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(high) : "r"(low));
#endif
    return joined(low, high, (odd & 3) * 8);
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

/* Rows from..to-1 of the tile are there, and `columns` columns; all of them, and all that is read, unless `edge`. */
inline __attribute__((always_inline)) void fetch_tile(word (*held)[PACK], global const uchar *src, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1), left = columns - x * PACK;
    if (edge && left <= 0)
        return;
    at += (x * PACK + y * PACK * step) * ITEM_BYTES;
    step *= ITEM_BYTES;
    uint odd = (uint)at; /* of its own: nobody keeps 64 bits for each word */
#ifdef SHUFFLES
    const bool later = !edge;
#else
    const bool later = false;
#endif
#pragma unroll
    for (int b = 0; b < BLOCKS; b++, at += (DEEP - 1) * PACK * step)
#pragma unroll
        for (int q = 0; q < PACK; q++, at += step) {
            const int row = (b * DEEP + y) * PACK + q;
            held[b][q] = 0;
            if (!edge || (row >= from && row < to))
                held[b][q] = later ? fetch(src, at, false) : fetch_joined(src, at, left, edge);
        }
    if (!later)
        return;
#pragma unroll
    for (int b = 0; b < BLOCKS; b++, odd += (DEEP - 1) * PACK * (uint)step)
#pragma unroll
        for (int q = 0; q < PACK; q++, odd += (uint)step)
            held[b][q] = join_next(held[b][q], odd);
}

inline __attribute__((always_inline)) void store_tile(local word (*tile)[PITCH], word (*held)[PACK])
{
    const int x = get_local_id(0), y = get_local_id(1);
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        turn(held[b]);
#pragma unroll
        for (int q = 0; q < PACK; q++)
            tile[q * WIDE + x][b * DEEP + y] = held[b][q];
    }
}

/* Writes the lines of `columns` columns. The tile's row EXTRA is the place `at` in dst's first line. */
inline __attribute__((always_inline)) void write_tile(local word (*tile)[PITCH], global T *dst, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const uint item = get_local_id(1) * WIDE + get_local_id(0), x = item % ACROSS, y = item / ACROSS;
    at += y * step;
#pragma unroll 4
    for (int c = 0; c < (COLUMNS + BESIDE - 1) / BESIDE; c++, at += BESIDE * step) {
        const uint j = c * BESIDE + y;
        if ((edge || COLUMNS % BESIDE != 0) && (int)j >= columns)
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
                   transpose_plan plan, uint down, uint across)
{
    local word tile[WIDE * PACK][PITCH];
    word held[BLOCKS][PACK];
    const uint group = get_group_id(0), batch = group / (down * across), place = group - batch * (down * across);
    const uint band = place / (BAND * down), rest = place - band * (BAND * down);
    const uint wide = min((uint)BAND, across - band * BAND), lower = rest / wide;
    const long row = (long)lower * ROWS;
    const int first = (int)max(0L, EXTRA - row), last = (int)min((long)(ROWS + EXTRA), plan.rows - row + EXTRA);
    const long in = plan.src + layout_offset(&from, batch) + (row - EXTRA) * plan.src_row;
    global const uchar *bytes = (global const uchar *)src;
    const long out = plan.dst + layout_offset(&to, batch) + row;
    long column = (long)(band * BAND + rest - lower * wide) * (COLUMNS * STEPS);
#pragma unroll 1
    for (int s = 0; s < STEPS && column < plan.columns; s++, column += COLUMNS) {
        const long left = plan.columns - column, at = out + column * plan.dst_column;
        const int columns = (int)min((long)COLUMNS, left);
        const bool whole = first == 0 && last == ROWS + EXTRA && left >= WIDE * PACK;
        if (whole)
            fetch_tile(held, bytes, (in + column) * ITEM_BYTES, plan.src_row, first, last, columns, false);
        else
            fetch_tile(held, bytes, (in + column) * ITEM_BYTES, plan.src_row, first, last, columns, true);
        if (s > 0)
            barrier(CLK_LOCAL_MEM_FENCE); /* the tile before has been written */
        store_tile(tile, held);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (whole)
            write_tile(tile, dst, at, plan.dst_column, first, last, columns, false);
        else
            write_tile(tile, dst, at, plan.dst_column, first, last, columns, true);
    }
}
