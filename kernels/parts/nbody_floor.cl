/* What n-body kernels on a GPU share: bodies as vectors, and squares of distances that are never zero. */
#include "parts/nbody_bodies.cl"

/* Lengths and masses are about 1 at most, so with this in its square no distance is zero, no power of one overflows,
 * and what a body does to itself is a finite number times zero. */
#ifdef DTYPE_f64
#define FLOOR 1e-200
#else
#define FLOOR 1e-24f
#endif

typedef JOIN(T, 4) mass_point; /* x, y, z, mass: a vector, which local memory gives in one read */

inline T floored_soft(T softening, int2 unit)
{
    const T length = ldexp(softening, -unit.x);
    return fma(length, length, FLOOR);
}

/* On NVIDIA the compiler takes three more instructions around rsqrt, for numbers below 2^-126, and its rsqrt of doubles
 * has more steps: from y, good to 20 bits, with e = 1 - x y y, y (1 + e/2 + 3/8 e^2) is good to the last two. */
#if defined(NVIDIA) && defined(DTYPE_f32)
inline float reciprocal_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#elif defined(NVIDIA)
inline double reciprocal_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y * y, 1.0);
    return y == 0 ? y : fma(fma(e, 0.375, 0.5), e * y, y); /* of infinity: 0 */
}
#else
#define reciprocal_root(x) rsqrt(x)
#endif
