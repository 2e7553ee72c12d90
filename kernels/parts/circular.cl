/* sin, cos and tan of floats on CPUs: of numbers below NEAR by Cody and Waite's reduction to a quarter turn (pi/2 as a sum of three
 * floats; the first product is exact by fma) and polynomials fitted to least relative errors, the same for vectors and
 * single numbers. Of others by the compiler's functions. PoCL's treat all lanes of a vector as numbers of 2^23 and more where one of them
 * is, and give -0.013 for the sine of -1.9e-38 beside one. Both of their ways are right from FAR on: so they get a vector
 * of numbers below FAR, or one of numbers from FAR on. */
#define FAR 0x1p18f

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) /* without the instruction fma is slow */
#define NEAR 0x1p16f
#else
#define NEAR 0.0f
#endif

/* sin, cos and tan may be macros, which names made of them would have in them. */
#define driver_sine(a) sin(a)
#define driver_cosine(a) cos(a)
#define driver_tangent(a) tan(a)

#define ROUNDING 0x1.8p23f /* a number beside it is rounded to a whole one, which stands in the lower bits */
#define SIGN_BIT ((int)0x80000000)

/* The quarter turn's number, the sine (odd) and the cosine (even) of what is left of |a|. */
#define CIRCULAR_PARTS(type, ints)                                                                                     \
    const type turned = fma(fabs(a), (type)(0x1.45f306p-1f), (type)(ROUNDING));                                        \
    const ints quarter = as_##ints(turned);                                                                            \
    const type j = turned - (type)(ROUNDING);                                                                          \
    const type r = fma(j, (type)(0x1.ee59dap-50f),                                                                     \
                       fma(j, (type)(0x1.777a5cp-25f), fma(j, (type)(-0x1.921fb6p+0f), fabs(a))));                     \
    const type s = r * r;                                                                                              \
    const type odd = fma(                                                                                              \
        r * s, fma(s, fma(s, (type)(-0x1.993ce2p-13f), (type)(0x1.110726p-7f)), (type)(-0x1.555544p-3f)), r);          \
    const type even =                                                                                                  \
        fma(s * s, fma(s, fma(s, (type)(0x1.99e538p-16f), (type)(-0x1.6c0c1ep-10f)), (type)(0x1.55554ap-5f)),          \
            fma(s, (type)(-0.5f), (type)(1.0f)));                                                                      \
    const ints own = as_##ints(a) & SIGN_BIT;

#define SIGNED(type, ints, value, bits) as_##type(as_##ints(value) ^ ((bits) & SIGN_BIT))

#define CIRCULAR_NEAR(type, ints)                                                                                      \
    inline type near_sine_##type(type a)                                                                                \
    {                                                                                                                  \
        CIRCULAR_PARTS(type, ints)                                                                                     \
        return SIGNED(type, ints, select(odd, even, quarter << 31), (quarter << 30) ^ own);                            \
    }                                                                                                                  \
    inline type near_cosine_##type(type a)                                                                                \
    {                                                                                                                  \
        CIRCULAR_PARTS(type, ints)                                                                                     \
        (void)own;                                                                                                     \
        return SIGNED(type, ints, select(even, odd, quarter << 31), (quarter + 1) << 30);                              \
    }                                                                                                                  \
    inline type near_tangent_##type(type a)                                                                                \
    {                                                                                                                  \
        CIRCULAR_PARTS(type, ints)                                                                                     \
        return SIGNED(type, ints, select(odd, even, quarter << 31) / select(even, odd, quarter << 31),                 \
                      (quarter << 31) ^ own);                                                                          \
    }

#define CIRCULAR_LANES(f, type)                                                                                        \
    inline type f##_##type(type a)                                                                                     \
    {                                                                                                                  \
        type value = near_##f##_##type(a);                                                                             \
        if (all(fabs(a) < NEAR))                                                                                       \
            return value;                                                                                              \
        value = fabs(a) < NEAR ? value : driver_##f(fabs(a) >= FAR ? (type)(0) : a);                                            \
        if (any(fabs(a) >= FAR))                                                                                       \
            value = fabs(a) >= FAR ? driver_##f(fabs(a) >= FAR ? a : (type)(FAR)) : value;                                      \
        return value;                                                                                                  \
    }
#define CIRCULAR_SINGLE(f)                                                                                             \
    inline float f##_float(float a) { return fabs(a) < NEAR ? near_##f##_float(a) : driver_##f(a); }
#define CIRCULAR_WIDTHS(f)                                                                                             \
    CIRCULAR_SINGLE(f)                                                                                                 \
    CIRCULAR_LANES(f, float2)                                                                                          \
    CIRCULAR_LANES(f, float4)                                                                                          \
    CIRCULAR_LANES(f, float8)                                                                                          \
    CIRCULAR_LANES(f, float16)

CIRCULAR_NEAR(float, int)
CIRCULAR_NEAR(float2, int2)
CIRCULAR_NEAR(float4, int4)
CIRCULAR_NEAR(float8, int8)
CIRCULAR_NEAR(float16, int16)
CIRCULAR_WIDTHS(sine)
CIRCULAR_WIDTHS(cosine)
CIRCULAR_WIDTHS(tangent)

#define circular_float(f, a) f##_float(a)
#define circular_float2(f, a) f##_float2(a)
#define circular_float4(f, a) f##_float4(a)
#define circular_float8(f, a) f##_float8(a)
#define circular_float16(f, a) f##_float16(a)
#define circular_double(f, a) driver_##f(a)
#define circular_double2(f, a) driver_##f(a)
#define circular_double4(f, a) driver_##f(a)
#define circular_double8(f, a) driver_##f(a)
#define circular_double16(f, a) driver_##f(a)
#define CIRCULAR(TYPE, f, a) circular_##TYPE(f, a)
