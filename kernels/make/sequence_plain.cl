/* from + i*step, in row-major order: in 64-bit integers for integer dtypes, else in the widest float there is. */
#ifndef T
#define T float
#define IS_FLOAT 1
#endif

#ifndef IS_FLOAT
typedef long number;
#elif defined(HAS_F64)
typedef double number;
#else
typedef float number;
#endif

#if defined(PACKED) && defined(HAS_F64) /* rounded once */
#define TERM(x) odd_of_double(x)
#elif defined(PACKED)
#define TERM(x) (x)
#else
#define TERM(x) (T)(x)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sequence_plain(global T *dst, long offset, lun_layout to, long n, number from, number step)
{
    dst += offset;
    FOR_SPREAD(i, n)
        STORE(dst, layout_offset(&to, i), TERM(from + (number)i * step));
}
