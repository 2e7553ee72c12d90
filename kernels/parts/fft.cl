/* Steps of Fourier transforms: where their numbers lie, and how they come and go. */
#include "abi/fft.h"

#ifndef PART /* the file compiles alone */
#define PART float
#undef COMPUTE
#define COMPUTE float2
#include "parts/pairs.cl"
#endif
#ifndef FFT_LOAD /* programs of one kind of step say which */
#define FFT_LOAD s->load
#define FFT_STORE s->store
#define FFT_FLAGS s->flags
#endif
#ifndef FFT_INDEX
#define FFT_PLAIN_IN false
#define FFT_PLAIN_OUT false
#define FFT_AXES_USED s->axes
#define FFT_INDEX long
#endif
#ifndef FFT_PAIRED_IN /* do the two reals of each pair lie side by side, at an even place? */
#define FFT_PAIRED_IN false
#endif
#ifndef FFT_PAIRED_OUT
#define FFT_PAIRED_OUT false
#endif
#define FFT_HAS(flag) (FFT_FLAGS & (flag))
#ifndef FFT_IN_STEP
#define FFT_IN_STEP s->in_step
#endif
#ifndef FFT_OUT_STEP
#define FFT_OUT_STEP s->out_step
#endif
#ifndef FFT_TURNS_OUT
#define FFT_TURNS_OUT FFT_HAS(FFT_TURN_OUT)
#endif

/* What memory has, if that is not what is computed with: accurate transforms of c64 compute in double. */
#ifndef SRC_PART
#define SRC_PART PART
#define DST_PART PART
#endif
#define PAIR_OF(src, i) (JOIN(convert_, COMPUTE)(((global const JOIN(SRC_PART, 2) *)(src))[i]))
#define PAIRS_TO(dst) ((global JOIN(DST_PART, 2) *)(dst))
#define PUT_PAIR(dst, i, z) (PAIRS_TO(dst)[i] = JOIN(convert_, JOIN(DST_PART, 2))(z))

/* What a step works with beside its numbers; what it does not need is NULL. */
#define FFT_TABLES                                                                                                     \
    global const COMPUTE *turns, global const COMPUTE *roots, global const COMPUTE *whole_roots,                       \
        global const COMPUTE *chirp, global const COMPUTE *filter, global const SRC_PART *factor
#define FFT_TABLES_GIVEN turns, roots, whole_roots, chirp, filter, factor

typedef struct fft_place {
    long in, out, from, to, by;
} fft_place;

inline fft_place fft_place_of(const fft_step *s, FFT_INDEX place)
{
    fft_place at = {s->in, s->out, 0, 0, s->by};
    for (int axis = (int)FFT_AXES_USED - 1; axis >= 0; axis--) {
        const FFT_INDEX rest = axis ? place / (FFT_INDEX)s->size[axis] : 0;
        const long i = place - rest * (FFT_INDEX)s->size[axis];
        at.in += i * s->in_axis[axis];
        at.out += i * s->out_axis[axis];
        at.from += i * s->from_axis[axis];
        at.to += i * s->to_axis[axis];
        if (FFT_HAS(FFT_TIMES_IN))
            at.by += i * s->by_axis[axis];
        place = rest;
    }
    return at;
}

/* That of its line. */
inline fft_place fft_line_of(const fft_step *s, fft_place at, long lane)
{
    return (fft_place){at.in + lane * s->in_lane, at.out + lane * s->out_lane, at.from + lane * s->from_lane,
                       at.to + lane * s->to_lane, at.by + lane * s->by_lane};
}

/* `steps` steps further; where all of them are short, without products of 64 bits. */
inline long fft_far(long steps, long step)
{
    return sizeof(FFT_INDEX) == sizeof(int) ? (long)(int)steps * (int)step : steps * step;
}

inline COMPUTE fft_product(COMPUTE a, COMPUTE b)
{
    return (COMPUTE)(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}

/* The e-th root of unity of a table: 2^shift fine ones, and coarse ones behind them. */
inline COMPUTE fft_root(global const COMPUTE *roots, long shift, FFT_INDEX e)
{
    const FFT_INDEX fine = (FFT_INDEX)1 << shift;
    return pair_multiply(roots[e & (fine - 1)], roots[fine + (e >> shift)]);
}

inline COMPUTE fft_turn(const fft_step *s, fft_place at, long lane, long k, global const COMPUTE *roots, COMPUTE z)
{
    return pair_multiply(z, fft_root(roots, s->shift, k * (at.from + lane * s->from_lane)));
}

inline COMPUTE fft_conjugate(COMPUTE z) { return (COMPUTE)(z.x, -z.y); }

/* The k-th number of a transform of pairs, of a line whose transform begins with a, and b's conjugate the other way
 * around. */
inline COMPUTE fft_pack(COMPUTE a, COMPUTE b, COMPUTE root)
{
    const COMPUTE d = pair_multiply(a - b, fft_conjugate(root));
    return a + b + (COMPUTE)(-d.y, d.x);
}

/* And back. */
inline COMPUTE fft_unpack_one(COMPUTE a, COMPUTE b, COMPUTE root)
{
    const COMPUTE d = pair_multiply(a - b, root);
    return a + b + (COMPUTE)(d.y, -d.x);
}

/* A complex number, times the other factor's; `i` and `by` are their elements. */
inline COMPUTE fft_pair(const fft_step *s, global const SRC_PART *src, long i, global const SRC_PART *factor, long by)
{
    const COMPUTE z = PAIR_OF(src, i);
    return FFT_HAS(FFT_TIMES_IN) ? pair_multiply(z, PAIR_OF(factor, by)) : z;
}

/* What lies at position p, before it is turned; `i` is its element, `by` the other factor's. */
inline COMPUTE fft_read(const fft_step *s, global const SRC_PART *src, long i, global const SRC_PART *factor, long by,
                        long p, global const COMPUTE *whole_roots)
{
    COMPUTE z = (COMPUTE)(0);
    const long other = s->whole / (FFT_LOAD == FFT_PACKED ? 2 : 1) - p;
    if (!FFT_PLAIN_IN && p >= s->whole)
        return z;
    if (FFT_LOAD == FFT_COMPLEX) {
        if (FFT_PLAIN_IN || p < s->from_end)
            z = fft_pair(s, src, i, factor, by);
    } else if (FFT_LOAD == FFT_REAL) {
        if (FFT_PLAIN_IN || p < s->from_end)
            z.x = src[i];
    } else if ((FFT_LOAD == FFT_PAIRS) & FFT_PAIRED_IN & (FFT_PLAIN_IN || 2 * p + 1 < s->from_end)) {
        z = PAIR_OF(src, i >> 1);
    } else if (FFT_LOAD == FFT_PAIRS) {
        if (FFT_PLAIN_IN || 2 * p < s->from_end)
            z.x = src[i];
        if (FFT_PLAIN_IN || 2 * p + 1 < s->from_end)
            z.y = src[i + s->in_unit];
    } else if (FFT_LOAD == FFT_HERMITIAN) {
        const bool mirrored = p > other;
        const long q = mirrored ? other : p;
        if (q < s->from_end)
            z = fft_pair(s, src, i + (q - p) * s->in_unit, factor, by + (q - p) * s->by_unit);
        z.y = q == 0 || 2 * q == s->whole ? 0 : mirrored ? -z.y : z.y;
    } else {
        COMPUTE b = (COMPUTE)(0);
        if (FFT_PLAIN_IN || p < s->from_end)
            z = fft_pair(s, src, i, factor, by);
        if (other < s->from_end)
            b = fft_conjugate(
                fft_pair(s, src, i + (other - p) * s->in_unit, factor, by + (other - p) * s->by_unit));
        if (p == 0)
            z.y = b.y = 0;
        z = fft_pack(z, b, fft_root(whole_roots, s->whole_shift, p));
    }
    return z;
}

inline COMPUTE fft_load(const fft_step *s, fft_place at, long lane, long k, global const SRC_PART *src, FFT_TABLES)
{
    const long p = at.from + lane * s->from_lane + k * s->from_step;
    const long by = at.by + lane * s->by_lane + k * s->from_step * s->by_unit;
    COMPUTE z = fft_read(s, src, at.in + lane * s->in_lane + fft_far(k, FFT_IN_STEP), factor, by, p, whole_roots);
    if (FFT_HAS(FFT_SWAP_IN))
        z = z.yx;
    if (FFT_HAS(FFT_CHIRP_IN))
        z = p < s->whole ? pair_multiply(z, chirp[p]) : (COMPUTE)(0);
    return FFT_HAS(FFT_TURN_IN) ? fft_turn(s, at, lane, k, roots, z) : z;
}

inline COMPUTE fft_filtered(const fft_step *s, fft_place at, long lane, long k, global const COMPUTE *filter, COMPUTE z)
{
    return pair_multiply(z, filter[at.to + lane * s->to_lane + k * s->to_step]).yx;
}

inline void fft_store(const fft_step *s, fft_place at, long lane, long k, global DST_PART *dst, COMPUTE z, PART scale,
                      FFT_TABLES)
{
    const long to = at.to + lane * s->to_lane + k * s->to_step,
               i = at.out + lane * s->out_lane + fft_far(k, FFT_OUT_STEP);
    const int odd = (FFT_STORE == FFT_PAIRS) & (s->odd_out != 0) & (to == s->to_end);
    const int late = (FFT_STORE == FFT_PAIRS) & (s->odd_begin != 0) & (to == s->to_begin);
    if (!FFT_PLAIN_OUT && (to < s->to_begin) | ((to >= s->to_end) & !odd))
        return;
    if (FFT_TURNS_OUT)
        z = fft_turn(s, at, lane, k, roots, z);
    if (FFT_HAS(FFT_CHIRP_OUT))
        z = pair_multiply(z.yx, chirp[to]); /* what was filtered has its parts exchanged */
    if (FFT_HAS(FFT_SWAP_OUT))
        z = z.yx;
    z *= scale;
    if (FFT_STORE == FFT_COMPLEX) {
        PUT_PAIR(dst, i, z);
    } else if ((FFT_STORE == FFT_PAIRS) & FFT_PAIRED_OUT & !odd & !late) {
        PUT_PAIR(dst, i >> 1, z);
    } else {
        if (!late)
            dst[i] = (DST_PART)z.x;
        if ((FFT_STORE == FFT_PAIRS) & !odd)
            dst[i + s->out_unit] = (DST_PART)z.y;
    }
}

/* Writes X[k] of a real line of 2n, from the numbers k and n - k of its pairs' transform; and its mirror image. */
inline void fft_store_unpacked(const fft_step *s, long i, long n, long k, global DST_PART *dst, COMPUTE a, COMPUTE b,
                               PART scale, global const COMPUTE *whole_roots)
{
    COMPUTE x = fft_unpack_one(a, fft_conjugate(b), fft_root(whole_roots, s->whole_shift, k)) * (scale / 2);
    if (FFT_HAS(FFT_CONJUGATE))
        x.y = -x.y;
    PUT_PAIR(dst, i + k * s->out_unit, x);
    if (FFT_STORE == FFT_FULL && k > 0 && k < n)
        PUT_PAIR(dst, i + (2 * n - k) * s->out_unit, fft_conjugate(x));
}

/* The same of whole lines that lie there, in place. */
KERNEL(GROUP) fft_unpack_lines(global DST_PART *dst, fft_step step, PART scale, global const COMPUTE *whole_roots)
{
    const fft_step *s = &step;
    const long n = s->n, each = n / 2 + 1;
    FOR_SPREAD(i, s->places * each)
    {
        const long k = i % each, at = fft_place_of(s, i / each).out;
        const COMPUTE a = PAIR_OF(dst, at + k * s->out_unit);
        const COMPUTE b = k ? PAIR_OF(dst, at + (n - k) * s->out_unit) : a;
        fft_store_unpacked(s, at, n, k, dst, a, b, scale, whole_roots);
        if (k != n - k)
            fft_store_unpacked(s, at, n, n - k, dst, b, a, scale, whole_roots);
    }
}

/* Lines of real numbers' transforms become those of their pairs, in place. */
KERNEL(GROUP) fft_pack_lines(global DST_PART *lines, fft_step step, PART scale, global const COMPUTE *whole_roots)
{
    const fft_step *s = &step;
    const long n = s->n, each = n / 2 + 1;
    FOR_SPREAD(i, s->places * each)
    {
        const long k = i % each, at = fft_place_of(s, i / each).in;
        COMPUTE a = PAIR_OF(lines, at + k * s->in_unit), b = PAIR_OF(lines, at + (n - k) * s->in_unit);
        if (k == 0)
            a.y = b.y = 0;
        PUT_PAIR(lines, at + k * s->in_unit, fft_pack(a, fft_conjugate(b), fft_root(whole_roots, s->whole_shift, k)));
        if (k > 0 && k != n - k)
            PUT_PAIR(lines, at + (n - k) * s->in_unit,
                     fft_pack(b, fft_conjugate(a), fft_root(whole_roots, s->whole_shift, n - k)));
    }
}
