/* Eigenvalues and singular values of small matrices, by Jacobi's rotations: a group of ITEMS takes a matrix, whose pairs of rows or
 * columns turn side by side, in rounds in which each meets another. MOST: the largest number of rows or columns. No barrier stands
 * under a condition. */
#ifndef MOST
#define MOST 32
#endif
#ifndef ITEMS
#define ITEMS 64
#endif
#define SPACE local
#define STRIDE 1
#include "parts/small_vectors.cl"

#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define PITCH (MOST + 1)
#define PAIRS (MOST / 2)
#define PARTS 4 /* of a sum over the numbers of a pair */
#define SWEEPS 40
#define EACH(i, count) for (int i = get_local_id(0); i < (count); i += ITEMS)

typedef struct rotation {
    int p, q;
    T c, s;
} rotation;

/* The two that meet as pair r of a round, the lower first; of an odd count one meets nobody, and q is not below n. */
inline void meet(local rotation *r, int pair, int round, int n)
{
    const int others = n - 1 + n % 2;
    const int x = pair == 0 ? others : (round + pair) % others, y = (round + others - pair) % others;
    r->p = min(x, y);
    r->q = max(x, y);
}

inline T tangent(T difference, T beside)
{
    const T ratio = difference / (2 * beside);
    return copysign((T)1, ratio) / (fabs(ratio) + sqrt(fma(ratio, ratio, (T)1)));
}

inline void set_angle(local rotation *r, T t)
{
    const T c = 1 / sqrt(fma(t, t, (T)1)), s = t * c;
    const T more = fma(-s, s, (1 - c) * (1 + c)) / 2; /* where roots and quotients are not rounded to the nearest */
    r->c = fma(c, more, c);
    r->s = fma(s, more, s);
}

inline void turn(local T *x, local T *y, T c, T s)
{
    const T before = *x, other = *y;
    *x = c * before - s * other;
    *y = s * before + c * other;
}

inline T sum_of(const local T *parts)
{
    T sum = 0;
    for (int i = 0; i < ITEMS; i++)
        sum += parts[i];
    return sum;
}

/* The matrix in b, b[j][i] number i of column j, scaled by a power of 2 so that the largest number is below 1; returns its exponent. A
 * matrix that is not finite is told of, and becomes zeros. Of a symmetric one the lower triangle is read. */
inline int load(local T *b, local T *parts, global const T *here, long row, long column, long batch, int rows,
                int columns, bool lower, bool turned, volatile global lun_verdict *verdict)
{
    T largest = 0;
    EACH(e, rows * columns)
    {
        const int i = e / columns, j = e % columns;
        const bool other = lower && i < j;
        const T x = here[(other ? j : i) * row + (other ? i : j) * column];
        largest = isfinite(x) ? fmax(largest, fabs(x)) : (T)INFINITY;
        b[j * PITCH + i] = x;
        if (!isfinite(x))
            break;
    }
    parts[get_local_id(0)] = largest;
    WAIT;
    for (int i = 0; i < ITEMS; i++)
        largest = fmax(largest, parts[i]);
    const bool finite = isfinite(largest);
    if (!finite && get_local_id(0) == 0)
        say_unfinite(here, row, column, batch, rows, columns, lower, turned, verdict);
    const int exponent = exponent_of(largest);
    const T scale = ldexp((T)1, -exponent);
    EACH(e, rows * columns)
    {
        local T *x = b + e % columns * PITCH + e / columns;
        *x = finite ? *x * scale : 0;
    }
    WAIT;
    return exponent;
}

/* The place of each of n values, ascending or descending; of equals the first comes first. Returns in `places`. */
inline void rank_values(local int *places, const local T *values, int n, bool descending)
{
    EACH(j, n)
    {
        int place = 0;
        for (int i = 0; i < n; i++) {
            const bool before = descending ? values[i] > values[j] : values[i] < values[j];
            place += before || (values[i] == values[j] && i < j);
        }
        places[j] = place;
    }
}

/* Eigenvalues of symmetric matrices, ascending, and the vectors as columns of v, unless v is NULL. Lower triangles are read, upper ones of
 * the user's where these are `turned`. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void jacobi_eigh(global const T *a, matmul_view at, global T *w, matmul_view w_at, global T *v, matmul_view v_at,
                 long batches, long size, long turned, VERDICT_PARAMETERS)
{
    local T t[MOST * PITCH], x[MOST * PITCH], parts[ITEMS], values[MOST], signs[MOST];
    local rotation pairs[PAIRS];
    local int places[MOST];
    const int n = (int)size, item = get_local_id(0), meeting = (n + 1) / 2;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int exponent = load(t, parts, a + matmul_offset(&at, batch, 0, 0), at.row, at.column, batch, n, n, true,
                                  turned, VERDICT);
        T mine = 0;
        EACH(e, n * n)
        {
            const T number = t[e / n * PITCH + e % n];
            mine = fma(number, number, mine);
            x[e / n * PITCH + e % n] = e / n == e % n;
        }
        WAIT;
        parts[item] = mine;
        WAIT;
        const T enough = sum_of(parts) * (T)(EPSILON * EPSILON);
        bool going = n > 1;
        for (int sweep = 0; sweep < SWEEPS && going; sweep++) {
            for (int round = 0; round < 2 * meeting - 1; round++) {
                EACH(r, meeting)
                {
                    meet(&pairs[r], r, round, n);
                    const int p = pairs[r].p, q = pairs[r].q;
                    T angle = 0;
                    if (q < n) {
                        const T beside = t[p * PITCH + q];
                        if (beside * beside > enough / (T)(n * n))
                            angle = tangent(t[q * PITCH + q] - t[p * PITCH + p], beside);
                    }
                    set_angle(&pairs[r], angle);
                }
                WAIT;
                EACH(e, meeting * n)
                {
                    const rotation r = pairs[e / n];
                    if (r.s != 0) {
                        turn(t + r.p * PITCH + e % n, t + r.q * PITCH + e % n, r.c, r.s);
                        turn(x + r.p * PITCH + e % n, x + r.q * PITCH + e % n, r.c, r.s);
                    }
                }
                WAIT;
                EACH(e, meeting * n)
                {
                    const rotation r = pairs[e / n];
                    if (r.s != 0)
                        turn(t + e % n * PITCH + r.p, t + e % n * PITCH + r.q, r.c, r.s);
                }
                WAIT;
                EACH(r, meeting)
                    if (pairs[r].s != 0)
                        t[pairs[r].p * PITCH + pairs[r].q] = t[pairs[r].q * PITCH + pairs[r].p] = 0;
                WAIT;
            }
            mine = 0;
            EACH(e, n * n)
            {
                const T number = e / n > e % n ? t[e / n * PITCH + e % n] : 0;
                mine = fma(number, number, mine);
            }
            parts[item] = mine;
            WAIT;
            going = sum_of(parts) > enough * n;
            WAIT;
        }
        EACH(j, n)
            values[j] = t[j * PITCH + j];
        WAIT;
        rank_values(places, values, n, false);
        EACH(j, n)
        {
            w[matmul_offset(&w_at, batch, places[j], 0)] = ldexp(values[j], exponent);
            signs[j] = v ? sign_of(x + j * PITCH, n) : 1;
        }
        WAIT;
        EACH(e, v ? n * n : 0)
        {
            const int k = e / n, j = e % n;
            v[matmul_offset(&v_at, batch, k, places[j])] = signs[j] * x[j * PITCH + k];
        }
        WAIT;
    }
}

/* Sums of products of a pair's columns: of each with itself, and of both. */
typedef struct pair_sums {
    T pp, qq, pq;
} pair_sums;

/* Makes the n columns of b, m numbers each, orthogonal, by turning pairs of them; the columns of x turn with them. */
inline void orthogonalise(local T *b, local T *x, local pair_sums *sums, local rotation *pairs, local int *changed, int m,
                          int n)
{
    const int meeting = (n + 1) / 2;
    const T close = EPSILON * sqrt((T)m);
    bool going = n > 1;
    for (int sweep = 0; sweep < SWEEPS && going; sweep++) {
        if (get_local_id(0) == 0)
            *changed = 0;
        WAIT;
        for (int round = 0; round < 2 * meeting - 1; round++) {
            EACH(r, meeting)
                meet(&pairs[r], r, round, n);
            WAIT;
            EACH(e, meeting * PARTS)
            {
                const int p = pairs[e / PARTS].p, q = pairs[e / PARTS].q;
                pair_sums sum = {0, 0, 0};
                for (int i = e % PARTS; i < m && q < n; i += PARTS) {
                    const T one = b[p * PITCH + i], other = b[q * PITCH + i];
                    sum.pp = fma(one, one, sum.pp);
                    sum.qq = fma(other, other, sum.qq);
                    sum.pq = fma(one, other, sum.pq);
                }
                sums[e] = sum;
            }
            WAIT;
            EACH(r, meeting)
            {
                T pp = 0, qq = 0, pq = 0, angle = 0;
                for (int i = 0; i < PARTS; i++) {
                    pp += sums[r * PARTS + i].pp;
                    qq += sums[r * PARTS + i].qq;
                    pq += sums[r * PARTS + i].pq;
                }
                if (fabs(pq) > close * sqrt(pp) * sqrt(qq) && pp > LEAST_SQUARE && qq > LEAST_SQUARE) {
                    angle = tangent(qq - pp, pq);
                    *changed = 1;
                }
                set_angle(&pairs[r], angle);
            }
            WAIT;
            EACH(e, meeting * (m + n))
            {
                const rotation r = pairs[e / (m + n)];
                const int i = e % (m + n);
                local T *of = i < m ? b + i : x + (i - m);
                if (r.s != 0)
                    turn(of + r.p * PITCH, of + r.q * PITCH, r.c, r.s);
            }
            WAIT;
        }
        going = *changed;
        WAIT;
    }
}

/* Singular values of m x n matrices, m >= n, descending, and vectors as columns of u, `wide` of them, and of v, unless these are
 * NULL. The largest number of each vector of v is above 0, or of u where the matrix is the `turned` one of the user's. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void jacobi_svd(global const T *a, matmul_view at, global T *u, matmul_view u_at, global T *s, matmul_view s_at,
                global T *v, matmul_view v_at, long batches, long rows, long columns, long wide, long turned,
                VERDICT_PARAMETERS)
{
    local T b[MOST * PITCH], x[MOST * PITCH], ordered[MOST * PITCH], parts[ITEMS], values[MOST], signs[MOST];
    local pair_sums sums[PAIRS * PARTS];
    local rotation pairs[PAIRS];
    local int places[MOST], from[MOST], changed;
    const int m = (int)rows, n = (int)columns, item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int exponent = load(b, parts, a + matmul_offset(&at, batch, 0, 0), at.row, at.column, batch, m, n, false,
                                  turned, VERDICT);
        EACH(e, n * n)
            x[e / n * PITCH + e % n] = e / n == e % n;
        WAIT;
        orthogonalise(b, x, sums, pairs, &changed, m, n);
        EACH(j, n)
        {
            T square = 0;
            for (int i = 0; i < m; i++)
                square = fma(b[j * PITCH + i], b[j * PITCH + i], square);
            values[j] = square;
        }
        WAIT;
        rank_values(places, values, n, true);
        EACH(j, n)
        {
            from[places[j]] = j;
            s[matmul_offset(&s_at, batch, places[j], 0)] = ldexp(sqrt(values[j]), exponent);
        }
        WAIT;
        int known = 0;
        for (int j = 0; j < n; j++)
            known += values[j] > LEAST_SQUARE;
        EACH(e, n * m)
        {
            const int j = e / m, i = e % m;
            const T square = values[from[j]];
            ordered[j * PITCH + i] = square > LEAST_SQUARE ? b[from[j] * PITCH + i] / sqrt(square) : 0;
        }
        WAIT;
        if (item == 0 && v)
            for (int j = known; j < wide; j++)
                complete(ordered, PITCH, j, m);
        WAIT;
        EACH(j, v ? (int)wide : 0)
            signs[j] = j < n && !turned ? sign_of(x + from[j] * PITCH, n) : sign_of(ordered + j * PITCH, m);
        WAIT;
        EACH(e, v ? (int)wide * m : 0)
            u[matmul_offset(&u_at, batch, e % m, e / m)] = signs[e / m] * ordered[e / m * PITCH + e % m];
        EACH(e, v ? n * n : 0)
            v[matmul_offset(&v_at, batch, e % n, e / n)] = signs[e / n] * x[from[e / n] * PITCH + e % n];
        WAIT;
    }
}
