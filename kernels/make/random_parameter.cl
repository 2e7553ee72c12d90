/* Parameters of random draws: copies of arrays, with a verdict on elements that are none, in whose place 1 is put. */
#include "parts/verdict.cl"

#ifdef HAS_F64
#define REAL double
#define BITS(x) as_long((double)(x))
#else
#define REAL float
#define BITS(x) as_int((float)(x))
#endif

/* Numbers from `least` to `most`, `open` without `least`, `whole` without fractions. */
KERNEL(GROUP) random_parameter(global REAL *dst, global const T *src, long offset, lun_layout from, long n, REAL least,
                               REAL most, int open, int whole, VERDICT_PARAMETERS)
{
    src += offset;
    FOR_SPREAD(i, n)
    {
        const REAL x = (REAL)LOAD(src, layout_offset(&from, i));
        const bool good = x >= least && x <= most && !(open && x == least) && !(whole && x != floor(x));
        if (!good)
            verdict_say_both(VERDICT, i, BITS(x), BITS(most));
        dst[i] = good ? x : 1;
    }
}

/* Whole numbers from `least`, which is not above 0, to `most`, as 64 bits. */
KERNEL(GROUP) random_whole(global long *dst, global const T *src, long offset, lun_layout from, long n, long least,
                           ulong most, VERDICT_PARAMETERS)
{
    src += offset;
    FOR_SPREAD(i, n)
    {
        const COMPUTE x = LOAD(src, layout_offset(&from, i));
        const bool negative = x < 0;
#ifdef IS_FLOAT
        const bool is_long = x == floor(x) && x >= -0x1p63f && x < 0x1p64f;
#else
        const bool is_long = true;
#endif
        const ulong bits = negative ? (ulong)(long)x : (ulong)x;
        const bool good = is_long && (negative ? (long)bits >= least : bits <= most);
        if (!good)
            verdict_say_both(VERDICT, i, BITS((REAL)x), BITS((REAL)INFINITY));
        dst[i] = good ? (long)bits : 1;
    }
}
