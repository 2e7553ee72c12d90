/* Eigenvectors of triangles, by back substitution, and of the original matrices. A work-item takes a vector. */
#include "parts/field.cl"
#include "parts/schur.cl"

/* A vector while it is found: a row of numbers, of complex ones of real matrices two, for the parts. */
#ifdef PART
#define GET(of, i, wide) (of)[i]
#define PUT(of, i, wide, number) ((of)[i] = (number))
#else
#define GET(of, i, wide) ((PAIR)((of)[i], (wide) ? (of)[n + (i)] : 0))
#define PUT(of, i, wide, number)            \
    do {                                    \
        const PAIR put = (number);          \
        (of)[i] = put.x;                    \
        if (wide)                           \
            (of)[n + (i)] = put.y;          \
    } while (0)
#endif

inline PAIR row_sum(global const T *row, global const T *x, long from, long to, long n, bool wide)
{
#ifdef PART
    PAIR sum = 0;
    for (long j = from; j <= to; j++)
        sum += product(row[j], x[j]);
    return sum;
#else
    REAL s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 0, t1 = 0, t2 = 0, t3 = 0;
    global const T *y = wide ? x + n : x;
    long j = from;
    for (; j + 3 <= to; j += 4) {
        s0 += row[j] * x[j];
        s1 += row[j + 1] * x[j + 1];
        s2 += row[j + 2] * x[j + 2];
        s3 += row[j + 3] * x[j + 3];
        t0 += row[j] * y[j];
        t1 += row[j + 1] * y[j + 1];
        t2 += row[j + 2] * y[j + 2];
        t3 += row[j + 3] * y[j + 3];
    }
    for (; j <= to; j++) {
        s0 += row[j] * x[j];
        t0 += row[j] * y[j];
    }
    return (PAIR)((s0 + s1) + (s2 + s3), wide ? (t0 + t1) + (t2 + t3) : 0);
#endif
}

inline PAIR kept_from_zero(PAIR x, REAL least) { return size_of_pair(x) < least ? (PAIR)(least, 0) : x; }

/* Vectors of the triangles, a row each; of a pair of eigenvalues the first one's parts, a row each. */
kernel void find_vectors(global T *vectors, global const T *all, global const PAIR *values, global const REAL *norms,
                         long batches, long n)
{
    EACH_OF(task, batches * n)
    {
        const long batch = task / n, k = task % n;
        global const T *t = all + batch * n * n;
        global T *x = vectors + task * n;
        const PAIR w = values[task];
        const REAL least =
            fmax(fmax((REAL)EPSILON * size_of_pair(w), (REAL)(EPSILON * EPSILON) * norms[batch]), (REAL)TINY);
        bool wide = false;
        long top = k;
#ifndef PART
        wide = w.y > 0;
        top = wide ? k + 1 : k;
        if (w.y < 0)
            continue;
#endif
        for (long i = 0; i < n; i++)
            PUT(x, i, wide, (PAIR)(0, 0));
        PUT(x, k, wide, (PAIR)(1, 0));
#ifndef PART
        if (wide) {
            const REAL a = t[k * n + k], b = t[k * n + k + 1], c = t[(k + 1) * n + k], d = t[(k + 1) * n + k + 1];
            if (fabs(b) >= fabs(c)) {
                PUT(x, k + 1, wide, quotient((PAIR)(w.x - a, w.y), (PAIR)(b, 0)));
            } else {
                PUT(x, k, wide, quotient((PAIR)(w.x - d, w.y), (PAIR)(c, 0)));
                PUT(x, k + 1, wide, (PAIR)(1, 0));
            }
        }
#endif
        for (long i = k - 1; i >= 0; i--) {
            global const T *row = t + i * n;
            PAIR here = -row_sum(row, x, i + 1, top, n, wide);
            REAL most;
#ifndef PART
            if (i > 0 && row[i - 1] != 0) { /* two rows */
                global const T *other = row - n;
                const PAIR above = -row_sum(other, x, i + 1, top, n, wide);
                PAIR a = (PAIR)(other[i - 1] - w.x, -w.y), b = (PAIR)(other[i], 0), r = above;
                PAIR c = (PAIR)(row[i - 1], 0), d = (PAIR)(row[i] - w.x, -w.y), s = here;
                if (size_of_pair(c) > size_of_pair(a)) {
                    const PAIR e = a, f = b, g = r;
                    a = c, b = d, r = s;
                    c = e, d = f, s = g;
                }
                const PAIR ratio = quotient(c, a);
                const PAIR low = quotient(s - product(ratio, r), kept_from_zero(d - product(ratio, b), least));
                const PAIR high = quotient(r - product(b, low), a);
                PUT(x, i, wide, low);
                PUT(x, i - 1, wide, high);
                most = fmax(size_of_pair(low), size_of_pair(high));
                i--;
            } else
#endif
            {
                here = quotient(here, kept_from_zero(pair_of(row[i]) - w, least));
                PUT(x, i, wide, here);
                most = size_of_pair(here);
            }
            if (most > BIG) {
                const REAL less = 1 / most;
                for (long j = i; j <= top; j++)
                    PUT(x, j, wide, GET(x, j, wide) * less);
            }
        }
    }
}

/* The rank among values by real parts, then by magnitudes of imaginary parts, with the positive one of a pair first. */
inline long place_of(global const PAIR *w, long n, long k)
{
    long place = 0;
    for (long i = 0; i < n; i++) {
        const PAIR a = w[i], b = w[k];
#ifdef PART
        const bool same_size = a.x == b.x && fabs(a.y) == fabs(b.y);
        const bool first = same_size && (a.y != b.y ? a.y > b.y : i < k);
#else
        const bool first = a.x == b.x && fabs(a.y) == fabs(b.y) && i < k;
#endif
        place += a.x < b.x || (a.x == b.x && fabs(a.y) < fabs(b.y)) || first;
    }
    return place;
}

/* Sorted values, multiplied by the powers of 2 by which the matrices were divided; and vectors, rows that become
 * columns, with balancing undone, length 1, and their largest numbers real and positive. */
kernel void give_eigenvectors(global PAIR *to, global PAIR *columns, global const PAIR *values, global const T *vectors,
                              global const int *orders, global const int *powers, global const int *exponents,
                              long batches, long n)
{
    EACH_OF(task, batches * n)
    {
        const long batch = task / n, k = task % n, place = place_of(values + batch * n, n, k);
        const PAIR w = values[task];
        to[batch * n + place] = (PAIR)(ldexp(w.x, exponents[batch]), ldexp(w.y, exponents[batch]));
        if (!columns)
            continue;
        bool wide = false;
        global const T *x = vectors + task * n;
#ifndef PART
        wide = w.y != 0;
        if (w.y < 0)
            x -= n;
#endif
        global const int *power = powers + batch * n, *order = orders + batch * n;
        int most = -100000;
        for (long i = 0; i < n; i++) {
            const PAIR y = GET(x, i, wide);
            const REAL size = fmax(fabs(y.x), fabs(y.y));
            if (size > 0)
                most = max(most, ilogb(size) + power[i]);
        }
        REAL sum = 0, largest = 0;
        for (long i = 0; i < n; i++) {
            const PAIR y = GET(x, i, wide);
            const REAL scale = ldexp((REAL)1, max(power[i] - most, -1000)), re = y.x * scale, im = y.y * scale;
            const REAL square = re * re + im * im;
            sum += square;
            largest = fmax(largest, square);
        }
        long top = n;
        for (long i = 0; i < n; i++) { /* of nearly equal magnitudes the first in the user's order */
            const PAIR y = GET(x, i, wide);
            const REAL scale = ldexp((REAL)1, max(power[i] - most, -1000)), re = y.x * scale, im = y.y * scale;
            if (re * re + im * im >= (REAL)0.998 * largest && (top == n || order[i] < order[top]))
                top = i;
        }
        const PAIR peak = GET(x, top, wide);
        const REAL peak_size = hypot(peak.x, peak.y), norm = sqrt(sum);
        const PAIR way = (PAIR)(peak.x / peak_size, -peak.y / peak_size);
        for (long i = 0; i < n; i++) {
            const REAL scale = ldexp((REAL)1, max(power[i] - most, -1000));
            const PAIR y = GET(x, i, wide) * scale / norm;
            PAIR turned = wide || PARTS_OF_NUMBER == 2 ? product(y, way) : y * way.x;
            if (i == top)
                turned = (PAIR)(hypot(y.x, y.y), 0);
#ifndef PART
            turned.y = w.y < 0 ? -turned.y : w.y > 0 ? turned.y : 0;
#endif
            columns[(batch * n + order[i]) * n + place] = turned;
        }
    }
}
