/* Eigenvalues and singular values of small matrices on CPUs, by Jacobi's rotations: each lane of a vector holds a
 * matrix, and a work-item takes that many. A matrix whose rotations have ended is not changed any more, so that its
 * numbers do not depend on its neighbours. MOST: the largest number of rows or columns. */
#ifndef MOST
#define MOST 32
#endif
#if ITEM_BYTES == 8
#define LANES 8
#define MASK long
#else
#define LANES 16
#define MASK int
#endif
#define SPACE
#define STRIDE LANES
#include "parts/small_vectors.cl"

typedef JOIN(T, LANES) lanes;
typedef JOIN(MASK, LANES) mask;
#define LANE(x, q) (((T *)&(x))[q])
#define CHOOSE(m, x, y) select(y, x, m) /* x where m is true */
#define SWEEPS 40

/* The tangent of the smaller angle of the rotation that makes `beside` 0; 0 if the pair is `idle`. */
inline lanes tangent(lanes difference, lanes beside, mask idle)
{
    const lanes ratio = difference / (2 * CHOOSE(idle, (lanes)(1), beside));
    const lanes size = fmin(fabs(ratio), (lanes)(MOST_RATIO));
    const lanes root = fmax(sqrt(fma(size, size, (lanes)(1))), fabs(ratio));
    const lanes t = copysign((lanes)(1), ratio) / (fabs(ratio) + root);
    return CHOOSE(idle, (lanes)(0), t);
}

/* Loads a lane: columns one behind the other, scaled by a power of 2 so that the largest number is below 1. Returns its
 * exponent. A matrix that is not finite is reported, and becomes zeros. */
inline int load(T *b, global const T *a, const matmul_view *at, long batch, int rows, int columns, bool lower,
                bool turned, volatile global lun_verdict *verdict)
{
    global const T *here = a + matmul_offset(at, batch, 0, 0);
    T largest = 0;
    bool finite = true;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < (lower ? i + 1 : columns); j++) {
            const T x = here[i * at->row + j * at->column];
            finite = finite && isfinite(x);
            largest = fmax(largest, fabs(x));
            b[(j * rows + i) * LANES] = x;
        }
    if (!finite)
        say_unfinite(here, at->row, at->column, batch, rows, columns, lower, turned, verdict);
    const int e = finite ? exponent_of(largest) : 0;
    const T scale = finite ? ldexp((T)1, -e) : (T)0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < (lower ? i + 1 : columns); j++)
            b[(j * rows + i) * LANES] = finite ? b[(j * rows + i) * LANES] * scale : 0;
    return e;
}

inline void turn(lanes *x, lanes *y, lanes c, lanes s)
{
    const lanes before = *x;
    *x = c * before - s * *y;
    *y = s * before + c * *y;
}

/* Diagonalises the lower triangles in t: column j's number i at t[j * n + i]. The columns of v are rotated as well. */
inline void diagonalise(lanes *t, lanes *v, int n, bool vectors)
{
    lanes norm = 0;
    mask done = 0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            norm = fma((T)(i == j ? 1 : 2) * t[j * n + i], t[j * n + i], norm);
    const lanes enough = norm * (T)(EPSILON * EPSILON);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        lanes off = 0;
        for (int j = 0; j < n; j++)
            for (int i = j + 1; i < n; i++)
                off = fma(t[j * n + i], t[j * n + i], off);
        done |= !(off > enough * n);
        if (all(done))
            break;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                const lanes beside = t[p * n + q];
                const mask idle = done | (beside * beside <= enough / (T)(n * n));
                const lanes turned = tangent(t[q * n + q] - t[p * n + p], beside, idle);
                const lanes c = 1 / sqrt(fma(turned, turned, (lanes)(1))), s = turned * c;
                t[p * n + p] -= turned * beside;
                t[q * n + q] += turned * beside;
                t[p * n + q] = CHOOSE(idle, beside, (lanes)(0));
                for (int k = 0; k < p; k++)
                    turn(t + k * n + p, t + k * n + q, c, s);
                for (int k = p + 1; k < q; k++)
                    turn(t + p * n + k, t + k * n + q, c, s);
                for (int k = q + 1; k < n; k++)
                    turn(t + p * n + k, t + q * n + k, c, s);
                if (vectors)
                    for (int k = 0; k < n; k++)
                        turn(v + p * n + k, v + q * n + k, c, s);
            }
    }
}

/* Eigenvalues of symmetric matrices, ascending, and the vectors as columns of v, unless v is NULL. Lower triangles are
 * read, upper ones of the user's where these are `turned`. */
KERNEL(1) jacobi_eigh(global const T *a, matmul_view at, global T *w, matmul_view w_at, global T *v, matmul_view v_at,
                      long batches, long size, long turned, VERDICT_PARAMETERS)
{
    const int n = (int)size;
    for (long first = get_group_id(0) * LANES; first < batches; first += get_num_groups(0) * LANES) {
        const int count = (int)min((long)LANES, batches - first);
        lanes t[MOST * MOST], x[MOST * MOST];
        int e[LANES];
        for (int i = 0; i < n * n; i++) {
            t[i] = 0;
            x[i] = i % (n + 1) == 0;
        }
        for (int q = 0; q < count; q++)
            e[q] = load(&LANE(t[0], q), a, &at, first + q, n, n, true, turned, VERDICT);
        diagonalise(t, x, n, v != 0);
        for (int q = 0; q < count; q++)
            for (int j = 0; j < n; j++) {
                const T value = LANE(t[j * n + j], q);
                int place = 0;
                for (int i = 0; i < n; i++) {
                    const T other = LANE(t[i * n + i], q);
                    place += other < value || (other == value && i < j);
                }
                w[matmul_offset(&w_at, first + q, place, 0)] = ldexp(value, e[q]);
                if (!v)
                    continue;
                global T *to = v + matmul_offset(&v_at, first + q, 0, place);
                const T *from = &LANE(x[j * n], q), largest = from[place_of_largest(from, n) * LANES];
                for (int k = 0; k < n; k++)
                    to[k * v_at.row] = turned_with(from[k * LANES], largest, false);
            }
    }
}

/* Makes the n columns of b, m numbers each, orthogonal by rotating pairs of them; the columns of v are rotated as
 * well. */
inline void orthogonalise(lanes *b, lanes *v, int m, int n, bool vectors)
{
    const T close = EPSILON * sqrt((T)m);
    mask done = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        mask turned_any = 0;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                lanes pp = 0, qq = 0, pq = 0;
                for (int i = 0; i < m; i++) {
                    const lanes x = b[p * m + i], y = b[q * m + i];
                    pp = fma(x, x, pp);
                    qq = fma(y, y, qq);
                    pq = fma(x, y, pq);
                }
                const mask idle = done | !(fabs(pq) > close * sqrt(pp) * sqrt(qq)) | (pp <= LEAST_SQUARE) |
                                  (qq <= LEAST_SQUARE);
                turned_any |= !idle;
                if (all(idle))
                    continue;
                const lanes turned = tangent(qq - pp, pq, idle);
                const lanes c = 1 / sqrt(fma(turned, turned, (lanes)(1))), s = turned * c;
                for (int i = 0; i < m; i++)
                    turn(b + p * m + i, b + q * m + i, c, s);
                if (vectors)
                    for (int k = 0; k < n; k++)
                        turn(v + p * n + k, v + q * n + k, c, s);
            }
        done |= !turned_any;
        if (all(done))
            break;
    }
}

/* Singular values of m x n matrices, m >= n, descending, and vectors as columns of u, `wide` of them, and of v, unless
 * these are NULL. The largest number of each vector of v is above 0, or of u where the matrix is the `turned` one of
 * the user's. */
KERNEL(1) jacobi_svd(global const T *a, matmul_view at, global T *u, matmul_view u_at, global T *s, matmul_view s_at,
                     global T *v, matmul_view v_at, long batches, long rows, long columns, long wide, long turned,
                     VERDICT_PARAMETERS)
{
    const int m = (int)rows, n = (int)columns;
    for (long first = get_group_id(0) * LANES; first < batches; first += get_num_groups(0) * LANES) {
        const int count = (int)min((long)LANES, batches - first);
        lanes b[MOST * MOST], x[MOST * MOST], ordered[MOST * MOST];
        for (int i = 0; i < m * n; i++)
            b[i] = 0;
        for (int i = 0; i < n * n; i++)
            x[i] = i % (n + 1) == 0;
        int e[LANES];
        for (int q = 0; q < count; q++)
            e[q] = load(&LANE(b[0], q), a, &at, first + q, m, n, false, turned, VERDICT);
        orthogonalise(b, x, m, n, v != 0);
        lanes squares[MOST];
        for (int j = 0; j < n; j++) {
            squares[j] = 0;
            for (int i = 0; i < m; i++)
                squares[j] = fma(b[j * m + i], b[j * m + i], squares[j]);
        }
        for (int q = 0; q < count; q++) {
            int from[MOST], known = 0;
            for (int j = 0; j < n; j++) {
                const T square = LANE(squares[j], q);
                int place = 0;
                for (int i = 0; i < n; i++) {
                    const T other = LANE(squares[i], q);
                    place += other > square || (other == square && i < j);
                }
                from[place] = j;
                known += square > LEAST_SQUARE;
                s[matmul_offset(&s_at, first + q, place, 0)] = ldexp(sqrt(square), e[q]);
            }
            if (!v)
                continue;
            for (int j = 0; j < wide; j++) {
                T *to = &LANE(ordered[j * m], q);
                if (j >= known) {
                    complete(&LANE(ordered[0], q), m * LANES, j, m);
                    continue;
                }
                const T scale = 1 / sqrt(LANE(squares[from[j]], q));
                for (int i = 0; i < m; i++)
                    to[i * LANES] = LANE(b[from[j] * m + i], q) * scale;
            }
            for (int j = 0; j < wide; j++) {
                const T *left = &LANE(ordered[j * m], q), *right = j < n ? &LANE(x[from[j] * n], q) : left;
                const bool by_right = j < n && !turned;
                const T *of = by_right ? right : left, largest = of[place_of_largest(of, by_right ? n : m) * LANES];
                for (int i = 0; i < m; i++)
                    u[matmul_offset(&u_at, first + q, i, j)] = turned_with(left[i * LANES], largest, false);
                for (int k = 0; k < n && j < n; k++)
                    v[matmul_offset(&v_at, first + q, k, j)] = turned_with(right[k * LANES], largest, false);
            }
        }
    }
}
