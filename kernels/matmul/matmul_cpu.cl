/* Matmul on a CPU device: one work-item to a core, a block of C in the registers, panels of A and B in the caches.
 *
 * A block is ROWS x COLS, two vectors wide. Each step of k multiplies COLS numbers of a panel of B by ROWS numbers of
 * A, one in all lanes. A panel of B holds COLS columns and is packed: COLS numbers for each k, filled up with zeros.
 * Panels of A hold ROWS rows and are packed in the same way, or read where they are. Work-groups have one item, so
 * `local` memory is that core's own scratch.
 *
 * direct: every task packs its columns of B, a part of k at a time; A it reads in place, or copies a block at a time.
 * block: B is packed whole by tasks that come first; every other task packs its rows of A. dot, axpy: one side is a
 * vector; the matrix is read once, along the sum or across it. sum: adds the parts of a long k.
 *
 * Integers wrap, so they are computed as unsigned ones; bytes in 16 bits, whose low half is right. */
#ifndef VECTOR
#define VECTOR 8 /* floats in a vector register */
#endif
#ifndef ROWS
#define ROWS 6
#endif

/* The numbers that are computed: bytes in 16 bits, packed elements in f32. */
#ifdef IS_FLOAT
#define NUMBER COMPUTE
typedef COMPUTE scalar;
#define TIMES(a, b) ((a) * (b))
#else
#if ITEM_BYTES == 1
#define NUMBER ushort
#else
#define NUMBER T
#endif
typedef ulong scalar;
#define TIMES(a, b) ((number)((ulong)(a) * (b))) /* two ushort would be multiplied as int, and overflow */
#endif
typedef NUMBER number;
typedef STORED element;

#if ITEM_BYTES == 8
#define LANES_AT_4 2
#define LANES_AT_8 4
#define LANES_AT_16 8
#elif !defined(IS_FLOAT) && ITEM_BYTES <= 2
#define LANES_AT_4 8
#define LANES_AT_8 16
#define LANES_AT_16 16
#else
#define LANES_AT_4 4
#define LANES_AT_8 8
#define LANES_AT_16 16
#endif
#define LANES JOIN(LANES_AT_, VECTOR)
#define COLS (2 * LANES)

/* Vectors anywhere in memory, not by vload and vstore: clang 15 made four loads of 16 bytes of one vload16. */
typedef JOIN(NUMBER, LANES) vec;
typedef vec vec_anywhere __attribute__((aligned(sizeof(number))));
#define VLOAD(space, p) (*(space const vec_anywhere *)(p))
#define VSTORE(space, v, p) (*(space vec_anywhere *)(p) = (v))
typedef JOIN(STORED, LANES) elements_anywhere __attribute__((aligned(ITEM_BYTES)));
#if defined(PACKED)
#define READ(p) unpack1(*(p))
#define WRITE(v, p) (*(p) = pack1(v))
#define VREAD(p) JOIN(unpack, LANES)(*(global const elements_anywhere *)(p))
#define VWRITE(v, p) (*(global elements_anywhere *)(p) = JOIN(pack, LANES)(v))
#elif ITEM_BYTES == 1
#define READ(p) ((number)*(p))
#define WRITE(v, p) (*(p) = (element)(v))
#define VREAD(p) JOIN(convert_ushort, LANES)(*(global const elements_anywhere *)(p))
#define VWRITE(v, p) (*(global elements_anywhere *)(p) = JOIN(convert_, JOIN(STORED, LANES))(v))
#else
#define READ(p) (*(p))
#define WRITE(v, p) (*(p) = (v))
#define VREAD(p) VLOAD(global, p)
#define VWRITE(v, p) VSTORE(global, v, p)
#define SAME 1 /* elements are stored as they are computed */
#endif

#define INLINE static __attribute__((always_inline)) inline
#define WORKER kernel __attribute__((reqd_work_group_size(1, 1, 1)))

#include "parts/matmul_view.cl"

/* Hints only: no access, and the address may lie behind the end. Other targets of clang may lack the instruction.
 * PREFETCH_FAR: into the second cache, and no further. RELAX: this thread only waits. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define PREFETCH(p, to_write) __builtin_prefetch((const void *)(ulong)(p), to_write)
#define PREFETCH_FAR(p) __builtin_prefetch((const void *)(ulong)(p), 0, 2)
#else
#define PREFETCH(p, to_write)
#define PREFETCH_FAR(p)
#endif
#if defined(__clang__) && defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX()
#endif
#define LINE (64 / sizeof(number)) /* numbers in a line of the caches */
#define AHEAD 16 /* steps of k */

INLINE long parts(long n, long part) { return (n + part - 1) / part; }

/* ---- the block in the registers ------------------------------------------------------------------------------ */

#ifdef SAME
#define NAME multiply_direct
#define A_SPACE global
#define A_TYPE element
#define B_SPACE local
#include "templates/matmul_multiply.cl"
#endif
#define NAME multiply_packed
#define A_SPACE local
#define A_TYPE number
#define B_SPACE global
#include "templates/matmul_multiply.cl"

INLINE void expect_block(global element *c, long row, long rows)
{
    for (int r = 0; r < min(rows, (long)ROWS); r++)
        for (int i = 0; i <= COLS; i += 64 / sizeof(element))
            PREFETCH(c + r * row + i, 1);
}

/* *c = alpha * value + beta * *c; beta 0 does not read *c. */
INLINE void store_number(global element *c, number value, number alpha, number beta)
{
    value = TIMES(alpha, value);
    if (beta != 0)
        value += TIMES(beta, READ(c));
    WRITE(value, c);
}

/* C = alpha * block + beta * C for the part of the block that lies inside C. */
INLINE void store_block(global element *c, long row, long column, vec block[ROWS][2], long rows, long cols,
                        number alpha, number beta)
{
    if (rows >= ROWS && cols >= COLS && column == 1) {
        if (beta == 0) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                VWRITE(alpha * block[r][0], c + r * row);
                VWRITE(alpha * block[r][1], c + r * row + LANES);
            }
        } else {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                VWRITE(alpha * block[r][0] + beta * VREAD(c + r * row), c + r * row);
                VWRITE(alpha * block[r][1] + beta * VREAD(c + r * row + LANES), c + r * row + LANES);
            }
        }
        return;
    }
    number edge[ROWS * COLS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        VSTORE(private, alpha * block[r][0], edge + r * COLS);
        VSTORE(private, alpha * block[r][1], edge + r * COLS + LANES);
    }
    for (long r = 0; r < min(rows, (long)ROWS); r++, c += row)
        for (long j = 0; j < min(cols, (long)COLS); j++)
            store_number(c + j * column, edge[r * COLS + j], 1, beta);
}

#include "parts/matmul_pack.cl"

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

#include "parts/tasks_cpu.cl"

/* ---- A in place, or copied ------------------------------------------------------------------------ */

#ifdef SAME
/* Blocks of A are copied to `copies` before their use, where that is given. */
WORKER void matmul_cpu_direct(global element *c, matmul_view c_at, global const element *a, matmul_view a_at,
                              global const element *b, matmul_view b_at, global element *copies, matmul_cpu_size size,
                              scalar alpha, scalar beta, volatile global uint *counters, local number *panels)
{
    const long pitch = size.depth + LINE;
    global element *copy = copies ? copies + get_group_id(0) * ROWS * pitch : copies;
    const long across = parts(size.n, size.tile_n), down = parts(size.m, size.tile_m);
    FOR_CLAIMED(task, size.splits * size.batches * across * down)
    {
        const long made = task / (across * down), batch = made % size.batches;
        const long i0 = task / across % down * size.tile_m, i1 = min(i0 + size.tile_m, size.m);
        const long j0 = task % across * size.tile_n, j1 = min(j0 + size.tile_n, size.n);
        const long k0 = made / size.batches * size.run, k1 = min(k0 + size.run, size.k);
        global const element *a_here = a + a_at.offset + layout_offset(&a_at.batch, batch);
        global const element *b_here = b + b_at.offset + layout_offset(&b_at.batch, batch);
        global element *c_here = c + c_at.offset + layout_offset(&c_at.batch, made);
        for (long p = k0; p < k1; p += size.depth) {
            const long depth = min(size.depth, k1 - p);
            const long step = PACK_STEP(b_at.column, depth);
            for (long q = 0; q < depth; q += step)
                for (long j = j0; j < j1; j += COLS)
                    pack_local(panels + (j - j0) * depth + q * COLS, b_here + (p + q) * b_at.row + j * b_at.column,
                               b_at.row, b_at.column, size.n - j, min(step, depth - q));
            for (long i = i0; i < i1; i += ROWS) {
                global const element *rows = a_here + i * a_at.row + p * a_at.column;
                if (copies)
                    copy_rows(copy, pitch, rows,
                              i + ROWS < i1 ? rows + ROWS * a_at.row
                                            : a_here + i0 * a_at.row + (p + depth) * a_at.column,
                              a_at.row, size.m - i, depth);
                for (long j = j0; j < j1; j += COLS) {
                    vec block[ROWS][2];
                    expect_block(c_here + i * c_at.row + j * c_at.column, c_at.row, size.m - i);
                    multiply_direct(block, copies ? copy : rows, copies ? pitch : a_at.row, a_at.column, size.m - 1 - i,
                                    panels + (j - j0) * depth, depth, 0, 0);
                    store_block(c_here + i * c_at.row + j * c_at.column, c_at.row, c_at.column, block, size.m - i,
                                size.n - j, (number)alpha, p > k0 ? 1 : (number)beta);
                }
            }
        }
    }
    leave_tasks(counters);
}
#endif

/* ---- B packed by all, A by each task ---------------------------------------------------------------------------- */

/* Packs `depth` rows of tile_pack columns of one B. */
INLINE void pack_task(global number *packed, global const element *b, const matmul_view *b_at,
                      const matmul_cpu_size *size, long task)
{
    const long panels = parts(size->n, COLS), across = parts(size->n, size->tile_pack);
    const long pieces = parts(size->k, size->depth), batch = task / (across * pieces);
    const long k0 = task / across % pieces * size->depth, k1 = min(k0 + size->depth, size->k);
    const long j0 = task % across * size->tile_pack, j1 = min(j0 + size->tile_pack, size->n);
    const long step = PACK_STEP(b_at->column, size->depth);
    b += b_at->offset + layout_offset(&b_at->batch, batch);
    for (long p = k0; p < k1; p += step)
        for (long j = j0; j < j1; j += COLS)
            pack_global(packed + ((batch * panels + j / COLS) * size->k + p) * COLS,
                        b + p * b_at->row + j * b_at->column, b_at->row, b_at->column, size->n - j, min(step, k1 - p));
}

/* A group may wait until B is packed: tasks are claimed in order, so all that pack B are under way by then. The running
 * sums over k of packed dtypes stay in f32: `partial` has a block for each block of C. */
WORKER void matmul_cpu_block(global element *c, matmul_view c_at, global const element *a, matmul_view a_at,
                             global const element *b, matmul_view b_at, global number *packed, global number *partial,
                             matmul_cpu_size size, scalar alpha, scalar beta, volatile global uint *counters,
                             local number *rows)
{
    const long across = parts(size.n, size.tile_n), down = parts(size.m, size.tile_m), panels = parts(size.n, COLS);
    const long packs = size.batches * parts(size.n, size.tile_pack) * parts(size.k, size.depth);
    FOR_CLAIMED(claim, packs + size.batches * across * down)
    {
        if (claim < packs) {
            pack_task(packed, b, &b_at, &size, claim);
            atomic_inc(counters + OWN_COUNT);
            continue;
        }
        while (atomic_add(counters + OWN_COUNT, 0) < packs)
            RELAX();
        const long task = claim - packs, batch = task / (across * down);
        const long i0 = task / across % down * size.tile_m, i1 = min(i0 + size.tile_m, size.m);
        const long j0 = task % across * size.tile_n, j1 = min(j0 + size.tile_n, size.n);
        const long tall = parts(i1 - i0, ROWS), wide = parts(j1 - j0, COLS), share = parts(COLS, tall);
        global const element *a_here = a + a_at.offset + layout_offset(&a_at.batch, batch);
        global element *c_here = c + c_at.offset + layout_offset(&c_at.batch, batch);
        for (long p = 0; p < size.k; p += size.depth) {
            const long depth = min(size.depth, size.k - p);
            const long step = PACK_STEP(a_at.row, depth);
            for (long q = 0; q < depth; q += step)
                for (long i = i0; i < i1; i += ROWS)
                    pack_rows(rows + (i - i0) * depth + q * ROWS, a_here + i * a_at.row + (p + q) * a_at.column,
                              a_at.row, a_at.column, size.m - i, min(step, depth - q));
            for (long x = 0; x < (size.along ? tall : wide); x++)
                for (long y = 0; y < (size.along ? wide : tall); y++) {
                    const long i = i0 + (size.along ? x : y) * ROWS, j = j0 + (size.along ? y : x) * COLS;
                    /* The part of the next panel that these multiplications fetch. */
                    const long part = (i - i0) / ROWS * share;
                    global const number *panel = packed + ((batch * panels + j / COLS) * size.k + p) * COLS;
                    vec block[ROWS][2];
                    expect_block(c_here + i * c_at.row + j * c_at.column, c_at.row, size.m - i);
                    multiply_packed(block, rows + (i - i0) * depth, 1, ROWS, ROWS, panel, depth,
                                    panel + size.k * COLS + part * depth, part < COLS && !size.along ? share : 0);
#ifdef PACKED
                    global number *sums =
                        partial + ((batch * parts(size.m, ROWS) + i / ROWS) * panels + j / COLS) * ROWS * COLS;
#pragma unroll
                    for (int r = 0; r < 2 * ROWS && p > 0; r++)
                        block[r / 2][r % 2] += VLOAD(global, sums + r * LANES);
                    if (p + depth < size.k) {
#pragma unroll
                        for (int r = 0; r < 2 * ROWS; r++)
                            VSTORE(global, block[r / 2][r % 2], sums + r * LANES);
                        continue;
                    }
                    const number factor = beta;
#else
                    const number factor = p ? 1 : (number)beta;
#endif
                    store_block(c_here + i * c_at.row + j * c_at.column, c_at.row, c_at.column, block, size.m - i,
                                size.n - j, (number)alpha, factor);
                }
        }
    }
    leave_tasks(counters);
}

/* ---- one side a vector, or little more ----------------------------------------------------------------------- */

#include "parts/matmul_vector.cl"

/* C = the sum of its parts + beta * C. */
WORKER void matmul_cpu_sum(global element *c, matmul_view c_at, global const number *partial, matmul_cpu_size size,
                           scalar beta)
{
    const long made = size.batches * size.m * size.n, across = parts(size.n, size.tile_n);
    FOR_SPREAD(task, size.batches * size.m * across)
    {
        const long row = task / across, batch = row / size.m;
        const long j0 = task % across * size.tile_n, j1 = min(j0 + size.tile_n, size.n);
        global element *c_here = c + c_at.offset + layout_offset(&c_at.batch, batch) + row % size.m * c_at.row;
        for (long j = j0; j < j1; j++) {
            number sum = partial[row * size.n + j];
            for (long s = 1; s < size.splits; s++)
                sum += partial[s * made + row * size.n + j];
            store_number(c_here + j * c_at.column, sum, 1, (number)beta);
        }
    }
}
