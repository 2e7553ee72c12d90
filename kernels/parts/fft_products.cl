/* Transforms of 6, 9, 10, 12, 14 and 15 numbers in registers, from those of their factors. */

/* A and B have no common factor, so that nothing is turned between the two (Good, Thomas): number B i + A j of R comes, and number
 * k goes, as the k-th of A numbers and the k-th of B. */
#define DEFINE_FFT_COPRIME(R, A, B)                                                                                    \
    inline void fft_dft##R(V *re, V *im)                                                                               \
    {                                                                                                                  \
        V tr[R], ti[R];                                                                                                \
        FFT_UNROLL for (int i = 0; i < A; i++)                                                                         \
        {                                                                                                              \
            FFT_UNROLL for (int j = 0; j < B; j++)                                                                     \
            {                                                                                                          \
                tr[i * B + j] = re[(B * i + A * j) % R];                                                               \
                ti[i * B + j] = im[(B * i + A * j) % R];                                                               \
            }                                                                                                          \
            fft_dft##B(tr + i * B, ti + i * B);                                                                        \
        }                                                                                                              \
        FFT_UNROLL for (int j = 0; j < B; j++)                                                                         \
        {                                                                                                              \
            V ar[A], ai[A];                                                                                            \
            FFT_UNROLL for (int i = 0; i < A; i++)                                                                     \
            {                                                                                                          \
                ar[i] = tr[i * B + j];                                                                                 \
                ai[i] = ti[i * B + j];                                                                                 \
            }                                                                                                          \
            fft_dft##A(ar, ai);                                                                                        \
            FFT_UNROLL for (int k = 0; k < R; k++) if (k % B == j)                                                     \
            {                                                                                                          \
                re[k] = ar[k % A];                                                                                     \
                im[k] = ai[k % A];                                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }
DEFINE_FFT_COPRIME(6, 2, 3)
DEFINE_FFT_COPRIME(10, 2, 5)
DEFINE_FFT_COPRIME(12, 4, 3)
DEFINE_FFT_COPRIME(14, 2, 7)
DEFINE_FFT_COPRIME(15, 3, 5)

inline void fft_dft9(V *re, V *im)
{
    V tr[9], ti[9];
    FFT_UNROLL for (int i = 0; i < 3; i++)
    {
        FFT_UNROLL for (int j = 0; j < 3; j++)
        {
            tr[3 * i + j] = re[i + 3 * j];
            ti[3 * i + j] = im[i + 3 * j];
        }
        fft_dft3(tr + 3 * i, ti + 3 * i);
    }
    fft_times(tr + 4, ti + 4, FFT_NUMBER(0.76604444311897803520), FFT_NUMBER(-0.64278760968653932632));
    fft_times(tr + 5, ti + 5, FFT_NUMBER(0.17364817766693034885), FFT_NUMBER(-0.98480775301220805937));
    fft_times(tr + 7, ti + 7, FFT_NUMBER(0.17364817766693034885), FFT_NUMBER(-0.98480775301220805937));
    fft_times(tr + 8, ti + 8, FFT_NUMBER(-0.93969262078590838405), FFT_NUMBER(-0.34202014332566873304));
    FFT_UNROLL for (int j = 0; j < 3; j++)
    {
        V ar[3] = {tr[j], tr[3 + j], tr[6 + j]}, ai[3] = {ti[j], ti[3 + j], ti[6 + j]};
        fft_dft3(ar, ai);
        FFT_UNROLL for (int k = 0; k < 3; k++)
        {
            re[3 * k + j] = ar[k];
            im[3 * k + j] = ai[k];
        }
    }
}
