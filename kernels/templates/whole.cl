/* Functions of integers of type WHOLE, for parts/whole.cl. NATURAL: WHOLE without a sign. IS_NEGATIVE(x): of WHOLE; its
 * magnitude is a number of NATURAL. */
#define NAMED(f) JOIN(f##_, WHOLE)

inline NATURAL NAMED(magnitude)(WHOLE x) { return IS_NEGATIVE(x) ? (NATURAL)0 - (NATURAL)x : (NATURAL)x; }

inline NATURAL NAMED(divisor)(NATURAL x, NATURAL y)
{
    while (y != 0) {
        const NATURAL rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

inline WHOLE NAMED(common_divisor)(WHOLE a, WHOLE b)
{
    return (WHOLE)NAMED(divisor)(NAMED(magnitude)(a), NAMED(magnitude)(b));
}

inline WHOLE NAMED(common_multiple)(WHOLE a, WHOLE b)
{
    const NATURAL x = NAMED(magnitude)(a), y = NAMED(magnitude)(b);
    return x == 0 ? (WHOLE)0 : (WHOLE)(x / NAMED(divisor)(x, y) * y);
}

/* Below 0 what is left of the quotient of 1, cut toward 0. */
inline WHOLE NAMED(whole_power)(WHOLE a, WHOLE b)
{
    NATURAL base = (NATURAL)a, power = 1, left = IS_NEGATIVE(b) ? (NATURAL)b & 1 : (NATURAL)b;
    if (IS_NEGATIVE(b) && NAMED(magnitude)(a) != 1)
        return (WHOLE)0;
    for (; left != 0; left >>= 1, base *= base)
        power *= left & 1 ? base : 1;
    return (WHOLE)power;
}

inline WHOLE NAMED(saturated_product)(WHOLE a, WHOLE b)
{
    return IS_NEGATIVE((WHOLE)-1)
               ? KEPT_PRODUCT(WHOLE, a, b, (WHOLE)((NATURAL)a * (NATURAL)b), (WHOLE)((NATURAL)-1 >> 1))
               : NATURAL_KEPT_PRODUCT(WHOLE, a, b);
}

/* Kept within the dtype. A base that was not has a magnitude of 2 or more. */
inline WHOLE NAMED(saturated_power)(WHOLE a, WHOLE b)
{
    WHOLE base = a, power = (WHOLE)1;
    if (IS_NEGATIVE(b))
        return NAMED(magnitude)(a) == 1 ? NAMED(whole_power)(a, b) : (WHOLE)0;
    for (NATURAL left = (NATURAL)b; left != 0; left >>= 1, base = NAMED(saturated_product)(base, base))
        power = left & 1 ? NAMED(saturated_product)(power, base) : power;
    return power;
}

#if WIDTH > 1
#define NAME common_divisor
#include "templates/lanes.cl"
#define NAME common_multiple
#include "templates/lanes.cl"
#define NAME whole_power
#include "templates/lanes.cl"
#define NAME saturated_power
#include "templates/lanes.cl"
#endif

#undef NAMED
#undef WHOLE
#undef NATURAL
