/* Fourier transforms on CPUs: a work-item transforms eight lines side by side, which are the lanes of its vectors.
 * Between passes, each number of the lines is eight real parts and eight imaginary ones. */
#include "parts/fft.cl"

/* As calls: compilers warn of conditions that the numbers of one kind of step make constant. */
inline bool fft_same(long a, long b) { return a == b; }
inline bool fft_any(long flags) { return flags != 0; }
#define LOADS(how) fft_same(FFT_LOAD, how)
#define STORES(how) fft_same(FFT_STORE, how)
#define HAS(flag) fft_any(FFT_HAS(flag))
#ifdef FFT_LONE /* there are fewer than eight lines */
inline bool fft_lacks(long count) { return true; }
#else
inline bool fft_lacks(long count) { return count < FFT_LANES; }
#endif
#define V JOIN(PART, 8)
#include "parts/fft_few.cl"
#include "parts/fft_lanes.cl"

#define WIDE (2 * FFT_LANES)
#define PART16 JOIN(PART, 16)
#define GET(p) vload8(0, p)
#define PUT(p, v) vstore8(v, 0, p)
#define GET_SRC(p) JOIN(convert_, V)(vload8(0, p))
#define PUT_DST(p, v) vstore8(JOIN(convert_, JOIN(DST_PART, 8))(v), 0, p)

#define R 2
#include "templates/fft_pass.cl"
#define R 4
#include "templates/fft_pass.cl"
#define R 8
#include "templates/fft_pass.cl"
#ifndef FFT_TWOS /* lines whose lengths are powers of 2 need no more */
#define R 3
#include "templates/fft_pass.cl"
#define R 5
#include "templates/fft_pass.cl"
#define R 7
#include "templates/fft_pass.cl"
#ifndef FFT_SEVENS /* nor those without factors of 11 and 13 */
#define R 11
#include "templates/fft_pass.cl"
#define R 13
#include "templates/fft_pass.cl"
#endif
#endif

/* All passes from x, with y beside it; says where the result lies. */
inline local PART *fft_passes(const fft_step *step, local PART *x, local PART *y, global const COMPUTE *turns)
{
    long m = step->n, s = 1;
    ulong radices = step->radices;
    for (long i = 0; i < step->passes; i++, radices >>= FFT_RADIX_BITS) {
        const long radix = (radices & ((1 << FFT_RADIX_BITS) - 1)) + 1;
        local PART *const before = x;
        m /= radix;
        switch (radix) {
        case 2: fft_pass2(x, y, m, s, turns); break;
        case 4: fft_pass4(x, y, m, s, turns); break;
        case 8: fft_pass8(x, y, m, s, turns); break;
#ifndef FFT_TWOS
        case 3: fft_pass3(x, y, m, s, turns); break;
        case 5: fft_pass5(x, y, m, s, turns); break;
        case 7: fft_pass7(x, y, m, s, turns); break;
#ifndef FFT_SEVENS
        case 11: fft_pass11(x, y, m, s, turns); break;
        default: fft_pass13(x, y, m, s, turns); break;
#endif
#endif
        }
        s *= radix;
        x = y;
        y = before;
    }
    return x;
}

/* How many numbers of eight lines lie before `end`, from the first on, which has the position `first`. */
inline long fft_before(const fft_step *s, long first, long lane, long step, long end)
{
    const long rest = end - first - (FFT_LANES - 1) * lane;
    return rest <= 0 ? 0 : step ? min(s->n, (rest - 1) / step + 1) : s->n;
}

/* The first `numbers` of eight lines, as they lie, `step` and `lane` apart: complex ones, real ones, or pairs of
 * these. */
inline void fft_read_plainly(const fft_step *s, long first, long step, long lane, long numbers, local PART *x,
                             int re_at, global const SRC_PART *src)
{
    const int im_at = FFT_LANES - re_at;
    const bool pairs = LOADS(FFT_PAIRS);
    const long parts = pairs ? 1 : 2, apart = parts * step, lanes = parts * lane;
    const bool near = apart == 2 && (!pairs || s->in_unit == 1);
    const long blocks = !LOADS(FFT_REAL) && near && lanes != 2 ? numbers / 8 * 8 : 0;
    long k = 0;
    for (; k < numbers && LOADS(FFT_REAL); k++)
        for (int l = 0; l < FFT_LANES; l++) {
            x[WIDE * k + l + re_at] = src[first + l * lane + k * step];
            x[WIDE * k + l + im_at] = 0;
        }
    src += parts * first;
    for (; k < blocks; k += 8) {
        V re[8], im[8];
        FFT_UNROLL for (int l = 0; l < 8; l++) {
            const PART16 v = JOIN(convert_, PART16)(vload16(0, src + l * lanes + 2 * k));
            re[l] = v.even;
            im[l] = v.odd;
        }
        fft_across(re);
        fft_across(im);
        FFT_UNROLL for (int h = 0; h < 8; h++) {
            PUT(x + WIDE * (k + h) + re_at, re[h]);
            PUT(x + WIDE * (k + h) + im_at, im[h]);
        }
    }
    for (; k < numbers; k++) {
        V re, im;
        if (!pairs && lanes == 2) {
            const PART16 v = JOIN(convert_, PART16)(vload16(0, src + k * apart));
            re = v.even;
            im = v.odd;
        } else if (pairs && lanes == 1) {
            re = GET_SRC(src + k * apart);
            im = GET_SRC(src + k * apart + s->in_unit);
        } else {
            const long other = pairs ? s->in_unit : 1;
            for (int l = 0; l < FFT_LANES; l++) {
                ((private PART *)&re)[l] = src[l * lanes + k * apart];
                ((private PART *)&im)[l] = src[l * lanes + k * apart + other];
            }
        }
        PUT(x + WIDE * k + re_at, re);
        PUT(x + WIDE * k + im_at, im);
    }
}

/* Those of x times those of the other factor, which y is used for. */
inline void fft_times_factor(const fft_step *s, long by, long numbers, local PART *x, local PART *y, int re_at,
                             global const SRC_PART *factor)
{
    const int im_at = FFT_LANES - re_at;
    fft_read_plainly(s, by, s->from_step * s->by_unit, s->by_lane, numbers, y, 0, factor);
    for (long k = 0; k < numbers; k++) {
        V re = GET(x + WIDE * k + re_at), im = GET(x + WIDE * k + im_at);
        fft_times_lanes(&re, &im, GET(y + WIDE * k), GET(y + WIDE * k + FFT_LANES));
        PUT(x + WIDE * k + re_at, re);
        PUT(x + WIDE * k + im_at, im);
    }
}

/* From the numbers 0 to n of real lines' transforms, in y but for the last, those of their pairs, in x. */
inline void fft_pack_lanes(const fft_step *s, long first, long by, local PART *x, local const PART *y,
                           global const SRC_PART *src, global const SRC_PART *factor, global const COMPUTE *whole_roots)
{
    const int re_at = HAS(FFT_SWAP_IN) ? FFT_LANES : 0;
    for (long k = 0; k < s->n; k++) {
        const COMPUTE root = fft_root(whole_roots, s->whole_shift, k);
        V ar = GET(y + WIDE * k), ai = GET(y + WIDE * k + FFT_LANES), br, bi;
        if (k) {
            br = GET(y + WIDE * (s->n - k));
            bi = -GET(y + WIDE * (s->n - k) + FFT_LANES);
        } else {
            for (int l = 0; l < FFT_LANES; l++)
                ((private PART *)&br)[l] = fft_pair(s, src, first + l * s->in_lane + s->n * s->in_unit, factor,
                                                    by + l * s->by_lane + s->n * s->by_unit)
                                               .x;
            ai = bi = (V)(0);
        }
        V dr = ar - br, di = ai - bi;
        fft_times(&dr, &di, root.x, -root.y);
        PUT(x + WIDE * k + re_at, ar + br - di);
        PUT(x + WIDE * k + FFT_LANES - re_at, ai + bi + dr);
    }
}

/* Up to eight lines from `lane` on. Those that are missing repeat the last one. */
inline void fft_read_lanes(const fft_step *s, fft_place at, long lane, long count, local PART *x, local PART *y,
                           global const SRC_PART *src, global const PART *lane_roots, FFT_TABLES)
{
    const int re_at = HAS(FFT_SWAP_IN) ? FFT_LANES : 0;
    const long first = at.in + lane * s->in_lane, by = at.by + lane * s->by_lane;
    long numbers = s->n;
    if (LOADS(FFT_PACKED))
        numbers = s->from_step == 1 && s->from_lane == 0 && s->from_end > s->n ? s->n : 0;
    else if (!s->plain_in)
        numbers = fft_before(s, at.from + lane * s->from_lane, s->from_lane, s->from_step,
                             LOADS(FFT_PAIRS) ? s->from_end / 2 : s->from_end);
    if (fft_lacks(count) || LOADS(FFT_HERMITIAN))
        numbers = 0;
    if (numbers && LOADS(FFT_PACKED)) {
        fft_read_plainly(s, first, s->in_step, s->in_lane, numbers, y, 0, src);
        if (HAS(FFT_TIMES_IN))
            fft_times_factor(s, by, numbers, y, x, 0, factor);
        fft_pack_lanes(s, first, by, x, y, src, factor, whole_roots);
    } else if (numbers) {
        fft_read_plainly(s, first, s->in_step, s->in_lane, numbers, x, re_at, src);
        if (HAS(FFT_TIMES_IN))
            fft_times_factor(s, by, numbers, x, y, re_at, factor);
    }
    for (long k = 0; k < numbers && HAS(FFT_TURN_IN | FFT_CHIRP_IN); k++) {
        V wr, wi, re = GET(x + WIDE * k), im = GET(x + WIDE * k + FFT_LANES);
        if (HAS(FFT_TURN_IN))
            fft_lane_turns(s, at, lane, k, roots, lane_roots, &wr, &wi);
        else
            fft_table_lanes(chirp, at.from + lane * s->from_lane + k * s->from_step, s->from_lane, count, &wr, &wi);
        fft_times_lanes(&re, &im, wr, wi);
        PUT(x + WIDE * k, re);
        PUT(x + WIDE * k + FFT_LANES, im);
    }
    for (long k = numbers; k < s->n; k++) {
        COMPUTE z = (COMPUTE)(0);
        for (int l = 0; l < FFT_LANES; l++) {
            if (l < count)
                z = fft_load(s, at, lane + l, k, src, FFT_TABLES_GIVEN);
            x[WIDE * k + l] = z.x;
            x[WIDE * k + l + FFT_LANES] = z.y;
        }
    }
}

/* The k-th numbers of eight lines, as they are written. */
inline void fft_written(const fft_step *s, fft_place at, long lane, long k, local const PART *x, PART scale,
                        global const PART *lane_roots, FFT_TABLES, V *re, V *im)
{
    *re = GET(x + WIDE * k);
    *im = GET(x + WIDE * k + FFT_LANES);
    if (HAS(FFT_TURN_OUT)) {
        V wr, wi;
        fft_lane_turns(s, at, lane, k, roots, lane_roots, &wr, &wi);
        fft_times_lanes(re, im, wr, wi);
    }
    if (HAS(FFT_SWAP_OUT)) {
        const V t = *re;
        *re = *im;
        *im = t;
    }
    *re *= scale;
    *im *= scale;
}

/* The same of unpacked lines, of which the second half mirrors the first. */
inline void fft_unpacked(const fft_step *s, fft_place at, long lane, long k, local const PART *x, PART scale,
                         global const PART *lane_roots, FFT_TABLES, V *re, V *im)
{
    const long n = s->n, one = k > n ? 2 * n - k : k, other = one ? n - one : 0, from = one < n ? one : 0;
    const COMPUTE root = fft_root(whole_roots, s->whole_shift, one);
    const V ar = GET(x + WIDE * from), ai = GET(x + WIDE * from + FFT_LANES);
    const V br = GET(x + WIDE * other), bi = -GET(x + WIDE * other + FFT_LANES);
    V dr = ar - br, di = ai - bi;
    fft_times(&dr, &di, root.x, root.y);
    *re = (ar + br + di) * (scale / 2);
    *im = (ai + bi - dr) * (k > n == HAS(FFT_CONJUGATE) ? scale / 2 : -scale / 2);
}

inline COMPUTE fft_lane(local const PART *x, long k, long l)
{
    return (COMPUTE)(x[WIDE * k + l], x[WIDE * k + l + FFT_LANES]);
}

#define NAME fft_write_plainly
#define WRITTEN fft_written
#include "templates/fft_write.cl"
#define NAME fft_write_unpacked
#define WRITTEN fft_unpacked
#include "templates/fft_write.cl"

inline void fft_write_lanes(const fft_step *s, fft_place at, long lane, long count, local PART *x,
                            global DST_PART *dst, PART scale, global const PART *lane_roots, FFT_TABLES)
{
    const bool unpacks = STORES(FFT_HALF) || STORES(FFT_FULL);
    const long all = STORES(FFT_HALF) ? s->n + 1 : STORES(FFT_FULL) ? 2 * s->n : s->n;
    const long to = at.to + lane * s->to_lane, begin = s->to_begin + s->odd_begin;
    long k, numbers = all, from = 0;
    if (!unpacks && !s->plain_out) {
        numbers = fft_before(s, to, s->to_lane, s->to_step, s->to_end);
        from = begin <= to ? 0 : s->to_step ? (begin - to - 1) / s->to_step + 1 : numbers;
    }
    if (STORES(FFT_REAL) || fft_lacks(count) || from >= numbers)
        from = numbers = 0;
    for (k = from; k < numbers && HAS(FFT_CHIRP_OUT); k++) { /* what was filtered has its parts exchanged */
        V wr, wi, re = GET(x + WIDE * k + FFT_LANES), im = GET(x + WIDE * k);
        fft_table_lanes(chirp, at.to + lane * s->to_lane + k * s->to_step, s->to_lane, FFT_LANES, &wr, &wi);
        fft_times_lanes(&re, &im, wr, wi);
        PUT(x + WIDE * k, re);
        PUT(x + WIDE * k + FFT_LANES, im);
    }
    if (unpacks)
        k = fft_write_unpacked(s, at, lane, 0, numbers, x, dst, scale, lane_roots, FFT_TABLES_GIVEN);
    else
        k = fft_write_plainly(s, at, lane, from, numbers, x, dst, scale, lane_roots, FFT_TABLES_GIVEN);
    if (unpacks) {
        for (long l = 0; l < count && !numbers; l++)
            for (k = 0; k <= s->n; k++)
                fft_store_unpacked(s, at.out + (lane + l) * s->out_lane, s->n, k, dst, fft_lane(x, k < s->n ? k : 0, l),
                                   fft_lane(x, k ? s->n - k : 0, l), scale, whole_roots);
        return;
    }
    for (k = from ? 0 : k; k < s->n; k = k + 1 == from ? numbers : k + 1)
        for (long l = 0; l < count; l++)
            fft_store(s, at, lane + l, k, dst, fft_lane(x, k, l), scale, FFT_TABLES_GIVEN);
}

KERNEL(GROUP) fft_cpu(global DST_PART *dst, global const SRC_PART *src, fft_step step, PART scale, FFT_TABLES,
                      global const PART *lane_roots, local PART *x, local PART *y)
{
    const fft_step *s = &step;
    const long strips = (s->lanes + FFT_LANES - 1) / FFT_LANES;
    FOR_SPREAD(i, s->places * strips) {
        const long lane = i % strips * FFT_LANES, count = min((long)FFT_LANES, s->lanes - lane);
        const fft_place at = fft_place_of(s, i / strips);
        fft_read_lanes(s, at, lane, count, x, y, src, lane_roots, FFT_TABLES_GIVEN);
        local PART *z = x;
        for (int time = 0;; time++) { /* once, or, around a filter, twice: passes are much to compile */
            z = fft_passes(s, z, z == x ? y : x, turns);
            if (time || !HAS(FFT_FILTERED))
                break;
            for (long k = 0; k < s->n; k++) {
                V wr, wi, re = GET(z + WIDE * k), im = GET(z + WIDE * k + FFT_LANES);
                fft_table_lanes(filter, at.to + lane * s->to_lane + k * s->to_step, s->to_lane, count, &wr, &wi);
                fft_times_lanes(&re, &im, wr, wi);
                PUT(z + WIDE * k, im);
                PUT(z + WIDE * k + FFT_LANES, re);
            }
        }
        fft_write_lanes(s, at, lane, count, z, dst, scale, lane_roots, FFT_TABLES_GIVEN);
    }
}
