/* QR with pivoting of columns, a column at a time. Matrices are packed here, column after column, m numbers each; a group takes a
 * column. On CPUs it is one work-item, whose vectors go along the column. */

#define LANES 16
typedef JOIN(T, 16) lanes;
#if ITEM_BYTES == 8
#define LEAST_POWER -1020
#define ROUNDING 1.4901161193847656e-8 /* the root of epsilon */
#else
#define LEAST_POWER -124
#define ROUNDING 3.4526698e-4f
#endif

#if GROUP == 1
#define WAIT
#define SHARED
#define SHARES
#define SHARE
#define FOR_ROWS(i, from, m) for (long i = from; i < (m); i++)

inline T sum_lanes(lanes x)
{
    T each[LANES], sum = 0;
    vstore16(x, 0, each);
    for (int i = 0; i < LANES; i++)
        sum += each[i];
    return sum;
}

/* The sum of products, and the largest size, of numbers from..m; y is x's, scaled, where it is NULL. */
inline T sum_products(global const T *x, global const T *y, T up, long from, long m)
{
    lanes sums = 0;
    T rest = 0;
    long i = from;
    for (; i + LANES <= m; i += LANES) {
        const lanes a = vload16(0, x + i) * up;
        sums += a * (y ? vload16(0, y + i) : a);
    }
    for (; i < m; i++)
        rest += x[i] * up * (y ? y[i] : x[i] * up);
    return sum_lanes(sums) + rest;
}

inline T find_size(global const T *x, long from, long m)
{
    T largest = 0;
    for (long i = from; i < m; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}
#else
#define WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* Numbers and positions that the items of a group tell each other. */
#define SHARED                                                                                                         \
    local T shared[GROUP];                                                                                             \
    local long places[GROUP]
#define SHARES , local T *shared, local long *places
#define SHARE , shared, places
#define FOR_ROWS(i, from, m) for (long i = (from) + get_local_id(0); i < (m); i += GROUP)

inline T sum_products(global const T *x, global const T *y, T up, long from, long m SHARES)
{
    const int item = get_local_id(0);
    T sum = 0;
    FOR_ROWS(i, from, m)
        sum += x[i] * up * (y ? y[i] : x[i] * up);
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

inline T find_size(global const T *x, long from, long m SHARES)
{
    const int item = get_local_id(0);
    T largest = 0;
    FOR_ROWS(i, from, m)
        largest = fmax(largest, fabs(x[i]));
    shared[item] = largest;
    WAIT;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (item < step)
            shared[item] = fmax(shared[item], shared[item + step]);
        WAIT;
    }
    largest = shared[0];
    WAIT;
    return largest;
}
#endif

/* A power of 2 that makes numbers of that size about 1. */
inline T up_from(T size)
{
    int e = 0;
    frexp(size, &e);
    return size > 0 ? 1 / ldexp((T)1, max(e, LEAST_POWER)) : (T)1;
}

inline T norm_of(global const T *x, long from, long m SHARES)
{
    const T up = up_from(find_size(x, from, m SHARE));
    return sqrt(sum_products(x, NULL, up, from, m SHARE)) / up;
}

/* Of each column its norm, twice, and its position, counted from `first`. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pivot_start(global const T *a, global T *norms, global long *order, long batches, long m, long n, long first)
{
    SHARED;
    for (long column = get_group_id(0); column < batches * n; column += get_num_groups(0)) {
        const T norm = norm_of(a + column * m, 0, m SHARE);
        if (get_local_id(0) == 0) {
            norms[2 * column] = norms[2 * column + 1] = norm;
            order[column] = column % n + first;
        }
    }
}

/* The column from k on whose norm is largest, the first of equals. `norms` are a matrix's. */
inline long find_pivot(global const T *norms, long k, long n SHARES)
{
    T best = -1;
    long place = k;
    FOR_ROWS(j, k, n)
        if (norms[2 * j] > best) {
            best = norms[2 * j];
            place = j;
        }
#if GROUP > 1
    const int item = get_local_id(0);
    shared[item] = best;
    places[item] = place;
    WAIT;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (item < step) {
            const T other = shared[item + step];
            if (other > shared[item] || (other == shared[item] && places[item + step] < places[item])) {
                shared[item] = other;
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

/* Brings the largest column to place k, and finds the reflection that leaves nothing below its diagonal: R's number stands there
 * then, and what v has below it, whose number there is 1; its factor is in factors. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pivot_column(global T *a, global T *norms, global long *order, global T *factors, long batches, long m, long n,
                  long square, long k)
{
    SHARED;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *norm = norms + 2 * batch * n, *x = a + (batch * n + k) * m;
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
        const T up = up_from(find_size(x, k, m SHARE)), alpha = x[k] * up;
        const T below = sum_products(x, NULL, up, k + 1, m SHARE);
        T beta = alpha, scale = 0, factor = 0;
        if (below != 0) {
            const T whole = sqrt(alpha * alpha + below);
            beta = alpha < 0 ? whole : -whole;
            scale = 1 / (alpha - beta);
            factor = (beta - alpha) / beta;
        }
        FOR_ROWS(i, k + 1, m)
            x[i] = x[i] * up * scale;
        WAIT;
        if (get_local_id(0) == 0) {
            x[k] = beta / up;
            factors[batch * square + k] = factor;
        }
        WAIT;
    }
}

/* Applies column k's reflection to the columns behind it. Their norms lose the part that row k has now; where little is left, the
 * norm is found again from the column (Drmac, Bujanovic 2008). */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pivot_rest(global T *a, global T *norms, global const T *factors, long batches, long m, long n, long square, long k)
{
    SHARED;
    const long behind = n - k - 1;
    for (long task = get_group_id(0); task < batches * behind; task += get_num_groups(0)) {
        const long batch = task / behind, column = batch * n + k + 1 + task % behind;
        global const T *v = a + (batch * n + k) * m;
        global T *x = a + column * m;
        const T applied = factors[batch * square + k] * (x[k] + sum_products(v, x, 1, k + 1, m SHARE));
        const T here = x[k] - applied, norm = norms[2 * column], before = norms[2 * column + 1];
        FOR_ROWS(i, k + 1, m)
            x[i] -= applied * v[i];
        const T part = norm > 0 ? fabs(here) / norm : 0, ratio = before > 0 ? norm / before : 0;
        const T left = fmax((1 + part) * (1 - part), (T)0);
        const bool again = norm > 0 && !(left * ratio * ratio > ROUNDING);
        WAIT;
        const T fresh = again ? norm_of(x, k + 1, m SHARE) : norm * sqrt(left);
        if (get_local_id(0) == 0) {
            x[k] = here;
            norms[2 * column] = fresh;
            if (again)
                norms[2 * column + 1] = fresh;
        }
        WAIT;
    }
}

/* V of the packed matrix: ones on its diagonal, and what stands below; packed, too, in `square` columns. */
kernel void lower_part(global T *v, global const T *a, long batches, long m, long n, long square)
{
    FOR_SPREAD(column, batches * square)
    {
        const long batch = column / square, j = column % square;
        global const T *from = a + (batch * n + j) * m;
        for (long i = 0; i < m; i++)
            v[column * m + i] = i < j ? 0 : i == j ? 1 : from[i];
    }
}

/* T of each block of columns, of its reflections' factors and V^T V, a row for each item; rows of `width` numbers. */
kernel void block_triangles(global T *t, global const T *products, global const T *factors, long batches, long square,
                            long width)
{
    FOR_SPREAD(row, batches * square)
    {
        const long batch = row / square, i = row % square, start = i / width * width;
        const long behind = min(width, square - start), at = i - start;
        global T *to = t + row * width;
        global const T *of = products + (batch * square + start) * width, *factor = factors + batch * square + start;
        for (long k = 0; k < behind; k++) {
            T sum = 0;
            for (long l = at; l < k; l++)
                sum += to[l] * of[l * width + k];
            to[k] = k < at ? 0 : k == at ? factor[k] : -factor[k] * sum;
        }
    }
}
