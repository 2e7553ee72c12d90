/* The units of the bodies' structure of arrays, and what is converted into them.
 *
 * Row NBODY_UNITS of `body` begins with two exponents of 2: lengths (x, y, z) are in units of 2 to the first, masses in
 * units of 2 to the second. They are such that the farthest coordinate and the largest mass are about 1: no power of a
 * distance overflows in f32, whatever units the user likes. Velocities are in the user's units. */
#include "abi/nbody.h"

#ifndef PULL_UNIT
#define PULL_UNIT 1 /* a factor that the accelerations of this program lack, and its kicks have */
#endif

/* The exponents of the units of length and of mass. */
inline int2 get_units(global const T *body, long size)
{
    return (int2)((int)body[NBODY_UNITS * size], (int)body[NBODY_UNITS * size + 1]);
}

inline int exponent_of(T x) { return x > 0 && x < (T)INFINITY ? ilogb(x) : 0; }

/* The host defines SOFTS where each body has a softening of its own: of two bodies, the halves of the
 * squares are added, so that a softening that all have is that of a number. */
#ifdef SOFTS
#define SOFT_OF_BODY(body, size, i, soft) ((body)[NBODY_SOFT * (size) + (i)])
#else
#define SOFT_OF_BODY(body, size, i, soft) (soft)
#endif

/* The square of the softening. */
inline T own_soft(T softening, int2 unit)
{
    T length = ldexp(softening, -unit.x);
    return length * length;
}

inline T own_kick(T kick, int2 unit) { return ldexp(kick * PULL_UNIT, unit.y - 2 * unit.x); }

inline T own_drift(T drift, int2 unit) { return ldexp(drift, -unit.x); }

/* x + factor * y; a factor of 0 leaves even the sign of a zero as it is, so that steps in several launches give the
 * same bits as in one. */
#define ADD_TIMES(type, x, factor, y) ((factor) == 0 ? (x) : fma((type)(factor), (y), (x)))

/* Of nbody_steps: factors of the kicks and drifts of a step's stages. */
typedef struct {
    T kick[NBODY_FACTORS], drift[NBODY_FACTORS];
} nbody_factors;
