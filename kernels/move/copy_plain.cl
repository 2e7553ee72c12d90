/* Copying and casting between any two layouts of one shape. Integers saturate, NaN becomes integer 0, floats are cut
 * toward zero, what is not 0 is true, and a real number is a complex one's real part. SRC is the source's storage type,
 * SRC_PACKED as PACKED is T's; a copy that keeps the dtype is built per item size. */
#ifndef SRC
#define SRC T
#endif

#ifdef SRC_PACKED
#define SRC_LOAD(p, i) SRC_PACKED(LOAD_, )(p, i)
#else
#define SRC_LOAD(p, i) ((p)[i])
#endif

#if !defined(CAST)
#define CONVERTED(x) (x)
#elif defined(TO_TRUTHS) && defined(SRC_PAIRS)
#define CONVERTED(x) (T)PAIR_IS_TRUE(x)
#elif defined(TO_TRUTHS)
#define CONVERTED(x) ((T)((x) != 0))
#elif defined(PART) && defined(SRC_PAIRS)
#define CONVERTED(x) JOIN(convert_, T)(x)
#elif defined(PART)
#define CONVERTED(x) ((T)((PART)(x), 0))
#elif defined(PACKED) && defined(SRC_IS_f64)
#define CONVERTED(x) odd_of_double(x)
#elif defined(PACKED) && defined(SRC_IS_u64)
#define CONVERTED(x) odd_of_ulong(x)
#elif defined(PACKED) && !defined(SRC_IS_FLOAT)
#define CONVERTED(x) odd_of_long(x)
#elif defined(PACKED)
#define CONVERTED(x) (x)
#elif defined(IS_FLOAT)
#define CONVERTED(x) JOIN(convert_, T)(x)
#elif defined(SRC_IS_FLOAT)
#define CONVERTED(x) (isnan(x) ? (T)0 : JOIN(JOIN(convert_, T), _sat_rtz)(x))
#else
#define CONVERTED(x) JOIN(JOIN(convert_, T), _sat)(x)
#endif

#define MOVE(to, from) \
    do { \
        STORE(dst, to, CONVERTED(SRC_LOAD(src, from))); \
    } while (0)

/* Walks whole runs of the innermost axis where a work-item has a core to itself. */
KERNEL(GROUP) copy_plain(global T *restrict dst, long dst_offset, lun_layout to, global const SRC *restrict src,
                         long src_offset, lun_layout from, long n)
{
    dst += dst_offset;
    src += src_offset;
#if GROUP == 1
    const long inner = to.ndim > 0 ? to.ndim - 1 : 0;
    const long width = to.ndim > 0 ? to.size[inner] : 1;
    const long dst_step = to.stride[inner], src_step = from.stride[inner];
    const long end = SPREAD_TO(n);
    for (long i = SPREAD_FROM(n); i < end;) {
        long run = min(width - i % width, end - i);
        long d = layout_offset(&to, i), s = layout_offset(&from, i);
        if (dst_step == 1 && src_step == 1)
            for (long k = 0; k < run; k++)
                MOVE(d + k, s + k);
        else
            for (long k = 0; k < run; k++)
                MOVE(d + k * dst_step, s + k * src_step);
        i += run;
    }
#else
    FOR_SPREAD(i, n)
        MOVE(layout_offset(&to, i), layout_offset(&from, i));
#endif
}
