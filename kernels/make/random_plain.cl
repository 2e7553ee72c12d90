/* Random numbers: any split of the work gives the same numbers. Uniforms use only exact steps and fma, which OpenCL
 * rounds correctly everywhere. */
#ifdef IS_FLOAT
#include "parts/random_floats.cl"

/* Stores `number`, of words and k, of each element: the k-th of a block. */
#define FOR_NUMBERS(number)                                                                                          \
    dst += offset;                                                                                                   \
    FOR_SPREAD(b, (from.skip + n + PER_BLOCK - 1) / PER_BLOCK)                                                       \
    {                                                                                                                \
        const uint4 words = philox(&from, (ulong)b, 0);                                                              \
        for (int k = 0; k < PER_BLOCK; k++) {                                                                        \
            const long i = b * PER_BLOCK + k - from.skip;                                                            \
            if (i >= 0 && i < n)                                                                                     \
                STORE(dst, layout_offset(&to, i), number);                                                           \
        }                                                                                                            \
    }

/* `below` is the largest number of the dtype under the upper end: rounding may not reach that end. */
KERNEL(GROUP) random_uniform(global T *dst, long offset, lun_layout to, long n, random_source from, COMPUTE low,
                             COMPUTE span, COMPUTE below)
{
    FOR_NUMBERS(min(fma(unit(words, k), span, low), below))
}

KERNEL(GROUP) random_normal(global T *dst, long offset, lun_layout to, long n, random_source from, COMPUTE mean,
                            COMPUTE deviation)
{
    FOR_NUMBERS(mean + deviation * normal(words, k))
}

KERNEL(GROUP) random_exponential(global T *dst, long offset, lun_layout to, long n, random_source from, COMPUTE scale)
{
    FOR_NUMBERS(scale * exponential(words, k))
}
#else
#include "parts/philox.cl"
#include "parts/verdict.cl"

KERNEL(GROUP) random_integers(global T *dst, long offset, lun_layout to, long n, random_source from, ulong low,
                              ulong range, ulong favoured)
{
    dst += offset;
    FOR_SPREAD(i, n)
        dst[layout_offset(&to, i)] = (T)(low + below_range(&from, i, range, favoured));
}

/* The same with ends of each element, as 64 bits. A verdict says which element has none between them. */
KERNEL(GROUP) random_integers_each(global T *dst, long offset, lun_layout to, long n, random_source from,
                                   global const ulong *lows, lun_layout of_low, global const ulong *highs,
                                   lun_layout of_high, VERDICT_PARAMETERS)
{
    dst += offset;
    FOR_SPREAD(i, n)
    {
        const ulong low = lows[layout_offset(&of_low, i)], high = highs[layout_offset(&of_high, i)];
#ifdef DTYPE_u64
        const bool none = low > high;
#else
        const bool none = (long)low > (long)high;
#endif
        const ulong range = high - low + 1;
        if (none)
            verdict_say_both(VERDICT, i, (long)low, (long)high);
        dst[layout_offset(&to, i)] = (T)(low + below_range(&from, i, range, range ? (0 - range) % range : 0));
    }
}
#endif
