/* Matmul in f32 on a GPU that copies to local memory by itself: an NVIDIA GPU from compute capability 8, by cp.async.
 *
 * A group makes DOWN x ACROSS numbers of C, DEPTH steps of k at a time. Tiles of A and B are sent for STAGES - 1 ahead,
 * past the registers, and lie in local memory as rows of k: DOWN numbers of A, then ACROSS of B. matmul_items.cl says
 * how items are arranged; one reads the numbers of the next k while it multiplies those of this one.
 *
 * Such a GPU issues one instruction a cycle and lane, so what counts is how many of them multiply: about 9 in 10 here.
 * Hence 32-bit offsets against one address a tile, and no test of an edge within the loop.
 *
 * A_DEEP, B_DEEP: is that matrix contiguous along k? Then it is copied number by number, which turns it. Otherwise it
 * is contiguous along m or n, and A_WIDE, B_WIDE say whether it may be copied as aligned vectors, so that none reaches
 * over its edge. Where k is split, each part of it has its own groups, which leave their sums for matmul_sum. */
#ifndef DOWN
#define DOWN 32
#define ACROSS 16
#define DEPTH 8
#define ITEMS_DOWN 1
#define ITEMS_ACROSS 1
#define STAGES 3
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

#define STEPS (DEPTH / SLICES) /* of an item in a tile: an even number */
#define STRIDE (DOWN + ACROSS + VEC) /* four banks on from row to row: numbers of 8 rows are stored at once */
#define TILE (DEPTH * STRIDE * 4) /* bytes */

/* ---- copies ------------------------------------------------------------------------------------------------- */

/* Only a host that knows the device asks for its instructions; elsewhere items copy at once, which is right but slow.
 * `place` is a byte of local memory. */
#ifdef PTX
typedef uint place;
#define PLACE(p) ((uint)(size_t)(p))
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")
/* Or there would be one for each piece. */
#define ADVANCE(from, bytes) asm("add.s64 %0, %0, %1;" : "+l"(from) : "l"(bytes))

inline void copy_vector(place to, global const char *from, bool wanted)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(wanted ? 16 : 0) : "memory");
}

inline void copy_number(place to, global const char *from, bool wanted)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(wanted ? 4 : 0) : "memory");
}
#else
typedef local char *place;
#define PLACE(p) ((local char *)(p))
#define COMMIT
#define WAIT(pending)
#define ADVANCE(from, bytes) (from += (bytes))

inline void copy_vector(place to, global const char *from, bool wanted)
{
    *(local float4 *)to = wanted ? *(global const float4 *)from : (float4)(0);
}

inline void copy_number(place to, global const char *from, bool wanted)
{
    *(local float *)to = wanted ? *(global const float *)from : 0;
}
#endif

/* How one of the two matrices is copied: `a` and `A` stand for either in what follows. An item copies LOADS pieces of
 * `piece` numbers a tile, and of a deep matrix RUNS further ones behind each, RUN along k apart: 8 items read 32 bytes
 * side by side. The first piece is number (X, Y), X along m or n and Y along k, and piece l lies MORE_X, MORE_Y on. */
#define A_PIECE (A_WIDE && !A_DEEP ? VEC : 1)
#define B_PIECE (B_WIDE && !B_DEEP ? VEC : 1)
#define RUN 8
#define RUNS(deep) ((deep) ? DEPTH / RUN : 1)
#define LOADS(deep, width, piece) ((width) * DEPTH / (piece) / ITEMS / RUNS(deep))
#define X_OF(deep, width, piece) ((deep) ? item / RUN : item % ((width) / (piece)) * (piece))
#define Y_OF(deep, width, piece) ((deep) ? item % RUN : item / ((width) / (piece)))
#define MORE_X(l, deep, width, piece) ((deep) ? (l) * (ITEMS / RUN) : (l) * ITEMS % ((width) / (piece)) * (piece))
#define MORE_Y(l, deep, width, piece) ((deep) ? 0 : (l) * ITEMS / ((width) / (piece)))

/* Where an item's pieces begin in bytes from the tile's first number, and where the first of them goes. Pieces behind
 * the edge of C are read at the edge once more; their results are not written. */
#define BEGIN(offset, to, step, deep, width, piece, left)                                    \
    _Pragma("unroll") for (int l = 0; l < LOADS(deep, width, piece); l++)                    \
    {                                                                                        \
        const uint last = (uint)min((long)(width), (left)) - (piece);                        \
        const uint x = min((uint)(X_OF(deep, width, piece) + MORE_X(l, deep, width, piece)), last); \
        const uint y = Y_OF(deep, width, piece) + MORE_Y(l, deep, width, piece);             \
        offset[l] = ((deep) ? x * (uint)(step) + y : x + y * (uint)(step)) * (uint)sizeof(float); \
    }                                                                                        \
    to += (Y_OF(deep, width, piece) * STRIDE + X_OF(deep, width, piece)) * sizeof(float);

/* Starts the copying of the next tile. Only the first tile can be less deep than DEPTH, and is 0 there. */
#define FETCH(to, from, offset, step, deep, width, piece, depth)                             \
    _Pragma("unroll") for (int l = 0; l < LOADS(deep, width, piece); l++)                    \
        _Pragma("unroll") for (int r = 0; r < RUNS(deep); r++)                               \
    {                                                                                        \
        const int x = MORE_X(l, deep, width, piece), y = MORE_Y(l, deep, width, piece) + r * RUN; \
        const bool wanted = (depth) == DEPTH || Y_OF(deep, width, piece) + y < (depth);      \
        if ((piece) == VEC)                                                                  \
            copy_vector((to) + (y * STRIDE + x) * sizeof(float), from + offset[l], wanted);  \
        else                                                                                 \
            copy_number((to) + (y * STRIDE + x) * sizeof(float), from + offset[l] + r * RUN * sizeof(float), wanted); \
    }                                                                                        \
    ADVANCE(from, ((deep) ? (long)(depth) : (depth) * (step)) * (long)sizeof(float));

#define FETCH_TILE(at, depth)                                                                \
    {                                                                                        \
        FETCH(a_to + (at), a_from, a_offset, a_step, A_DEEP, DOWN, A_PIECE, depth) \
        FETCH(b_to + (at), b_from, b_offset, b_step, B_DEEP, ACROSS, B_PIECE, depth) \
    }

/* ---- products ----------------------------------------------------------------------------------------------- */

#define READ(set, p)                                                                         \
    {                                                                                        \
        _Pragma("unroll") for (int i = 0; i < ROWS / VEC; i++)                               \
            vstore4(*(local const float4 *)(x_at + ((p) * STRIDE + i * 8 * VEC) * 4), i, (set).x); \
        _Pragma("unroll") for (int j = 0; j < COLUMNS / VEC; j++)                            \
            vstore4(*(local const float4 *)(y_at + ((p) * STRIDE + j * 4 * VEC) * 4), j, (set).y); \
    }

/* Every other row backwards: then each product has an operand in common with the one before, which need not be read
 * from the registers again. */
#define MULTIPLY(set)                                                                        \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++)                                         \
        _Pragma("unroll") for (int e = 0; e < COLUMNS; e++)                                  \
    {                                                                                        \
        const int j = i % 2 ? COLUMNS - 1 - e : e;                                           \
        sum[i][j] = fma((set).x[i], (set).y[j], sum[i][j]);                                  \
    }

/* C = alpha * A B + beta * C, C being m x n and contiguous along n; beta 0 does not read C. */
KERNEL(ITEMS) matmul_staged(global float *restrict c, matmul_view c_at, global const float *restrict a,
                            matmul_view a_at, global const float *restrict b, matmul_view b_at,
                            global float *restrict partial, matmul_size size, float alpha, float beta)
{
    local float tiles[STAGES * TILE / 4] __attribute__((aligned(16)));
    const int item = get_local_id(0) % ITEMS, slice = item / PLACES, position = item % PLACES;
    const int lane = position % 32, block = position / 32;
    const int row = block / ITEMS_ACROSS * (DOWN / ITEMS_DOWN) + ((lane >> 1 & 1) | (lane >> 2 & 6)) * VEC;
    const int column = block % ITEMS_ACROSS * (ACROSS / ITEMS_ACROSS) + ((lane & 1) | (lane >> 1 & 2)) * VEC;

#include "templates/matmul_block.cl"
    const long a_step = A_DEEP ? a_at.row : a_at.column, b_step = B_DEEP ? b_at.column : b_at.row;
    a += matmul_offset(&a_at, batch, m0, k0);
    b += matmul_offset(&b_at, batch, k0, n0);

    float sum[ROWS][COLUMNS];
    uint a_offset[LOADS(A_DEEP, DOWN, A_PIECE)], b_offset[LOADS(B_DEEP, ACROSS, B_PIECE)];
    global const char *a_from = (global const char *)a, *b_from = (global const char *)b;
    place a_to = PLACE((local char *)tiles), b_to = a_to + DOWN * sizeof(float);
    const int count = (int)((depth + DEPTH - 1) / DEPTH), first = (int)(depth - (count - 1L) * DEPTH);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[i][j] = 0;
    BEGIN(a_offset, a_to, a_step, A_DEEP, DOWN, A_PIECE, size.m - m0)
    BEGIN(b_offset, b_to, b_step, B_DEEP, ACROSS, B_PIECE, size.n - n0)
    FETCH_TILE(0, first)
    COMMIT;
#pragma unroll
    for (int t = 1; t < STAGES - 1; t++) {
        if (t < count)
            FETCH_TILE(t * TILE, DEPTH)
        COMMIT;
    }
    WAIT(STAGES - 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    local const char *x_at = (local const char *)(tiles + slice * STEPS * STRIDE + row);
    local const char *y_at = (local const char *)(tiles + slice * STEPS * STRIDE + DOWN + column);
    fragments set[2]; /* one is read while the other is multiplied */
    READ(set[0], 0)
    for (int t = 0, now = 0, next = (STAGES - 1) * TILE; t < count; t++) {
        if (t + STAGES - 1 < count)
            FETCH_TILE(next, DEPTH)
        COMMIT;
#pragma unroll
        for (int s = 1; s < STEPS; s++) {
            READ(set[s % 2], s)
            MULTIPLY(set[(s + 1) % 2])
        }
        WAIT(STAGES - 2); /* the next tile is here, and behind the barrier all have read this one */
        barrier(CLK_LOCAL_MEM_FENCE);
        const int hop = now == (STAGES - 1) * TILE ? -now : TILE;
        next = now;
        now += hop;
        x_at += hop;
        y_at += hop;
        READ(set[0], 0)
        MULTIPLY(set[1])
    }
    c += matmul_offset(&c_at, batch, m0, n0);
    partial += OFFSET_OF_PART(size, batch, split, m0, n0);
#if SLICES > 1
#define SHARED tiles /* which has at least DOWN * ACROSS numbers */
#define AT_PLACE position
#include "templates/matmul_add_slices.cl"
#endif
#if IN_LINES
#include "templates/matmul_write_lines.cl"
#else
    if (slice == 0) {
#include "templates/matmul_write_sums.cl"
    }
#endif
}
