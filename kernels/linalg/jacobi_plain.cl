/* Eigenvalues and singular values of small matrices, by Jacobi's rotations: a group of ITEMS takes a matrix, and
 * rotates its pairs of rows or columns in parallel, in rounds that pair each with another one. MOST: the largest number
 * of rows or columns. No barrier is inside a condition. In a complex pair the second one's direction is rotated first,
 * so that the off-diagonal number becomes real. */
#ifndef MOST
#define MOST 32
#endif
#ifndef ITEMS
#define ITEMS 64
#endif
#define SPACE local
#define STRIDE 1
#include "parts/small_vectors.cl"

#if ITEMS == 1
#define WAIT
#else
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define PITCH (MOST + 1)
#define PAIRS (MOST / 2)
#define PARTS 4 /* of a sum over the numbers of a pair */
#define SWEEPS 40
#define EACH(i, count) for (int i = get_local_id(0); i < (count); i += ITEMS)

typedef struct rotation {
    int p, q;
    REAL c, s;
#ifdef PART
    T way; /* that the second one is turned by */
#endif
} rotation;
#ifdef PART
#define WAY(r) (r).way
#define SET_WAY(r, x) ((r).way = conjugate(direction(x)))
#define ALONG(x) absolute(x)
#else
#define WAY(r) 1
#define SET_WAY(r, x)
#define ALONG(x) (x)
#endif

/* The two of pair r of a round, the lower first; for an odd count one has no partner, and its q is not below n. */
inline void meet(local rotation *r, int pair, int round, int n)
{
    const int others = n - 1 + n % 2;
    const int x = pair == 0 ? others : (round + pair) % others, y = (round + others - pair) % others;
    r->p = min(x, y);
    r->q = max(x, y);
}

inline REAL tangent(REAL difference, REAL beside)
{
    const REAL ratio = difference / (2 * beside);
    const REAL size = fmin(fabs(ratio), (REAL)MOST_RATIO), root = fmax(sqrt(fma(size, size, (REAL)1)), fabs(ratio));
    return copysign((REAL)1, ratio) / (fabs(ratio) + root);
}

inline void set_angle(local rotation *r, REAL t)
{
    const REAL c = 1 / sqrt(fma(t, t, (REAL)1)), s = t * c;
    const REAL more = fma(-s, s, (1 - c) * (1 + c)) / 2; /* for devices on which roots and quotients are not correctly
                                                          * rounded */
    r->c = fma(c, more, c);
    r->s = fma(s, more, s);
}

inline void turn(local T *x, local T *y, REAL c, REAL s, T way)
{
    const T before = *x, other = times(way, *y);
    *x = c * before - s * other;
    *y = s * before + c * other;
}

/* Sets the numbers that a rotation makes 0 or real exactly. */
inline void annihilate(local T *t, const local rotation *r)
{
    const int p = r->p, q = r->q;
    if (r->s == 0)
        return;
    t[p * PITCH + q] = t[q * PITCH + p] = 0;
    t[p * PITCH + p] = of_real(real_of(t[p * PITCH + p]));
    t[q * PITCH + q] = of_real(real_of(t[q * PITCH + q]));
}

inline REAL sum_of(const local REAL *parts)
{
    REAL sum = 0;
    for (int i = 0; i < ITEMS; i++)
        sum += parts[i];
    return sum;
}

/* The matrix in b, b[j][i] number i of column j, scaled by a power of 2 so that the largest number is below 1; returns
 * its exponent. A matrix that is not finite is reported, and becomes zeros. Of a Hermitian one the lower triangle is
 * read. A `turned` one is conjugated. */
inline int load(local T *b, local REAL *parts, global const T *here, long row, long column, long batch, int rows,
                int columns, bool lower, bool turned, volatile global lun_verdict *verdict)
{
    REAL largest = 0;
    EACH(e, rows * columns)
    {
        const int i = e / columns, j = e % columns;
        const bool other = lower && i < j;
        const T x = here[(other ? j : i) * row + (other ? i : j) * column], y = other != turned ? conjugate(x) : x;
        largest = is_finite(x) ? fmax(largest, most_of(x)) : (REAL)INFINITY;
        b[j * PITCH + i] = lower && i == j ? of_real(real_of(y)) : y;
        if (!is_finite(x))
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
    const REAL scale = ldexp((REAL)1, -exponent);
    EACH(e, rows * columns)
    {
        local T *x = b + e % columns * PITCH + e / columns;
        *x = finite ? *x * scale : (T)(0);
    }
    WAIT;
    return exponent;
}

/* The place of each of n values, ascending or descending; of equals the first comes first. Returns in `places`. */
inline void rank_values(local int *places, const local REAL *values, int n, bool descending)
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

/* Eigenvalues of Hermitian matrices, ascending, and the vectors as columns of v, unless v is NULL. Lower triangles are
 * read, upper ones of the user's where these are `turned`. */
KERNEL(ITEMS) jacobi_eigh(global const T *a, matmul_view at, global REAL *w, matmul_view w_at, global T *v,
                          matmul_view v_at, long batches, long size, long turned, VERDICT_PARAMETERS)
{
    local T t[MOST * PITCH], x[MOST * PITCH];
    local REAL parts[ITEMS], values[MOST];
    local rotation pairs[PAIRS];
    local int places[MOST], tops[MOST];
    const int n = (int)size, item = get_local_id(0), meeting = (n + 1) / 2;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int exponent = load(t, parts, a + matmul_offset(&at, batch, 0, 0), at.row, at.column, batch, n, n, true,
                                  turned, VERDICT);
        REAL mine = 0;
        EACH(e, n * n)
        {
            mine += square_of(t[e / n * PITCH + e % n]);
            x[e / n * PITCH + e % n] = of_real(e / n == e % n);
        }
        WAIT;
        parts[item] = mine;
        WAIT;
        const REAL enough = sum_of(parts) * (REAL)(EPSILON * EPSILON);
        bool going = n > 1;
        for (int sweep = 0; sweep < SWEEPS && going; sweep++) {
            for (int round = 0; round < 2 * meeting - 1; round++) {
                EACH(r, meeting)
                {
                    meet(&pairs[r], r, round, n);
                    const int p = pairs[r].p, q = pairs[r].q;
                    REAL angle = 0;
                    if (q < n) {
                        const T beside = t[p * PITCH + q];
                        if (square_of(beside) > enough / (REAL)(n * n))
                            angle = tangent(real_of(t[q * PITCH + q]) - real_of(t[p * PITCH + p]), ALONG(beside));
                        SET_WAY(pairs[r], conjugate(beside));
                    }
                    set_angle(&pairs[r], angle);
                }
                WAIT;
                EACH(e, meeting * n)
                {
                    const rotation r = pairs[e / n];
                    if (r.s != 0) {
                        turn(t + r.p * PITCH + e % n, t + r.q * PITCH + e % n, r.c, r.s, WAY(r));
                        turn(x + r.p * PITCH + e % n, x + r.q * PITCH + e % n, r.c, r.s, WAY(r));
                    }
                }
                WAIT;
                EACH(e, meeting * n)
                {
                    const rotation r = pairs[e / n];
                    if (r.s != 0)
                        turn(t + e % n * PITCH + r.p, t + e % n * PITCH + r.q, r.c, r.s, conjugate(WAY(r)));
                }
                WAIT;
                EACH(r, meeting)
                    annihilate(t, &pairs[r]);
                WAIT;
            }
            mine = 0;
            EACH(e, n * n)
                mine += e / n > e % n ? square_of(t[e / n * PITCH + e % n]) : 0;
            parts[item] = mine;
            WAIT;
            going = sum_of(parts) > enough * n;
            WAIT;
        }
        EACH(j, n)
            values[j] = real_of(t[j * PITCH + j]);
        WAIT;
        rank_values(places, values, n, false);
        EACH(j, n)
        {
            w[matmul_offset(&w_at, batch, places[j], 0)] = ldexp(values[j], exponent);
            tops[j] = v ? place_of_largest(x + j * PITCH, n) : 0;
        }
        WAIT;
        EACH(e, v ? n * n : 0)
        {
            const int k = e / n, j = e % n;
            const local T *from = x + j * PITCH;
            v[matmul_offset(&v_at, batch, k, places[j])] = turned_with(from[k], from[tops[j]], k == tops[j]);
        }
        WAIT;
    }
}

/* Sums of products of a pair's columns: of each with itself, and of both. */
typedef struct pair_sums {
    REAL pp, qq;
    T pq;
} pair_sums;

/* Makes the n columns of b, m numbers each, orthogonal by rotating pairs of them; the columns of x are rotated as
 * well. */
inline void orthogonalise(local T *b, local T *x, local pair_sums *sums, local rotation *pairs, local int *changed,
                          int m, int n)
{
    const int meeting = (n + 1) / 2;
    const REAL close = EPSILON * sqrt((REAL)m);
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
                    sum.pp += square_of(one);
                    sum.qq += square_of(other);
                    sum.pq += times(conjugate(one), other);
                }
                sums[e] = sum;
            }
            WAIT;
            EACH(r, meeting)
            {
                REAL pp = 0, qq = 0, angle = 0;
                T pq = 0;
                for (int i = 0; i < PARTS; i++) {
                    pp += sums[r * PARTS + i].pp;
                    qq += sums[r * PARTS + i].qq;
                    pq += sums[r * PARTS + i].pq;
                }
                if (absolute(pq) > close * sqrt(pp) * sqrt(qq) && pp > LEAST_SQUARE && qq > LEAST_SQUARE) {
                    angle = tangent(qq - pp, ALONG(pq));
                    *changed = 1;
                }
                SET_WAY(pairs[r], pq);
                set_angle(&pairs[r], angle);
            }
            WAIT;
            EACH(e, meeting * (m + n))
            {
                const rotation r = pairs[e / (m + n)];
                const int i = e % (m + n);
                local T *of = i < m ? b + i : x + (i - m);
                if (r.s != 0)
                    turn(of + r.p * PITCH, of + r.q * PITCH, r.c, r.s, WAY(r));
            }
            WAIT;
        }
        going = *changed;
        WAIT;
    }
}

/* Singular values of m x n matrices, m >= n, descending, and vectors as columns of u, `wide` of them, and of v, unless
 * these are NULL. The largest number of each vector of v is above 0, or of u where the matrix is the `turned` one of
 * the user's. */
KERNEL(ITEMS) jacobi_svd(global const T *a, matmul_view at, global T *u, matmul_view u_at, global REAL *s,
                         matmul_view s_at, global T *v, matmul_view v_at, long batches, long rows, long columns,
                         long wide, long turned, VERDICT_PARAMETERS)
{
    local T b[MOST * PITCH], x[MOST * PITCH], ordered[MOST * PITCH], largest[MOST];
    local REAL parts[ITEMS], values[MOST];
    local pair_sums sums[PAIRS * PARTS];
    local rotation pairs[PAIRS];
    local int places[MOST], from[MOST], tops[MOST], changed;
    const int m = (int)rows, n = (int)columns, item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int exponent = load(b, parts, a + matmul_offset(&at, batch, 0, 0), at.row, at.column, batch, m, n, false,
                                  turned, VERDICT);
        EACH(e, n * n)
            x[e / n * PITCH + e % n] = of_real(e / n == e % n);
        WAIT;
        orthogonalise(b, x, sums, pairs, &changed, m, n);
        EACH(j, n)
        {
            REAL square = 0;
            for (int i = 0; i < m; i++)
                square += square_of(b[j * PITCH + i]);
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
            const REAL square = values[from[j]];
            ordered[j * PITCH + i] = square > LEAST_SQUARE ? b[from[j] * PITCH + i] / sqrt(square) : (T)(0);
        }
        WAIT;
        if (item == 0 && v)
            for (int j = known; j < wide; j++)
                complete(ordered, PITCH, j, m);
        WAIT;
        EACH(j, v ? (int)wide : 0)
        {
            const bool by_right = j < n && !turned;
            const local T *of = by_right ? x + from[j] * PITCH : ordered + j * PITCH;
            tops[j] = place_of_largest(of, by_right ? n : m);
            largest[j] = of[tops[j]];
        }
        WAIT;
        EACH(e, v ? (int)wide * m : 0)
        {
            const int j = e / m, i = e % m;
            const bool itself = (j >= n || turned) && i == tops[j];
            u[matmul_offset(&u_at, batch, i, j)] = turned_with(ordered[j * PITCH + i], largest[j], itself);
        }
        EACH(e, v ? n * n : 0)
        {
            const int j = e / n, i = e % n;
            const bool itself = !turned && i == tops[j];
            v[matmul_offset(&v_at, batch, i, j)] = turned_with(x[from[j] * PITCH + i], largest[j], itself);
        }
        WAIT;
    }
}
