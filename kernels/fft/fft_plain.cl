/* Fourier transforms by their formula: each work-item transforms one short line. */
#include "parts/fft.cl"

inline void fft_sum(const fft_step *s, const private COMPUTE *x, private COMPUTE *y, global const COMPUTE *turns)
{
    for (long k = 0; k < s->n; k++) {
        y[k] = x[0];
        for (long j = 1; j < s->n; j++)
            y[k] += pair_multiply(x[j], turns[j * k % s->n]);
    }
}

KERNEL(GROUP) fft_plain(global DST_PART *dst, global const SRC_PART *src, fft_step step, PART scale, FFT_TABLES)
{
    const fft_step *s = &step;
    COMPUTE x[FFT_PLAIN], y[FFT_PLAIN];
    FOR_SPREAD(i, s->places * s->lanes) {
        const long lane = i % s->lanes, n = s->n;
        const fft_place at = fft_place_of(s, i / s->lanes);
        for (long k = 0; k < n; k++)
            x[k] = fft_load(s, at, lane, k, src, FFT_TABLES_GIVEN);
        fft_sum(s, x, y, turns);
        if (FFT_HAS(FFT_FILTERED)) {
            for (long k = 0; k < n; k++)
                x[k] = fft_filtered(s, at, lane, k, filter, y[k]);
            fft_sum(s, x, y, turns);
        }
        for (long k = 0; k < n && FFT_STORE < FFT_HALF; k++)
            fft_store(s, at, lane, k, dst, y[k], scale, FFT_TABLES_GIVEN);
        for (long k = 0; k <= n && FFT_STORE >= FFT_HALF; k++)
            fft_store_unpacked(s, at.out + lane * s->out_lane, n, k, dst, y[k < n ? k : 0], y[k ? n - k : 0], scale,
                               whole_roots);
    }
}
