/* Products of a matrix and a few columns on a GPU: C (m x n, n at most FEW) = A B, at the speed that A is read with.
 *
 * matmul_thin_rows takes an A that is contiguous along k: LANES items walk EACH rows, and a tree adds up what they
 * have. matmul_thin_columns takes one that is contiguous along m: LANES items own neighbouring vectors of rows, and the
 * rest of the group shares k. Both walk A in vectors of 16 bytes where it is WIDE: aligned, so that no vector reaches
 * over an edge. Where k is split, each part of it has its own groups, which leave their sums for matmul_sum; on NVIDIA
 * the last group of a block of matmul_thin_columns adds them up. Integers wrap, so they are computed as unsigned
 * ones. */
#ifndef FEW
#define FEW 1
#define LANES 32
#define EACH 2
#define WIDE 0
#define B_WIDE 0
#endif
#define ITEMS 256
#define AHEAD (FEW > 2 ? 2 : 4) /* vectors of a row that are under way */

#include "parts/matmul_numbers.cl"
/* Every group reads all of B, and its own part of A once. */
#define LOAD_B(p) LOAD_WIDE(p)
#if defined(STREAM) && ITEM_BYTES >= 4
#define LOAD_A(p) JOIN(JOIN(as_, NUMBER), VEC)(stream_load((p), stream_policy((p), origin)))
#else
#define LOAD_A(p) LOAD_B(p)
#endif

#include "parts/matmul_view.cl"

/* Writes number (i, j) of a batch of C. */
inline void store(global T *c, const matmul_view *c_at, long batch, long i, long j, number sum, number alpha,
                  number beta)
{
    c += matmul_offset(c_at, batch, i, j);
    number value = alpha * sum;
    if (beta != 0)
        value = MULTIPLY_ADD(beta, (number)LOAD(c, 0), value);
    STORE(c, 0, value);
}

inline long partial_place(const matmul_size *size, long batch, long split, long i, long j)
{
    return ((split * size->batches + batch) * size->m + i) * size->n + j;
}

/* Writes a sum to C, or to the sums of this part of k. */
inline void finish(global T *c, const matmul_view *c_at, global number *partial, const matmul_size *size, long batch,
                   long split, long i, long j, number sum, number alpha, number beta)
{
    if (size->splits > 1)
        partial[partial_place(size, batch, split, i, j)] = sum;
    else
        store(c, c_at, batch, i, j, sum, alpha, beta);
}

/* The place of element e of an item's vector. Elements are neighbours where they are read as one vector; else the
 * items' elements e are. */
#define OF(lane, e) (WIDE ? (lane) * VEC + (e) : (e) * LANES + (lane))

#define ROWS (ITEMS / LANES * EACH)
#define STEP (LANES * VEC)

KERNEL(ITEMS) matmul_thin_rows(global T *restrict c, matmul_view c_at, global const T *restrict a, matmul_view a_at,
                               global const T *restrict b, matmul_view b_at, global number *restrict partial,
                               matmul_size size, scalar alpha, scalar beta)
{
    local number sums[EACH * FEW][ITEMS];
    const int item = get_local_id(0), lane = item % LANES, block = item / LANES;
    const uint blocks = (uint)((size.m + ROWS - 1) / ROWS);
    const long m0 = (long)((uint)get_group_id(0) % blocks) * ROWS;
    const uint share = (uint)get_group_id(0) / blocks, batch = share / (uint)size.splits,
               split = share % (uint)size.splits;
    const long k0 = split * size.part, k1 = min(size.k, k0 + size.part);
    global const T *origin = a + a_at.offset;
    a = origin + layout_offset(&a_at.batch, batch);
    b += matmul_offset(&b_at, batch, 0, 0);
    global const T *row[EACH]; /* behind the edge: the last row once more */
    number sum[EACH][FEW];
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        row[r] = a + min(m0 + r * (ITEMS / LANES) + block, size.m - 1) * a_at.row;
#pragma unroll
        for (int j = 0; j < FEW; j++)
            sum[r][j] = 0;
    }
    long p = k0;
    for (; p + AHEAD * STEP <= k1; p += AHEAD * STEP)
#define COUNT AHEAD
#include "templates/matmul_thin_steps.cl"
    for (; p + STEP <= k1; p += STEP)
#define COUNT 1
#include "templates/matmul_thin_steps.cl"
    for (p += lane; p < k1; p += LANES)
#pragma unroll
        for (int j = 0; j < FEW; j++) {
            const number y = LOAD(b, p * b_at.row + min((long)j, size.n - 1) * b_at.column);
#pragma unroll
            for (int r = 0; r < EACH; r++)
                sum[r][j] = MULTIPLY_ADD((number)LOAD(row[r], p), y, sum[r][j]);
        }

#pragma unroll
    for (int r = 0; r < EACH; r++)
#pragma unroll
        for (int j = 0; j < FEW; j++)
            sums[r * FEW + j][item] = sum[r][j];
    for (int step = LANES / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
#pragma unroll
            for (int s = 0; s < EACH * FEW; s++)
                sums[s][item] += sums[s][item + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = lane; s < EACH * FEW; s += LANES) {
        const long i = m0 + s / FEW * (ITEMS / LANES) + block, j = s % FEW;
        if (i < size.m && j < size.n)
            finish(c, &c_at, partial, &size, batch, split, i, j, sums[s][block * LANES], (number)alpha, (number)beta);
    }
}

#define DEEP (ITEMS / LANES) /* items that share k */
#if ITEM_BYTES == 8 && !defined(NVIDIA)
#define ROWS_AHEAD (4 * AHEAD) /* a vector of doubles has two only */
#else
#define ROWS_AHEAD (2 * AHEAD)
#endif

/* Adds up the VEC numbers of each item of a lane; the first of these items gets the sums. */
inline void add_up(local number (*sums)[ITEMS], const number *mine)
{
    const int item = get_local_id(0);
#pragma unroll
    for (int e = 0; e < VEC; e++)
        sums[e][item] = mine[e];
    for (int step = DEEP / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item / LANES < step)
#pragma unroll
            for (int e = 0; e < VEC; e++)
                sums[e][item] += sums[e][item + step * LANES];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* On NVIDIA the last group of a block adds up the parts of k: a ticket for each block. */
#ifdef NVIDIA
#define TICKETS , volatile global uint *tickets
#else
#define TICKETS
#endif

KERNEL(ITEMS) matmul_thin_columns(global T *restrict c, matmul_view c_at, global const T *restrict a, matmul_view a_at,
                                  global const T *restrict b, matmul_view b_at, global number *restrict partial,
                                  matmul_size size, scalar alpha, scalar beta TICKETS)
{
    local number sums[VEC][ITEMS];
    const int item = get_local_id(0), lane = item % LANES, deep = item / LANES;
    const uint blocks = (uint)((size.m + LANES * VEC - 1) / (LANES * VEC));
    const long m0 = (long)((uint)get_group_id(0) % blocks) * (LANES * VEC);
    const uint share = (uint)get_group_id(0) / blocks, batch = share / (uint)size.splits,
               split = share % (uint)size.splits;
    const long k0 = split * size.part, k1 = min(size.k, k0 + size.part);
    global const T *origin = a + a_at.offset;
    a = origin + layout_offset(&a_at.batch, batch);
    b += matmul_offset(&b_at, batch, 0, 0);
    long rows[VEC]; /* behind the edge: the last row once more */
    number sum[FEW][VEC];
#pragma unroll
    for (int e = 0; e < VEC; e++) {
        rows[e] = min(m0 + OF(lane, e), size.m - (WIDE ? VEC - e : 1));
#pragma unroll
        for (int j = 0; j < FEW; j++)
            sum[j][e] = 0;
    }
    long p = k0 + deep;
    for (; p + (ROWS_AHEAD - 1) * DEEP < k1; p += ROWS_AHEAD * DEEP)
#define COUNT ROWS_AHEAD
#include "templates/matmul_thin_rows.cl"
    for (; p < k1; p += DEEP)
#define COUNT 1
#include "templates/matmul_thin_rows.cl"
#pragma unroll
    for (int j = 0; j < FEW; j++) {
        add_up(sums, sum[j]);
        for (int s = item; s < LANES * VEC; s += ITEMS) {
            const long i = m0 + OF(s % LANES, s / LANES);
            if (i < size.m && j < size.n)
                finish(c, &c_at, partial, &size, batch, split, i, j, sums[s / LANES][s % LANES], (number)alpha,
                       (number)beta);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#ifdef NVIDIA
    local uint turn;
    if (size.splits == 1 || !is_last_of(tickets + get_group_id(0) % blocks + batch * blocks, (uint)size.splits, &turn))
        return;
    for (int j = 0; j < size.n; j++) {
        number all[VEC];
#pragma unroll
        for (int e = 0; e < VEC; e++) {
            const long i = min(m0 + OF(lane, e), size.m - 1);
            all[e] = 0;
#pragma unroll 4
            for (long s = deep; s < size.splits; s += DEEP)
                all[e] += partial[partial_place(&size, batch, s, i, j)];
        }
        add_up(sums, all);
        for (int s = item; s < LANES * VEC; s += ITEMS) {
            const long i = m0 + OF(s % LANES, s / LANES);
            if (i < size.m)
                store(c, &c_at, batch, i, j, sums[s / LANES][s % LANES], (number)alpha, (number)beta);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}
