/* The work of QR and least squares around reflections, on every device: scales of columns, extracting the factors,
 * ranks and residuals. */
#include "parts/verdict.cl"
#include "parts/matmul_view.cl"
#include "parts/field.cl"

/* Blocks of a matrix, m x n, one at a time for an item: a few cache lines wide, so that columns can be scanned, and so
 * high that the data of their columns is rarely needed. */
#ifndef BLOCK_ROWS
#define BLOCK_ROWS 32
#endif
#define BLOCK_COLUMNS 16
typedef struct block_at {
    long batch, first, behind, column;
    int width;
} block_at;

inline long blocks_of(long batches, long m, long n)
{
    return batches * ((m + BLOCK_ROWS - 1) / BLOCK_ROWS) * ((n + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS);
}

inline block_at find_block(long task, long m, long n)
{
    const long across = (n + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS, down = (m + BLOCK_ROWS - 1) / BLOCK_ROWS;
    block_at b;
    b.column = task % across * BLOCK_COLUMNS;
    b.first = task / across % down * BLOCK_ROWS;
    b.behind = min(m, b.first + BLOCK_ROWS);
    b.batch = task / across / down;
    b.width = (int)min((long)BLOCK_COLUMNS, n - b.column);
    return b;
}

#if REAL_BYTES == 8
#define MOST_POWER 1020
#else
#define MOST_POWER 124
#endif
#define NO_POWER 4096 /* is added to exponents, as 0 says that a column has nothing but zeros */

/* The exponent e for which 2^e makes a column's numbers smaller than 1. */
inline REAL power_of(int size)
{
    return size ? ldexp((REAL)1, clamp(size - NO_POWER, -MOST_POWER, MOST_POWER)) : (REAL)1;
}

/* The largest number of each of a block's columns, and where one is not finite NaN in `bad`. Compilers make vectors of
 * it where strides and widths are known. */
inline void look_through(REAL *largest, T *bad, global const T *from, long rows, long row, long column, int width)
{
    for (long i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            const T x = from[i * row + j * column];
            const REAL size = most_of(x);
            largest[j] = size > largest[j] ? size : largest[j];
            bad[j] += x * 0;
        }
}

/* The exponent of the largest number of each column, to sizes, which must be 0 before. Reports the position of a number
 * that is not finite, unless `says` is 0; below 0: its position in the transpose. */
kernel void column_sizes(global const T *a, matmul_view at, volatile global int *sizes, long batches, long m, long n,
                         long says, VERDICT_PARAMETERS)
{
    for (long task = get_global_id(0); task < blocks_of(batches, m, n); task += get_global_size(0)) {
        const block_at b = find_block(task, m, n);
        global const T *from = a + matmul_offset(&at, b.batch, 0, b.column);
        REAL largest[BLOCK_COLUMNS];
        T bad[BLOCK_COLUMNS];
        for (int j = 0; j < BLOCK_COLUMNS; j++) {
            largest[j] = 0;
            bad[j] = 0;
        }
        if (b.width == BLOCK_COLUMNS && at.column == 1)
            look_through(largest, bad, from + b.first * at.row, b.behind - b.first, at.row, 1, BLOCK_COLUMNS);
        else
            look_through(largest, bad, from + b.first * at.row, b.behind - b.first, at.row, at.column, b.width);
        T any = 0;
        for (int j = 0; j < BLOCK_COLUMNS; j++)
            any += bad[j];
        for (long i = b.first; says && !is_zero(any) && i < b.behind; i++)
            for (int j = 0; j < b.width; j++)
                if (!is_finite(from[i * at.row + j * at.column])) {
                    const long place = says < 0 ? (b.column + j) * m + i : i * n + b.column + j;
                    verdict_say_both(VERDICT, b.batch * m * n + place, says < 0 ? m : n, m * n);
                }
        for (int j = 0; j < b.width; j++) {
            int e = 0;
            if (largest[j] > 0) {
                volatile global int *size = &sizes[b.batch * n + b.column + j];
                frexp(largest[j], &e);
                if (*size < e + NO_POWER) /* it only grows */
                    atomic_max(size, e + NO_POWER);
            }
        }
    }
}

/* Gives all columns of a matrix the size of its largest. */
kernel void level_sizes(global int *sizes, long batches, long n)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0)) {
        int largest = 0;
        for (long j = 0; j < n; j++)
            largest = max(largest, sizes[batch * n + j]);
        for (long j = 0; j < n; j++)
            sizes[batch * n + j] = largest;
    }
}

inline void scale_block(global T *to, long to_row, long to_column, global const T *from, long row, long column,
                        const REAL *scale, long rows, int width, bool turns)
{
    for (long i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            const T y = from[i * row + j * column] * scale[j];
            to[i * to_row + j * to_column] = turns ? conjugate(y) : y;
        }
}

/* x gets a's columns, scaled, and conjugated where `turns`. */
kernel void scale_columns(global T *x, matmul_view x_at, global const T *a, matmul_view at, global const int *sizes,
                          long batches, long m, long n, long turns)
{
    for (long task = get_global_id(0); task < blocks_of(batches, m, n); task += get_global_size(0)) {
        const block_at b = find_block(task, m, n);
        global const T *from = a + matmul_offset(&at, b.batch, b.first, b.column);
        global T *to = x + matmul_offset(&x_at, b.batch, b.first, b.column);
        const long rows = b.behind - b.first;
        REAL scale[BLOCK_COLUMNS];
        for (int j = 0; j < b.width; j++)
            scale[j] = 1 / power_of(sizes[b.batch * n + b.column + j]);
        if (b.width == BLOCK_COLUMNS && at.column == 1 && x_at.column == 1)
            scale_block(to, x_at.row, 1, from, at.row, 1, scale, rows, BLOCK_COLUMNS, turns);
        else
            scale_block(to, x_at.row, x_at.column, from, at.row, at.column, scale, rows, b.width, turns);
    }
}

/* r, m x n, gets R of the factors: the upper triangle of the first k rows of a, with the scales of columns undone; with
 * `turns` rows are rotated so that the diagonal is real and not negative; with `conjugated` it is conjugated. */
kernel void upper_factor(global T *r, matmul_view r_at, global const T *a, matmul_view at, global const int *sizes,
                         long batches, long m, long n, long k, long turns, long conjugated)
{
    for (long task = get_global_id(0); task < blocks_of(batches, m, n); task += get_global_size(0)) {
        const block_at b = find_block(task, m, n);
        global const T *from = a + matmul_offset(&at, b.batch, 0, 0);
        global T *to = r + matmul_offset(&r_at, b.batch, 0, b.column);
        REAL scale[BLOCK_COLUMNS];
        for (int j = 0; j < b.width; j++)
            scale[j] = power_of(sizes[b.batch * n + b.column + j]);
        for (long i = b.first; i < b.behind; i++) {
            const T first = i < k ? from[i * (at.row + at.column)] : (T)(0);
            const T sign = turns ? conjugate(direction(first)) : of_real(1);
            for (int j = 0; j < b.width; j++) {
                const bool given = i < k && b.column + j >= i;
                const T x = given ? times(sign, from[i * at.row + (b.column + j) * at.column]) : (T)(0);
                const T y = conjugated ? conjugate(x) : x;
                to[i * r_at.row + j * r_at.column] = (turns && b.column + j == i ? of_real(real_of(y)) : y) * scale[j];
            }
        }
    }
}

/* The matrix from which reflections make Q: ones on the diagonal, rotated as R's rows are. */
kernel void signed_ones(global T *q, matmul_view q_at, global const T *a, matmul_view at, long batches, long m, long n,
                        long k)
{
    for (long task = get_global_id(0); task < blocks_of(batches, m, n); task += get_global_size(0)) {
        const block_at b = find_block(task, m, n);
        global const T *from = a + matmul_offset(&at, b.batch, 0, 0);
        global T *to = q + matmul_offset(&q_at, b.batch, 0, b.column);
        for (long i = b.first; i < b.behind; i++) {
            const T one = direction(i < k ? from[i * (at.row + at.column)] : (T)(0));
            for (int j = 0; j < b.width; j++)
                to[i * q_at.row + j * q_at.column] = b.column + j == i ? one : (T)(0);
        }
    }
}

/* ---- least squares ----------------------------------------------------------------------------------------------- */

/* The number of elements of R's diagonal, whose magnitudes descend, that are larger than `least` times the first. */
kernel void find_ranks(global const T *a, matmul_view at, global long *ranks, long batches, long n, REAL least)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0)) {
        const REAL limit = absolute(a[matmul_offset(&at, batch, 0, 0)]) * least;
        long rank = 0;
        while (rank < n && absolute(a[matmul_offset(&at, batch, rank, rank)]) > limit)
            rank++;
        ranks[batch] = rank;
    }
}

/* x, n x n, gets R's first rows, as many as its rank says, and zeros below. */
kernel void leading_rows(global T *x, matmul_view x_at, global const T *a, matmul_view at, global const int *sizes,
                         global const long *ranks, long batches, long n)
{
    for (long task = get_global_id(0); task < blocks_of(batches, n, n); task += get_global_size(0)) {
        const block_at b = find_block(task, n, n);
        global const T *from = a + matmul_offset(&at, b.batch, 0, b.column);
        global T *to = x + matmul_offset(&x_at, b.batch, 0, b.column);
        const REAL scale = power_of(sizes[b.batch * n]); /* one for a matrix */
        const long rank = ranks[b.batch];
        for (long i = b.first; i < b.behind; i++)
            for (int j = 0; j < b.width; j++) {
                const bool given = i < rank && b.column + j >= i;
                to[i * x_at.row + j * x_at.column] = given ? from[i * at.row + j * at.column] * scale : (T)(0);
            }
    }
}

/* Ones on the diagonal from the rank on, and zeros beside them. */
kernel void close_triangles(global T *t, matmul_view at, global const long *ranks, long batches, long n)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0))
        for (long i = ranks[batch]; i < n; i++)
            t[matmul_offset(&at, batch, i, i)] = of_real(1);
}

/* Sums of squares of the numbers of c's columns, m x n, from row `from` on, over blocks of rows. */
kernel void square_blocks(global const T *c, matmul_view at, global REAL *sums, long batches, long m, long n)
{
    const long down = (m + BLOCK_ROWS - 1) / BLOCK_ROWS;
    for (long task = get_global_id(0); task < blocks_of(batches, m, n); task += get_global_size(0)) {
        const block_at b = find_block(task, m, n);
        global const T *from = c + matmul_offset(&at, b.batch, 0, b.column);
        global REAL *to = sums + (b.batch * down + b.first / BLOCK_ROWS) * n + b.column;
        REAL sum[BLOCK_COLUMNS];
        for (int j = 0; j < BLOCK_COLUMNS; j++)
            sum[j] = 0;
        for (long i = b.first; i < b.behind; i++)
            for (int j = 0; j < b.width; j++) {
                const T x = from[i * at.row + j * at.column];
                sum[j] += square_of(x);
            }
        for (int j = 0; j < b.width; j++)
            to[j] = sum[j];
    }
}

/* The residual of each column of the right side: the sums of `down` blocks, plus the squares of c's numbers, n x
 * columns, from the rank on, which become 0. */
kernel void residuals(global REAL *left, global T *c, matmul_view c_at, global const REAL *sums, long down,
                      global const long *ranks, matmul_view rank_at, long batches, long n, long columns)
{
    for (long e = get_global_id(0); e < batches * columns; e += get_global_size(0)) {
        const long batch = e / columns, j = e % columns;
        REAL sum = 0;
        for (long i = 0; i < down; i++)
            sum += sums[(batch * down + i) * columns + j];
        for (long i = ranks[matmul_offset(&rank_at, batch, 0, 0)]; i < n; i++) {
            global T *x = c + matmul_offset(&c_at, batch, i, j);
            sum += square_of(*x);
            *x = 0;
        }
        left[e] = sum;
    }
}
