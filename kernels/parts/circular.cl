/* sin, cos and tan of floats on CPUs: of numbers below NEAR by Cody and Waite's reduction to a quarter turn (pi/2 as a
 * sum of three floats; the first product is exact by fma) and polynomials fitted to least relative errors, the same for
 * vectors and single numbers. Of others by the compiler's functions. PoCL's treat all lanes of a vector as numbers of
 * 2^23 and more where one of them is, and give -0.013 for the sine of -1.9e-38 beside one. Both of their ways are right
 * from FAR on: so they get a vector of numbers below FAR, or one of numbers from FAR on. */
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

#define ROUNDING 0x1.8p23f /* a number beside it is rounded to a whole one, which is in the lower bits */
#define SIGN_BIT ((int)0x80000000)

#define FLOATS float
#define INTS int
#include "templates/circular.cl"
#undef FLOATS
inline float sine_float(float a) { return fabs(a) < NEAR ? near_sine_float(a) : driver_sine(a); }
inline float cosine_float(float a) { return fabs(a) < NEAR ? near_cosine_float(a) : driver_cosine(a); }
inline float tangent_float(float a) { return fabs(a) < NEAR ? near_tangent_float(a) : driver_tangent(a); }

#if WIDTH > 1
#define FLOATS JOIN(float, WIDTH)
#define INTS JOIN(int, WIDTH)
#include "templates/circular.cl"
#define F sine
#include "templates/circular_lanes.cl"
#define F cosine
#include "templates/circular_lanes.cl"
#define F tangent
#include "templates/circular_lanes.cl"
#undef FLOATS
#endif

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
