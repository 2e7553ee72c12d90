/* The remaining work around factorisations, on every device: permuting rows, determinants, and reporting errors. */
#include "parts/matmul_view.cl"
#include "parts/field.cl"
#include "parts/judge.cl"

/* x, n x m, gets the rows of b given by the permutation, counted from `first`; NaN for rows that do not exist. */
kernel void take_rows(global T *x, matmul_view x_at, global const T *b, matmul_view b_at,
                      global const long *permutation, matmul_view p_at, long batches, long n, long m, long first)
{
    for (long e = get_global_id(0); e < batches * n * m; e += get_global_size(0)) {
        const long j = e % m, i = e / m % n, batch = e / m / n;
        const long row = permutation[matmul_offset(&p_at, batch, i, 0)] - first;
        x[matmul_offset(&x_at, batch, i, j)] = row >= 0 && row < n ? b[matmul_offset(&b_at, batch, row, j)] : (T)NAN;
    }
}

/* The inverse: row i of b becomes the row of x given by the permutation; rows that do not exist are not written. */
kernel void put_rows(global T *x, matmul_view x_at, global const T *b, matmul_view b_at, global const long *permutation,
                     matmul_view p_at, long batches, long n, long m, long first)
{
    for (long e = get_global_id(0); e < batches * n * m; e += get_global_size(0)) {
        const long j = e % m, i = e / m % n, batch = e / m / n;
        const long row = permutation[matmul_offset(&p_at, batch, i, 0)] - first;
        if (row >= 0 && row < n)
            x[matmul_offset(&x_at, batch, row, j)] = b[matmul_offset(&b_at, batch, i, j)];
    }
}

/* Of LU: the sign of the determinant, its direction, and the logarithm of its absolute value, a real number; or itself
 * in `sign` where `plain`. Products go by mantissas and exponents, as those of some of the numbers may leave the range
 * when that of all does not. */
kernel void determinants(global const T *lu, matmul_view at, global const int *pivots, global T *sign,
                         global REAL *value, long batches, long n, long plain)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0)) {
        T mantissa = of_real(1);
        long exponent = 0;
        for (long i = 0; i < n; i++) {
            int e, more;
            const T d = lu[matmul_offset(&at, batch, i, i)];
            mantissa = mantissa_of(times(mantissa, mantissa_of(pivots[batch * n + i] == i ? d : -d, &e)), &more);
            exponent += e + more;
        }
        if (plain) {
            const long most = 4200; /* past the range of all dtypes, from their least number to their largest */
            sign[batch] = rebuilt(mantissa, (int)clamp(exponent, -most, most));
            continue;
        }
        const REAL logarithm = log(absolute(mantissa));
        value[batch] = isfinite(logarithm) ? logarithm + (REAL)exponent * (REAL)M_LN2 : logarithm;
        sign[batch] = sign_of(mantissa);
    }
}

/* Reports to info the first 0 on each diagonal, counted from 1. */
kernel void find_zeros(global const T *a, matmul_view at, long batches, long n, global int *info)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0))
        for (long i = n - 1; i >= 0; i--)
            if (is_zero(a[matmul_offset(&at, batch, i, i)]))
                info[batch] = (int)(i + 1);
}

/* Reports to info the first row that is not finite, counted from 1; of a side: both, the lower one, the upper one. */
kernel void find_unfinite(global const T *a, matmul_view at, volatile global int *info, long batches, long rows,
                          long columns, long side)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        const long batch = r / rows, i = r % rows;
        global const T *row = a + matmul_offset(&at, batch, i, 0);
        bool finite = true;
        for (long j = side == 2 ? i : 0; j < (side == 1 ? i + 1 : columns); j++)
            finite = finite && is_finite(row[j * at.column]);
        for (int known = info[batch]; !finite && (known == 0 || known > i + 1);)
            known = atomic_cmpxchg(&info[batch], known, (int)(i + 1)) == known ? (int)(i + 1) : info[batch];
    }
}

/* Fills the matrices that info reports with NaN. */
kernel void spoil(global T *x, matmul_view x_at, global const int *info, matmul_view info_at, long batches, long rows,
                  long columns)
{
    for (long e = get_global_id(0); e < batches * rows * columns; e += get_global_size(0)) {
        const long j = e % columns, i = e / columns % rows, batch = e / columns / rows;
        if (info[matmul_offset(&info_at, batch, 0, 0)])
            x[matmul_offset(&x_at, batch, i, j)] = (T)(NAN);
    }
}

/* Says of the first matrix whose condition is below `least` both numbers, as bits of floats. */
kernel void judge_conditions(global const REAL *conditions, long batches, REAL least, VERDICT_PARAMETERS)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0))
        if (!(conditions[batch] >= least))
            verdict_say_both(VERDICT, batch, as_uint((float)conditions[batch]), as_uint((float)least));
}
