/* Transforms of a few numbers in registers: re and im are arrays of V, a number or a vector of them, whose lanes are
 * transforms side by side. */
#ifndef V
#define V PART
#endif
#ifdef DTYPE_c128
#define FFT_NUMBER(x) x
#else
#define FFT_NUMBER(x) x##f
#endif
#define FFT_UNROLL _Pragma("unroll")

#ifndef FFT_TWOS
constant PART fft_cos3[] = {
    FFT_NUMBER(1.00000000000000000000), FFT_NUMBER(-0.50000000000000000000), FFT_NUMBER(-0.50000000000000000000)};
constant PART fft_sin3[] = {
    FFT_NUMBER(0.00000000000000000000), FFT_NUMBER(0.86602540378443859659), FFT_NUMBER(-0.86602540378443859659)};
constant PART fft_cos5[] = {
    FFT_NUMBER(1.00000000000000000000), FFT_NUMBER(0.30901699437494745126), FFT_NUMBER(-0.80901699437494745126),
    FFT_NUMBER(-0.80901699437494745126), FFT_NUMBER(0.30901699437494745126)};
constant PART fft_sin5[] = {
    FFT_NUMBER(0.00000000000000000000), FFT_NUMBER(0.95105651629515353118), FFT_NUMBER(0.58778525229247313710),
    FFT_NUMBER(-0.58778525229247313710), FFT_NUMBER(-0.95105651629515353118)};
constant PART fft_cos7[] = {
    FFT_NUMBER(1.00000000000000000000), FFT_NUMBER(0.62348980185873348336), FFT_NUMBER(-0.22252093395631439288),
    FFT_NUMBER(-0.90096886790241914600), FFT_NUMBER(-0.90096886790241914600), FFT_NUMBER(-0.22252093395631439288),
    FFT_NUMBER(0.62348980185873348336)};
constant PART fft_sin7[] = {
    FFT_NUMBER(0.00000000000000000000), FFT_NUMBER(0.78183148246802980363), FFT_NUMBER(0.97492791218182361934),
    FFT_NUMBER(0.43388373911755812040), FFT_NUMBER(-0.43388373911755812040), FFT_NUMBER(-0.97492791218182361934),
    FFT_NUMBER(-0.78183148246802980363)};
constant PART fft_cos11[] = {
    FFT_NUMBER(1.00000000000000000000), FFT_NUMBER(0.84125353283118120551), FFT_NUMBER(0.41541501300188643508),
    FFT_NUMBER(-0.14231483827328514358), FFT_NUMBER(-0.65486073394528510061), FFT_NUMBER(-0.95949297361449736865),
    FFT_NUMBER(-0.95949297361449736865), FFT_NUMBER(-0.65486073394528510061), FFT_NUMBER(-0.14231483827328514358),
    FFT_NUMBER(0.41541501300188643508), FFT_NUMBER(0.84125353283118120551)};
constant PART fft_sin11[] = {
    FFT_NUMBER(0.00000000000000000000), FFT_NUMBER(0.54064081745559755543), FFT_NUMBER(0.90963199535451833011),
    FFT_NUMBER(0.98982144188093268422), FFT_NUMBER(0.75574957435425826890), FFT_NUMBER(0.28173255684142967104),
    FFT_NUMBER(-0.28173255684142967104), FFT_NUMBER(-0.75574957435425826890), FFT_NUMBER(-0.98982144188093268422),
    FFT_NUMBER(-0.90963199535451833011), FFT_NUMBER(-0.54064081745559755543)};
constant PART fft_cos13[] = {
    FFT_NUMBER(1.00000000000000000000), FFT_NUMBER(0.88545602565320991051), FFT_NUMBER(0.56806474673115581187),
    FFT_NUMBER(0.12053668025532304764), FFT_NUMBER(-0.35460488704253562142), FFT_NUMBER(-0.74851074817110108128),
    FFT_NUMBER(-0.97094181742605201180), FFT_NUMBER(-0.97094181742605201180), FFT_NUMBER(-0.74851074817110108128),
    FFT_NUMBER(-0.35460488704253562142), FFT_NUMBER(0.12053668025532304764), FFT_NUMBER(0.56806474673115581187),
    FFT_NUMBER(0.88545602565320991051)};
constant PART fft_sin13[] = {
    FFT_NUMBER(0.00000000000000000000), FFT_NUMBER(0.46472317204376856203), FFT_NUMBER(0.82298386589365635224),
    FFT_NUMBER(0.99270887409805397272), FFT_NUMBER(0.93501624268541483342), FFT_NUMBER(0.66312265824079519305),
    FFT_NUMBER(0.23931566428755776665), FFT_NUMBER(-0.23931566428755776665), FFT_NUMBER(-0.66312265824079519305),
    FFT_NUMBER(-0.93501624268541483342), FFT_NUMBER(-0.99270887409805397272), FFT_NUMBER(-0.82298386589365635224),
    FFT_NUMBER(-0.46472317204376856203)};

#define R 3
#include "templates/fft_odd.cl"
#define R 5
#include "templates/fft_odd.cl"
#define R 7
#include "templates/fft_odd.cl"
#define R 11
#include "templates/fft_odd.cl"
#define R 13
#include "templates/fft_odd.cl"
#endif

/* Four numbers at those places; y comes in their order. */
inline void fft_four(V *re, V *im, int a, int b, int c, int d)
{
    const V er = re[a] + re[c], ei = im[a] + im[c], fr = re[a] - re[c], fi = im[a] - im[c];
    /* hr and hi: -i times the difference. */
    const V gr = re[b] + re[d], gi = im[b] + im[d], hr = im[b] - im[d], hi = re[d] - re[b];
    re[a] = er + gr;
    im[a] = ei + gi;
    re[b] = fr + hr;
    im[b] = fi + hi;
    re[c] = er - gr;
    im[c] = ei - gi;
    re[d] = fr - hr;
    im[d] = fi - hi;
}

inline void fft_times(V *re, V *im, PART wr, PART wi)
{
    const V t = *re * wr - *im * wi;
    *im = *re * wi + *im * wr;
    *re = t;
}

inline void fft_dft1(V *re, V *im) {}

inline void fft_dft2(V *re, V *im)
{
    const V tr = re[0] - re[1], ti = im[0] - im[1];
    re[0] += re[1];
    im[0] += im[1];
    re[1] = tr;
    im[1] = ti;
}

inline void fft_dft4(V *re, V *im) { fft_four(re, im, 0, 1, 2, 3); }

#define FFT_HALF_ROOT FFT_NUMBER(0.70710678118654752440)
#define FFT_COS16 FFT_NUMBER(0.92387953251128675613)
#define FFT_SIN16 FFT_NUMBER(0.38268343236508977173)

inline void fft_dft8(V *re, V *im)
{
    V tr[8], ti[8];
    fft_four(re, im, 0, 2, 4, 6);
    fft_four(re, im, 1, 3, 5, 7);
    const V ar = FFT_HALF_ROOT * (re[3] + im[3]), ai = FFT_HALF_ROOT * (im[3] - re[3]);
    const V cr = FFT_HALF_ROOT * (im[7] - re[7]), ci = -FFT_HALF_ROOT * (re[7] + im[7]);
    const V or[4] = {re[1], ar, im[5], cr}, oi[4] = {im[1], ai, -re[5], ci};
    FFT_UNROLL for (int j = 0; j < 4; j++) {
        tr[j] = re[2 * j] + or[j];
        ti[j] = im[2 * j] + oi[j];
        tr[j + 4] = re[2 * j] - or[j];
        ti[j + 4] = im[2 * j] - oi[j];
    }
    FFT_UNROLL for (int j = 0; j < 8; j++) {
        re[j] = tr[j];
        im[j] = ti[j];
    }
}

inline void fft_dft16(V *re, V *im)
{
    V tr[16], ti[16];
    FFT_UNROLL for (int k = 0; k < 4; k++)
        fft_four(re, im, k, k + 4, k + 8, k + 12);
    const V turned = -re[10];
    re[10] = im[10];
    im[10] = turned;
    fft_times(re + 5, im + 5, FFT_COS16, -FFT_SIN16);
    fft_times(re + 6, im + 6, FFT_HALF_ROOT, -FFT_HALF_ROOT);
    fft_times(re + 7, im + 7, FFT_SIN16, -FFT_COS16);
    fft_times(re + 9, im + 9, FFT_HALF_ROOT, -FFT_HALF_ROOT);
    fft_times(re + 11, im + 11, -FFT_HALF_ROOT, -FFT_HALF_ROOT);
    fft_times(re + 13, im + 13, FFT_SIN16, -FFT_COS16);
    fft_times(re + 14, im + 14, -FFT_HALF_ROOT, -FFT_HALF_ROOT);
    fft_times(re + 15, im + 15, -FFT_COS16, FFT_SIN16);
    FFT_UNROLL for (int j = 0; j < 16; j += 4)
        fft_four(re, im, j, j + 1, j + 2, j + 3);
    FFT_UNROLL for (int j = 0; j < 16; j++) {
        tr[j] = re[4 * (j & 3) + (j >> 2)];
        ti[j] = im[4 * (j & 3) + (j >> 2)];
    }
    FFT_UNROLL for (int j = 0; j < 16; j++) {
        re[j] = tr[j];
        im[j] = ti[j];
    }
}
