/* Eigenvalues and singular values of single matrices on CPUs: a work-item takes a whole matrix, in memory of its
 * group, whose rows are vectors. One kernel each, where blocks take eighteen and twenty-eight. */
#include "parts/long_matrix.cl"

#define STEPS 60
#define SWEEPS 60
#ifdef PART
#define BESIDE(x) absolute(x)
#define TURNED(v, way) scaled(v, way)
#else
#define BESIDE(x) (x)
#define TURNED(v, way) (v)
#endif

/* Number k beside the diagonal, real, and the direction that makes it so. */
inline void set_beside(global REAL *e, global T *ways, int k, int n, T x)
{
#ifdef PART
    const T way = times(ways[k], direction(x));
    e[k] = absolute(x);
#else
    const T way = 1;
    e[k] = x;
#endif
    if (k + 1 < n)
        ways[k + 1] = way;
}

/* Q^H A Q becomes tridiagonal, d and e beside it, real numbers. Column k of A gets the reflection that frees its
 * numbers behind k + 1, zeros before it, and `taus` what goes with it; `ways` the directions that make e real. */
inline void reflect(global T *a, int pitch, int n, global REAL *d, global REAL *e, global REAL *taus, global T *ways,
                    global T *w)
{
    ways[0] = of_real(1);
    for (int k = 0; k < n; k++) {
        global T *v = a + k * pitch;
        const int first = (k + 1) & -LANES;
        T alpha = k + 1 < n ? v[k + 1] : (T)(0);
        REAL largest = 0, square = 0, tau = 0;
        d[k] = real_of(v[k]);
        for (int i = 0; i <= k; i++)
            v[i] = 0;
        for (int i = k + 2; i < n; i++)
            largest = fmax(largest, most_of(v[i]));
        if (largest > 0) {
            const int up = exponent_of(fmax(largest, most_of(alpha)));
            const REAL scale = ldexp((REAL)1, -up);
            for (int i = k + 1; i < n; i++) {
                v[i] *= scale;
                square += square_of(v[i]);
            }
            alpha *= scale;
            const REAL norm = sqrt(square), size = absolute(alpha) + norm;
            for (int i = k + 2; i < n; i++)
                v[i] /= size;
            tau = size / norm;
            v[k + 1] = direction(alpha);
            alpha = -v[k + 1] * ldexp(norm, up);
            for (int i = 0; i < pitch; i++)
                w[i] = 0;
            for (int i = k + 1; i < n; i++)
                w[i] = tau * dot(a + i * pitch, v, first, pitch);
            subtract(w, v, tau / 2 * dot(w, v, first, pitch), first, pitch);
            for (int i = k + 1; i < n; i++) {
                const T f = conjugate(v[i]), g = conjugate(w[i]);
                global T *row = a + i * pitch;
                for (int j = first; j < pitch; j += LANES)
                    STORE_LANES(LOAD_LANES(row + j) - scaled(LOAD_LANES(w + j), f) - scaled(LOAD_LANES(v + j), g),
                                row + j);
            }
        }
        taus[k] = tau;
        set_beside(e, ways, k, n, alpha);
    }
}

/* Q^H of the reflections in x. */
inline void gather(global T *x, global const T *a, int pitch, int n, global const REAL *taus, global const T *ways)
{
    for (int i = 0; i < n * pitch; i++)
        x[i] = i / pitch == i % pitch ? ways[i / pitch] : (T)(0);
    for (int k = n - 3; k >= 0; k--)
        for (int i = k + 1; i < n; i++)
            subtract(x + i * pitch, a + k * pitch, taus[k] * dot(a + k * pitch, x + i * pitch, (k + 1) & -LANES, pitch),
                     (k + 1) & -LANES, pitch);
}

/* Implicit QL steps: d becomes the eigenvalues, and the rows of x turn with them. c and s have room for a step's
 * rotations, which then run down the rows, each of which is read and written once. */
inline void iterate(global REAL *d, global REAL *e, int n, global REAL *x, int pitch, global REAL *c, global REAL *s)
{
    for (int l = 0; l < n; l++)
        for (int step = 0; step < STEPS; step++) {
            int m = l;
            for (; m < n - 1; m++)
                if (fabs(e[m]) <= (REAL)EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                    break;
            if (m == l)
                break;
            REAL g = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(fma(g, g, (REAL)1)), sine = 1, cosine = 1, p = 0;
            g = d[m] - d[l] + e[l] / (g + copysign(r, g));
            int i = m - 1;
            for (; i >= l; i--) {
                const REAL f = sine * e[i], b = cosine * e[i];
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
            for (int j = 0; j < pitch && x; j += WIDTH) {
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
inline int place_among(global const REAL *values, int n, int j, bool down)
{
    int place = 0;
    for (int i = 0; i < n; i++)
        place += down ? values[i] > values[j] : values[i] < values[j];
    for (int i = 0; i < j; i++)
        place += values[i] == values[j];
    return place;
}

/* Eigenvalues of Hermitian matrices, ascending, and the vectors as columns of v, unless v is NULL. Lower triangles are
 * read, upper ones of the user's where these are `turned`. A group has 2 n + 7 rows of `room`. */
KERNEL(1) whole_eigh(global const T *a, matmul_view at, global REAL *w, matmul_view w_at, global T *v, matmul_view v_at,
                     long batches, long size, long turned, long pitch, global T *room, VERDICT_PARAMETERS)
{
    const int n = (int)size, next = (int)pitch;
    global T *s = room + get_group_id(0) * (2 * n + 7) * pitch, *x = v ? s + n * pitch : 0;
    global T *ways = s + 2 * n * pitch, *more = ways + pitch;
    global REAL *d = (global REAL *)(more + pitch), *e = d + pitch, *taus = e + pitch, *turns = taus + pitch;
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int up = load(s, next, a, &at, batch, n, n, 0, n, true, turned, VERDICT);
        reflect(s, next, n, d, e, taus, ways, more);
        if (v)
            gather(x, s, next, n, taus, ways);
        iterate(d, e, n, (global REAL *)x, next * PARTS_OF_NUMBER, turns, turns + pitch);
        for (int j = 0; j < n; j++) {
            const int place = place_among(d, n, j, false);
            w[matmul_offset(&w_at, batch, place, 0)] = ldexp(d[j], up);
            if (!v)
                continue;
            global T *to = v + matmul_offset(&v_at, batch, 0, place);
            global const T *from = x + j * pitch;
            const int top = place_of_largest(from, n);
            for (int k = 0; k < n; k++)
                to[k * v_at.row] = turned_with(from[k], from[top], k == top);
        }
    }
}

/* The rows x and y, turned by an angle of that tangent, y by a direction before. */
inline void turn(global T *x, global T *y, REAL tangent, T way, int pitch)
{
    const REAL c0 = 1 / sqrt(fma(tangent, tangent, (REAL)1)), s0 = tangent * c0;
    const REAL more = fma(-s0, s0, (1 - c0) * (1 + c0)) / 2; /* what rounding took from the length of (c, s) */
    const REAL c = fma(c0, more, c0), s = fma(s0, more, s0);
    for (int j = 0; j < pitch; j += LANES) {
        const lanes before = LOAD_LANES(x + j), other = TURNED(LOAD_LANES(y + j), way);
        STORE_LANES(c * before - s * other, x + j);
        STORE_LANES(s * before + c * other, y + j);
    }
}

/* Makes n rows of b orthogonal, by turning pairs of them (Jacobi's rotations from one side); those of x turn with
 * them. */
inline void orthogonalise(global T *b, int b_pitch, int m, int n, global T *x, int x_pitch)
{
    const REAL close = (REAL)EPSILON * sqrt((REAL)m);
    bool any = true;
    for (int sweep = 0; sweep < SWEEPS && any; sweep++) {
        any = false;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                global T *left = b + p * b_pitch, *right = b + q * b_pitch;
                lanes pps = 0, qqs = 0, pqs = 0, crossed = 0;
                for (int j = 0; j < b_pitch; j += LANES) {
                    const lanes y = LOAD_LANES(left + j), z = LOAD_LANES(right + j);
                    pps += y * y;
                    qqs += z * z;
                    pqs += y * z;
                    crossed += y * SWAPPED(z);
                }
                const T product = joined(pqs, crossed);
                const REAL pp = total(pps), qq = total(qqs), pq = BESIDE(product);
                if (!(fabs(pq) > close * sqrt(pp) * sqrt(qq)) || pp <= LEAST_SQUARE || qq <= LEAST_SQUARE)
                    continue;
                const REAL ratio = (qq - pp) / (2 * pq), size = fmin(fabs(ratio), (REAL)MOST_RATIO);
                const REAL tangent =
                    copysign((REAL)1, ratio) / (fabs(ratio) + fmax(sqrt(fma(size, size, (REAL)1)), fabs(ratio)));
                const T way = conjugate(direction(product));
                any = true;
                turn(left, right, tangent, way, b_pitch);
                if (x)
                    turn(x + p * x_pitch, x + q * x_pitch, tangent, way, x_pitch);
            }
    }
}

/* Singular values of m x n matrices, m >= n, descending, and vectors as columns of u, `wide` of them, and of v, unless
 * these are NULL. The largest number of each vector of v is above 0, or of u where the matrix is the `turned` one of
 * the user's. A group has `room` for n + wide rows of m numbers, and n + 1 of n. */
KERNEL(1) whole_svd(global const T *a, matmul_view at, global T *u, matmul_view u_at, global REAL *s, matmul_view s_at,
                    global T *v, matmul_view v_at, long batches, long rows, long columns, long wide, long turned,
                    long high, long across, global T *room, VERDICT_PARAMETERS)
{
    const int m = (int)rows, n = (int)columns, next = (int)high;
    global T *b = room + get_group_id(0) * ((n + wide) * high + (n + 1) * across), *to = b + n * high;
    global T *x = to + wide * high;
    global REAL *squares = (global REAL *)(x + n * across);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        const int up = load(b, next, a, &at, batch, m, n, 0, n, false, turned, VERDICT);
        int known = 0;
        for (int i = 0; i < n * across; i++)
            x[i] = of_real(i / across == i % across);
        orthogonalise(b, next, m, n, v ? x : 0, (int)across);
        for (int j = 0; j < n; j++) {
            squares[j] = real_of(dot(b + j * high, b + j * high, 0, next));
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
            const int top = place_of_largest(of, by_right ? n : m);
            for (int i = 0; i < m; i++)
                u[matmul_offset(&u_at, batch, i, place)] = turned_with(left[i], of[top], !by_right && i == top);
            for (int k = 0; k < n && j < n; k++)
                v[matmul_offset(&v_at, batch, k, place)] = turned_with(right[k], of[top], by_right && k == top);
        }
    }
}
