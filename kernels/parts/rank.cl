/* The order of elements as that of unsigned integers: an element's bits are its KEY, and rank_of(KEY) is what keys are
 * compared by. NaN comes last, forwards and backwards, and 0 and -0 are equal. */
#if ITEM_BYTES == 1
#define KEY uchar
#elif ITEM_BYTES == 2
#define KEY ushort
#elif ITEM_BYTES == 4
#define KEY uint
#else
#define KEY ulong
#endif

#define KEY_ALL ((KEY) ~(KEY)0)
#define KEY_SIGN ((KEY)((KEY)1 << (8 * ITEM_BYTES - 1)))

/* flip: 0, or all bits set where the largest come first. */
#ifdef IS_FLOAT
#define KEY_INFINITY ((KEY)((((KEY)1 << (8 * ITEM_BYTES - DIGITS)) - 1) << (DIGITS - 1)))

inline KEY rank_of(KEY bits, KEY flip)
{
    const KEY size = (KEY)(bits & (KEY)~KEY_SIGN);
    const KEY turned = (KEY)(bits ^ ((bits & KEY_SIGN) != 0 ? KEY_ALL : KEY_SIGN));
    const KEY rank = size == 0 ? KEY_SIGN : turned;
    return size > KEY_INFINITY ? KEY_ALL : (KEY)(rank ^ flip);
}
#else
#define KEY_LOWEST ((KEY)((T)-1 < (T)0 ? KEY_SIGN : (KEY)0))

inline KEY rank_of(KEY bits, KEY flip) { return (KEY)(bits ^ KEY_LOWEST ^ flip); }
#endif
