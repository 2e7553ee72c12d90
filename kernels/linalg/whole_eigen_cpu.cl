/* Eigenvalues and singular values of single real matrices on CPUs: a work-item takes a whole matrix, in memory of its
 * group, whose rows are vectors. One kernel each, where blocks take eighteen and twenty-eight. */
#define SPACE global
#define STRIDE 1
#include "parts/small_vectors.cl"

#if ITEM_BYTES == 8
#define LANES 8
#else
#define LANES 16
#endif
typedef JOIN(T, LANES) lanes;
#define LOAD_LANES(p) JOIN(vload, LANES)(0, p)
#define STORE_LANES(x, p) JOIN(vstore, LANES)(x, 0, p)
#define STEPS 60
#define SWEEPS 60

inline T total(lanes x)
{
    T sum = 0;
    for (int q = 0; q < LANES; q++)
        sum += ((const T *)&x)[q];
    return sum;
}

inline T dot(global const T *x, global const T *y, int first, int end)
{
    lanes sum = 0;
    for (int j = first; j < end; j += LANES)
        sum += LOAD_LANES(x + j) * LOAD_LANES(y + j);
    return total(sum);
}

/* x less f times y. */
inline void subtract(global T *x, global const T *y, T f, int first, int end)
{
    for (int j = first; j < end; j += LANES)
        STORE_LANES(LOAD_LANES(x + j) - f * LOAD_LANES(y + j), x + j);
}

/* Loads m x n numbers, of which columns become rows, `pitch` apart and with zeros behind them, times a power of 2 that
 * makes the largest one less than 1; returns its exponent. Of a `lower` triangle both. A matrix that is not finite is
 * told of, and becomes zeros. */
inline int load(global T *s, int pitch, global const T *a, const matmul_view *at, long batch, int m, int n, bool lower,
                bool turned, volatile global lun_verdict *verdict)
{
    global const T *here = a + matmul_offset(at, batch, 0, 0);
    T largest = 0;
    bool finite = true;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < pitch; i++) {
            const bool other = lower && i < j;
            const T x = i >= m ? 0 : other ? here[j * at->row + i * at->column] : here[i * at->row + j * at->column];
            finite = finite && isfinite(x);
            largest = fmax(largest, fabs(x));
            s[j * pitch + i] = x;
        }
    if (!finite)
        say_unfinite(here, at->row, at->column, batch, m, n, lower, turned, verdict);
    const int e = finite ? exponent_of(largest) : 0;
    const T scale = finite ? ldexp((T)1, -e) : (T)0;
    for (int i = 0; i < n * pitch; i++)
        s[i] = finite ? s[i] * scale : 0;
    return e;
}

/* Q^T A Q becomes tridiagonal, d and e beside it. Row k of A gets the reflection that frees its numbers behind k + 1,
 * zeros before it, and `taus` what goes with it. */
inline void reflect(global T *a, int pitch, int n, global T *d, global T *e, global T *taus, global T *w)
{
    for (int k = 0; k < n; k++) {
        global T *v = a + k * pitch;
        const int first = (k + 1) & -LANES;
        T alpha = k + 1 < n ? v[k + 1] : 0, largest = 0, square = 0;
        d[k] = v[k];
        for (int i = 0; i <= k; i++)
            v[i] = 0;
        for (int i = k + 2; i < n; i++)
            largest = fmax(largest, fabs(v[i]));
        e[k] = alpha;
        taus[k] = 0;
        if (!(largest > 0))
            continue;
        const int up = exponent_of(fmax(largest, fabs(alpha)));
        const T scale = ldexp((T)1, -up);
        for (int i = k + 1; i < n; i++) {
            v[i] *= scale;
            square += v[i] * v[i];
        }
        alpha *= scale;
        const T norm = sqrt(square), size = fabs(alpha) + norm;
        e[k] = ldexp(-copysign(norm, alpha), up);
        for (int i = k + 2; i < n; i++)
            v[i] /= size;
        const T tau = size / norm;
        v[k + 1] = copysign((T)1, alpha);
        taus[k] = tau;
        for (int i = 0; i < pitch; i++)
            w[i] = 0;
        for (int i = k + 1; i < n; i++)
            w[i] = tau * dot(a + i * pitch, v, first, pitch);
        subtract(w, v, tau / 2 * dot(w, v, first, pitch), first, pitch);
        for (int i = k + 1; i < n; i++) {
            const T f = v[i], g = w[i];
            global T *row = a + i * pitch;
            for (int j = first; j < pitch; j += LANES)
                STORE_LANES(LOAD_LANES(row + j) - f * LOAD_LANES(w + j) - g * LOAD_LANES(v + j), row + j);
        }
    }
}

/* Q^T of the reflections in x. */
inline void gather(global T *x, global const T *a, int pitch, int n, global const T *taus)
{
    for (int i = 0; i < n * pitch; i++)
        x[i] = i / pitch == i % pitch;
    for (int k = n - 3; k >= 0; k--)
        for (int i = k + 1; i < n; i++)
            subtract(x + i * pitch, a + k * pitch, taus[k] * dot(x + i * pitch, a + k * pitch, (k + 1) & -LANES, pitch),
                     (k + 1) & -LANES, pitch);
}

/* Implicit QL steps: d becomes the eigenvalues, and the rows of x turn with them. c and s have room for a step's
 * rotations, which then run down the rows, each of which is read and written once. */
inline void iterate(global T *d, global T *e, int n, global T *x, int pitch, global T *c, global T *s)
{
    for (int l = 0; l < n; l++)
        for (int step = 0; step < STEPS; step++) {
            int m = l;
            for (; m < n - 1; m++)
                if (fabs(e[m]) <= (T)EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                    break;
            if (m == l)
                break;
            T g = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(fma(g, g, (T)1)), sine = 1, cosine = 1, p = 0;
            g = d[m] - d[l] + e[l] / (g + copysign(r, g));
            int i = m - 1;
            for (; i >= l; i--) {
                const T f = sine * e[i], b = cosine * e[i];
                r = sqrt(fma(f, f, g * g));
                e[i + 1] = r;
                if (r == 0)
                    break;
                sine = f / r;
                cosine = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * sine + 2 * cosine * b;
                p = sine * r;
                d[i + 1] = g + p;
                g = cosine * r - b;
                c[i] = cosine;
                s[i] = sine;
            }
            for (int j = 0; j < pitch && x; j += LANES) {
                lanes carried = LOAD_LANES(x + m * pitch + j);
                for (int k = m - 1; k > i; k--) {
                    const lanes row = LOAD_LANES(x + k * pitch + j);
                    STORE_LANES(s[k] * row + c[k] * carried, x + (k + 1) * pitch + j);
                    carried = c[k] * row - s[k] * carried;
                }
                STORE_LANES(carried, x + (i + 1) * pitch + j);
            }
            if (i >= l) { /* a rotation of nothing: the matrix has come apart there */
                d[i + 1] -= p;
                e[m] = 0;
                continue;
            }
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
}

/* The place of value j among n, ascending, or descending. */
inline int place_among(global const T *values, int n, int j, bool down)
{
    int place = 0;
    for (int i = 0; i < n; i++)
        place += down ? values[i] > values[j] : values[i] < values[j];
    for (int i = 0; i < j; i++)
        place += values[i] == values[j];
    return place;
}

/* Eigenvalues of symmetric matrices, ascending, and the vectors as columns of v, unless v is NULL. Lower triangles are
 * read, upper ones of the user's where these are `turned`. A group has 2 n + 6 rows of `room`. */
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void whole_eigh(global const T *a, matmul_view at, global T *w, matmul_view w_at, global T *v, matmul_view v_at,
                long batches, long size, long turned, long pitch, global T *room, VERDICT_PARAMETERS)
{
    const int n = (int)size, next = (int)pitch;
    global T *s = room + get_group_id(0) * (2 * n + 6) * pitch, *x = v ? s + n * pitch : 0;
    global T *d = s + 2 * n * pitch, *e = d + pitch, *taus = e + pitch, *more = taus + pitch;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int up = load(s, next, a, &at, batch, n, n, true, turned, VERDICT);
        reflect(s, next, n, d, e, taus, more);
        if (v)
            gather(x, s, next, n, taus);
        iterate(d, e, n, x, next, more, more + pitch);
        for (int j = 0; j < n; j++) {
            const int place = place_among(d, n, j, false);
            w[matmul_offset(&w_at, batch, place, 0)] = ldexp(d[j], up);
            if (!v)
                continue;
            global T *to = v + matmul_offset(&v_at, batch, 0, place);
            global const T *from = x + j * pitch;
            const T largest = from[place_of_largest(from, n)];
            for (int k = 0; k < n; k++)
                to[k * v_at.row] = turned_with(from[k], largest, false);
        }
    }
}

/* The rows x and y, turned by an angle of that tangent. */
inline void turn(global T *x, global T *y, T tangent, int pitch)
{
    const T c0 = 1 / sqrt(fma(tangent, tangent, (T)1)), s0 = tangent * c0;
    const T more = fma(-s0, s0, (1 - c0) * (1 + c0)) / 2; /* what rounding took from the length of (c, s) */
    const T c = fma(c0, more, c0), s = fma(s0, more, s0);
    for (int j = 0; j < pitch; j += LANES) {
        const lanes before = LOAD_LANES(x + j), other = LOAD_LANES(y + j);
        STORE_LANES(c * before - s * other, x + j);
        STORE_LANES(s * before + c * other, y + j);
    }
}

/* Makes n rows of b orthogonal, by turning pairs of them (Jacobi's rotations from one side); those of x turn with
 * them. */
inline void orthogonalise(global T *b, int b_pitch, int m, int n, global T *x, int x_pitch)
{
    const T close = (T)EPSILON * sqrt((T)m);
    bool any = true;
    for (int sweep = 0; sweep < SWEEPS && any; sweep++) {
        any = false;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                global T *left = b + p * b_pitch, *right = b + q * b_pitch;
                lanes pps = 0, qqs = 0, pqs = 0;
                for (int j = 0; j < b_pitch; j += LANES) {
                    const lanes y = LOAD_LANES(left + j), z = LOAD_LANES(right + j);
                    pps += y * y;
                    qqs += z * z;
                    pqs += y * z;
                }
                const T pp = total(pps), qq = total(qqs), pq = total(pqs);
                if (!(fabs(pq) > close * sqrt(pp) * sqrt(qq)) || pp <= LEAST_SQUARE || qq <= LEAST_SQUARE)
                    continue;
                const T ratio = (qq - pp) / (2 * pq), size = fmin(fabs(ratio), (T)MOST_RATIO);
                const T tangent =
                    copysign((T)1, ratio) / (fabs(ratio) + fmax(sqrt(fma(size, size, (T)1)), fabs(ratio)));
                any = true;
                turn(left, right, tangent, b_pitch);
                if (x)
                    turn(x + p * x_pitch, x + q * x_pitch, tangent, x_pitch);
            }
    }
}

/* Singular values of m x n matrices, m >= n, descending, and vectors as columns of u, `wide` of them, and of v, unless
 * these are NULL. The largest number of each vector of v is above 0, or of u where the matrix is the `turned` one of
 * the user's. A group has `room` for n + wide rows of m numbers, and n + 1 of n. */
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void whole_svd(global const T *a, matmul_view at, global T *u, matmul_view u_at, global T *s, matmul_view s_at,
               global T *v, matmul_view v_at, long batches, long rows, long columns, long wide, long turned,
               long high, long across, global T *room, VERDICT_PARAMETERS)
{
    const int m = (int)rows, n = (int)columns, next = (int)high;
    global T *b = room + get_group_id(0) * ((n + wide) * high + (n + 1) * across), *to = b + n * high;
    global T *x = to + wide * high, *squares = x + n * across;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int up = load(b, next, a, &at, batch, m, n, false, turned, VERDICT);
        int known = 0;
        for (int i = 0; i < n * across; i++)
            x[i] = i / across == i % across;
        orthogonalise(b, next, m, n, v ? x : 0, (int)across);
        for (int j = 0; j < n; j++) {
            squares[j] = dot(b + j * high, b + j * high, 0, next);
            known += squares[j] > LEAST_SQUARE;
        }
        for (int j = 0; j < n; j++) {
            const int place = place_among(squares, n, j, true);
            s[matmul_offset(&s_at, batch, place, 0)] = ldexp(sqrt(squares[j]), up);
            for (int i = 0; i < m && v && place < known; i++)
                to[place * high + i] = b[j * high + i] / sqrt(squares[j]);
        }
        for (int j = known; j < wide; j++)
            complete(to, next, j, m);
        for (int j = 0; j < wide; j++) {
            const int place = j < n ? place_among(squares, n, j, true) : j;
            global const T *left = to + place * high, *right = x + j * across;
            const bool by_right = j < n && !turned;
            global const T *of = by_right ? right : left;
            const T largest = of[place_of_largest(of, by_right ? n : m)];
            for (int i = 0; i < m; i++)
                u[matmul_offset(&u_at, batch, i, place)] = turned_with(left[i], largest, false);
            for (int k = 0; k < n && j < n; k++)
                v[matmul_offset(&v_at, batch, k, place)] = turned_with(right[k], largest, false);
        }
    }
}
