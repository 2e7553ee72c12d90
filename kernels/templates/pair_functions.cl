/* Functions of complex numbers, REAL2 of REAL, for parts/pair_functions.cl. Beyond FAR_EXP exp is made of two factors,
 * and beyond FAR_TANH the hyperbolic tangent is 1 to rounding. */

/* What the rounding of a + b has lost (Knuth). */
inline REAL __attribute__((overloadable)) complex_sum_lost(REAL a, REAL b, REAL sum)
{
    const REAL back = sum - a;
    return (a - (sum - back)) + (b - back);
}

/* log|z|; near 1 from |z|^2 - 1, whose terms are kept to twice the digits. */
inline REAL __attribute__((overloadable)) complex_log_size(REAL2 z)
{
    const REAL x = fabs(z.x), y = fabs(z.y), most = fmax(x, y), least = fmin(x, y);
    if (isinf(most) | isnan(x) | isnan(y))
        return isinf(most) ? most : x + y;
    const REAL p = most * most, q = least * least;
    if ((p + q > 0.5f) & (p + q < 3)) {
        const REAL minus = p - 1, sum = minus + q;
        const REAL lost = complex_sum_lost(p, (REAL)-1, minus) + complex_sum_lost(minus, q, sum);
        return log1p(sum + (lost + (fma(most, most, -p) + fma(least, least, -q)))) / 2;
    }
    const REAL slope = most > 0 ? least / most : 0;
    return log(most) + log1p(slope * slope) / 2;
}

inline REAL2 __attribute__((overloadable)) complex_log(REAL2 z)
{
    return (REAL2)(complex_log_size(z), atan2(z.y, z.x));
}

/* (a cos y, b sin y) exp(x). */
inline REAL2 __attribute__((overloadable)) complex_turned(REAL x, REAL y, REAL a, REAL b)
{
    const bool far = x > FAR_EXP;
    const REAL e = exp(far ? x / 2 : x), more = far ? e : 1;
    return (REAL2)(cos(y) * (a * e) * more, sin(y) * (b * e) * more);
}

inline REAL2 __attribute__((overloadable)) complex_exp(REAL2 z)
{
    if (z.y == 0)
        return (REAL2)(exp(z.x), z.y);
    if (isinf(z.x) & !isfinite(z.y))
        return z.x < 0 ? (REAL2)(0, copysign((REAL)0, z.y)) : (REAL2)(z.x, NAN);
    return complex_turned(z.x, z.y, (REAL)1, (REAL)1);
}

/* The larger part of the root has no cancellation; the other one is a quotient by it (Kahan). */
inline REAL2 __attribute__((overloadable)) complex_sqrt(REAL2 z)
{
    const REAL x = fabs(z.x), y = fabs(z.y), most = fmax(x, y);
    if (isinf(y))
        return (REAL2)(y, z.y);
    if (isinf(x))
        return z.x > 0 ? (REAL2)(z.x, isnan(y) ? z.y : copysign((REAL)0, z.y))
                       : (REAL2)(isnan(y) ? z.y : 0, copysign(x, z.y));
    if (isnan(x) | isnan(y))
        return (REAL2)(x + y);
    if (most == 0)
        return (REAL2)(0, z.y);
    const int scale = ilogb(most) & ~1;
    const REAL a = ldexp(x, -scale), b = ldexp(y, -scale);
    const REAL root = sqrt((a + sqrt(a * a + b * b)) / 2), rest = b / 2 / root;
    const REAL large = ldexp(root, scale / 2), small = ldexp(rest, scale / 2);
    return z.x >= 0 ? (REAL2)(large, copysign(small, z.y)) : (REAL2)(small, copysign(large, z.y));
}

inline REAL2 __attribute__((overloadable)) complex_sinh(REAL2 z)
{
    if ((z.y == 0) | ((z.x == 0) & !isfinite(z.y)))
        return (REAL2)(sinh(z.x), z.y == 0 ? z.y : z.y - z.y);
    if (isinf(z.x) & !isfinite(z.y))
        return (REAL2)(z.x, NAN);
    if (fabs(z.x) > FAR_TANH)
        return complex_turned(fabs(z.x), z.y, copysign((REAL)0.5f, z.x), (REAL)0.5f);
    return (REAL2)(sinh(z.x) * cos(z.y), cosh(z.x) * sin(z.y));
}

inline REAL2 __attribute__((overloadable)) complex_cosh(REAL2 z)
{
    const REAL zero = copysign((REAL)0, z.x) * copysign((REAL)1, z.y);
    if (z.y == 0)
        return (REAL2)(cosh(z.x), zero);
    if (((z.x == 0) | isinf(z.x)) & !isfinite(z.y))
        return z.x == 0 ? (REAL2)(NAN, zero) : (REAL2)(INFINITY, NAN);
    if (fabs(z.x) > FAR_TANH)
        return complex_turned(fabs(z.x), z.y, (REAL)0.5f, copysign((REAL)0.5f, z.x));
    return (REAL2)(cosh(z.x) * cos(z.y), sinh(z.x) * sin(z.y));
}

/* Kahan's, by the tangent of y and the hyperbolic sine of x. */
inline REAL2 __attribute__((overloadable)) complex_tanh(REAL2 z)
{
    if (z.y == 0)
        return (REAL2)(fabs(z.x) > FAR_TANH ? copysign((REAL)1, z.x) : tanh(z.x), z.y);
    if ((fabs(z.x) > FAR_TANH) & (isfinite(z.y) | isinf(z.x))) {
        const REAL turn = isfinite(z.y) ? 4 * sin(z.y) * cos(z.y) : copysign((REAL)0, z.y), e = exp(-fabs(z.x));
        return (REAL2)(copysign((REAL)1, z.x), turn * e * e);
    }
    if (!isfinite(z.y))
        return (REAL2)(z.x == 0 ? z.x : NAN, NAN);
    const REAL t = tan(z.y), s = sinh(z.x), beta = 1 + t * t, below = 1 + beta * s * s;
    return (REAL2)(beta * sqrt(1 + s * s) * s / below, t / below);
}

/* z/|z|, of 0 itself; of an infinite part its sign. */
inline REAL2 __attribute__((overloadable)) complex_sign(REAL2 z)
{
    if (isnan(z.x) | isnan(z.y) | (isinf(z.x) & isinf(z.y)))
        return (REAL2)(NAN);
    if (isinf(z.x) | isinf(z.y))
        return pair_direction(z, true);
    if ((z.x == 0) | (z.y == 0))
        return (REAL2)(z.x == 0 ? z.x : copysign((REAL)1, z.x), z.y == 0 ? z.y : copysign((REAL)1, z.y));
    const REAL2 a = pair_scaled(z, -pair_scale(z));
    return a / sqrt(a.x * a.x + a.y * a.y);
}

/* Near 0 the real part is exp(x) - 1 less what the cosine takes: 1 - cos y = 2 sin(y/2)^2. */
inline REAL2 __attribute__((overloadable)) complex_expm1(REAL2 z)
{
    if (z.y == 0)
        return (REAL2)(expm1(z.x), z.y);
    if (!isfinite(z.x) | !isfinite(z.y) | (z.x > FAR_EXP))
        return complex_exp(z) - (REAL2)(1, 0);
    const REAL turn = sin(z.y / 2);
    return (REAL2)(expm1(z.x) * cos(z.y) - 2 * turn * turn, exp(z.x) * sin(z.y));
}

/* |1 + z|^2 - 1 = 2x + x^2 + y^2, whose terms are kept to twice the digits. */
inline REAL2 __attribute__((overloadable)) complex_log1p(REAL2 z)
{
    const REAL x = z.x, y = z.y, most = 1 + x, p = x * x, q = y * y;
    if ((y == 0) & (x >= -1))
        return (REAL2)(log1p(x), y);
    if (!((most * most + q > 0.5f) & (most * most + q < 3)))
        return complex_log((REAL2)(most, y));
    const REAL twice = 2 * x, plus = twice + p, sum = plus + q;
    const REAL lost = complex_sum_lost(twice, p, plus) + complex_sum_lost(plus, q, sum);
    return (REAL2)(log1p(sum + (lost + (fma(x, x, -p) + fma(y, y, -q)))) / 2, atan2(y, most));
}

/* Circular functions are hyperbolic ones of iz. */
inline REAL2 __attribute__((overloadable)) complex_sin(REAL2 z)
{
    const REAL2 w = complex_sinh((REAL2)(-z.y, z.x));
    return (REAL2)(w.y, -w.x);
}

inline REAL2 __attribute__((overloadable)) complex_cos(REAL2 z) { return complex_cosh((REAL2)(-z.y, z.x)); }

inline REAL2 __attribute__((overloadable)) complex_tan(REAL2 z)
{
    const REAL2 w = complex_tanh((REAL2)(-z.y, z.x));
    return (REAL2)(w.y, -w.x);
}

#undef REAL
#undef REAL2
#undef FAR_EXP
#undef FAR_TANH
