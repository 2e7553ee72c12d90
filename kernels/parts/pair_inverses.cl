/* Inverse functions of complex numbers, float2 and double2: asin, acos and their hyperbolic ones by the ellipse on which a number lies
 * (Hull, Fairgrieve, Tang 1997, and FreeBSD's catrig.c, whose bounds these are), atanh and atan by Kahan's formula. The cuts are
 * C99's, whose sides the zero's sign tells, and so are the special values of its annex G. Beyond 1/EPSILON only |z| counts. */
#ifndef PAIR_INVERSES_ARE_DEFINED /* by a text of the user's */
#define PAIR_INVERSES_ARE_DEFINED 1
#define DEFINE_PAIR_INVERSES(REAL, EPSILON)                                                                            \
    /* half of |a + ib| - b. */                                                                                        \
    inline REAL __attribute__((overloadable)) complex_rest(REAL a, REAL b, REAL size)                                  \
    {                                                                                                                  \
        return b < 0 ? (size - b) / 2 : b == 0 ? a / 2 : a * a / (size + b) / 2;                                       \
    }                                                                                                                  \
    /* A point (x, y) of the first quarter lies on an ellipse with foci -1 and 1, of the half axis A. */               \
    inline REAL __attribute__((overloadable)) complex_half_axis(REAL x, REAL y)                                        \
    {                                                                                                                  \
        const REAL a = (hypot(x + 1, y) + hypot(x - 1, y)) / 2;                                                        \
        return a < 1 ? 1 : a;                                                                                          \
    }                                                                                                                  \
    /* acosh(A). */                                                                                                    \
    inline REAL __attribute__((overloadable)) complex_area(REAL x, REAL y)                                             \
    {                                                                                                                  \
        if ((x > 1 / EPSILON) | (y > 1 / EPSILON))                                                                     \
            return complex_log_size((REAL##2)(x, y)) + log((REAL)2);                                                   \
        const REAL a = complex_half_axis(x, y);                                                                        \
        if (!(a < 10))                                                                                                 \
            return log(a + sqrt(a * a - 1));                                                                           \
        if ((x == 1) & (y < EPSILON * EPSILON / 128))                                                                  \
            return sqrt(y);                                                                                            \
        if (y >= EPSILON * fabs(x - 1)) {                                                                              \
            const REAL more = complex_rest(y, 1 + x, hypot(x + 1, y)) + complex_rest(y, 1 - x, hypot(x - 1, y));       \
            return log1p(more + sqrt(more * (a + 1)));                                                                 \
        }                                                                                                              \
        return x < 1 ? y / sqrt((1 - x) * (1 + x)) : log1p((x - 1) + sqrt((x - 1) * (x + 1)));                         \
    }                                                                                                                  \
    /* A point in the direction whose sine is x/A: x and sqrt(A^2 - x^2). */                                           \
    inline REAL##2 __attribute__((overloadable)) complex_arc(REAL x, REAL y)                                           \
    {                                                                                                                  \
        if (isnan(x) | isnan(y))                                                                                       \
            return x == 0 ? (REAL##2)(0, 1) : (REAL##2)(NAN);                                                          \
        if ((x > 1 / EPSILON) | (y > 1 / EPSILON))                                                                     \
            return (REAL##2)(x, y);                                                                                    \
        const REAL a = complex_half_axis(x, y);                                                                        \
        if (x <= 0.6417f * a)                                                                                          \
            return (REAL##2)(x, sqrt((a - x) * (a + x)));                                                              \
        if ((x == 1) & (y < EPSILON / 128))                                                                            \
            return (REAL##2)(x, sqrt(y) * sqrt((a + x) / 2));                                                          \
        if (y >= EPSILON * fabs(x - 1)) {                                                                              \
            const REAL less = complex_rest(y, x + 1, hypot(x + 1, y)) + complex_rest(y, x - 1, hypot(x - 1, y));       \
            return (REAL##2)(x, sqrt(less * (a + x)));                                                                 \
        }                                                                                                              \
        return (REAL##2)(x, x > 1 ? y * x / sqrt((x + 1) * (x - 1)) : sqrt((1 - x) * (1 + x)));                        \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) complex_asin(REAL##2 z)                                               \
    {                                                                                                                  \
        const REAL##2 arc = complex_arc(fabs(z.x), fabs(z.y));                                                         \
        return (REAL##2)(copysign(atan2(arc.x, arc.y), z.x), copysign(complex_area(fabs(z.x), fabs(z.y)), z.y));       \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) complex_acos(REAL##2 z)                                               \
    {                                                                                                                  \
        const REAL##2 arc = complex_arc(fabs(z.x), fabs(z.y));                                                         \
        return (REAL##2)(atan2(arc.y, copysign(arc.x, z.x)), -copysign(complex_area(fabs(z.x), fabs(z.y)), z.y));      \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) complex_acosh(REAL##2 z)                                              \
    {                                                                                                                  \
        const REAL##2 w = complex_acos(z);                                                                             \
        return (REAL##2)(fabs(w.y), copysign(w.x, z.y));                                                               \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) complex_asinh(REAL##2 z) { return complex_asin(z.yx).yx; }            \
    inline REAL##2 __attribute__((overloadable)) complex_atanh(REAL##2 z)                                              \
    {                                                                                                                  \
        const REAL x = fabs(z.x), y = fabs(z.y), quarter = atan2((REAL)1, (REAL)0);                                    \
        if ((z.y == 0) & (x <= 1))                                                                                     \
            return (REAL##2)(atanh(z.x), z.y);                                                                         \
        if (x == 0)                                                                                                    \
            return (REAL##2)(z.x, atan(z.y));                                                                          \
        if ((x > 1 / EPSILON) | (y > 1 / EPSILON))                                                                     \
            return (REAL##2)(copysign(pair_divide((REAL##2)(1, 0), z).x, z.x), isnan(y) ? y : copysign(quarter, z.y)); \
        if (isnan(x) | isnan(y))                                                                                       \
            return (REAL##2)(NAN);                                                                                     \
        const bool at_pole = (x == 1) & (y < EPSILON);                                                                 \
        const REAL area = at_pole ? (log((REAL)2) - log(y)) / 2 : log1p(4 * x / ((x - 1) * (x - 1) + y * y)) / 4;      \
        const REAL turn = atan2(2 * y, (1 - x) * (1 + x) - y * y);                                                     \
        return (REAL##2)(copysign(area, z.x), copysign(turn / 2, z.y));                                                \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) complex_atan(REAL##2 z) { return complex_atanh(z.yx).yx; }

DEFINE_PAIR_INVERSES(float, 0x1p-23f)
#if defined(DTYPE_f64) || defined(HAS_F64)
DEFINE_PAIR_INVERSES(double, 0x1p-52)
#endif
#endif
