/* Functions of integers that take as many rounds as their operands ask for, one lane of a vector of WIDTH after the other. */

/* U: S without a sign. IS_NEGATIVE: of S; its magnitude is a number of U. */
#define DEFINE_WHOLE(S, U, IS_NEGATIVE)                                                                                \
    inline U magnitude_##S(S x) { return IS_NEGATIVE(x) ? (U)0 - (U)x : (U)x; }                                        \
    inline U divisor_##S(U x, U y)                                                                                     \
    {                                                                                                                  \
        while (y != 0) {                                                                                               \
            const U rest = x % y;                                                                                      \
            x = y;                                                                                                     \
            y = rest;                                                                                                  \
        }                                                                                                              \
        return x;                                                                                                      \
    }                                                                                                                  \
    inline S common_divisor_##S(S a, S b) { return (S)divisor_##S(magnitude_##S(a), magnitude_##S(b)); }               \
    inline S common_multiple_##S(S a, S b)                                                                             \
    {                                                                                                                  \
        const U x = magnitude_##S(a), y = magnitude_##S(b);                                                            \
        return x == 0 ? (S)0 : (S)(x / divisor_##S(x, y) * y);                                                         \
    }                                                                                                                  \
    /* Below 0 what is left of the quotient of 1, cut toward 0. */                                                     \
    inline S whole_power_##S(S a, S b)                                                                                 \
    {                                                                                                                  \
        U base = (U)a, power = 1, left = IS_NEGATIVE(b) ? (U)b & 1 : (U)b;                                             \
        if (IS_NEGATIVE(b) && magnitude_##S(a) != 1)                                                                   \
            return (S)0;                                                                                               \
        for (; left != 0; left >>= 1, base *= base)                                                                    \
            power *= left & 1 ? base : 1;                                                                              \
        return (S)power;                                                                                               \
    }                                                                                                                  \
    inline S saturated_product_##S(S a, S b)                                                                           \
    {                                                                                                                  \
        return IS_NEGATIVE((S)-1) ? KEPT_PRODUCT(S, a, b, (S)((U)a * (U)b), (S)((U)-1 >> 1))                           \
                                  : NATURAL_KEPT_PRODUCT(S, a, b);                                                     \
    }                                                                                                                  \
    /* Kept within the dtype. A base that was not has a magnitude of 2 or more. */                                     \
    inline S saturated_power_##S(S a, S b)                                                                             \
    {                                                                                                                  \
        S base = a, power = (S)1;                                                                                      \
        if (IS_NEGATIVE(b))                                                                                            \
            return magnitude_##S(a) == 1 ? whole_power_##S(a, b) : (S)0;                                               \
        for (U left = (U)b; left != 0; left >>= 1, base = saturated_product_##S(base, base))                           \
            power = left & 1 ? saturated_product_##S(power, base) : power;                                             \
        return power;                                                                                                  \
    }

#define DEFINE_LANES(name, T, S)                                                                                       \
    inline T name##_##T(T a, T b)                                                                                      \
    {                                                                                                                  \
        T value = a;                                                                                                   \
        for (int lane = 0; lane < WIDTH; lane++)                                                                       \
            ((S *)&value)[lane] = name##_##S(((S *)&a)[lane], ((S *)&b)[lane]);                                        \
        return value;                                                                                                  \
    }
#define DEFINE_WHOLE_LANES(T, S)                                                                                       \
    DEFINE_LANES(common_divisor, T, S)                                                                                 \
    DEFINE_LANES(common_multiple, T, S)                                                                                \
    DEFINE_LANES(whole_power, T, S)                                                                                    \
    DEFINE_LANES(saturated_power, T, S)

#define BELOW_0(x) ((x) < 0)
#define NEVER_BELOW_0(x) false

#if WIDTH > 1
#define DEFINE_WHOLE_OF(S, U, IS_NEGATIVE) DEFINE_WHOLE(S, U, IS_NEGATIVE) DEFINE_WHOLE_LANES(JOIN(S, WIDTH), S)
#else
#define DEFINE_WHOLE_OF(S, U, IS_NEGATIVE) DEFINE_WHOLE(S, U, IS_NEGATIVE)
#endif

DEFINE_WHOLE_OF(char, uchar, BELOW_0)
DEFINE_WHOLE_OF(uchar, uchar, NEVER_BELOW_0)
DEFINE_WHOLE_OF(short, ushort, BELOW_0)
DEFINE_WHOLE_OF(ushort, ushort, NEVER_BELOW_0)
DEFINE_WHOLE_OF(int, uint, BELOW_0)
DEFINE_WHOLE_OF(uint, uint, NEVER_BELOW_0)
DEFINE_WHOLE_OF(long, ulong, BELOW_0)
DEFINE_WHOLE_OF(ulong, ulong, NEVER_BELOW_0)

#define WHOLE_OF(f, TYPE, a, b) JOIN(f##_, TYPE)(a, b)
