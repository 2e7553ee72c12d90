/* Upper Hessenberg matrices become triangles by shifted QR steps (Francis), of real matrices with two shifts at once,
 * so that 2 x 2 blocks stay on their diagonal. SHARING items take a matrix: all of them find the same reflections, and
 * each turns its share of rows and columns. */
#include "parts/verdict.cl"
#include "parts/field.cl"
#include "parts/reflection.cl"
#include "parts/schur.cl"

/* May the number below the diagonal before row k be 0 (Ahues and Tisseur 1997)? */
inline bool is_negligible(global const T *h, long n, long k, REAL norm)
{
    const T above = h[(k - 1) * n + k - 1], here = h[k * n + k];
    const REAL below = size_of(h[k * n + k - 1]), beside = size_of(h[(k - 1) * n + k]);
    REAL size = size_of(above) + size_of(here);
    if (below <= TINY)
        return true;
    if (size == 0)
        size = norm;
    if (below > EPSILON * size)
        return false;
    const REAL ab = fmax(below, beside), ba = fmin(below, beside);
    const REAL apart = size_of(above - here), aa = fmax(size_of(here), apart), bb = fmin(size_of(here), apart);
    return ba * (ab / (aa + ab)) <= fmax((REAL)TINY, EPSILON * (bb * (aa / (aa + ab)))) ||
           ba <= EPSILON * EPSILON * size;
}

/* The first column of the product of what is shifted, of the part from l to hi; `odd`: shifts that break a circle. */
inline void first_column(T *x, global const T *h, long n, long l, long hi, bool odd)
{
#ifdef PART
    const T a = h[(hi - 1) * n + hi - 1], b = h[(hi - 1) * n + hi], c = h[hi * n + hi - 1], d = h[hi * n + hi];
    T shift = d;
    if (odd) {
        shift = d + of_real((REAL)0.75 * absolute(c));
    } else {
        const REAL most = fmax(fmax(most_of(a - d), most_of(b)), most_of(c));
        if (most > 0) {
            const T p = (a - d) / (2 * most), z = times(p, p) + times(b / most, c / most);
            T root = root_of(z);
            if (p.x * root.x + p.y * root.y < 0)
                root = -root;
            if (most_of(p + root) > 0)
                shift = d - times(over(times(b / most, c / most), p + root), of_real(most));
        }
    }
    x[0] = h[l * n + l] - shift;
    x[1] = h[(l + 1) * n + l];
#else
    REAL a = h[(hi - 1) * n + hi - 1], b = h[(hi - 1) * n + hi], c = h[hi * n + hi - 1], d = h[hi * n + hi];
    if (odd) {
        const REAL s = fabs(c) + fabs(h[(hi - 1) * n + hi - 2]);
        a = d = (REAL)0.75 * s + d;
        b = (REAL)-0.4375 * s;
        c = s;
    }
    const REAL most = fabs(a) + fabs(b) + fabs(c) + fabs(d);
    REAL r1 = 0, i1 = 0, r2 = 0, i2 = 0;
    if (most > 0) {
        a /= most, b /= most, c /= most, d /= most;
        const REAL middle = (a + d) / 2, z = (a - middle) * (d - middle) - b * c, root = sqrt(fabs(z));
        if (z >= 0) {
            r1 = r2 = middle * most;
            i1 = root * most;
            i2 = -i1;
        } else { /* of two real shifts the nearer one, twice */
            r1 = middle + root;
            r2 = middle - root;
            r1 = r2 = (fabs(r1 - d) <= fabs(r2 - d) ? r1 : r2) * most;
        }
    }
    const REAL h00 = h[l * n + l], h10 = h[(l + 1) * n + l], h11 = h[(l + 1) * n + l + 1];
    const REAL s = fabs(h00 - r2) + fabs(i2) + fabs(h10), low = h10 / s;
    x[0] = low * h[l * n + l + 1] + (h00 - r1) * ((h00 - r2) / s) - i1 * (i2 / s);
    x[1] = low * (h00 + h11 - r1 - r2);
    x[2] = low * h[(l + 2) * n + l + 1];
#endif
}

/* Reflections of `count` rows from r on, with 1 and v's numbers from the second on as a vector; of columns the same in
 * rows of h. An item takes its share. */
inline void turn_rows(global T *r, const T *v, REAL f, long count, long n, long from, long behind)
{
    global T *r1 = r + n;
#ifndef PART
    if (count == 3) {
        global T *r2 = r1 + n;
        const T v1 = v[1], v2 = v[2], f1 = f * v1, f2 = f * v2;
        EACH_SHARE(j, from, behind)
        {
            const T s = r[j] + v1 * r1[j] + v2 * r2[j];
            r[j] -= f * s;
            r1[j] -= f1 * s;
            r2[j] -= f2 * s;
        }
        return;
    }
#endif
    const T up = v[1], down = conjugate(v[1]);
    EACH_SHARE(j, from, behind)
    {
        const T s = (r[j] + times(down, r1[j])) * f;
        r[j] -= s;
        r1[j] -= times(up, s);
    }
}

inline void turn_columns(global T *h, const T *v, REAL f, long count, long n, long k, long from, long behind)
{
    const T up = v[1], down = conjugate(v[1]);
    EACH_SHARE(i, from, behind)
    {
        global T *row = h + i * n + k;
#ifndef PART
        if (count == 3) {
            const T s = row[0] + v[1] * row[1] + v[2] * row[2];
            row[0] -= f * s;
            row[1] -= f * v[1] * s;
            row[2] -= f * v[2] * s;
            continue;
        }
#endif
        const T s = (row[0] + times(up, row[1])) * f;
        row[0] -= s;
        row[1] -= times(down, s);
    }
}

/* A step on the part from l to hi; rows and columns from `from` to `to` turn with it, and those of z. */
inline void take_step(global T *h, global T *z, long n, long l, long hi, long from, long to, bool odd)
{
    T x[BULGE], v[BULGE], turned[BULGE];
    first_column(x, h, n, l, hi, odd);
    for (long k = l; k < hi; k++) {
        const long count = min((long)BULGE, hi - k + 1);
        REAL rest = 0, most = 0;
        WAIT;
        for (long i = 0; i < count; i++) {
            if (k > l)
                x[i] = h[(k + i) * n + k - 1];
            most = fmax(most, most_of(x[i]));
        }
        for (long i = 0; i < count; i++)
            x[i] = most > 0 ? x[i] / most : (T)(0);
        for (long i = 1; i < count; i++)
            rest += square_of(x[i]);
        const reflection found = find_reflection(x[0], rest);
        for (long i = 1; i < BULGE; i++) {
            v[i] = i < count ? times(x[i], found.scale) : (T)(0);
            turned[i] = conjugate(v[i]);
        }
        const REAL f = found.factor;
        const long last = min(k + BULGE, hi), end = f == 0 ? 0 : n;
        turn_rows(h + k * n, v, f, count, n, k, min(to + 1, end));
        if (z)
            turn_rows(z + k * n, turned, f, count, n, 0, end);
        WAIT;
        turn_columns(h, v, f, count, n, k, from, min(last + 1, end));
        for (long i = 0; k > l && i < count; i++)
            if (ITEM == 0)
                h[(k + i) * n + k - 1] = i == 0 ? found.beta * most : 0;
    }
}

#ifndef PART
/* The eigenvalues of the block that ends in row k; a block with real ones becomes a triangle. */
inline void split_block(global T *h, global T *z, global PAIR *values, long n, long k)
{
    const REAL a = h[(k - 1) * n + k - 1], b = h[(k - 1) * n + k], c = h[k * n + k - 1], d = h[k * n + k];
    const REAL p = (a - d) / 2, most = fmax(fabs(p), fmax(fabs(b), fabs(c)));
    const REAL square = (p / most) * (p / most) + (b / most) * (c / most), root = most * sqrt(fabs(square));
    if (square < 0) {
        values[k - 1] = (PAIR)(d + p, root);
        values[k] = (PAIR)(d + p, -root);
        return;
    }
    const REAL along = p + copysign(root, p), first = d + along, second = along == 0 ? d : d - b / along * c;
    values[k - 1] = (PAIR)(first, 0);
    values[k] = (PAIR)(second, 0);
    const REAL size = hypot(along, c);
    if (!z || size == 0)
        return;
    const REAL cosine = along / size, sine = c / size;
    WAIT;
    EACH_SHARE(j, k - 1, n)
    {
        const REAL x = h[(k - 1) * n + j], y = h[k * n + j];
        h[(k - 1) * n + j] = cosine * x + sine * y;
        h[k * n + j] = cosine * y - sine * x;
    }
    WAIT;
    EACH_SHARE(i, 0, k + 1)
    {
        const REAL x = h[i * n + k - 1], y = h[i * n + k];
        h[i * n + k - 1] = cosine * x + sine * y;
        h[i * n + k] = cosine * y - sine * x;
    }
    EACH_SHARE(j, 0, n)
    {
        const REAL x = z[(k - 1) * n + j], y = z[k * n + j];
        z[(k - 1) * n + j] = cosine * x + sine * y;
        z[k * n + j] = cosine * y - sine * x;
    }
    WAIT;
    h[(k - 1) * n + k - 1] = first;
    h[k * n + k] = second;
    h[k * n + k - 1] = 0;
}
#endif

/* At most that many steps, of `most` in all, after which a matrix is reported that has not become a triangle: -1 in
 * info. */
SHARED void take_steps(global T *all, global T *zs, global PAIR *values, global int *states, global const REAL *norms,
                       long batches, long n, long steps, long most, global int *info, VERDICT_PARAMETERS)
{
    EACH_OF(batch, batches)
    {
        global T *h = all + batch * n * n, *z = zs ? zs + batch * n * n : zs;
        global PAIR *w = values + batch * n;
        global int *state = states + 3 * batch;
        long hi = state[0], taken = 0;
        int since = state[1], total = state[2];
        while (hi >= 0 && taken < steps) {
            long l = hi;
            WAIT;
            while (l > 0 && !is_negligible(h, n, l, norms[batch]))
                l--;
            WAIT;
            if (l > 0)
                h[l * n + l - 1] = 0;
            if (l == hi) {
                w[hi] = pair_of(h[hi * n + hi]);
                hi--;
                since = 0;
                continue;
            }
#ifndef PART
            if (l == hi - 1) {
                split_block(h, z, w, n, hi);
                hi -= 2;
                since = 0;
                continue;
            }
#endif
            since++;
            total++;
            taken++;
            take_step(h, z, n, l, hi, z ? 0 : l, z ? n - 1 : hi, since % 10 == 0);
            if (total >= most) {
                if (ITEM == 0) {
                    info[batch] = -1;
                    verdict_say_both(VERDICT, batch * n, -1, n);
                }
                for (long i = 0; i <= hi; i++)
                    w[i] = (PAIR)(0, 0);
                hi = -1;
            }
        }
        state[0] = (int)hi;
        state[1] = since;
        state[2] = total;
    }
}
