/* The units of the n-body kernels' own copy of the bodies.
 *
 * `body` is x, y, z, mass, vx, vy, vz, each an array of `size` elements. Lengths and masses there are in units of powers
 * of two, whose exponents follow the arrays: the farthest coordinate and the largest mass are about 1, so that no power of
 * a distance overflows in f32, whatever units the user likes. */
#ifndef PULL_UNIT
#define PULL_UNIT 1 /* a factor that accelerations lack, and the kick has */
#endif

/* The exponents of the units of length and of mass. */
inline int2 get_units(global const T *body, long size)
{
    return (int2)((int)body[7 * size], (int)body[7 * size + 1]);
}

inline int exponent_of(T x) { return x > 0 && x < (T)INFINITY ? ilogb(x) : 0; }

/* Its square. */
inline T own_soft(T softening, int2 unit)
{
    T length = ldexp(softening, -unit.x);
    return length * length;
}

inline T own_kick(T kick, int2 unit) { return ldexp(kick * PULL_UNIT, unit.y - 2 * unit.x); }

inline T own_drift(T drift, int2 unit) { return ldexp(drift, -unit.x); }
