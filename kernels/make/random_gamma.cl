/* Gamma and beta numbers, each from a block of its own, by Marsaglia and Tsang's rejection ("A simple method for
 * generating gamma variables", ACM Transactions on Mathematical Software 26, 2000). */
#include "parts/random_floats.cl"

/* A normal number of the words but the last, whose angle has 32 bits. */
#ifdef DTYPE_f64
#define LARGE 0x1p1020
inline T normal_of(uint4 words)
{
    return sqrt(-2 * log(((T)(wide(words.x, words.y) >> 11) + 1) * 0x1p-53)) * cospi((T)words.z * 0x1p-31);
}
#else
#define LARGE 0x1p120f
inline T normal_of(uint4 words) { return normal(words, 0); }
#endif

/* A gamma number is value exp(-exponent): the exponent, which is above 0 for alpha below 1 alone, may be so large that
 * the number is 0. */
typedef struct gamma_number {
    T value, exponent;
} gamma_number;

/* z z / 2 + d (1 - v + log(v)), v being (1 + x)^3: where x is small by its series, as nearly all of that cancels. */
inline T height(T d, T z, T x)
{
    if (fabs(x) < (T)0.02)
        return -d * (x * x * x * x) * ((T)0.75 - x * ((T)0.6 - x * ((T)0.5 - x * ((T)3 / 7))));
    return z * z / 2 + d * (3 * log1p(x) - x * (3 + x * (3 + x)));
}

/* `which` of the `of` numbers that a block gives. */
inline gamma_number gamma_of(const random_source *from, long block, uint which, uint of, T alpha)
{
    const T d = (alpha < 1 ? alpha + 1 : alpha) - (T)1 / 3, scale = 1 / (3 * sqrt(d));
    for (uint attempt = 2 * which;; attempt += 2 * of) {
        const uint4 words = philox(from, (ulong)block, attempt);
        const T z = normal_of(words), u = ((T)words.w + (T)0.5) * (T)0x1p-32f;
        const T x = scale * z, v = (1 + x) * (1 + x) * (1 + x);
        if (x > -1 && (u < 1 - (T)0.0331 * (z * z * z * z) || log(u) <= height(d, z, x))) {
            gamma_number number = {d * v, 0};
            if (alpha < 1)
                number.exponent = min(exponential(philox(from, (ulong)block, attempt + 1), 0) / alpha, LARGE);
            return number;
        }
    }
}

KERNEL(GROUP) random_gamma(global T *dst, long offset, lun_layout to, long n, random_source from,
                           global const T *alphas, lun_layout of_alpha)
{
    dst += offset;
    FOR_SPREAD(i, n)
    {
        const gamma_number g = gamma_of(&from, i, 0, 1, alphas[layout_offset(&of_alpha, i)]);
        dst[layout_offset(&to, i)] = g.value * exp(-g.exponent);
    }
}

/* x / (x + y) of two of them, also where both would be 0. */
KERNEL(GROUP) random_beta(global T *dst, long offset, lun_layout to, long n, random_source from, global const T *as,
                          lun_layout of_a, global const T *bs, lun_layout of_b)
{
    dst += offset;
    FOR_SPREAD(i, n)
    {
        const T a = as[layout_offset(&of_a, i)], b = bs[layout_offset(&of_b, i)];
        const gamma_number x = gamma_of(&from, i, 0, 2, a), y = gamma_of(&from, i, 1, 2, b);
        dst[layout_offset(&to, i)] = 1 / (1 + y.value / x.value * exp(x.exponent - y.exponent));
    }
}
