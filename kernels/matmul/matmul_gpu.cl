/* Matmul on a GPU: tiles of A and B in local memory, a block of C in each work-item's registers.
 *
 * A group makes DOWN x ACROSS numbers of C, DEPTH steps of k at a time. While it multiplies one pair of tiles, the next
 * is on its way into registers; the local memory has two halves, so one barrier a tile is enough. matmul_items.cl says
 * how items are arranged.
 *
 * A_DEEP, B_DEEP: is that matrix contiguous along k? Otherwise it is along m or n. A_WIDE, B_WIDE: may it be read as
 * aligned vectors, so that none reaches over its edge? Where k is split, each part of it has its own groups, which
 * leave their sums for matmul_sum. Integers wrap, so they are computed as unsigned ones. */
#ifndef DOWN
#define DOWN 32
#define ACROSS 16
#define DEPTH 8
#define ITEMS_DOWN 1
#define ITEMS_ACROSS 1
#endif
#ifndef SLICES
#define SLICES 1
#endif
#ifndef A_DEEP
#define A_DEEP 1
#define B_DEEP 0
#define A_WIDE 0
#define B_WIDE 0
#endif

#include "parts/matmul_numbers.cl"
#include "parts/matmul_items.cl"

/* How one of the two matrices is fetched: `a` and `A` stand for either in what follows. An item takes LOADS pieces of
 * WIDTH elements a tile; piece l lies at (X, Y), X along m or n, Y along k. */
#define A_PIECE (A_WIDE ? VEC : 1)
#define B_PIECE (B_WIDE ? VEC : 1)
#define LOADS(width, piece) ((width) * DEPTH / (piece) / ITEMS)
#define X_OF(l, deep, width, piece) \
    ((deep) ? item / (DEPTH / (piece)) + (l) * (ITEMS / (DEPTH / (piece))) : item % ((width) / (piece)) * (piece))
#define Y_OF(l, deep, width, piece) \
    ((deep) ? item % (DEPTH / (piece)) * (piece) : item / ((width) / (piece)) + (l) * (ITEMS / ((width) / (piece))))

/* Where the pieces of the first tile begin. Pieces behind the edge of C are read at the edge once more; their results
 * are not written. */
#define BEGIN(from, of, step, deep, width, piece, left)                                      \
    _Pragma("unroll") for (int l = 0; l < LOADS(width, piece); l++)                          \
    {                                                                                        \
        const long x = min((long)X_OF(l, deep, width, piece), (left) - ((deep) ? 1 : (piece))); \
        const long y = Y_OF(l, deep, width, piece);                                          \
        from[l] = of + ((deep) ? x * step + y : x + y * step);                               \
    }

/* The next tile's pieces into registers; only the first tile can be less deep than DEPTH, and is 0 there. */
#define FETCH(into, from, step, deep, width, piece, depth)                                   \
    _Pragma("unroll") for (int l = 0; l < LOADS(width, piece); l++)                          \
    {                                                                                        \
        const bool within = (depth) == DEPTH || Y_OF(l, deep, width, piece) < (depth);       \
        if ((piece) > 1)                                                                     \
            STORE_VECTOR(within ? *(global const elements *)from[l] : (elements)(0), l, into); \
        else                                                                                 \
            into[l] = within ? *(global const element *)from[l] : (element)0;                \
        from[l] += (deep) ? (depth) : (depth) * step;                                        \
    }

#define KEEP(tile, from, deep, width, piece)                                                 \
    _Pragma("unroll") for (int l = 0; l < LOADS(width, piece); l++)                          \
    {                                                                                        \
        const int x = X_OF(l, deep, width, piece), y = Y_OF(l, deep, width, piece);          \
        if ((piece) > 1 && !(deep)) {                                                        \
            *(local vector *)&tile[y][x] = to_vector(JOIN(vload, VEC)(l, from));             \
        } else {                                                                             \
            _Pragma("unroll") for (int e = 0; e < (piece); e++)                              \
                tile[y + e][x] = to_number(from[l * (piece) + e]);                           \
        }                                                                                    \
    }

/* An item with many sums, of 512 bytes and more, reads the numbers of the next k while it multiplies those of this one;
 * with fewer the registers that this takes are worth more to other items. */
#define STEPS (DEPTH / SLICES) /* of an item in a tile: an even number */
#define READS_AHEAD (ROWS * COLUMNS * (ITEM_BYTES == 8 ? 8 : 4) >= 512)

#define READ(set, now, step)                                                                 \
    {                                                                                        \
        const int p = (step) + slice * STEPS;                                                \
        _Pragma("unroll") for (int i = 0; i < ROWS / VEC; i++)                               \
            STORE_VECTOR(*(local const vector *)&a_tile[now][p][row + i * 8 * VEC], i, (set).x); \
        _Pragma("unroll") for (int j = 0; j < COLUMNS / VEC; j++)                            \
            STORE_VECTOR(*(local const vector *)&b_tile[now][p][column + j * 4 * VEC], j, (set).y); \
    }

#define MULTIPLY(set)                                                                        \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++)                                         \
        _Pragma("unroll") for (int j = 0; j < COLUMNS; j++)                                  \
            sum[i][j] = MULTIPLY_ADD((set).x[i], (set).y[j], sum[i][j]);

/* C = alpha * A B + beta * C, C being m x n and contiguous along n; beta 0 does not read C. */
KERNEL(ITEMS) matmul_gpu(global T *restrict c, matmul_view c_at, global const T *restrict a, matmul_view a_at,
                         global const T *restrict b, matmul_view b_at, global number *restrict partial,
                         matmul_size size, scalar alpha, scalar beta)
{
#if SLICES > 1
    local union {
        struct {
            number a[2][DEPTH][DOWN + VEC], b[2][DEPTH][ACROSS + VEC];
        } tiles;
        number sums[ROWS * COLUMNS * PLACES];
    } memory __attribute__((aligned(16)));
    local number(*a_tile)[DEPTH][DOWN + VEC] = memory.tiles.a, (*b_tile)[DEPTH][ACROSS + VEC] = memory.tiles.b;
    const int item = get_local_id(0), slice = item / PLACES, place = item % PLACES;
#else
    local number a_tile[2][DEPTH][DOWN + VEC] __attribute__((aligned(16)));
    local number b_tile[2][DEPTH][ACROSS + VEC] __attribute__((aligned(16)));
    const int item = get_local_id(0), slice = 0, place = item;
#endif
    const int lane = place % 32, block = place / 32;
    const int row = block / ITEMS_ACROSS * (DOWN / ITEMS_DOWN) + ((lane >> 1 & 1) | (lane >> 2 & 6)) * VEC;
    const int column = block % ITEMS_ACROSS * (ACROSS / ITEMS_ACROSS) + ((lane & 1) | (lane >> 1 & 2)) * VEC;

#include "templates/matmul_block.cl"
    const long a_step = A_DEEP ? a_at.row : a_at.column, b_step = B_DEEP ? b_at.column : b_at.row;
    a += matmul_offset(&a_at, batch, m0, k0);
    b += matmul_offset(&b_at, batch, k0, n0);

    number sum[ROWS][COLUMNS];
    element next_a[LOADS(DOWN, 1)], next_b[LOADS(ACROSS, 1)];
    global const T *a_from[LOADS(DOWN, A_PIECE)], *b_from[LOADS(ACROSS, B_PIECE)];
    const long tiles = (depth + DEPTH - 1) / DEPTH, first = depth - (tiles - 1) * DEPTH;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[i][j] = 0;
    BEGIN(a_from, a, a_step, A_DEEP, DOWN, A_PIECE, size.m - m0)
    BEGIN(b_from, b, b_step, B_DEEP, ACROSS, B_PIECE, size.n - n0)
    FETCH(next_a, a_from, a_step, A_DEEP, DOWN, A_PIECE, first)
    FETCH(next_b, b_from, b_step, B_DEEP, ACROSS, B_PIECE, first)
    KEEP(a_tile[0], next_a, A_DEEP, DOWN, A_PIECE)
    KEEP(b_tile[0], next_b, B_DEEP, ACROSS, B_PIECE)
    barrier(CLK_LOCAL_MEM_FENCE);
    fragments set[2];
    if (READS_AHEAD)
        READ(set[0], 0, 0)
    for (long t = 1, now = 0; t <= tiles; t++, now ^= 1) {
        if (t < tiles) {
            FETCH(next_a, a_from, a_step, A_DEEP, DOWN, A_PIECE, DEPTH)
            FETCH(next_b, b_from, b_step, B_DEEP, ACROSS, B_PIECE, DEPTH)
        }
#pragma unroll
        for (int s = READS_AHEAD; s < STEPS; s++) {
            READ(set[s % 2], now, s)
            MULTIPLY(set[(s + READS_AHEAD) % 2])
        }
        if (t < tiles) {
            KEEP(a_tile[now ^ 1], next_a, A_DEEP, DOWN, A_PIECE)
            KEEP(b_tile[now ^ 1], next_b, B_DEEP, ACROSS, B_PIECE)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (READS_AHEAD) { /* behind the last tile the numbers that are read are not used */
            READ(set[0], now ^ 1, 0)
            MULTIPLY(set[1])
        }
    }
#if SLICES > 1
#define SHARED memory.sums
#define AT_PLACE place
#include "templates/matmul_add_slices.cl"
    if (slice > 0)
        return;
#endif

    c += matmul_offset(&c_at, batch, m0, n0);
    partial += OFFSET_OF_PART(size, batch, split, m0, n0);
#include "templates/matmul_write_sums.cl"
}
