/* Transforms of further counts of numbers in registers, from those of their factors. */

/* A and B have no common factor, so that nothing is turned between the two (Good, Thomas): number B i + A j of R comes,
 * and number k goes, as the k-th of A numbers and the k-th of B. */
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
DEFINE_FFT_COPRIME(20, 4, 5)
DEFINE_FFT_COPRIME(21, 3, 7)
DEFINE_FFT_COPRIME(24, 8, 3)
DEFINE_FFT_COPRIME(28, 4, 7)

constant PART fft_cos9[] = {
    FFT_NUMBER(1.00000000000000000000),  FFT_NUMBER(0.76604444311897801345),  FFT_NUMBER(0.17364817766693035894),
    FFT_NUMBER(-0.50000000000000000000), FFT_NUMBER(-0.93969262078590842791), FFT_NUMBER(-0.93969262078590842791),
    FFT_NUMBER(-0.50000000000000000000), FFT_NUMBER(0.17364817766693035894),  FFT_NUMBER(0.76604444311897801345)};
constant PART fft_sin9[] = {
    FFT_NUMBER(0.00000000000000000000),  FFT_NUMBER(0.64278760968653936292),  FFT_NUMBER(0.98480775301220802032),
    FFT_NUMBER(0.86602540378443859659),  FFT_NUMBER(0.34202014332566871291),  FFT_NUMBER(-0.34202014332566871291),
    FFT_NUMBER(-0.86602540378443859659), FFT_NUMBER(-0.98480775301220802032), FFT_NUMBER(-0.64278760968653936292)};
constant PART fft_cos25[] = {
    FFT_NUMBER(1.00000000000000000000),  FFT_NUMBER(0.96858316112863107605),  FFT_NUMBER(0.87630668004386358394),
    FFT_NUMBER(0.72896862742141155245),  FFT_NUMBER(0.53582679497899665666),  FFT_NUMBER(0.30901699437494745126),
    FFT_NUMBER(0.06279051952931337388),  FFT_NUMBER(-0.18738131458572462873), FFT_NUMBER(-0.42577929156507265951),
    FFT_NUMBER(-0.63742398974868974548), FFT_NUMBER(-0.80901699437494745126), FFT_NUMBER(-0.92977648588825145826),
    FFT_NUMBER(-0.99211470131447787590), FFT_NUMBER(-0.99211470131447787590), FFT_NUMBER(-0.92977648588825145826),
    FFT_NUMBER(-0.80901699437494745126), FFT_NUMBER(-0.63742398974868974548), FFT_NUMBER(-0.42577929156507265951),
    FFT_NUMBER(-0.18738131458572462873), FFT_NUMBER(0.06279051952931337388),  FFT_NUMBER(0.30901699437494745126),
    FFT_NUMBER(0.53582679497899665666),  FFT_NUMBER(0.72896862742141155245),  FFT_NUMBER(0.87630668004386358394),
    FFT_NUMBER(0.96858316112863107605)};
constant PART fft_sin25[] = {
    FFT_NUMBER(0.00000000000000000000),  FFT_NUMBER(0.24868988716485479484),  FFT_NUMBER(0.48175367410171526794),
    FFT_NUMBER(0.68454710592868872610),  FFT_NUMBER(0.84432792550201507531),  FFT_NUMBER(0.95105651629515353118),
    FFT_NUMBER(0.99802672842827155897),  FFT_NUMBER(0.98228725072868872115),  FFT_NUMBER(0.90482705246601957683),
    FFT_NUMBER(0.77051324277578925326),  FFT_NUMBER(0.58778525229247313710),  FFT_NUMBER(0.36812455268467797476),
    FFT_NUMBER(0.12533323356430425832),  FFT_NUMBER(-0.12533323356430425832), FFT_NUMBER(-0.36812455268467797476),
    FFT_NUMBER(-0.58778525229247313710), FFT_NUMBER(-0.77051324277578925326), FFT_NUMBER(-0.90482705246601957683),
    FFT_NUMBER(-0.98228725072868872115), FFT_NUMBER(-0.99802672842827155897), FFT_NUMBER(-0.95105651629515353118),
    FFT_NUMBER(-0.84432792550201507531), FFT_NUMBER(-0.68454710592868872610), FFT_NUMBER(-0.48175367410171526794),
    FFT_NUMBER(-0.24868988716485479484)};
constant PART fft_cos32[] = {
    FFT_NUMBER(1.00000000000000000000),  FFT_NUMBER(0.98078528040323043058),  FFT_NUMBER(0.92387953251128673848),
    FFT_NUMBER(0.83146961230254523567),  FFT_NUMBER(0.70710678118654757274),  FFT_NUMBER(0.55557023301960217765),
    FFT_NUMBER(0.38268343236508978178),  FFT_NUMBER(0.19509032201612827584),  FFT_NUMBER(0.00000000000000000000),
    FFT_NUMBER(-0.19509032201612827584), FFT_NUMBER(-0.38268343236508978178), FFT_NUMBER(-0.55557023301960217765),
    FFT_NUMBER(-0.70710678118654757274), FFT_NUMBER(-0.83146961230254523567), FFT_NUMBER(-0.92387953251128673848),
    FFT_NUMBER(-0.98078528040323043058), FFT_NUMBER(-1.00000000000000000000), FFT_NUMBER(-0.98078528040323043058),
    FFT_NUMBER(-0.92387953251128673848), FFT_NUMBER(-0.83146961230254523567), FFT_NUMBER(-0.70710678118654757274),
    FFT_NUMBER(-0.55557023301960217765), FFT_NUMBER(-0.38268343236508978178), FFT_NUMBER(-0.19509032201612827584),
    FFT_NUMBER(0.00000000000000000000),  FFT_NUMBER(0.19509032201612827584),  FFT_NUMBER(0.38268343236508978178),
    FFT_NUMBER(0.55557023301960217765),  FFT_NUMBER(0.70710678118654757274),  FFT_NUMBER(0.83146961230254523567),
    FFT_NUMBER(0.92387953251128673848),  FFT_NUMBER(0.98078528040323043058)};
constant PART fft_sin32[] = {
    FFT_NUMBER(0.00000000000000000000),  FFT_NUMBER(0.19509032201612827584),  FFT_NUMBER(0.38268343236508978178),
    FFT_NUMBER(0.55557023301960217765),  FFT_NUMBER(0.70710678118654757274),  FFT_NUMBER(0.83146961230254523567),
    FFT_NUMBER(0.92387953251128673848),  FFT_NUMBER(0.98078528040323043058),  FFT_NUMBER(1.00000000000000000000),
    FFT_NUMBER(0.98078528040323043058),  FFT_NUMBER(0.92387953251128673848),  FFT_NUMBER(0.83146961230254523567),
    FFT_NUMBER(0.70710678118654757274),  FFT_NUMBER(0.55557023301960217765),  FFT_NUMBER(0.38268343236508978178),
    FFT_NUMBER(0.19509032201612827584),  FFT_NUMBER(0.00000000000000000000),  FFT_NUMBER(-0.19509032201612827584),
    FFT_NUMBER(-0.38268343236508978178), FFT_NUMBER(-0.55557023301960217765), FFT_NUMBER(-0.70710678118654757274),
    FFT_NUMBER(-0.83146961230254523567), FFT_NUMBER(-0.92387953251128673848), FFT_NUMBER(-0.98078528040323043058),
    FFT_NUMBER(-1.00000000000000000000), FFT_NUMBER(-0.98078528040323043058), FFT_NUMBER(-0.92387953251128673848),
    FFT_NUMBER(-0.83146961230254523567), FFT_NUMBER(-0.70710678118654757274), FFT_NUMBER(-0.55557023301960217765),
    FFT_NUMBER(-0.38268343236508978178), FFT_NUMBER(-0.19509032201612827584)};

/* Others: between the two the numbers are turned. */
#define DEFINE_FFT_PRODUCT(R, A, B)                                                                                    \
    inline void fft_dft##R(V *re, V *im)                                                                               \
    {                                                                                                                  \
        V tr[R], ti[R];                                                                                                \
        FFT_UNROLL for (int i = 0; i < A; i++)                                                                         \
        {                                                                                                              \
            FFT_UNROLL for (int j = 0; j < B; j++)                                                                     \
            {                                                                                                          \
                tr[i * B + j] = re[i + A * j];                                                                         \
                ti[i * B + j] = im[i + A * j];                                                                         \
            }                                                                                                          \
            fft_dft##B(tr + i * B, ti + i * B);                                                                        \
            FFT_UNROLL for (int j = 1; j < B; j++) if (i > 0)                                                          \
                fft_times(tr + i * B + j, ti + i * B + j, fft_cos##R[i * j], -fft_sin##R[i * j]);                      \
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
            FFT_UNROLL for (int i = 0; i < A; i++)                                                                     \
            {                                                                                                          \
                re[j + B * i] = ar[i];                                                                                 \
                im[j + B * i] = ai[i];                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }
DEFINE_FFT_PRODUCT(9, 3, 3)
DEFINE_FFT_PRODUCT(25, 5, 5)
DEFINE_FFT_PRODUCT(32, 4, 8)
