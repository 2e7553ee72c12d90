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

/* The bits of an element of that rank, +0 for zeros; NaN is none's. */
inline KEY key_of(KEY rank, KEY flip)
{
    const KEY turned = (KEY)(rank ^ flip);
    return (KEY)(turned ^ ((turned & KEY_SIGN) != 0 ? KEY_SIGN : KEY_ALL));
}

#define RANK_IS_NAN(rank) ((rank) == KEY_ALL)
#define KEY_NAN KEY_ALL
#define KEY_LAST(flip) ((void)(flip), KEY_ALL) /* nothing comes behind it */
#else
#define RANK_IS_NAN(rank) 0
#define KEY_NAN KEY_ALL /* never needed */
#define KEY_LOWEST ((KEY)((T)-1 < (T)0 ? KEY_SIGN : (KEY)0))

inline KEY rank_of(KEY bits, KEY flip) { return (KEY)(bits ^ KEY_LOWEST ^ flip); }
inline KEY key_of(KEY rank, KEY flip) { return (KEY)(rank ^ KEY_LOWEST ^ flip); }
#define KEY_LAST(flip) key_of(KEY_ALL, flip)
#endif
