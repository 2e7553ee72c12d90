/* Transposing 2-byte items whose rows begin anywhere, on NVIDIA's GPUs: transpose_gpu.cl, but that words which rows are
 * put together from are read once.
 *
 * A word that begins anywhere needs two aligned ones, and the second is the first of the next work-item: it comes from
 * there by a shuffle, so that the last work-item of a warp has no word of its own. Loads need half the registers so, and
 * twice as many groups run at a time. */
#ifndef ROWS
#define ROWS 128 /* of a tile, in items: neighbours in dst */
#endif
#ifndef DEEP
#define DEEP 12 /* a group's items are WARP x DEEP */
#endif
#define WARP 32
#define BYTES 2                      /* of an item */
#define PACK 2                       /* items in a word */
#define COLUMNS ((WARP - 1) * PACK)  /* of a tile */
#define EXTRA (32 / BYTES)           /* rows before a tile's: lines are written in whole sectors */
#define LINE ((ROWS + EXTRA) / PACK) /* words in a line of the tile */
#define PITCH (LINE + 1)             /* odd: the words of a column are in different banks */
#define BLOCKS (LINE / DEEP)         /* of PACK rows, to a work-item */

/* Only a host that knows the device asks for its instructions. */
#ifdef PTX
#define LOAD_WORD(w, p) asm("ld.global.u32 %0, [%1];" : "=r"(w) : "l"(p))
#define NEXT_ITEMS(w, mine) asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(w) : "r"(mine))
#else
#define LOAD_WORD(w, p) w = *(p)
#define NEXT_ITEMS(w, mine) w = (mine)
#endif

#if ROWS % (WARP * PACK) || LINE % DEEP
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
inline uint joined(uint low, uint high, uint shift) { return (uint)(upsample(high, low) >> shift); }

/* The aligned word that holds byte `at`, or the next one. */
inline uint fetch(global const uchar *src, long at, bool next)
{
    uint w;
    LOAD_WORD(w, (global const uint *)(src + (at & -4L)) + next);
    return w;
}

/* The word at byte `at` of a row that has `left` items from there on. */
inline uint fetch_joined(global const uchar *src, long at, int left)
{
    const uint low = fetch(src, at, false), odd = (uint)at & 3;
    return joined(low, (int)odd + left * BYTES > 4 ? fetch(src, at, true) : low, odd * 8);
}

/* The same from the aligned word and the next work-item's. `odd`: the place of its first byte in that, or as good. */
inline uint join_next(uint low, uint odd)
{
    uint high;
    NEXT_ITEMS(high, low);
    return joined(low, high, (odd & 3) * 8);
}

/* Rows from..to-1 of the tile are there, and `columns` columns; all of them, and all that is read, unless `edge`. */
inline __attribute__((always_inline)) void fetch_tile(uint (*held)[PACK], global const uchar *src, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const int x = get_local_id(0), y = get_local_id(1), left = columns - x * PACK;
    if (edge && left <= 0)
        return;
    at += (x * PACK + y * PACK * step) * BYTES;
    step *= BYTES;
    uint odd = (uint)at; /* of its own: nobody keeps 64 bits for each word */
#pragma unroll
    for (int b = 0; b < BLOCKS; b++, at += (DEEP - 1) * PACK * step)
#pragma unroll
        for (int q = 0; q < PACK; q++, at += step) {
            const int row = (b * DEEP + y) * PACK + q;
            held[b][q] = 0;
            if (!edge || (row >= from && row < to))
                held[b][q] = edge ? fetch_joined(src, at, left) : fetch(src, at, false);
        }
    if (edge)
        return;
#pragma unroll
    for (int b = 0; b < BLOCKS; b++, odd += (DEEP - 1) * PACK * (uint)step)
#pragma unroll
        for (int q = 0; q < PACK; q++, odd += (uint)step)
            held[b][q] = join_next(held[b][q], odd);
}

/* Turned: 2 words of as many rows become 2 of as many columns. */
inline __attribute__((always_inline)) void store_tile(local uint (*tile)[PITCH], uint (*held)[PACK])
{
    const int x = get_local_id(0), y = get_local_id(1);
    const uint low = 0x0000ffff;
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        tile[x][b * DEEP + y] = bitselect(held[b][1] << 16, held[b][0], low);
        tile[WARP + x][b * DEEP + y] = bitselect(held[b][1], held[b][0] >> 16, low);
    }
}

/* Writes the lines of `columns` columns. The tile's row EXTRA is the place `at` in dst's first line. */
inline __attribute__((always_inline)) void write_tile(local uint (*tile)[PITCH], global ushort *dst, long at, long step,
                                                      int from, int to, int columns, const bool edge)
{
    const uint x = get_local_id(0), y = get_local_id(1);
    at += y * step;
#pragma unroll 4
    for (int c = 0; c < (COLUMNS + DEEP - 1) / DEEP; c++, at += DEEP * step) {
        const uint j = c * DEEP + y;
        if ((int)j >= columns)
            break;
        const uint before = (uint)at & (EXTRA - 1); /* items from the sector's beginning to it */
        const uint start = EXTRA - before, shift = start % PACK * 8 * BYTES;
        local const uint *line = tile[j % PACK * WARP + j / PACK] + start / PACK + x;
        global uint *out = (global uint *)(dst + (at - before)) + x;
#pragma unroll
        for (int k = 0; k < ROWS / PACK; k += WARP) {
            const uint w = joined(line[k], line[k + 1], shift);
            const int row = (int)(start + (k + x) * PACK);
            if (!edge || (row >= from && row + PACK <= to))
                out[k] = w;
            else
                for (int q = 0; q < PACK; q++)
                    if (row + q >= from && row + q < to)
                        ((global ushort *)(out + k))[q] = (ushort)(w >> q * 8 * BYTES);
        }
    }
}

kernel __attribute__((reqd_work_group_size(WARP, DEEP, 1)))
void transpose_nvidia(global ushort *restrict dst, global const ushort *restrict src, lun_layout to, lun_layout from,
                      transpose_plan plan, uint down, uint across, uint band)
{
    local uint tile[WARP * PACK][PITCH];
    uint held[BLOCKS][PACK];
    const uint group = get_group_id(0), batch = group / (down * across), place = group - batch * (down * across);
    const uint left_tile = place / (band * down) * band, rest = place - left_tile * down;
    const uint wide = min(band, across - left_tile), lower = rest / wide;
    const long row = (long)lower * ROWS, column = (long)(left_tile + rest - lower * wide) * COLUMNS;
    const long left = plan.columns - column;
    const int first = (int)max(0L, EXTRA - row), last = (int)min((long)(ROWS + EXTRA), plan.rows - row + EXTRA);
    const int columns = (int)min((long)COLUMNS, left);
    const long in = plan.src + layout_offset(&from, batch) + (row - EXTRA) * plan.src_row + column;
    const long out = plan.dst + layout_offset(&to, batch) + column * plan.dst_column + row;
    global const uchar *bytes = (global const uchar *)src;
    const bool whole = first == 0 && last == ROWS + EXTRA && left >= WARP * PACK;
    if (whole)
        fetch_tile(held, bytes, in * BYTES, plan.src_row, first, last, columns, false);
    else
        fetch_tile(held, bytes, in * BYTES, plan.src_row, first, last, columns, true);
    store_tile(tile, held);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (whole)
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, false);
    else
        write_tile(tile, dst, out, plan.dst_column, first, last, columns, true);
}
