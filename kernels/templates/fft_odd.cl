/* A transform of R numbers, an odd prime, for parts/fft_few.cl: the sums and differences of x[k] and x[R - k] make y[j]
 * and y[R - j]. */
inline void JOIN(fft_dft, R)(V *re, V *im)
{
    const V re0 = re[0], im0 = im[0];
    V ar[R / 2 + 1], ai[R / 2 + 1], br[R / 2 + 1], bi[R / 2 + 1];
    FFT_UNROLL for (int k = 1; k <= R / 2; k++) {
        ar[k] = re[k] + re[R - k];
        ai[k] = im[k] + im[R - k];
        br[k] = re[k] - re[R - k];
        bi[k] = im[k] - im[R - k];
        re[0] += ar[k];
        im[0] += ai[k];
    }
    FFT_UNROLL for (int j = 1; j <= R / 2; j++) {
        V cr = re0, ci = im0, dr = (V)(0), di = (V)(0);
        FFT_UNROLL for (int k = 1; k <= R / 2; k++) {
            cr += JOIN(fft_cos, R)[j * k % R] * ar[k];
            ci += JOIN(fft_cos, R)[j * k % R] * ai[k];
            dr += JOIN(fft_sin, R)[j * k % R] * br[k];
            di += JOIN(fft_sin, R)[j * k % R] * bi[k];
        }
        re[j] = cr + di;
        im[j] = ci - dr;
        re[R - j] = cr - di;
        im[R - j] = ci + dr;
    }
}

#undef R
