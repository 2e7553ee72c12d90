/* Small systems and factors on CPUs: a work-item eliminates a whole matrix, row by row, in memory of its group. One
 * kernel, where blocks take six. */
#include "parts/matmul_view.cl"
#include "parts/field.cl"
#include "parts/judge.cl"
#include "parts/long_vectors.cl"

/* The row of the largest number of column k, from row k on: the first of equals, and NaN before all. */
inline long pivot_row(global const T *s, long pitch, long rows, long k)
{
    REAL best = -1;
    long p = k;
    for (long i = k; i < rows; i++) {
        const REAL size = size_of(s[i * pitch + k]);
        if (size > best || (isnan(size) && !isnan(best))) {
            best = size;
            p = i;
        }
    }
    return p;
}

/* [A B], A rows x n and B rows x m, becomes L and U of P A = L U in place of A, where pivots are given, which get the
 * rows that were exchanged; or X of A X = B in x. `info` gets the first pivot that is 0, counted from 1. A group has
 * (rows + 1) * pitch numbers of `room`. */
KERNEL(1) eliminate(global T *a, matmul_view a_at, global const T *b, matmul_view b_at, global T *x, matmul_view x_at,
                    long batches, long rows, long n, long m, long pitch, global int *pivots, global int *info,
                    global T *room)
{
    global T *s = room + get_group_id(0) * (rows + 1) * pitch, *top = s + rows * pitch;
    const long square = min(rows, n);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&a_at, batch, 0, 0), *to = x + matmul_offset(&x_at, batch, 0, 0);
        global const T *right = b + matmul_offset(&b_at, batch, 0, 0);
        for (long i = 0; i < rows; i++) {
            for (long j = 0; j < n; j++)
                s[i * pitch + j] = here[i * a_at.row + j * a_at.column];
            for (long j = n; j < pitch; j++)
                s[i * pitch + j] = j < n + m ? right[i * b_at.row + (j - n) * b_at.column] : (T)(0);
        }
        for (long k = 0; k < square; k++) {
            const long p = pivot_row(s, pitch, rows, k), first = (k + 1) & -LANES;
            if (pivots)
                pivots[batch * square + k] = (int)p;
            for (long j = 0; j < pitch; j++) {
                const T t = s[p * pitch + j];
                s[p * pitch + j] = s[k * pitch + j];
                s[k * pitch + j] = t;
                top[j] = j > k ? t : (T)(0);
            }
            const T d = s[k * pitch + k], divisor = is_zero(d) ? of_real(1) : d;
            if (is_zero(d) && info[batch] == 0)
                info[batch] = (int)(k + 1);
            for (long i = k + 1; i < rows; i++) {
                const T l = over(s[i * pitch + k], divisor);
                subtract(s + i * pitch, top, l, first, pitch);
                s[i * pitch + k] = l;
            }
        }
        for (long i = 0; i < rows && pivots; i++)
            for (long j = 0; j < n; j++)
                here[i * a_at.row + j * a_at.column] = s[i * pitch + j];
        for (long k = pivots ? -1 : n - 1; k >= 0; k--) {
            for (long j = n & -LANES; j < pitch; j++)
                top[j] = j >= n ? over(s[k * pitch + j], s[k * pitch + k]) : (T)(0);
            for (long j = 0; j < m; j++)
                to[k * x_at.row + j * x_at.column] = top[n + j];
            for (long i = 0; i < k; i++)
                subtract(s + i * pitch, top, s[i * pitch + k], n & -LANES, pitch);
        }
    }
}
