/* QR and least squares of small matrices on CPUs: a work-item takes a whole matrix by reflections, in memory of its
 * group. One kernel each, where blocks take six to ten, and seventeen to twenty-one. */
#include "parts/long_matrix.cl"

/* The norm of x, whose numbers before k are 0. */
inline REAL norm_from(global const T *x, long k, long end)
{
    const REAL square = real_of(dot(x, x, k & -LANES, end));
    REAL largest = 0, scaled_square = 0;
    if (square > LEAST_SQUARE)
        return sqrt(square);
    for (long i = k; i < end; i++)
        largest = fmax(largest, most_of(x[i]));
    const int up = exponent_of(largest);
    for (long i = k; i < end; i++)
        scaled_square += square_of(x[i] * ldexp((REAL)1, -up));
    return ldexp(sqrt(scaled_square), up);
}

/* y becomes what the reflection by v makes from it, v's numbers before k being 0. */
inline void reflect(global T *y, global const T *v, REAL tau, long k, long end)
{
    if (tau != 0)
        subtract(y, v, tau * dot(v, y, k & -LANES, end), k & -LANES, end);
}

inline void exchange(global T *x, global T *y, long end)
{
    for (long i = 0; i < end; i++) {
        const T t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* The first of the largest of columns k..n, whose numbers before k are 0. */
inline long largest_column(global const T *s, long k, long n, long pitch, long end)
{
    REAL largest = -1;
    long p = k;
    for (long j = k; j < n; j++) {
        const REAL norm = norm_from(s + j * pitch, k, end);
        if (norm > largest) {
            largest = norm;
            p = j;
        }
    }
    return p;
}

/* Makes of column k, v, the vector of a reflection, and of its first number that of the triangle; returns the factor
 * that goes with it. */
inline REAL find_way(global T *v, global T *top, long k, long m, long end)
{
    const int up = exponent_of(norm_from(v, k, end));
    const REAL scale = ldexp((REAL)1, -up);
    const T alpha = v[k] * scale;
    *top = v[k];
    v[k] = 0;
    for (long i = k + 1; i < m; i++)
        v[i] *= scale;
    const REAL below = norm_from(v, k, end); /* the first norm has few digits where numbers are tiny */
    if (!(below > 0))
        return 0;
    const REAL norm = sqrt(square_of(alpha) + below * below), size = absolute(alpha) + norm;
    for (long i = k + 1; i < m; i++)
        v[i] /= size;
    v[k] = direction(alpha);
    *top = -v[k] * ldexp(norm, up);
    return size / norm;
}

/* n columns of m numbers in s become the vectors of reflections, and r an upper triangle, by columns. The `more`
 * columns of c, `next` apart, become what the reflections make from them. With `order`, each column is the largest of
 * what is left, and that has their places. */
inline void factor(global T *s, global T *r, global REAL *taus, global int *order, long m, long n, long pitch,
                   global T *c, long more, long next)
{
    const long end = (m + LANES - 1) & -LANES;
    for (long i = 0; i < n * pitch; i++)
        r[i] = 0;
    for (long k = 0; k < n && order; k++)
        order[k] = (int)k;
    for (long k = 0; k < min(m, n); k++) {
        global T *v = s + k * pitch;
        const long p = order ? largest_column(s, k, n, pitch, end) : k;
        if (p > k) {
            const int place = order[p];
            order[p] = order[k];
            order[k] = place;
            exchange(v, s + p * pitch, end);
            exchange(r + k * pitch, r + p * pitch, end);
        }
        taus[k] = find_way(v, r + k * pitch + k, k, m, end);
        for (long j = k + 1; j < n; j++) {
            reflect(s + j * pitch, v, taus[k], k, end);
            r[j * pitch + k] = s[j * pitch + k];
            s[j * pitch + k] = 0;
        }
        for (long j = 0; j < more; j++)
            reflect(c + j * next, v, taus[k], k, end);
    }
}

/* Q, of `wide` columns, and R, of `high` rows, which are turned so that no number of the diagonal is
 * below 0; unless `order` is NULL, with that of the columns, counted from `base`. A group has `room` for 2 n + wide
 * columns and 3 rows. */
KERNEL(1) whole_qr(global const T *a, matmul_view at, global T *q, matmul_view q_at, global T *r, matmul_view r_at,
                   global long *order, matmul_view order_at, long batches, long m, long n, long wide, long high,
                   long base, long pitch, long across, global T *room, VERDICT_PARAMETERS)
{
    global T *s = room + get_group_id(0) * ((2 * n + wide) * pitch + 3 * across);
    global T *triangle = s + n * pitch, *x = triangle + n * pitch, *row = x + wide * pitch;
    global REAL *taus = (global REAL *)row;
    global int *places = (global int *)(row + across), *sizes = (global int *)(row + 2 * across);
    const long square = min(m, n), end = (m + LANES - 1) & -LANES, together = order ? n : 1;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        for (long j = 0; j < n; j++)
            sizes[j] = j % together ? sizes[0]
                                    : load(s, pitch, a, &at, batch, m, n, j, j + together, false, false, VERDICT);
        global T *r_here = r + matmul_offset(&r_at, batch, 0, 0), *q_here = q + matmul_offset(&q_at, batch, 0, 0);
        factor(s, triangle, taus, order ? places : 0, m, n, pitch, 0, 0, 0);
        for (long j = 0; j < n; j++) {
            const REAL scale = ldexp((REAL)1, sizes[j]);
            for (long i = 0; i < high; i++) {
                const bool given = i < square && i <= j;
                const T sign = direction(given ? triangle[i * (pitch + 1)] : (T)(0));
                const T y = given ? times(conjugate(sign), triangle[j * pitch + i]) : (T)(0);
                r_here[i * r_at.row + j * r_at.column] = (i == j ? of_real(real_of(y)) : y) * scale;
            }
            if (order)
                order[matmul_offset(&order_at, batch, j, 0)] = places[j] + base;
        }
        for (long e = 0; e < wide * pitch; e++)
            x[e] = 0;
        for (long j = 0; j < wide; j++)
            x[j * (pitch + 1)] = direction(j < square ? triangle[j * (pitch + 1)] : (T)(0));
        for (long k = square - 1; k >= 0; k--)
            for (long j = k; j < wide; j++)
                reflect(x + j * pitch, s + k * pitch, taus[k], k, end);
        for (long j = 0; j < wide; j++)
            for (long i = 0; i < m; i++)
                q_here[i * q_at.row + j * q_at.column] = x[j * pitch + i];
    }
}

/* The shortest of all x that have the least b - a x, `more` columns of them; what is left of each, in squares; and the
 * rank, the numbers of R's diagonal that are larger than `least` times the first. With A P = Q R, of which R's first
 * rows count, and R^H = Z S, x is P Z S^-H Q^H b. `which` says for each b the number of its a. A group has `room` for
 * 2 n columns, `more` longer ones, and 2 n + 2 rows. */
KERNEL(1) whole_lstsq(global const T *a, matmul_view at, global const T *b, matmul_view b_at, global T *x,
                      matmul_view x_at, global REAL *left, matmul_view left_at, global long *ranks,
                      matmul_view ranks_at, matmul_view which, long batches, long m, long n, long more, REAL least,
                      long pitch, long across, global T *room, VERDICT_PARAMETERS)
{
    const long next = max(pitch, across), every = 2 * n * pitch + more * next + (2 * n + 2) * across;
    global T *s = room + get_group_id(0) * every, *r = s + n * pitch, *c = r + n * pitch;
    global T *z = c + more * next, *lower = z + n * across, *row = lower + n * across;
    global REAL *taus = (global REAL *)row;
    global int *order = (global int *)(row + across);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global const T *from = b + matmul_offset(&b_at, batch, 0, 0);
        global T *to = x + matmul_offset(&x_at, batch, 0, 0);
        const long own = matmul_offset(&which, batch, 0, 0);
        const int up = load(s, pitch, a, &at, own, m, n, 0, n, false, false, VERDICT);
        for (long j = 0; j < more; j++)
            for (long i = 0; i < next; i++)
                c[j * next + i] = i < m ? from[i * b_at.row + j * b_at.column] : (T)(0);
        factor(s, r, taus, order, m, n, pitch, c, more, next);
        long rank = 0;
        while (rank < min(m, n) && absolute(r[rank * (pitch + 1)]) > absolute(r[0]) * least)
            rank++;
        ranks[matmul_offset(&ranks_at, own, 0, 0)] = rank;
        for (long j = 0; j < rank; j++)
            for (long i = 0; i < across; i++)
                z[j * across + i] = i < n ? conjugate(r[i * pitch + j]) : (T)(0);
        factor(z, lower, taus, 0, n, rank, across, 0, 0, 0);
        for (long j = 0; j < more; j++) {
            global T *y = c + j * next;
            REAL sum = 0;
            for (long i = rank; i < next; i++) {
                sum += square_of(y[i]);
                y[i] = 0;
            }
            left[matmul_offset(&left_at, batch, j, 0)] = sum;
            for (long k = 0; k < rank; k++) {
                T rest = y[k];
                for (long i = 0; i < k; i++)
                    rest -= times(conjugate(lower[k * across + i]), y[i]);
                y[k] = over(rest, conjugate(lower[k * (across + 1)]));
            }
            for (long k = rank - 1; k >= 0; k--)
                reflect(y, z + k * across, taus[k], k, (n + LANES - 1) & -LANES);
            for (long i = 0; i < n; i++)
                to[order[i] * x_at.row + j * x_at.column] = y[i] * ldexp((REAL)1, -up);
        }
    }
}
