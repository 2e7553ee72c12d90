/* Stockham's pass of radix R, decimating in frequency, for fft_cpu.cl: y[q + s (R p + j)] = w^(s j p) sum_k x[q + s (p
 * + m k)] w_R^(j k), s the product of the radices before, m what is left behind. */
inline void JOIN(fft_pass, R)(local const PART *x, local PART *y, long m, long s, global const COMPUTE *turns)
{
    for (long p = 0; p < m; p++) {
        COMPUTE w[R];
        FFT_UNROLL for (int j = 1; j < R; j++)
            w[j] = turns[s * j * p];
        for (long q = 0; q < s; q++) {
            local const PART *from = x + WIDE * (q + s * p);
            local PART *to = y + WIDE * (q + s * R * p);
            V re[R], im[R];
            FFT_UNROLL for (int k = 0; k < R; k++) {
                re[k] = GET(from + WIDE * s * m * k);
                im[k] = GET(from + WIDE * s * m * k + FFT_LANES);
            }
            JOIN(fft_dft, R)(re, im);
            if (p)
                FFT_UNROLL for (int j = 1; j < R; j++)
                    fft_times(re + j, im + j, w[j].x, w[j].y);
            FFT_UNROLL for (int j = 0; j < R; j++) {
                PUT(to + WIDE * s * j, re[j]);
                PUT(to + WIDE * s * j + FFT_LANES, im[j]);
            }
        }
    }
}

#undef R
