/* QR with pivoting of columns, a column at a time. Matrices are packed here, column after column, m numbers each; a
 * group takes a column. On CPUs it is one work-item, whose vectors go along the column. */

#include "parts/field.cl"

#if REAL_BYTES == 8
#define LEAST_POWER -1020
#define ROUNDING 1.4901161193847656e-8 /* the root of epsilon */
#else
#define LEAST_POWER -124
#define ROUNDING 3.4526698e-4f
#endif

/* A number of column x, scaled and conjugated, times one of y; y is x's, scaled, where it is NULL. */
#define PRODUCT_AT(i) times(conjugate(x[i] * up), y ? y[i] : x[i] * up)

#if GROUP == 1
#define WAIT
#define SHARED
#define SHARES
#define SHARE
#define FOR_ROWS(i, from, m) for (long i = from; i < (m); i++)

/* The sum of products of numbers from..m. */
inline T sum_products(global const T *x, global const T *y, REAL up, long from, long m)
{
    T rest = 0;
    long i = from;
#ifndef PART
    T each[16];
    JOIN(T, 16) sums = 0;
    for (; i + 16 <= m; i += 16) {
        const JOIN(T, 16) a = vload16(0, x + i) * up;
        sums += a * (y ? vload16(0, y + i) : a);
    }
    vstore16(sums, 0, each);
    for (int lane = 0; lane < 16; lane++)
        rest += each[lane];
#endif
    for (; i < m; i++)
        rest += PRODUCT_AT(i);
    return rest;
}

/* The largest size. */
inline REAL find_size(global const T *x, long from, long m)
{
    REAL largest = 0;
    for (long i = from; i < m; i++)
        largest = fmax(largest, most_of(x[i]));
    return largest;
}
#else
#define WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* Numbers and positions that the items of a group pass to each other. */
#define SHARED                                                                                                         \
    local T shared[GROUP];                                                                                             \
    local long places[GROUP]
#define SHARES , local T *shared, local long *places
#define SHARE , shared, places
#define FOR_ROWS(i, from, m) for (long i = (from) + get_local_id(0); i < (m); i += GROUP)

inline T sum_products(global const T *x, global const T *y, REAL up, long from, long m SHARES)
{
    const int item = get_local_id(0);
    T sum = 0;
    FOR_ROWS(i, from, m)
        sum += PRODUCT_AT(i);
    shared[item] = sum;
    WAIT;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (item < step)
            shared[item] += shared[item + step];
        WAIT;
    }
    sum = shared[0];
    WAIT;
    return sum;
}

inline REAL find_size(global const T *x, long from, long m SHARES)
{
    const int item = get_local_id(0);
    REAL largest = 0;
    FOR_ROWS(i, from, m)
        largest = fmax(largest, most_of(x[i]));
    shared[item] = of_real(largest);
    WAIT;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (item < step)
            shared[item] = fmax(shared[item], shared[item + step]);
        WAIT;
    }
    largest = real_of(shared[0]);
    WAIT;
    return largest;
}
#endif

/* A power of 2 that makes numbers of that size about 1. */
inline REAL up_from(REAL size)
{
    int e = 0;
    frexp(size, &e);
    return size > 0 ? 1 / ldexp((REAL)1, max(e, LEAST_POWER)) : (REAL)1;
}

inline REAL norm_of(global const T *x, long from, long m SHARES)
{
    const REAL up = up_from(find_size(x, from, m SHARE));
    return sqrt(real_of(sum_products(x, NULL, up, from, m SHARE))) / up;
}

/* Of each column its norm, twice, and its position, counted from `first`. */
KERNEL(GROUP) pivot_start(global const T *a, global REAL *norms, global long *order, long batches, long m, long n,
                          long first)
{
    SHARED;
    for (long column = get_group_id(0); column < batches * n; column += get_num_groups(0)) {
        const REAL norm = norm_of(a + column * m, 0, m SHARE);
        if (get_local_id(0) == 0) {
            norms[2 * column] = norms[2 * column + 1] = norm;
            order[column] = column % n + first;
        }
    }
}

/* The column from k on whose norm is largest, the first of equals. `norms` are a matrix's. */
inline long find_pivot(global const REAL *norms, long k, long n SHARES)
{
    REAL best = -1;
    long place = k;
    FOR_ROWS(j, k, n)
        if (norms[2 * j] > best) {
            best = norms[2 * j];
            place = j;
        }
#if GROUP > 1
    const int item = get_local_id(0);
    shared[item] = of_real(best);
    places[item] = place;
    WAIT;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (item < step) {
            const REAL other = real_of(shared[item + step]), own = real_of(shared[item]);
            if (other > own || (other == own && places[item + step] < places[item])) {
                shared[item] = of_real(other);
                places[item] = places[item + step];
            }
        }
        WAIT;
    }
    place = places[0];
    WAIT;
#endif
    return place;
}

/* Brings the largest column to place k, and finds the reflection that leaves nothing below its diagonal: R's number
 * is there then, and what v has below it, whose number there is 1; its factor is in factors. */
KERNEL(GROUP) pivot_column(global T *a, global REAL *norms, global long *order, global REAL *factors, long batches,
                           long m, long n, long square, long k)
{
    SHARED;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global REAL *norm = norms + 2 * batch * n;
        global T *x = a + (batch * n + k) * m;
        const long p = find_pivot(norm, k, n SHARE);
        global T *from = a + (batch * n + p) * m;
        FOR_ROWS(i, 0, p == k ? 0 : m)
        {
            const T t = x[i];
            x[i] = from[i];
            from[i] = t;
        }
        WAIT;
        if (get_local_id(0) == 0 && p != k) {
            const long t = order[batch * n + k];
            order[batch * n + k] = order[batch * n + p];
            order[batch * n + p] = t;
            norm[2 * p] = norm[2 * k];
            norm[2 * p + 1] = norm[2 * k + 1];
        }
        const REAL up = up_from(find_size(x, k, m SHARE));
        const T alpha = x[k] * up;
        const REAL below = real_of(sum_products(x, NULL, up, k + 1, m SHARE));
        T beta = alpha, scale = 0;
        REAL factor = 0;
        if (below != 0) {
            const REAL whole = sqrt(square_of(alpha) + below), size = absolute(alpha);
            beta = -direction(alpha) * whole;
            scale = conjugate(direction(alpha)) / (size + whole);
            factor = (size + whole) / whole;
        }
        FOR_ROWS(i, k + 1, m)
            x[i] = times(x[i] * up, scale);
        WAIT;
        if (get_local_id(0) == 0) {
            x[k] = beta / up;
            factors[batch * square + k] = factor;
        }
        WAIT;
    }
}

/* Applies column k's reflection to the columns behind it. Their norms lose the part that row k has now; where little is
 * left, the norm is found again from the column (Drmac, Bujanovic 2008). */
KERNEL(GROUP) pivot_rest(global T *a, global REAL *norms, global const REAL *factors, long batches, long m, long n,
                         long square, long k)
{
    SHARED;
    const long behind = n - k - 1;
    for (long task = get_group_id(0); task < batches * behind; task += get_num_groups(0)) {
        const long batch = task / behind, column = batch * n + k + 1 + task % behind;
        global const T *v = a + (batch * n + k) * m;
        global T *x = a + column * m;
        const T applied = factors[batch * square + k] * (x[k] + sum_products(v, x, 1, k + 1, m SHARE));
        const T here = x[k] - applied;
        const REAL norm = norms[2 * column], before = norms[2 * column + 1];
        FOR_ROWS(i, k + 1, m)
            x[i] -= times(applied, v[i]);
        const REAL part = norm > 0 ? absolute(here) / norm : 0, ratio = before > 0 ? norm / before : 0;
        const REAL left = fmax((1 + part) * (1 - part), (REAL)0);
        const bool again = norm > 0 && !(left * ratio * ratio > ROUNDING);
        WAIT;
        const REAL fresh = again ? norm_of(x, k + 1, m SHARE) : norm * sqrt(left);
        if (get_local_id(0) == 0) {
            x[k] = here;
            norms[2 * column] = fresh;
            if (again)
                norms[2 * column + 1] = fresh;
        }
        WAIT;
    }
}

/* V of the packed matrix: ones on its diagonal, and what is below; packed, too, in `square` columns. */
kernel void lower_part(global T *v, global const T *a, long batches, long m, long n, long square)
{
    FOR_SPREAD(column, batches * square)
    {
        const long batch = column / square, j = column % square;
        global const T *from = a + (batch * n + j) * m;
        for (long i = 0; i < m; i++)
            v[column * m + i] = i < j ? (T)(0) : i == j ? of_real(1) : from[i];
    }
}

/* T of each block of columns, of its reflections' factors and V^H V, a row for each item; rows of `width` numbers. */
kernel void block_triangles(global T *t, global const T *products, global const REAL *factors, long batches,
                            long square, long width)
{
    FOR_SPREAD(row, batches * square)
    {
        const long batch = row / square, i = row % square, start = i / width * width;
        const long behind = min(width, square - start), at = i - start;
        global T *to = t + row * width;
        global const T *of = products + (batch * square + start) * width;
        global const REAL *factor = factors + batch * square + start;
        for (long k = 0; k < behind; k++) {
            T sum = 0;
            for (long l = at; l < k; l++)
                sum += times(to[l], of[l * width + k]);
            to[k] = k < at ? (T)(0) : k == at ? of_real(factor[k]) : -factor[k] * sum;
        }
    }
}
