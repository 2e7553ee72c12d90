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

#ifdef DTYPE_f16
#define SEQUENCE_STORE(p, i, v) vstore_half_rte(convert_float(v), (i), (p))
#else
#define SEQUENCE_STORE(p, i, v) ((p)[i] = (T)(v))
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sequence_plain(global T *dst, long offset, lun_layout to, long n, number from, number step)
{
    dst += offset;
    FOR_SPREAD(i, n)
        SEQUENCE_STORE(dst, layout_offset(&to, i), from + (number)i * step);
}
