/* fmod on CPUs, of numbers and of vectors. PoCL's fmod of 8 doubles gives a lane another remainder where a lane beside
 * it divides by infinity: 0.25 for 10 and -1.5. Here lanes whose quotients are all below EXACT take the quotient at
 * once: the fma is exact, and negative where the quotient was rounded up to a whole number. In other vectors each lane
 * is computed alone. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) /* without the instruction fma is slow */
#define EXACT_float 0x1p23f
#define EXACT_double 0x1p52
#else
#define EXACT_float 0.0f
#define EXACT_double 0.0
#endif

/* fmod may be a macro, which names made of it would have in them. */
#define driver_remainder(a, b) fmod(a, b)

inline float remainder_float(float a, float b) { return driver_remainder(a, b); }
#if WIDTH > 1
#define NUMBER float
#define NUMBERS JOIN(float, WIDTH)
#include "templates/remainder.cl"
#endif
#ifdef cl_khr_fp64
inline double remainder_double(double a, double b) { return driver_remainder(a, b); }
#if WIDTH > 1
#define NUMBER double
#define NUMBERS JOIN(double, WIDTH)
#include "templates/remainder.cl"
#endif
#endif

#define FMOD(TYPE, a, b) remainder_##TYPE(a, b)
