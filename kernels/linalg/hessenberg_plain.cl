/* Balancing general matrices, and reducing them to upper Hessenberg form by Householder reflections. SHARING items take
 * a matrix. */
#include "parts/field.cl"
#include "parts/reflection.cl"
#include "parts/schur.cl"

inline void exchange_numbers(global int *of, long i, long j)
{
    const int x = of[i];
    of[i] = of[j];
    of[j] = x;
}

/* Where i is j, nothing changes. */
inline void exchange(global T *a, global int *order, global int *power, long n, long i, long j)
{
    const long count = i == j ? 0 : n;
    WAIT;
    EACH_SHARE(k, 0, count)
    {
        const T x = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = x;
    }
    WAIT;
    EACH_SHARE(k, 0, count)
    {
        const T x = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = x;
    }
    if (ITEM == 0) {
        exchange_numbers(order, i, j);
        exchange_numbers(power, i, j);
    }
    WAIT;
}

/* Is a row, or a column, of the part from lo to hi 0 off the diagonal? */
inline bool is_alone(global const T *a, long n, long lo, long hi, long i, bool row)
{
    for (long j = lo; j <= hi; j++)
        if (j != i && !is_zero(row ? a[i * n + j] : a[j * n + i]))
            return false;
    return true;
}

/* Rows larger by factors of 16 come first, with their columns: otherwise reflections add them to smaller rows, whose
 * digits are lost. */
inline void sort_rows(global T *a, global int *order, global int *power, global int *size, long n, long lo, long hi,
                      local REAL *parts)
{
    for (long i = lo; i <= hi; i++) {
        REAL row = 0;
        EACH_SHARE(j, lo, hi + 1)
            row += square_of(a[i * n + j]);
        row = across(row, false, parts);
        if (ITEM == 0)
            size[i] = row > 0 ? ilogb(row) / 8 : INT_MIN;
    }
    for (long i = lo; i <= hi; i++) {
        long most = i;
        WAIT;
        for (long j = i + 1; j <= hi; j++)
            if (size[j] > size[most])
                most = j;
        exchange(a, order, power, n, i, most);
        if (ITEM == 0)
            exchange_numbers(size, i, most);
    }
    WAIT;
}

/* Rows and columns are exchanged until those with known eigenvalues are before lo and after hi. Then powers of 2, whose
 * exponents are recorded, make the norms of the other rows and columns about equal (James, Langou, Lowery 2014), where
 * this reduces their sum by a fifth. A smaller gain, as LAPACK's 0.95, harms vectors (Watkins 2006), for example of
 * Frank's matrix; requiring a half costs digits of polynomials' roots. sizes: scratch. */
SHARED void balance(global T *all, global int *orders, global int *powers, global int *sizes, global int *ranges,
                    global REAL *norms, long batches, long n)
{
    local REAL parts[SHARING];
    EACH_OF(batch, batches)
    {
        global T *a = all + batch * n * n;
        global int *order = orders + batch * n, *power = powers + batch * n;
        long lo = 0, hi = n - 1;
        EACH_SHARE(i, 0, n)
        {
            order[i] = (int)i;
            power[i] = 0;
        }
        WAIT;
        for (int side = 0; side < 2; side++) { /* rows, from the last one; then columns */
            for (long i = side ? lo : hi; i >= 0 && i <= hi;) {
                const long end = side ? lo : hi;
                const bool found = lo < hi && is_alone(a, n, lo, hi, i, side == 0);
                exchange(a, order, power, n, found ? i : end, end);
                if (found)
                    (void)(side ? lo++ : hi--);
                i = found ? (side ? lo : hi) : i + (side ? 1 : -1);
            }
        }
        bool going = true;
        for (int pass = 0; pass < 50 && going; pass++) {
            going = false;
            for (long i = lo; i <= hi; i++) {
                REAL row = 0, column = 0;
                EACH_SHARE(j, lo, hi + 1)
                {
                    row += square_of(a[i * n + j]);
                    column += square_of(a[j * n + i]);
                }
                row = sqrt(across(row, false, parts));
                column = sqrt(across(column, false, parts));
                const REAL sum = row + column;
                const bool known = row > TINY && column > TINY;
                int e = 0;
                for (; known && column < row / 2 && power[i] + e < MOST_BALANCE; e++) {
                    column *= 2;
                    row /= 2;
                }
                for (; known && column >= row * 2 && power[i] + e > -MOST_BALANCE; e--) {
                    column /= 2;
                    row *= 2;
                }
                const long scaled = e != 0 && row + column < (REAL)0.8 * sum ? n : 0;
                const REAL up = ldexp((REAL)1, e), down = ldexp((REAL)1, -e);
                going = going || scaled;
                EACH_SHARE(j, 0, scaled)
                    a[i * n + j] *= down;
                WAIT;
                EACH_SHARE(j, 0, scaled)
                    a[j * n + i] *= up;
                if (ITEM == 0)
                    power[i] += scaled ? e : 0;
                WAIT;
            }
        }
        sort_rows(a, order, power, sizes + batch * n, n, lo, hi, parts);
        REAL most = 0;
        EACH_SHARE(e, 0, n * n)
            most = fmax(most, most_of(a[e]));
        norms[batch] = across(most, true, parts);
        ranges[2 * batch] = (int)lo;
        ranges[2 * batch + 1] = (int)hi;
    }
}

/* ---- Hessenberg form --------------------------------------------------------------------------------------------- */

/* Columns from..behind become those of a Hessenberg matrix. z, unless it is NULL, gets the transpose of the product of
 * the reflections; row and v: scratch, n each. `state` gets the last row that steps are to take, and how many there
 * have been. */
SHARED void reduce_to_hessenberg(global T *all, global T *z, global T *scratch, global const int *ranges,
                                 global int *state, long batches, long n, long from, long behind)
{
    EACH_OF(batch, batches)
    {
        global T *a = all + batch * n * n, *w = z ? z + batch * n * n : z, *v = scratch + batch * 2 * n, *sum = v + n;
        const long lo = ranges[2 * batch], hi = ranges[2 * batch + 1];
        EACH_SHARE(e, 0, z && from == 0 ? n * n : 0)
            w[e] = of_real(e / n == e % n);
        for (long k = max(lo, from); k < min(hi - 1, behind); k++) {
            WAIT;
            REAL rest = 0;
            for (long i = k + 2; i <= hi; i++)
                rest += square_of(a[i * n + k]);
            const reflection found = find_reflection(a[(k + 1) * n + k], rest);
            EACH_SHARE(i, k + 2, hi + 1)
                v[i] = times(a[i * n + k], found.scale);
            WAIT;
            EACH_SHARE(i, k + 2, hi + 1) /* also what is so small that its square is 0 */
                a[i * n + k] = 0;
            if (ITEM == 0) {
                v[k + 1] = of_real(1);
                a[(k + 1) * n + k] = found.beta;
            }
            WAIT;
            const long last = found.factor == 0 ? k : hi;
            EACH_SHARE(j, k + 1, n)
                sum[j] = 0;
            for (long i = k + 1; i <= last; i++) {
                const T x = conjugate(v[i]);
                EACH_SHARE(j, k + 1, n)
                    sum[j] += times(x, a[i * n + j]);
            }
            for (long i = k + 1; i <= last; i++) {
                const T x = v[i] * found.factor;
                EACH_SHARE(j, k + 1, n)
                    a[i * n + j] -= times(x, sum[j]);
            }
            WAIT;
            EACH_SHARE(i, 0, last == hi ? hi + 1 : 0)
            {
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
            EACH_SHARE(j, 0, z ? n : 0)
                sum[j] = 0;
            for (long i = k + 1; z && i <= last; i++)
                EACH_SHARE(j, 0, n)
                    sum[j] += times(v[i], w[i * n + j]);
            for (long i = k + 1; z && i <= last; i++) {
                const T x = conjugate(v[i]) * found.factor;
                EACH_SHARE(j, 0, n)
                    w[i * n + j] -= times(x, sum[j]);
            }
        }
        state[3 * batch] = (int)n - 1;
        state[3 * batch + 1] = state[3 * batch + 2] = 0;
    }
}
