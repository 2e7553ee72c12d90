/* Matmul by the matrix instructions of an NVIDIA GPU: f64 from compute capability 9 (SHAPE 884: from 8), f16 from 8.
 *
 * A group of WARPS_DOWN x WARPS_ACROSS warps makes DOWN x ACROSS numbers of C, DEPTH steps of k at a time. cp.async
 * brings tiles of A and B to local memory as they lie in memory, STAGES of them under way; a warp then reads fragments
 * and multiplies them. A tile's rows consist of chunks of 16 bytes, whose order within a row is XORed with the row's
 * number, so that the reads of a fragment fall into different banks.
 *
 * A_DEEP, B_DEEP: is that matrix contiguous along k? Otherwise it is along m or n. A_WIDE, B_WIDE: are its chunks
 * aligned, and does none reach over its edge? Otherwise (f64 only) elements are copied one by one. Where k is split,
 * each part has its own groups, which leave their sums for matmul_sum. IN_LINES: are results written in lines? The
 * layouts of fragments are those of the PTX manual. */
#ifndef DOWN
#define DOWN 64
#define ACROSS 64
#define WARPS_DOWN 2
#define WARPS_ACROSS 2
#define STAGES 2
#endif
#ifndef A_DEEP
#define A_DEEP 1
#define B_DEEP 0
#define A_WIDE 1
#define B_WIDE 1
#endif

#ifdef DTYPE_f16
#ifndef DEPTH
#define DEPTH 32
#endif
#define EACH 8 /* elements of a chunk */
typedef float number;
typedef float scalar;
#else
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef SHAPE
#define SHAPE 1684
#endif
#define EACH 2
typedef double number;
typedef double scalar;
#endif

#define ITEMS (WARPS_DOWN * WARPS_ACROSS * 32)
#define ROWS (DOWN / WARPS_DOWN) /* of a warp */
#define COLUMNS (ACROSS / WARPS_ACROSS)
#define MULTIPLY_ADD(a, b, sum) fma((a), (b), (sum))
#include "parts/matmul_blocks.cl"

/* Only a host that knows the device asks for its instructions. The doubled parentheses of what follows keep its commas
 * together: OpenCL C has no variadic macros. */
#ifdef PTX
#define ASM(text_and_operands) asm volatile text_and_operands
#else
#define ASM(text_and_operands)
#endif
#define COMMIT ASM(("cp.async.commit_group;" ::: "memory"))
#define WARP_BARRIER ASM(("bar.warp.sync 0xffffffff;" ::: "memory"))
#define WAIT(pending) ASM(("cp.async.wait_group %0;" ::"n"(pending) : "memory"))

/* ---- tiles ------------------------------------------------------------------------------------------------ */

/* The byte of a tile that element (x, y) begins at, x along m or n and y along k. Fragments of f64 are 4 k by 4 rows at
 * a time, those of f16 are 8 rows of a chunk. */
inline int deep_byte(int x, int y)
{
    const int chunks = DEPTH / EACH, turn = chunks == 8 ? x & 7 : x >> 1 & 3;
    const int by = EACH == 8 ? turn : chunks == 8 ? (x & 3) << 1 : x & 2;
    return (x * chunks + ((y / EACH) ^ by)) * 16 + y % EACH * (16 / EACH);
}

inline int flat_byte(int x, int y, int width)
{
    const int by = EACH == 8 ? y & 7 : (y & 3) << 1;
    return (y * (width / EACH) + ((x / EACH) ^ by)) * 16 + x % EACH * (16 / EACH);
}

#define BYTE(x, y, deep, width) ((deep) ? deep_byte((x), (y)) : flat_byte((x), (y), (width)))

/* Copies 16 bytes, or one double; unless `wanted`, writes zeros and reads nothing. */
inline void copy_chunk(uint to, global const void *from, bool wanted)
{
    ASM(("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(wanted ? 16 : 0) : "memory"));
}

inline void copy_double(uint to, global const void *from, bool wanted)
{
    ASM(("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(wanted ? 8 : 0) : "memory"));
}

#define A_PIECE (A_WIDE ? EACH : 1)
#define B_PIECE (B_WIDE ? EACH : 1)
#define LOADS(width, piece) ((width) * DEPTH / (piece) / ITEMS)
#define X_OF(l, deep, width, piece) \
    ((deep) ? (item + (l) * ITEMS) / (DEPTH / (piece)) : (item + (l) * ITEMS) % ((width) / (piece)) * (piece))
#define Y_OF(l, deep, width, piece) \
    ((deep) ? (item + (l) * ITEMS) % (DEPTH / (piece)) * (piece) : (item + (l) * ITEMS) / ((width) / (piece)))

/* Where an item's first piece of the first tile begins. Its other pieces follow at equal distances, so that one address
 * is enough: registers decide how many groups a unit holds. Elements behind the edge of C are 0 and not read. */
#define APART(deep, width, piece) (ITEMS / ((deep) ? DEPTH / (piece) : (width) / (piece)))
#define BEGIN(from, inside, of, step, deep, width, piece, left)                              \
    from = of + ((deep) ? X_OF(0, deep, width, piece) * step + Y_OF(0, deep, width, piece)   \
                        : X_OF(0, deep, width, piece) + Y_OF(0, deep, width, piece) * step); \
    _Pragma("unroll") for (int l = 0; l < LOADS(width, piece); l++)                          \
        inside[l] = X_OF(l, deep, width, piece) < (left);

/* Starts the copying of the next tile. Only the first tile can be less deep than DEPTH, and is 0 there. */
#define FETCH(tile, from, inside, step, deep, width, piece, depth)                           \
    _Pragma("unroll") for (int l = 0; l < LOADS(width, piece); l++)                          \
    {                                                                                        \
        const int x = X_OF(l, deep, width, piece), y = Y_OF(l, deep, width, piece);          \
        const bool wanted = ((depth) == DEPTH || y < (depth)) && inside[l];                  \
        global const T *piece_at = from + l * APART(deep, width, piece) * step;              \
        if ((piece) == EACH)                                                                 \
            copy_chunk((tile) + BYTE(x, y, deep, width), piece_at, wanted);                  \
        else                                                                                 \
            copy_double((tile) + BYTE(x, y, deep, width), piece_at, wanted);                 \
    }                                                                                        \
    from += (deep) ? (depth) : (depth) * step;

/* ---- fragments ---------------------------------------------------------------------------------------------- */

#ifdef DTYPE_f16

#define STEP 16 /* k of an instruction */
#define SUMS_DOWN (ROWS / 16)
#define SUMS 4 /* of an item in a block of 16 x 8 */
#define ROW_OF(e) ((e) / 2 * 8)

/* Four blocks of 8 x 8 halves; `from` is a row of one of them. */
inline void read_blocks(private uint *into, uint from, bool turned)
{
    if (turned)
        ASM(("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3]) : "r"(from) : "memory"));
    else
        ASM(("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3]) : "r"(from) : "memory"));
}

inline void multiply_block(private float *d, private const uint *a, private const uint *b)
{
    ASM((
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])));
}

typedef struct {
    uint a[ROWS / 16][4], b[COLUMNS / 8][2];
} fragments;

/* Reads the fragments of this warp for k .. k + STEP - 1 of the tiles. */
INLINE void read_fragments(private fragments *set, uint a_tile, uint b_tile, int row, int column, int lane, int k)
{
#pragma unroll
    for (int i = 0; i < ROWS / 16; i++) {
        const int x = row + i * 16 + (lane >> 3 & 1) * 8, y = k + (lane >> 4) * 8;
        const int from = A_DEEP ? deep_byte(x + (lane & 7), y) : flat_byte(x, y + (lane & 7), DOWN);
        read_blocks(set->a[i], a_tile + from, !A_DEEP);
    }
#pragma unroll
    for (int j = 0; j < COLUMNS / 8; j += 2) {
        const int x = column + j * 8 + (lane >> 4) * 8, y = k + (lane >> 3 & 1) * 8;
        const int from = B_DEEP ? deep_byte(x + (lane & 7), y) : flat_byte(x, y + (lane & 7), ACROSS);
        read_blocks(set->b[j], b_tile + from, !B_DEEP);
    }
}

INLINE void multiply_fragments(private float (*sum)[COLUMNS / 8][SUMS], private const fragments *set)
{
#pragma unroll
    for (int i = 0; i < ROWS / 16; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; j++)
            multiply_block(sum[i][j], set->a[i], set->b[j]);
}

#else

#define STEP 4
#define SUMS_DOWN (ROWS / 8)
#define SUMS 2 /* of an item in a block of 8 x 8 */
#define ROW_OF(e) 0

inline double read_local(uint from)
{
    double value = 0;
    ASM(("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory"));
    return value;
}

/* Blocks i and i + 1 of a column of blocks (884: block i); a has the numbers of both. */
inline void multiply_blocks(private double *d, private double *e, private const double *a, private const double *f,
                            private const double *b)
{
#if SHAPE == 884
    ASM(("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0])));
    ASM(("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(e[0]), "+d"(e[1]) : "d"(f[0]), "d"(b[0])));
#else
    ASM(("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(e[0]), "+d"(e[1]) : "d"(a[0]), "d"(f[0]), "d"(b[0])));
#endif
}

typedef struct {
    double a[ROWS / 8][STEP / 4], b[COLUMNS / 8][STEP / 4];
} fragments;

/* Reads the fragments of this warp for k .. k + STEP - 1 of the tiles. */
INLINE void read_fragments(private fragments *set, uint a_tile, uint b_tile, int row, int column, int lane, int k)
{
#pragma unroll
    for (int s = 0; s < STEP / 4; s++) {
        const int y = k + s * 4 + lane % 4;
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; j++)
            set->b[j][s] = read_local(b_tile + BYTE(column + j * 8 + lane / 4, y, B_DEEP, ACROSS));
#pragma unroll
        for (int i = 0; i < ROWS / 8; i++)
            set->a[i][s] = read_local(a_tile + BYTE(row + i * 8 + lane / 4, y, A_DEEP, DOWN));
    }
}

INLINE void multiply_fragments(private double (*sum)[COLUMNS / 8][SUMS], private const fragments *set)
{
#pragma unroll
    for (int i = 0; i < ROWS / 8; i += 2)
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; j++)
            multiply_blocks(sum[i][j], sum[i + 1][j], set->a[i], set->a[i + 1], set->b[j]);
}

#endif

/* ---- results ------------------------------------------------------------------------------------------------ */

/* Two neighbours in a row of C, of which `left` are inside. */
inline void write_pair(global T *to, private const number *sum, long left, bool wide, number alpha, number beta)
{
    number x = alpha * sum[0], y = alpha * sum[1];
    if (left < 1)
        return;
    if (beta != 0) {
        x = fma(beta, (number)LOAD(to, 0), x);
        y = left > 1 ? fma(beta, (number)LOAD(to, 1), y) : y;
    }
#ifdef DTYPE_f16
    ushort2 pair;
    vstore_half_rte(x, 0, (private half *)&pair);
    vstore_half_rte(y, 1, (private half *)&pair);
    if (wide && left > 1) {
        *(global ushort2 *)to = pair;
        return;
    }
#else
    if (wide && left > 1) {
        *(global double2 *)to = (double2)(x, y);
        return;
    }
#endif
    STORE(to, 0, x);
    if (left > 1)
        STORE(to, 1, y);
}

#define PITCH (COLUMNS + 2) /* of a row there: rows begin in different banks */

/* C = alpha * A B + beta * C, C being m x n and contiguous along n; beta 0 does not read C. */
KERNEL(ITEMS) matmul_nvidia(global T *restrict c, matmul_view c_at, global const T *restrict a, matmul_view a_at,
                            global const T *restrict b, matmul_view b_at, global number *restrict partial,
                            matmul_size size, scalar alpha, scalar beta)
{
    local uint4 a_tiles[STAGES][DOWN * DEPTH / EACH], b_tiles[STAGES][ACROSS * DEPTH / EACH];
    const uint a_local = (uint)(size_t)(local char *)a_tiles, b_local = (uint)(size_t)(local char *)b_tiles;
    const uint a_bytes = sizeof a_tiles[0], b_bytes = sizeof b_tiles[0];
    const int item = get_local_id(0), lane = item % 32, warp = item / 32;
    const int row = warp / WARPS_ACROSS * ROWS, column = warp % WARPS_ACROSS * COLUMNS;

#include "templates/matmul_block.cl"
    const long a_step = A_DEEP ? a_at.row : a_at.column, b_step = B_DEEP ? b_at.column : b_at.row;
    a += matmul_offset(&a_at, batch, m0, k0);
    b += matmul_offset(&b_at, batch, k0, n0);

    number sum[SUMS_DOWN][COLUMNS / 8][SUMS];
    global const T *a_from, *b_from;
    bool a_inside[LOADS(DOWN, A_PIECE)], b_inside[LOADS(ACROSS, B_PIECE)];
    const int tiles = (int)((depth + DEPTH - 1) / DEPTH), first = (int)(depth - (tiles - 1L) * DEPTH);
#pragma unroll
    for (int i = 0; i < SUMS_DOWN; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; j++)
#pragma unroll
            for (int e = 0; e < SUMS; e++)
                sum[i][j][e] = 0;
    BEGIN(a_from, a_inside, a, a_step, A_DEEP, DOWN, A_PIECE, size.m - m0)
    BEGIN(b_from, b_inside, b, b_step, B_DEEP, ACROSS, B_PIECE, size.n - n0)
    FETCH(a_local, a_from, a_inside, a_step, A_DEEP, DOWN, A_PIECE, first)
    FETCH(b_local, b_from, b_inside, b_step, B_DEEP, ACROSS, B_PIECE, first)
    COMMIT;
#pragma unroll
    for (int t = 1; t < STAGES; t++) {
        if (t < tiles) {
            FETCH(a_local + t * a_bytes, a_from, a_inside, a_step, A_DEEP, DOWN, A_PIECE, DEPTH)
            FETCH(b_local + t * b_bytes, b_from, b_inside, b_step, B_DEEP, ACROSS, B_PIECE, DEPTH)
        }
        COMMIT;
    }
    WAIT(STAGES - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    fragments set[2]; /* one is read while the other is multiplied */
    read_fragments(&set[0], a_local, b_local, row, column, lane, 0);
    for (int t = 0, now = 0; t < tiles; t++) {
#pragma unroll
        for (int s = 0; s < DEPTH / STEP; s++) {
            if (s == DEPTH / STEP - 1) { /* all have read this tile, and the next is here */
                WAIT(STAGES - 2);
                barrier(CLK_LOCAL_MEM_FENCE);
                if (t + STAGES < tiles) {
                    FETCH(a_local + now * a_bytes, a_from, a_inside, a_step, A_DEEP, DOWN, A_PIECE, DEPTH)
                    FETCH(b_local + now * b_bytes, b_from, b_inside, b_step, B_DEEP, ACROSS, B_PIECE, DEPTH)
                }
                COMMIT;
                now = now == STAGES - 1 ? 0 : now + 1;
            }
            read_fragments(&set[(s + 1) % 2], a_local + now * a_bytes, b_local + now * b_bytes, row, column, lane,
                           (s + 1) % (DEPTH / STEP) * STEP);
            multiply_fragments(sum, &set[s % 2]);
        }
    }

    c += matmul_offset(&c_at, batch, m0, n0);
    partial += OFFSET_OF_PART(size, batch, split, m0, n0);
#if IN_LINES
#include "templates/matmul_write_warps.cl"
#else
#pragma unroll
    for (int i = 0; i < SUMS_DOWN; i++)
#pragma unroll
        for (int e = 0; e < SUMS; e += 2) {
            const long at = row + i * (ROWS / SUMS_DOWN) + ROW_OF(e) + lane / 4;
            if (at >= size.m - m0)
                continue;
#pragma unroll
            for (int j = 0; j < COLUMNS / 8; j++) {
                const long to = column + j * 8 + lane % 4 * 2, left = size.n - n0 - to;
                if (size.splits == 1) {
                    write_pair(c + at * c_at.row + to, &sum[i][j][e], left, size.wide, (number)alpha, (number)beta);
                } else {
                    if (left > 0)
                        partial[at * size.n + to] = sum[i][j][e];
                    if (left > 1)
                        partial[at * size.n + to + 1] = sum[i][j][e + 1];
                }
            }
        }
#endif
}
