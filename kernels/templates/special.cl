/* Functions of REALS, which is REAL or a vector of it, for parts/special.cl. INTS: integers as many as REALS.
 * ERROR_FAR, ERROR_TAIL: where these tables end; ROOT and ROOT_REST: where digamma is 0. */

/* The modified Bessel function I0: exp(x) times a polynomial of x, and from 8 on of 1/x by sqrt(x). exp(x - 8) is exact
 * in its operand, and overflows later than I0 does. */
inline REALS JOIN(bessel_i0_, REALS)(REALS a)
{
    const REALS x = fabs(a), near = AT_MOST(REALS, x, 8), far = AT_LEAST(REALS, x, 8);
    POLYNOMIAL(REALS, p, JOIN(bessel_near_, REAL), near * (REALS)(0.25f) - (REALS)(1))
    POLYNOMIAL(REALS, q, JOIN(bessel_far_, REAL), (REALS)(16) / far - (REALS)(1))
    const REALS beyond = exp(far - (REALS)(8)) * (q / sqrt(far));
    const REALS whole = x > (REALS)(8) ? beyond : exp(near) * p;
    return x == (REALS)(INFINITY) ? x : x == (REALS)(0) ? (REALS)(1) : whole;
}

/* Giles, "Approximating the erfinv function", 2010: x times a function of w = -log(1 - x*x), and of sqrt(w) from w = 5
 * on. */
inline REALS JOIN(error_of_, REALS)(REALS w)
{
    const REALS root = AT_LEAST(REALS, sqrt(AT_LEAST(REALS, w, 0)), 2.236068f);
    const REALS near = AT_MOST(REALS, w, 5), far = AT_MOST(REALS, root, ERROR_FAR);
    POLYNOMIAL(REALS, p, JOIN(error_near_, REAL), near / (REALS)(2.5f) - (REALS)(1))
    POLYNOMIAL(REALS, q, JOIN(error_far_, REAL),
               (far - (REALS)(2.236068f)) * ((REALS)(2) / ((REALS)(ERROR_FAR) - (REALS)(2.236068f))) - (REALS)(1))
    return w > (REALS)(5) ? q : p;
}

inline REALS JOIN(error_start_, REALS)(REALS x)
{
    return x * JOIN(error_of_, REALS)(-log(((REALS)(1) - x) * ((REALS)(1) + x)));
}

#if IS_DOUBLE
/* The start is right to 24 bits; one step of Halley's method, whose error is its cube, does the rest. */
inline REALS JOIN(error_inverse_, REALS)(REALS x)
{
    const REALS size = fabs(x), y = JOIN(error_start_, REALS)(size);
    const REALS off = size < (REALS)(0.5) ? erf(y) - size : ((REALS)(1) - size) - erfc(y);
    const REALS u = off * exp(y * y) * (REALS)(0x1.c5bf891b4ef6ap-1), better = y - u / ((REALS)(1) + y * u);
    return ERROR_ENDS(REALS, x, copysign(better, x));
}
#else
inline REALS JOIN(error_inverse_, REALS)(REALS x)
{
    const REALS y = JOIN(error_start_, REALS)(x);
    return ERROR_ENDS(REALS, x, y);
}
#endif

/* exp(x * x) times erfc: (1 + 2x) times it is a polynomial of (x - 3.75) / (x + 3.75). Below 0 by erfc(-x) = 2 -
 * erfc(x), with the rest of the rounded square. */
inline REALS JOIN(scaled_error_, REALS)(REALS a)
{
    const REALS x = fabs(a), kept = AT_MOST(REALS, x, 1e18f), square = a * a, grown = exp(square);
    POLYNOMIAL(REALS, p, JOIN(error_scaled_, REAL), (kept - (REALS)(3.75f)) / (kept + (REALS)(3.75f)))
    const REALS right = p / ((REALS)(1) + (REALS)(2) * x);
    const REALS rest = fma(a, a, -square), left = (REALS)(2) * (grown + grown * rest) - right;
    const REALS below = grown < (REALS)(INFINITY) ? left : grown;
    return a < (REALS)(0) ? below : right;
}

/* Where erfc is x, x <= 1/2: as error_start, of 1 - x; beyond ERROR_FAR a polynomial of the root alone. */
inline REALS JOIN(complement_start_, REALS)(REALS x)
{
    const REALS w = -log(x * ((REALS)(2) - x)), root = sqrt(w), above = AT_LEAST(REALS, root, ERROR_FAR);
    const REALS tail = AT_MOST(REALS, above, ERROR_TAIL), y = JOIN(error_of_, REALS)(w);
    POLYNOMIAL(REALS, p, JOIN(error_tail_, REAL),
               (tail - (REALS)(ERROR_FAR)) * ((REALS)(2) / ((REALS)(ERROR_TAIL) - (REALS)(ERROR_FAR))) - (REALS)(1))
    return root > (REALS)(ERROR_FAR) ? p : ((REALS)(1) - x) * y;
}

#if IS_DOUBLE
/* One step of Halley's method; the exponents of its two factors cancel where x is tiny. */
inline REALS JOIN(complement_tail_, REALS)(REALS x)
{
    const REALS y = JOIN(complement_start_, REALS)(x), off = erfc(y) / x - (REALS)(1);
    const REALS u = off * exp(y * y + log(x)) * (REALS)(0x1.c5bf891b4ef6ap-1), better = y + u / ((REALS)(1) - y * u);
    return x < (REALS)(0x1p-1022) ? y : better;
}
#else
inline REALS JOIN(complement_tail_, REALS)(REALS x) { return JOIN(complement_start_, REALS)(x); }
#endif

inline REALS JOIN(complement_inverse_, REALS)(REALS a)
{
    const REALS limit = (REALS)(0.5f), side = a < limit ? a : a > (REALS)(1.5f) ? (REALS)(2) - a : limit;
    const REALS tail = JOIN(complement_tail_, REALS)(side), near = JOIN(error_inverse_, REALS)((REALS)(1) - a);
    const REALS ends = side == (REALS)(0) ? (REALS)(INFINITY) : side < (REALS)(0) ? (REALS)(NAN) : tail;
    return a < limit ? ends : a > (REALS)(1.5f) ? -ends : near;
}

/* E1: less its logarithm a polynomial up to 1, exp(-x) / x times one of 1/x beyond. */
inline REALS JOIN(exponential_integral_, REALS)(REALS x)
{
    const REALS one = (REALS)(1), low = AT_MOST(REALS, AT_LEAST(REALS, x, 0), 1);
    const REALS middle = one / AT_MOST(REALS, AT_LEAST(REALS, x, 1), 4), far = one / AT_LEAST(REALS, x, 4);
    POLYNOMIAL(REALS, p, JOIN(exponential_near_, REAL), low * (REALS)(2) - one)
    POLYNOMIAL(REALS, q, JOIN(exponential_middle_, REAL), (middle - (REALS)(0.25f)) / (REALS)(0.375f) - one)
    POLYNOMIAL(REALS, r, JOIN(exponential_far_, REAL), far * (REALS)(8) - one)
    const REALS beyond = exp(-x) / x * (x > (REALS)(4) ? r : q), near = p - log(low);
    const REALS right = x > one ? beyond : near;
    return x < (REALS)(0) ? (REALS)(NAN) : right;
}

/* (x - root) * p(x) from 1 to 2, log(x) - q(1/x)/x beyond, by its recurrence below, and by its reflection below 0. The
 * root is a sum of two floats. */
inline REALS JOIN(digamma_, REALS)(REALS a)
{
    const REALS one = (REALS)(1), z = a < (REALS)(0) ? one - a : a, above = z < one ? z + one : z;
    const REALS near = AT_MOST(REALS, above, 2), part = one / AT_LEAST(REALS, above, 2);
    POLYNOMIAL(REALS, p, JOIN(digamma_near_, REAL), near * (REALS)(2) - (REALS)(3))
    POLYNOMIAL(REALS, q, JOIN(digamma_far_, REAL), part * (REALS)(4) - one)
    const REALS low = ((near - (REALS)(ROOT)) - (REALS)(ROOT_REST)) * p;
    const REALS right = above > (REALS)(2) ? log(above) - q * part : z < one ? low - one / z : low;
    const REALS left = right - HALF_TURN(REALS) * cospi(a) / sinpi(a);
    const REALS below = trunc(a) == a ? (REALS)(NAN) : left;
    return a == (REALS)(0) ? -one / a : a < (REALS)(0) ? below : right;
}

/* a * 2^b, b cut to a whole number. */
inline REALS JOIN(scaled_, REALS)(REALS a, REALS b)
{
    return b == b ? ldexp(a, JOIN(JOIN(convert_, INTS), _sat_rtz)(b)) : b;
}

#include "templates/bessel.cl"

#undef REALS
#undef INTS
