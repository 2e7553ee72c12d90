/* Inverse functions of complex numbers, REAL2 of REAL, for parts/pair_inverses.cl. EPSILON: what is between 1 and the
 * next number. */

/* half of |a + ib| - b. */
inline REAL __attribute__((overloadable)) complex_rest(REAL a, REAL b, REAL size)
{
    return b < 0 ? (size - b) / 2 : b == 0 ? a / 2 : a * a / (size + b) / 2;
}

/* A point (x, y) of the first quarter lies on an ellipse with foci -1 and 1, of the half axis A. */
inline REAL __attribute__((overloadable)) complex_half_axis(REAL x, REAL y)
{
    const REAL a = (hypot(x + 1, y) + hypot(x - 1, y)) / 2;
    return a < 1 ? 1 : a;
}

/* acosh(A). */
inline REAL __attribute__((overloadable)) complex_area(REAL x, REAL y)
{
    if ((x > 1 / EPSILON) | (y > 1 / EPSILON))
        return complex_log_size((REAL2)(x, y)) + log((REAL)2);
    const REAL a = complex_half_axis(x, y);
    if (!(a < 10))
        return log(a + sqrt(a * a - 1));
    if ((x == 1) & (y < EPSILON * EPSILON / 128))
        return sqrt(y);
    if (y >= EPSILON * fabs(x - 1)) {
        const REAL more = complex_rest(y, 1 + x, hypot(x + 1, y)) + complex_rest(y, 1 - x, hypot(x - 1, y));
        return log1p(more + sqrt(more * (a + 1)));
    }
    return x < 1 ? y / sqrt((1 - x) * (1 + x)) : log1p((x - 1) + sqrt((x - 1) * (x + 1)));
}

/* A point in the direction whose sine is x/A: x and sqrt(A^2 - x^2). */
inline REAL2 __attribute__((overloadable)) complex_arc(REAL x, REAL y)
{
    if (isnan(x) | isnan(y))
        return x == 0 ? (REAL2)(0, 1) : (REAL2)(NAN);
    if ((x > 1 / EPSILON) | (y > 1 / EPSILON))
        return (REAL2)(x, y);
    const REAL a = complex_half_axis(x, y);
    if (x <= 0.6417f * a)
        return (REAL2)(x, sqrt((a - x) * (a + x)));
    if ((x == 1) & (y < EPSILON / 128))
        return (REAL2)(x, sqrt(y) * sqrt((a + x) / 2));
    if (y >= EPSILON * fabs(x - 1)) {
        const REAL less = complex_rest(y, x + 1, hypot(x + 1, y)) + complex_rest(y, x - 1, hypot(x - 1, y));
        return (REAL2)(x, sqrt(less * (a + x)));
    }
    return (REAL2)(x, x > 1 ? y * x / sqrt((x + 1) * (x - 1)) : sqrt((1 - x) * (1 + x)));
}

inline REAL2 __attribute__((overloadable)) complex_asin(REAL2 z)
{
    const REAL2 arc = complex_arc(fabs(z.x), fabs(z.y));
    return (REAL2)(copysign(atan2(arc.x, arc.y), z.x), copysign(complex_area(fabs(z.x), fabs(z.y)), z.y));
}

inline REAL2 __attribute__((overloadable)) complex_acos(REAL2 z)
{
    const REAL2 arc = complex_arc(fabs(z.x), fabs(z.y));
    return (REAL2)(atan2(arc.y, copysign(arc.x, z.x)), -copysign(complex_area(fabs(z.x), fabs(z.y)), z.y));
}

inline REAL2 __attribute__((overloadable)) complex_acosh(REAL2 z)
{
    const REAL2 w = complex_acos(z);
    return (REAL2)(fabs(w.y), copysign(w.x, z.y));
}

inline REAL2 __attribute__((overloadable)) complex_asinh(REAL2 z) { return complex_asin(z.yx).yx; }

inline REAL2 __attribute__((overloadable)) complex_atanh(REAL2 z)
{
    const REAL x = fabs(z.x), y = fabs(z.y), quarter = atan2((REAL)1, (REAL)0);
    if ((z.y == 0) & (x <= 1))
        return (REAL2)(atanh(z.x), z.y);
    if (x == 0)
        return (REAL2)(z.x, atan(z.y));
    if ((x > 1 / EPSILON) | (y > 1 / EPSILON))
        return (REAL2)(copysign(pair_divide((REAL2)(1, 0), z).x, z.x), isnan(y) ? y : copysign(quarter, z.y));
    if (isnan(x) | isnan(y))
        return (REAL2)(NAN);
    const bool at_pole = (x == 1) & (y < EPSILON);
    const REAL area = at_pole ? (log((REAL)2) - log(y)) / 2 : log1p(4 * x / ((x - 1) * (x - 1) + y * y)) / 4;
    const REAL turn = atan2(2 * y, (1 - x) * (1 + x) - y * y);
    return (REAL2)(copysign(area, z.x), copysign(turn / 2, z.y));
}

inline REAL2 __attribute__((overloadable)) complex_atan(REAL2 z) { return complex_atanh(z.yx).yx; }

#undef REAL
#undef REAL2
#undef EPSILON
