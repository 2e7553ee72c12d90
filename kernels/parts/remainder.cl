/* fmod on CPUs, of numbers and of vectors. PoCL's fmod of 8 doubles gives a lane another remainder where a lane beside it divides
 * by infinity: 0.25 for 10 and -1.5. Here lanes whose quotients are all below EXACT take the
 * quotient at once: the fma is exact, and negative where the quotient was rounded up to a whole number. In other vectors each lane is
 * computed alone. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) /* without the instruction fma is slow */
#define EXACT_float 0x1p23f
#define EXACT_double 0x1p52
#else
#define EXACT_float 0.0f
#define EXACT_double 0.0
#endif

/* fmod may be a macro, which names made of it would have in them. */
#define driver_remainder(a, b) fmod(a, b)

#define REMAINDER_LANES(type, number, lanes)                                                                           \
    inline type remainder_##type(type a, type b)                                                                       \
    {                                                                                                                  \
        const type divisor = fabs(b), quotient = trunc(fabs(a) / divisor);                                             \
        type value = fma(-quotient, divisor, fabs(a));                                                                 \
        value = copysign(value < (type)(0) ? value + divisor : value, a);                                              \
        if (all((quotient < (type)(EXACT_##number)) & (divisor < (type)(INFINITY))))                                   \
            return value;                                                                                              \
        for (int lane = 0; lane < lanes; lane++)                                                                       \
            ((number *)&value)[lane] = driver_remainder(((number *)&a)[lane], ((number *)&b)[lane]);                   \
        return value;                                                                                                  \
    }
#define REMAINDER_WIDTHS(number)                                                                                       \
    inline number remainder_##number(number a, number b) { return driver_remainder(a, b); }                            \
    REMAINDER_LANES(number##2, number, 2)                                                                              \
    REMAINDER_LANES(number##4, number, 4)                                                                              \
    REMAINDER_LANES(number##8, number, 8)                                                                              \
    REMAINDER_LANES(number##16, number, 16)

REMAINDER_WIDTHS(float)
#ifdef cl_khr_fp64
REMAINDER_WIDTHS(double)
#endif

#define FMOD(TYPE, a, b) remainder_##TYPE(a, b)
