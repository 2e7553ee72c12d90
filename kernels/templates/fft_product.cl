/* A transform of R = A B numbers, for parts/fft_products.cl: B of them are transformed, A times, and A of what comes, B
 * times. Between the two the numbers are turned, unless A and B have no common factor (COPRIME; Good, Thomas): number
 * B i + A j comes then, and number k goes, as the k-th of A numbers and the k-th of B. */
inline void JOIN(fft_dft, R)(V *re, V *im)
{
    V tr[R], ti[R];
    FFT_UNROLL for (int i = 0; i < A; i++)
    {
        FFT_UNROLL for (int j = 0; j < B; j++)
        {
            tr[i * B + j] = re[COPRIME ? (B * i + A * j) % R : i + A * j];
            ti[i * B + j] = im[COPRIME ? (B * i + A * j) % R : i + A * j];
        }
        JOIN(fft_dft, B)(tr + i * B, ti + i * B);
#if !COPRIME
        FFT_UNROLL for (int j = 1; j < B; j++) if (i > 0)
            fft_times(tr + i * B + j, ti + i * B + j, JOIN(fft_cos, R)[i * j], -JOIN(fft_sin, R)[i * j]);
#endif
    }
    FFT_UNROLL for (int j = 0; j < B; j++)
    {
        V ar[A], ai[A];
        FFT_UNROLL for (int i = 0; i < A; i++)
        {
            ar[i] = tr[i * B + j];
            ai[i] = ti[i * B + j];
        }
        JOIN(fft_dft, A)(ar, ai);
        FFT_UNROLL for (int k = 0; k < R; k++) if (k % B == j)
        {
            re[k] = ar[COPRIME ? k % A : k / B];
            im[k] = ai[COPRIME ? k % A : k / B];
        }
    }
}

#undef R
#undef A
#undef B
