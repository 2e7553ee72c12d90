/* Cosine and sine transforms: what their Fourier transform reads, and what is made of its result. */
#include "abi/dct.h"
#include "parts/fft.cl"

#ifndef DCT_INDEX /* what counts all numbers of the operation's memory */
#define DCT_INDEX long
#endif

/* A loop over work-items' strips of lines: `line` is the line's first element in the array, `own` in the operation's
 * memory. */
#define FOR_STRIPS(p, count)                                                                                           \
    const DCT_INDEX strips = (DCT_INDEX)(((count) + s->strip - 1) / s->strip), inner = (DCT_INDEX)s->inner;            \
    FOR_SPREAD(i, s->outer * strips * inner)                                                                           \
    for (DCT_INDEX rest = (DCT_INDEX)i / inner, beside = (DCT_INDEX)i - rest * inner, outer = rest / strips,           \
                   own = outer * (DCT_INDEX)s->core * inner + beside, one = 1; one; one = 0)                           \
        for (long line = s->at + layout_offset(&s->around, outer * inner + beside),                                    \
                  p = (long)(rest - outer * strips) * s->strip, p##_end = min((long)(count), p + s->strip);            \
             p < p##_end; p++)

#define DCT_HAS(flag) ((s->flags & (flag)) != 0)

/* Is it one of the numbers that orthogonal transforms scale? */
inline bool dct_is_end(const dct_shape *s, long k) { return k == 0 || (s->form == DCT_EVEN && k == s->n - 1); }

/* The j-th number of a line as the cosine transform has it. */
inline PART dct_taken(const dct_shape *s, global const SRC_PART *src, long line, long j)
{
    const long from = DCT_HAS(DCT_REVERSE_IN) ? s->n - 1 - j : j;
    PART x = from < s->has ? src[line + from * s->step] : 0;
    if (DCT_HAS(DCT_ALTERNATE_IN) && (j & 1))
        x = -x;
    return DCT_HAS(DCT_ENDS_IN) && dct_is_end(s, j) ? x * sqrt((PART)2) : x;
}

/* The line goes on as its mirror image, and with the opposite sign. */
inline PART dct_folded(const dct_shape *s, global const SRC_PART *src, long line, long m)
{
    const long n = s->n, at = m < 2 * n ? m : m - 2 * n;
    const PART x = dct_taken(s, src, line, at < n ? at : 2 * n - 1 - at);
    return (at < n) == (m < 2 * n) ? x : -x;
}

inline PART dct_real(const dct_shape *s, global const SRC_PART *src, long line, long m)
{
    const long n = s->n;
    if (s->form == DCT_ORDERED)
        return dct_taken(s, src, line, 2 * m < n ? 2 * m : 2 * (n - m) - 1);
    if (s->form == DCT_FOLDED)
        return dct_folded(s, src, line, (n / 2 + 4 * m) % (4 * n));
    if (s->form == DCT_EVEN)
        return dct_taken(s, src, line, m < n ? m : 2 * (n - 1) - m);
    if (m == 0 || m == n + 1)
        return 0;
    return m <= n ? dct_taken(s, src, line, m - 1) : -dct_taken(s, src, line, 2 * n + 1 - m);
}

KERNEL(GROUP) dct_before(global DST_PART *dst, global const SRC_PART *src, dct_shape shape, global const COMPUTE *roots)
{
    const dct_shape *s = &shape;
    FOR_STRIPS(m, s->core) {
        const long to = own + m * s->inner;
        if (s->form == DCT_PAIRS) {
            const COMPUTE z = (COMPUTE)(dct_taken(s, src, line, 2 * m), dct_taken(s, src, line, s->n - 1 - 2 * m));
            PUT_PAIR(dst, to, fft_product(z, fft_root(roots, s->shift, 4 * m + 1)));
        } else if (s->form == DCT_SPECTRUM) {
            const COMPUTE z = (COMPUTE)(dct_taken(s, src, line, m), m ? -dct_taken(s, src, line, s->n - m) : 0);
            PUT_PAIR(dst, to, fft_product(z, fft_conjugate(fft_root(roots, s->shift, m))));
        } else {
            dst[to] = dct_real(s, src, line, m);
        }
    }
}

/* The part along the direction of -(2k + 1) eighths of a turn, times the root of 2. */
inline PART dct_eighths(COMPUTE z, long k)
{
    const PART x = (k & 3) == 1 || (k & 3) == 2 ? -z.x : z.x;
    return k & 2 ? x - z.y : x + z.y;
}

/* The k-th number of a line's cosine transform. */
inline PART dct_made(const dct_shape *s, global const SRC_PART *src, long own, long k, global const COMPUTE *roots)
{
    const long n = s->n;
    if (s->form == DCT_SPECTRUM)
        return src[own + (k & 1 ? n - 1 - k / 2 : k / 2) * s->inner];
    if (s->form == DCT_EVEN)
        return PAIR_OF(src, own + k * s->inner).x;
    if (s->form == DCT_ODD)
        return -PAIR_OF(src, own + (k + 1) * s->inner).y;
    if (s->form == DCT_FOLDED) {
        const long at = (2 * k + 1) % n, other = n - at;
        const COMPUTE z = PAIR_OF(src, own + min(at, other) * s->inner);
        return dct_eighths(at <= other ? z : fft_conjugate(z), k) * sqrt((PART)2);
    }
    const bool pairs = s->form == DCT_PAIRS, real = pairs ? !(k & 1) : 2 * k <= n;
    const long at = pairs ? (real ? k : n - 1 - k) / 2 : real ? k : n - k;
    const COMPUTE root = fft_root(roots, s->shift, pairs ? 4 * at : at);
    const COMPUTE z = fft_product(PAIR_OF(src, own + at * s->inner), root);
    return 2 * (real ? z.x : -z.y);
}

KERNEL(GROUP) dct_after(global DST_PART *dst, global const SRC_PART *src, dct_shape shape, PART scale,
                        global const COMPUTE *roots)
{
    const dct_shape *s = &shape;
    FOR_STRIPS(k, s->n) {
        PART y = dct_made(s, src, own, k, roots) * scale;
        if (DCT_HAS(DCT_ENDS_OUT) && dct_is_end(s, k))
            y *= sqrt((PART)0.5f);
        if (DCT_HAS(DCT_ALTERNATE_OUT) && (k & 1))
            y = -y;
        dst[line + (DCT_HAS(DCT_REVERSE_OUT) ? s->n - 1 - k : k) * s->step] = (DST_PART)y;
    }
}
