/* A transform of R = A B numbers, for parts/fft_products.cl. A and B have no common factor, so that nothing is turned
 * between the two (Good, Thomas): number B i + A j of R comes, and number k goes, as the k-th of A numbers and the k-th
 * of B. */
inline void JOIN(fft_dft, R)(V *re, V *im)
{
    V tr[R], ti[R];
    FFT_UNROLL for (int i = 0; i < A; i++)
    {
        FFT_UNROLL for (int j = 0; j < B; j++)
        {
            tr[i * B + j] = re[(B * i + A * j) % R];
            ti[i * B + j] = im[(B * i + A * j) % R];
        }
        JOIN(fft_dft, B)(tr + i * B, ti + i * B);
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
            re[k] = ar[k % A];
            im[k] = ai[k % A];
        }
    }
}

#undef R
#undef A
#undef B
