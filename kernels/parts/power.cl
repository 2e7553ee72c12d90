/* pow of floats on CPUs, for vectors and single numbers: 2^(b * log2(a)). f32 is computed in f64. In f64 the logarithm
 * and its product with b are sums of two doubles, as in Sun's fdlibm: b makes up to 1100 times as much of the
 * logarithm's error. Polynomials are interpolated at Chebyshev's nodes. What is not an ordinary power is chosen at the
 * end, as C's Annex F has it. */

#define ROOT_HALF_F32 0x3f3504f3 /* the bits of sqrt(1/2): mantissas lie between it and sqrt(2) */
#define ROOT_HALF_F64 0x3fe6a09e667f3bcdL
#define ROUNDS_F64 0x1.8p52 /* a number beside it is rounded to a whole one, which is in the lower bits */

#define power_driver(a, b) pow(a, b) /* pow may be a macro, which a name made of it would have in it */
#if defined(HAS_F64) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) /* without the instruction fma is slow */
#define POWER_OF(TYPE, a, b) power_##TYPE(a, b)
#define FLOATS float
#define INTS int
#define DOUBLES double
#define LONGS long
#include "templates/power.cl"
#if WIDTH > 1
#define FLOATS JOIN(float, WIDTH)
#define INTS JOIN(int, WIDTH)
#define DOUBLES JOIN(double, WIDTH)
#define LONGS JOIN(long, WIDTH)
#include "templates/power.cl"
#endif
#else
#define POWER_OF(TYPE, a, b) power_driver(a, b)
#endif
#define POWER(TYPE, a, b) POWER_OF(TYPE, a, b)
