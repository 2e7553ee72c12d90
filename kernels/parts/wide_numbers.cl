/* Vectors of numbers, real or complex, where a group is one item, and numbers elsewhere: `wide` has WIDTH of them.
 * Behind field.cl. */
#if ITEMS == 1
#if REAL_BYTES == 8
#define WIDE_REALS 8
#else
#define WIDE_REALS 16
#endif
#define WIDTH (WIDE_REALS / PARTS_OF_NUMBER)
typedef JOIN(REAL, WIDE_REALS) wide;
#define LOAD_WIDE(p) JOIN(vload, WIDE_REALS)(0, (global const REAL *)(p))
#define STORE_WIDE(x, p) JOIN(vstore, WIDE_REALS)(x, 0, (global REAL *)(p))
#define LANE(x, q) (((T *)&(x))[q])
#else
#define WIDTH 1
typedef T wide;
#define LOAD_WIDE(p) (*(p))
#define STORE_WIDE(x, p) (*(p) = (x))
#define LANE(x, q) (x)
#endif
#if ITEMS == 1
#define TIMES(v, s) scaled(v, s)
#else
#define TIMES(v, s) times(v, s)
#endif
#if ITEMS == 1 && defined(PART)
#if WIDE_REALS == 8
#define EXCHANGED(x) (x).s10325476
#else
#define EXCHANGED(x) (x).s1032547698badcfe
#endif
/* Sums of products of parts with each other's, and with the other ones. */
typedef struct products {
    wide own, crossed;
} products;
#define ADD_PRODUCT(sum, x, y) ((sum).own += (x) * (y), (sum).crossed += (x) * EXCHANGED(y))
inline T sum_products(products sum, bool conjugates)
{
    T own = 0, crossed = 0;
    for (int q = 0; q < WIDTH; q++) {
        own += LANE(sum.own, q);
        crossed += LANE(sum.crossed, q);
    }
    return conjugates ? (T)(own.x + own.y, crossed.x - crossed.y) : (T)(own.x - own.y, crossed.x + crossed.y);
}
#elif ITEMS == 1
typedef struct products {
    wide own;
} products;
#define ADD_PRODUCT(sum, x, y) ((sum).own += (x) * (y))
#define sum_products(sum, conjugates) total((sum).own)
#endif

/* x with zeros before number `from`, where it begins with number `at`. */
inline wide behind(wide x, long at, long from)
{
    for (int q = 0; q < WIDTH; q++)
        if (at + q < from)
            LANE(x, q) = 0;
    return x;
}

/* The sum of all parts: of products x y of parts, the real part of the sum of x^H y. */
inline REAL total(wide x)
{
    REAL sum = 0;
    for (int q = 0; q < WIDTH * PARTS_OF_NUMBER; q++)
        sum += ((REAL *)&x)[q];
    return sum;
}

inline wide conjugated(wide x)
{
    for (int q = 0; q < WIDTH; q++)
        LANE(x, q) = conjugate(LANE(x, q));
    return x;
}
