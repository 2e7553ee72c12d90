/* Matmul on a GPU: tiles of A and B in local memory, a block of C in each work-item's registers.
 *
 * A group makes DOWN x ACROSS numbers of C, DEPTH steps of k at a time. While it multiplies one pair of tiles, the next
 * is on its way into registers; the local memory has two halves, so one barrier a tile is enough. Items stand in
 * blocks of 32, ITEMS_DOWN x ITEMS_ACROSS of them, of 8 x 4 items; an item owns vectors of 4 that lie one such block
 * apart, so that the reads of a block's items fall into different banks or onto the same word.
 *
 * A_DEEP, B_DEEP: is that matrix contiguous along k? Otherwise it is along m or n. WIDE: may both be read as aligned
 * vectors of 4? Integers wrap, so they are computed as unsigned ones. */
#ifndef DOWN
#define DOWN 128
#define ACROSS 128
#define DEPTH 16
#define ITEMS_DOWN 2
#define ITEMS_ACROSS 4
#endif
#ifndef A_DEEP
#define A_DEEP 1
#define B_DEEP 0
#endif

#if defined(DTYPE_f64)
typedef double number;
typedef double4 quad;
typedef double scalar;
#elif defined(IS_FLOAT)
typedef float number;
typedef float4 quad;
typedef float scalar;
#elif ITEM_BYTES == 8
typedef ulong number;
typedef ulong4 quad;
typedef ulong scalar;
#else
typedef uint number;
typedef uint4 quad;
typedef ulong scalar;
#endif

#ifdef IS_FLOAT
#define MULTIPLY_ADD(a, b, sum) fma((a), (b), (sum))
#else
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#endif

#define ITEMS (ITEMS_DOWN * ITEMS_ACROSS * 32)
#define QUADS_DOWN (DOWN / (ITEMS_DOWN * 32))
#define QUADS_ACROSS (ACROSS / (ITEMS_ACROSS * 16))
#define LOADS(width) ((width) * DEPTH / 4 / ITEMS)
#define PAD 4
#define BAND 8 /* rows of blocks that are walked together, so that their tiles are met again in the cache */

/* Element (i, j) is at offset + i*row + j*column + the batch's offset. */
typedef struct {
    long offset, row, column;
    lun_layout batch;
} matmul_view;

/* Four elements, those from `left` on as 0. */
inline quad some(global const T *from, long left)
{
    return (quad)(left > 0 ? LOAD(from, 0) : 0, left > 1 ? LOAD(from, 1) : 0, left > 2 ? LOAD(from, 2) : 0,
                  left > 3 ? LOAD(from, 3) : 0);
}

#ifdef WIDE
#ifdef DTYPE_f16
#define ALL(from) vload_half4(0, (from))
#elif ITEM_BYTES < 4
#define ALL(from) some((from), 4)
#else
#define ALL(from) (*(global const quad *)(from))
#endif
#else
#define ALL(from) some((from), 4)
#endif

/* Where vector l of an item lies in a tile: along m or n, and along k. */
#define ALONG(l, deep, width) ((deep) ? ((l) * ITEMS + item) / (DEPTH / 4) : ((l) * ITEMS + item) % ((width) / 4) * 4)
#define BELOW(l, deep, width) ((deep) ? ((l) * ITEMS + item) % (DEPTH / 4) * 4 : ((l) * ITEMS + item) / ((width) / 4))

#define FETCH(into, from, step, deep, width, left, k0)                                       \
    _Pragma("unroll") for (int l = 0; l < LOADS(width); l++)                                 \
    {                                                                                        \
        const int x = ALONG(l, deep, width), y = BELOW(l, deep, width);                      \
        global const T *q = (deep) ? from + x * step + (k0) + y : from + ((k0) + y) * step + x; \
        if (inside && (k0) + DEPTH <= k)                                                     \
            into[l] = ALL(q);                                                                \
        else if (deep)                                                                       \
            into[l] = some(q, x < left ? k - (k0) - y : 0);                                  \
        else                                                                                 \
            into[l] = some(q, (k0) + y < k ? left - x : 0);                                  \
    }

#define KEEP(tile, from, deep, width)                                                        \
    _Pragma("unroll") for (int l = 0; l < LOADS(width); l++)                                 \
    {                                                                                        \
        const int x = ALONG(l, deep, width), y = BELOW(l, deep, width);                      \
        if (deep) {                                                                          \
            tile[y][x] = from[l].x;                                                          \
            tile[y + 1][x] = from[l].y;                                                      \
            tile[y + 2][x] = from[l].z;                                                      \
            tile[y + 3][x] = from[l].w;                                                      \
        } else {                                                                             \
            *(local quad *)&tile[y][x] = from[l];                                            \
        }                                                                                    \
    }

#define MULTIPLY(half_)                                                                      \
    _Pragma("unroll") for (int p = 0; p < DEPTH; p++)                                        \
    {                                                                                        \
        number x[QUADS_DOWN * 4], y[QUADS_ACROSS * 4];                                       \
        _Pragma("unroll") for (int i = 0; i < QUADS_DOWN; i++)                               \
            vstore4(*(local const quad *)&a_tile[half_][p][row + i * 32], i, x);             \
        _Pragma("unroll") for (int j = 0; j < QUADS_ACROSS; j++)                             \
            vstore4(*(local const quad *)&b_tile[half_][p][column + j * 16], j, y);          \
        _Pragma("unroll") for (int i = 0; i < QUADS_DOWN * 4; i++)                           \
            _Pragma("unroll") for (int j = 0; j < QUADS_ACROSS * 4; j++)                     \
                sum[i][j] = MULTIPLY_ADD(x[i], y[j], sum[i][j]);                             \
    }

/* C = alpha * A B + beta * C, C being m x n and contiguous along n; beta 0 does not read C. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void matmul_gpu(global T *restrict c, matmul_view c_at, global const T *restrict a, matmul_view a_at,
                global const T *restrict b, matmul_view b_at, long m, long n, long k, scalar alpha, scalar beta)
{
    local number a_tile[2][DEPTH][DOWN + PAD] __attribute__((aligned(32)));
    local number b_tile[2][DEPTH][ACROSS + PAD] __attribute__((aligned(32)));
    const int item = get_local_id(0), lane = item % 32, block = item / 32;
    const int row = block / ITEMS_ACROSS * (DOWN / ITEMS_DOWN) + lane / 4 * 4;
    const int column = block % ITEMS_ACROSS * (ACROSS / ITEMS_ACROSS) + lane % 4 * 4;
    const long blocks_down = (m + DOWN - 1) / DOWN, blocks_across = (n + ACROSS - 1) / ACROSS;
    const long group = get_group_id(0) % (blocks_down * blocks_across);
    const long batch = get_group_id(0) / (blocks_down * blocks_across);
    const long band = group / (BAND * blocks_across), in_band = group % (BAND * blocks_across);
    const long band_rows = min(blocks_down - band * BAND, (long)BAND);
    const long m0 = (band * BAND + in_band % band_rows) * DOWN, n0 = in_band / band_rows * ACROSS;
    const long m_left = m - m0, n_left = n - n0;
    const bool inside = m_left >= DOWN && n_left >= ACROSS;
    const long a_step = A_DEEP ? a_at.row : a_at.column, b_step = B_DEEP ? b_at.column : b_at.row;
    a += a_at.offset + layout_offset(&a_at.batch, batch) + m0 * a_at.row;
    b += b_at.offset + layout_offset(&b_at.batch, batch) + n0 * b_at.column;
    c += c_at.offset + layout_offset(&c_at.batch, batch) + m0 * c_at.row + n0;

    number sum[QUADS_DOWN * 4][QUADS_ACROSS * 4];
    quad next_a[LOADS(DOWN)], next_b[LOADS(ACROSS)];
#pragma unroll
    for (int i = 0; i < QUADS_DOWN * 4; i++)
#pragma unroll
        for (int j = 0; j < QUADS_ACROSS * 4; j++)
            sum[i][j] = 0;
    FETCH(next_a, a, a_step, A_DEEP, DOWN, m_left, 0L)
    FETCH(next_b, b, b_step, B_DEEP, ACROSS, n_left, 0L)
    KEEP(a_tile[0], next_a, A_DEEP, DOWN)
    KEEP(b_tile[0], next_b, B_DEEP, ACROSS)
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = 0;
    for (long k0 = DEPTH; k0 < k; k0 += DEPTH) {
        FETCH(next_a, a, a_step, A_DEEP, DOWN, m_left, k0)
        FETCH(next_b, b, b_step, B_DEEP, ACROSS, n_left, k0)
        MULTIPLY(now)
        now ^= 1;
        KEEP(a_tile[now], next_a, A_DEEP, DOWN)
        KEEP(b_tile[now], next_b, B_DEEP, ACROSS)
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    MULTIPLY(now)
#pragma unroll
    for (int i = 0; i < QUADS_DOWN * 4; i++) {
        const long at = row + i / 4 * 32 + i % 4;
#pragma unroll
        for (int j = 0; j < QUADS_ACROSS * 4; j++) {
            const long to = column + j / 4 * 16 + j % 4;
            if (at < m_left && to < n_left) {
                number value = (number)alpha * sum[i][j];
                if (beta != 0)
                    value = MULTIPLY_ADD((number)beta, (number)LOAD(c, at * c_at.row + to), value);
                STORE(c, at * c_at.row + to, value);
            }
        }
    }
}
