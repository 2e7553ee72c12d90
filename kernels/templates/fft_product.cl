/* A transform of R = A B numbers, for parts/fft_products.cl: between the two the numbers are turned. */
inline void JOIN(fft_dft, R)(V *re, V *im)
{
    V tr[R], ti[R];
    FFT_UNROLL for (int i = 0; i < A; i++)
    {
        FFT_UNROLL for (int j = 0; j < B; j++)
        {
            tr[i * B + j] = re[i + A * j];
            ti[i * B + j] = im[i + A * j];
        }
        JOIN(fft_dft, B)(tr + i * B, ti + i * B);
        FFT_UNROLL for (int j = 1; j < B; j++) if (i > 0)
            fft_times(tr + i * B + j, ti + i * B + j, JOIN(fft_cos, R)[i * j], -JOIN(fft_sin, R)[i * j]);
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
        FFT_UNROLL for (int i = 0; i < A; i++)
        {
            re[j + B * i] = ar[i];
            im[j + B * i] = ai[i];
        }
    }
}

#undef R
#undef A
#undef B
