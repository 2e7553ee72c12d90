/* Eight lines of a Fourier transform side by side, as lanes of vectors: how they come apart, and what they are turned
 * by. */
#define ZIP_LOW(a, b) (V)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3)
#define ZIP_HIGH(a, b) (V)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)

/* Eight vectors become their columns. */
inline void fft_across(V *a)
{
    V b[8], c[8];
    FFT_UNROLL for (int k = 0; k < 8; k += 2) {
        b[k] = (V)(a[k].s0, a[k + 1].s0, a[k].s2, a[k + 1].s2, a[k].s4, a[k + 1].s4, a[k].s6, a[k + 1].s6);
        b[k + 1] = (V)(a[k].s1, a[k + 1].s1, a[k].s3, a[k + 1].s3, a[k].s5, a[k + 1].s5, a[k].s7, a[k + 1].s7);
    }
    FFT_UNROLL for (int h = 0; h < 8; h += 4)
        FFT_UNROLL for (int k = h; k < h + 2; k++) {
            c[k] = (V)(b[k].s01, b[k + 2].s01, b[k].s45, b[k + 2].s45);
            c[k + 2] = (V)(b[k].s23, b[k + 2].s23, b[k].s67, b[k + 2].s67);
        }
    FFT_UNROLL for (int k = 0; k < 4; k++) {
        a[k] = (V)(c[k].lo, c[k + 4].lo);
        a[k + 4] = (V)(c[k].hi, c[k + 4].hi);
    }
}

/* The turns of eight lines beside one another at the k-th number. */
inline void fft_lane_turns(const fft_step *s, fft_place at, long lane, long k, global const COMPUTE *roots,
                           global const PART *lane_roots, V *re, V *im)
{
    const COMPUTE w = fft_root(roots, s->shift, k * (at.from + lane * s->from_lane));
    *re = (V)(w.x);
    *im = (V)(w.y);
    if (s->from_lane) {
        const V lr = vload8(2 * k, lane_roots), li = vload8(2 * k + 1, lane_roots);
        const V t = lr * w.x - li * w.y;
        *im = lr * w.y + li * w.x;
        *re = t;
    }
}

inline void fft_times_lanes(V *re, V *im, V wr, V wi)
{
    const V t = *re * wr - *im * wi;
    *im = *re * wi + *im * wr;
    *re = t;
}

/* Eight numbers of a table beside one another, or one for all of them. */
inline void fft_table_lanes(global const COMPUTE *table, long at, long step, long count, V *re, V *im)
{
    const COMPUTE first = table[at];
    *re = (V)(first.x);
    *im = (V)(first.y);
    for (int l = 1; l < count && step; l++) {
        const COMPUTE z = table[at + l * step];
        ((private PART *)re)[l] = z.x;
        ((private PART *)im)[l] = z.y;
    }
}
