/* General matrices are balanced, and become upper Hessenberg ones by reflections (Householder). A work-item takes a matrix. */
#include "parts/field.cl"
#include "parts/reflection.cl"
#include "parts/schur.cl"

inline void exchange(global T *a, global int *order, long n, long i, long j)
{
    if (i == j)
        return;
    for (long k = 0; k < n; k++) {
        const T x = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = x;
    }
    for (long k = 0; k < n; k++) {
        const T x = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = x;
    }
    const int place = order[i];
    order[i] = order[j];
    order[j] = place;
}

/* Is a row, or a column, of the part from lo to hi 0 beside the diagonal? */
inline bool is_alone(global const T *a, long n, long lo, long hi, long i, bool row)
{
    for (long j = lo; j <= hi; j++)
        if (j != i && !is_zero(row ? a[i * n + j] : a[j * n + i]))
            return false;
    return true;
}

/* Rows and columns change places until those with known eigenvalues stand before lo and behind hi; then powers of 2 make the others'
 * rows and columns about as large as each other (James, Langou, Lowery 2014), whose exponents are noted. */
kernel void balance(global T *all, global int *orders, global int *powers, global int *ranges, global REAL *norms,
                    long batches, long n)
{
    EACH_OF(batch, batches)
    {
        global T *a = all + batch * n * n;
        global int *order = orders + batch * n, *power = powers + batch * n;
        long lo = 0, hi = n - 1;
        for (long i = 0; i < n; i++) {
            order[i] = (int)i;
            power[i] = 0;
        }
        for (long i = hi; i >= 0;) {
            if (hi > 0 && is_alone(a, n, 0, hi, i, true)) {
                exchange(a, order, n, i, hi);
                i = --hi;
            } else {
                i--;
            }
        }
        for (long j = lo; j <= hi;) {
            if (lo < hi && is_alone(a, n, lo, hi, j, false)) {
                exchange(a, order, n, j, lo);
                j = ++lo;
            } else {
                j++;
            }
        }
        bool going = true;
        for (int pass = 0; pass < 50 && going; pass++) {
            going = false;
            for (long i = lo; i <= hi; i++) {
                REAL row = 0, column = 0;
                for (long j = lo; j <= hi; j++) {
                    row += square_of(a[i * n + j]);
                    column += square_of(a[j * n + i]);
                }
                row = sqrt(row);
                column = sqrt(column);
                if (!(row > TINY && column > TINY))
                    continue;
                const REAL sum = row + column;
                int e = 0;
                for (; column < row / 2 && power[i] + e < MOST_BALANCE; e++) {
                    column *= 2;
                    row /= 2;
                }
                for (; column >= row * 2 && power[i] + e > -MOST_BALANCE; e--) {
                    column /= 2;
                    row *= 2;
                }
                if (e == 0 || row + column >= (REAL)0.95 * sum)
                    continue;
                going = true;
                power[i] += e;
                const REAL up = ldexp((REAL)1, e), down = ldexp((REAL)1, -e);
                for (long j = 0; j < n; j++)
                    a[i * n + j] *= down;
                for (long j = 0; j < n; j++)
                    a[j * n + i] *= up;
            }
        }
        REAL most = 0;
        for (long e = 0; e < n * n; e++)
            most = fmax(most, most_of(a[e]));
        norms[batch] = most;
        ranges[2 * batch] = (int)lo;
        ranges[2 * batch + 1] = (int)hi;
    }
}

/* ---- Hessenberg form ------------------------------------------------------------------------------------------------- */

/* z, unless it is NULL, gets the transpose of the product of the reflections; row and v: scratch, n each. `state` gets the last row that
 * steps are to take, and how many there have been. */
kernel void reduce_to_hessenberg(global T *all, global T *z, global T *scratch, global const int *ranges,
                                 global int *state, long batches, long n)
{
    EACH_OF(batch, batches)
    {
        global T *a = all + batch * n * n, *w = z ? z + batch * n * n : z, *v = scratch + batch * 2 * n, *sum = v + n;
        const long lo = ranges[2 * batch], hi = ranges[2 * batch + 1];
        for (long e = 0; z && e < n * n; e++)
            w[e] = of_real(e / n == e % n);
        for (long k = lo; k + 1 < hi; k++) {
            REAL rest = 0;
            for (long i = k + 2; i <= hi; i++)
                rest += square_of(a[i * n + k]);
            if (rest == 0) /* what is so small that its square is 0 */
                for (long i = k + 2; i <= hi; i++)
                    a[i * n + k] = 0;
            const reflection found = find_reflection(a[(k + 1) * n + k], rest);
            if (found.factor == 0)
                continue;
            v[k + 1] = of_real(1);
            for (long i = k + 2; i <= hi; i++) {
                v[i] = times(a[i * n + k], found.scale);
                a[i * n + k] = 0;
            }
            a[(k + 1) * n + k] = found.beta;
            for (long j = k + 1; j < n; j++)
                sum[j] = 0;
            for (long i = k + 1; i <= hi; i++) {
                const T x = conjugate(v[i]);
                for (long j = k + 1; j < n; j++)
                    sum[j] += times(x, a[i * n + j]);
            }
            for (long i = k + 1; i <= hi; i++) {
                const T x = v[i] * found.factor;
                for (long j = k + 1; j < n; j++)
                    a[i * n + j] -= times(x, sum[j]);
            }
            for (long i = 0; i <= hi; i++) {
                global T *row = a + i * n;
                T s0 = 0, s1 = 0, s2 = 0, s3 = 0;
                long j = k + 1;
                for (; j + 3 <= hi; j += 4) {
                    s0 += times(row[j], v[j]);
                    s1 += times(row[j + 1], v[j + 1]);
                    s2 += times(row[j + 2], v[j + 2]);
                    s3 += times(row[j + 3], v[j + 3]);
                }
                for (; j <= hi; j++)
                    s0 += times(row[j], v[j]);
                const T x = ((s0 + s1) + (s2 + s3)) * found.factor;
                for (j = k + 1; j <= hi; j++)
                    row[j] -= times(x, conjugate(v[j]));
            }
            if (!z)
                continue;
            for (long j = 0; j < n; j++)
                sum[j] = 0;
            for (long i = k + 1; i <= hi; i++)
                for (long j = 0; j < n; j++)
                    sum[j] += times(v[i], w[i * n + j]);
            for (long i = k + 1; i <= hi; i++) {
                const T x = conjugate(v[i]) * found.factor;
                for (long j = 0; j < n; j++)
                    w[i * n + j] -= times(x, sum[j]);
            }
        }
        state[3 * batch] = (int)n - 1;
        state[3 * batch + 1] = state[3 * batch + 2] = 0;
    }
}
