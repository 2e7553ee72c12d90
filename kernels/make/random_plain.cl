/* Random numbers: any split of the work gives the same numbers. Uniforms use only exact steps and fma, which OpenCL rounds
 * correctly everywhere. */
#ifndef T
#define T float
#define COMPUTE float
#define DTYPE_f32 1
#define IS_FLOAT 1
#endif

#include "parts/philox.cl"

#ifdef IS_FLOAT
/* Elements that one block of four words gives. */
#ifdef DTYPE_f64
#define PER_BLOCK 2
#else
#define PER_BLOCK 4
#endif

/* 0 <= u < 1 with as many bits as the dtype holds. */
inline COMPUTE unit(uint4 words, int k)
{
    uint w[4] = {words.x, words.y, words.z, words.w};
#if defined(DTYPE_f64)
    return (COMPUTE)(wide(w[2 * k], w[2 * k + 1]) >> 11) * 0x1p-53;
#else
    return ldexp((COMPUTE)(w[k] >> (32 - DIGITS)), -DIGITS);
#endif
}

/* `below` is the largest number of the dtype under the upper end: rounding may not reach that end. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_uniform(global T *dst, long offset, lun_layout to, long n, ulong seed, COMPUTE low, COMPUTE span,
                    COMPUTE below)
{
    dst += offset;
    FOR_SPREAD(b, (n + PER_BLOCK - 1) / PER_BLOCK)
    {
        uint4 words = philox(seed, (ulong)b, 0);
        for (int k = 0; k < PER_BLOCK && b * PER_BLOCK + k < n; k++) {
            COMPUTE x = fma(unit(words, k), span, low);
            STORE(dst, layout_offset(&to, b * PER_BLOCK + k), min(x, below));
        }
    }
}

/* Box-Muller: a pair of uniforms gives a pair of normals; the first uniform is in (0, 1]. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_normal(global T *dst, long offset, lun_layout to, long n, ulong seed, COMPUTE mean, COMPUTE deviation)
{
    dst += offset;
    FOR_SPREAD(b, (n + PER_BLOCK - 1) / PER_BLOCK)
    {
        uint4 words = philox(seed, (ulong)b, 0);
        uint w[4] = {words.x, words.y, words.z, words.w};
        for (int k = 0; k < PER_BLOCK && b * PER_BLOCK + k < n; k++) {
#ifdef DTYPE_f64
            COMPUTE u = ((COMPUTE)(wide(w[0], w[1]) >> 11) + 1) * 0x1p-53;
            COMPUTE turn = (COMPUTE)(wide(w[2], w[3]) >> 11) * 0x1p-52;
#else
            COMPUTE u = ((COMPUTE)(w[k & 2] >> 8) + 1) * 0x1p-24f;
            COMPUTE turn = (COMPUTE)(w[(k & 2) + 1] >> 8) * 0x1p-23f;
#endif
            COMPUTE radius = sqrt(-2 * log(u));
            COMPUTE z = radius * (k & 1 ? sinpi(turn) : cospi(turn));
            STORE(dst, layout_offset(&to, b * PER_BLOCK + k), mean + deviation * z);
        }
    }
}
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_randint(global T *dst, long offset, lun_layout to, long n, ulong seed, ulong low, ulong range,
                    ulong favoured)
{
    dst += offset;
    FOR_SPREAD(i, n)
        dst[layout_offset(&to, i)] = (T)(low + below_range(seed, i, range, favoured));
}
#endif
