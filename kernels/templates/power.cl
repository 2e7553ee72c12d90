/* pow for parts/power.cl: of FLOATS, which are computed in DOUBLES, and of DOUBLES. INTS and LONGS: integers as wide as
 * these. */

/* ---- f32 --------------------------------------------------------------------------------------------------------- */

#define NAMED(f) JOIN(f##_, FLOATS)

/* 2/log(2) * atanh(s)/s, of z = s*s: error 2^-45. */
inline DOUBLES NAMED(logarithm)(DOUBLES z)
{
    DOUBLES sum = (DOUBLES)(0x1.21b245a850e1dp-2);
    sum = fma(z, sum, (DOUBLES)(0x1.4795463b406c3p-2));
    sum = fma(z, sum, (DOUBLES)(0x1.a61a2ef4051f3p-2));
    sum = fma(z, sum, (DOUBLES)(0x1.2776c2935a8c1p-1));
    sum = fma(z, sum, (DOUBLES)(0x1.ec709dc53bfcfp-1));
    return fma(z, sum, (DOUBLES)(0x1.71547652b8251p+1));
}

/* 2^f, of |f| <= 1/2: error 2^-28.5. */
inline DOUBLES NAMED(exponential)(DOUBLES f)
{
    DOUBLES sum = (DOUBLES)(0x1.443fffc90db59p-13);
    sum = fma(f, sum, (DOUBLES)(0x1.5f48c04f62e50p-10));
    sum = fma(f, sum, (DOUBLES)(0x1.3b2a1b7152befp-7));
    sum = fma(f, sum, (DOUBLES)(0x1.c6aecc669b6ddp-5));
    sum = fma(f, sum, (DOUBLES)(0x1.ebfbe045f4d3cp-3));
    sum = fma(f, sum, (DOUBLES)(0x1.62e430d034702p-1));
    return fma(f, sum, (DOUBLES)(1.0));
}

#define NUMBERS FLOATS
#define WHOLES INTS
#define SIGN 0x80000000
#include "templates/power_ends.cl"

inline FLOATS NAMED(power)(FLOATS a, FLOATS b)
{
    const FLOATS size = fabs(a);
    const FLOATS scaled = size < (FLOATS)(0x1p-126f) ? size * (FLOATS)(0x1p24f) : size;
    const FLOATS raised = size < (FLOATS)(0x1p-126f) ? (FLOATS)(-24.0f) : (FLOATS)(0.0f);
    const INTS e = (JOIN(as_, INTS)(scaled) - (INTS)(ROOT_HALF_F32)) >> 23;
    const FLOATS m = JOIN(as_, FLOATS)(JOIN(as_, INTS)(scaled) - (e << 23)), r = (FLOATS)(1.0f) / (m + (FLOATS)(1.0f));
    const DOUBLES wide = JOIN(convert_, DOUBLES)(m), sum = wide + (DOUBLES)(1.0), r0 = JOIN(convert_, DOUBLES)(r);
    const DOUBLES s = (wide - (DOUBLES)(1.0)) * (r0 * fma(-sum, r0, (DOUBLES)(2.0))), z = s * s;
    const DOUBLES exponent = JOIN(convert_, DOUBLES)(JOIN(convert_, FLOATS)(e) + raised);
    const DOUBLES p = JOIN(convert_, DOUBLES)(b) * fma(s, NAMED(logarithm)(z), exponent);
    const DOUBLES low = p < (DOUBLES)(-1000.0) ? (DOUBLES)(-1000.0) : p;
    const DOUBLES bounded = low > (DOUBLES)(1000.0) ? (DOUBLES)(1000.0) : low;
    const DOUBLES rounded = bounded + (DOUBLES)(ROUNDS_F64), f = bounded - (rounded - (DOUBLES)(ROUNDS_F64));
    const LONGS power = JOIN(as_, LONGS)(NAMED(exponential)(f)) + (JOIN(as_, LONGS)(rounded) << 52);
    return NAMED(power_ends)(a, b, JOIN(convert_, FLOATS)(JOIN(as_, DOUBLES)(power)));
}

#undef NAMED

/* ---- f64: sums of two doubles, of which x_lo is what x lacks ----------------------------------------------------- */

#define NAMED(f) JOIN(f##_, DOUBLES)

/* (atanh(s)/s - 1 - z/3)/z^2: error 2^-70 of atanh. */
inline DOUBLES NAMED(logarithm)(DOUBLES z)
{
    DOUBLES sum = (DOUBLES)(0x1.e03a7acf07f85p-5);
    sum = fma(z, sum, (DOUBLES)(0x1.df7ba1f4809c3p-5));
    sum = fma(z, sum, (DOUBLES)(0x1.1118cd67251c5p-4));
    sum = fma(z, sum, (DOUBLES)(0x1.3b1395b82701ep-4));
    sum = fma(z, sum, (DOUBLES)(0x1.745d177ad436ap-4));
    sum = fma(z, sum, (DOUBLES)(0x1.c71c71c6ea5acp-4));
    sum = fma(z, sum, (DOUBLES)(0x1.2492492492522p-3));
    return fma(z, sum, (DOUBLES)(0x1.999999999999ap-3));
}

/* (2^f - 1)/f: error 2^-57. */
inline DOUBLES NAMED(exponential)(DOUBLES f)
{
    DOUBLES sum = (DOUBLES)(0x1.e9d3fe3952179p-32);
    sum = fma(f, sum, (DOUBLES)(0x1.e6063f7217bc6p-28));
    sum = fma(f, sum, (DOUBLES)(0x1.b524fae627834p-24));
    sum = fma(f, sum, (DOUBLES)(0x1.62bfd47773353p-20));
    sum = fma(f, sum, (DOUBLES)(0x1.ffcbfc670dcd4p-17));
    sum = fma(f, sum, (DOUBLES)(0x1.430913096fd9fp-13));
    sum = fma(f, sum, (DOUBLES)(0x1.5d87fe78a5276p-10));
    sum = fma(f, sum, (DOUBLES)(0x1.3b2ab6fba1ddap-7));
    sum = fma(f, sum, (DOUBLES)(0x1.c6b08d704a0c2p-5));
    sum = fma(f, sum, (DOUBLES)(0x1.ebfbdff82c598p-3));
    return fma(f, sum, (DOUBLES)(0x1.62e42fefa39efp-1));
}

#define NUMBERS DOUBLES
#define WHOLES LONGS
#define SIGN 0x8000000000000000
#include "templates/power_ends.cl"

inline DOUBLES NAMED(power)(DOUBLES a, DOUBLES b)
{
    const DOUBLES size = fabs(a), one = (DOUBLES)(1.0), third = (DOUBLES)(0x1.5555555555555p-2);
    const DOUBLES scaled = size < (DOUBLES)(0x1p-1022) ? size * (DOUBLES)(0x1p54) : size;
    const DOUBLES raised = size < (DOUBLES)(0x1p-1022) ? (DOUBLES)(-54.0) : (DOUBLES)(0.0);
    const LONGS e = (JOIN(as_, LONGS)(scaled) - (LONGS)(ROOT_HALF_F64)) >> 52;
    const DOUBLES m = JOIN(as_, DOUBLES)(JOIN(as_, LONGS)(scaled) - (e << 52)), n = m - one, d = m + one,
                  d_lo = m - (d - one);
    const DOUBLES r = one / d, s = n * r, s_lo = fma(-s, d_lo, fma(-s, d, n)) * r;
    const DOUBLES z = s * s, z_lo = fma(s, s, -z) + (DOUBLES)(2.0) * s * s_lo;
    const DOUBLES more = z * NAMED(logarithm)(z), c = third + more;
    const DOUBLES c_lo = (third - c) + more + (DOUBLES)(0x1.5555555555555p-56);
    const DOUBLES q = z * c, q_lo = fma(z, c, -q) + (z * c_lo + z_lo * c);
    const DOUBLES u = one + q, u_lo = (one - u) + q + q_lo;
    const DOUBLES v = s * u, v_lo = fma(s, u, -v) + (s * u_lo + s_lo * u);
    const DOUBLES k = (DOUBLES)(0x1.71547652b82fep+1), w = v * k;
    const DOUBLES w_lo = fma(v, k, -w) + (v * (DOUBLES)(0x1.777d0ffda0d24p-55) + v_lo * k);
    const DOUBLES exponent = JOIN(convert_, DOUBLES)(e) + raised, t = exponent + w, t_lo = (exponent - t) + w + w_lo;
    const DOUBLES p = b * t, p_lo = fma(b, t, -p) + b * t_lo;
    const DOUBLES low = p < (DOUBLES)(-2000.0) ? (DOUBLES)(-2000.0) : p;
    const DOUBLES bounded = low > (DOUBLES)(2000.0) ? (DOUBLES)(2000.0) : low;
    const DOUBLES rounded = bounded + (DOUBLES)(ROUNDS_F64), whole_power = rounded - (DOUBLES)(ROUNDS_F64);
    const DOUBLES f = (bounded - whole_power) + (fabs(p) < (DOUBLES)(2000.0) ? p_lo : (DOUBLES)(0.0));
    const DOUBLES g = fma(f, NAMED(exponential)(f), one);
    const DOUBLES root =
        (whole_power * (DOUBLES)(0.5)) + (DOUBLES)(ROUNDS_F64); /* 2^k in two factors: k may be -1074 */
    const LONGS first = JOIN(as_, LONGS)(root) << 52, second = (JOIN(as_, LONGS)(rounded) - JOIN(as_, LONGS)(root))
                                                               << 52;
    const LONGS unit = (LONGS)(0x3ff0000000000000L);
    const DOUBLES power = JOIN(as_, DOUBLES)(JOIN(as_, LONGS)(g) + first) * JOIN(as_, DOUBLES)(unit + second);
    return NAMED(power_ends)(a, b, power);
}

#undef NAMED
#undef FLOATS
#undef INTS
#undef DOUBLES
#undef LONGS
