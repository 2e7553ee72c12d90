/* Bessel functions of REALS, for templates/special.cl. Up to 8 polynomials of x * x, Y beside 2 log(x) / pi J; beyond,
 * Hankel's P and Q of 64 / (x * x), with the sine and the cosine of x, from which those of x - pi/4 and x - 3 pi/4 are
 * sums without cancellation. */

#define BESSEL_NEAR(name, table, x)                                                                                    \
    POLYNOMIAL(REALS, name, JOIN(bessel_##table##_near_, REAL), x * x * (REALS)(0.03125f) - (REALS)(1))
#define BESSEL_FAR(name, table, part)                                                                                  \
    POLYNOMIAL(REALS, name, JOIN(bessel_##table##_far_, REAL), (REALS)(2) * part * part - (REALS)(1))
#define BESSEL_ENDS(x, near, far)                                                                                      \
    const REALS beyond = x == (REALS)(INFINITY) ? (REALS)(0) : far, whole = x > (REALS)(8) ? beyond : near;

inline REALS JOIN(bessel_j0_, REALS)(REALS a, REALS sine, REALS cosine)
{
    const REALS x = fabs(a), low = AT_MOST(REALS, x, 8), part = (REALS)(8) / AT_LEAST(REALS, x, 8);
    BESSEL_NEAR(near, j0, low)
    BESSEL_FAR(p, p0, part)
    BESSEL_FAR(q, q0, part)
    const REALS s = a < (REALS)(0) ? -sine : sine;
    const REALS far = (p * (cosine + s) - q / x * (s - cosine)) / (sqrt(x) * sqrt(HALF_TURN(REALS)));
    BESSEL_ENDS(x, near, far)
    return x == (REALS)(0) ? (REALS)(1) : whole;
}

inline REALS JOIN(bessel_j1_, REALS)(REALS a, REALS sine, REALS cosine)
{
    const REALS x = fabs(a), low = AT_MOST(REALS, x, 8), part = (REALS)(8) / AT_LEAST(REALS, x, 8);
    BESSEL_NEAR(near, j1, low)
    BESSEL_FAR(p, p1, part)
    BESSEL_FAR(q, q1, part)
    const REALS s = a < (REALS)(0) ? -sine : sine;
    const REALS far = (p * (s - cosine) + q / x * (s + cosine)) / (sqrt(x) * sqrt(HALF_TURN(REALS)));
    BESSEL_ENDS(x, x * near, far)
    return a < (REALS)(0) ? -whole : a == (REALS)(0) ? a : whole;
}

inline REALS JOIN(bessel_y0_, REALS)(REALS x, REALS sine, REALS cosine)
{
    const REALS low = AT_MOST(REALS, x, 8), part = (REALS)(8) / AT_LEAST(REALS, x, 8);
    BESSEL_NEAR(j, j0, low)
    BESSEL_NEAR(y, y0, low)
    BESSEL_FAR(p, p0, part)
    BESSEL_FAR(q, q0, part)
    const REALS near = (REALS)(2) / HALF_TURN(REALS) * log(low) * j + y;
    const REALS far = (p * (sine - cosine) + q / x * (cosine + sine)) / (sqrt(x) * sqrt(HALF_TURN(REALS)));
    BESSEL_ENDS(x, near, far)
    return x < (REALS)(0) ? (REALS)(NAN) : whole;
}

inline REALS JOIN(bessel_y1_, REALS)(REALS x, REALS sine, REALS cosine)
{
    const REALS low = AT_MOST(REALS, x, 8), part = (REALS)(8) / AT_LEAST(REALS, x, 8);
    BESSEL_NEAR(j, j1, low)
    BESSEL_NEAR(y, y1, low)
    BESSEL_FAR(p, p1, part)
    BESSEL_FAR(q, q1, part)
    const REALS less = x == (REALS)(0) ? (REALS)(0) : log(low) * (low * j);
    const REALS near = (REALS)(2) / HALF_TURN(REALS) * (less - (REALS)(1) / low) + low * y;
    const REALS far = (q / x * (sine - cosine) - p * (cosine + sine)) / (sqrt(x) * sqrt(HALF_TURN(REALS)));
    BESSEL_ENDS(x, near, far)
    return x < (REALS)(0) ? (REALS)(NAN) : x == (REALS)(0) ? (REALS)(-INFINITY) : whole;
}

/* As bessel_i0; the polynomial is that of exp(-x) (1 + x) / x times it. */
inline REALS JOIN(bessel_i1_, REALS)(REALS a)
{
    const REALS x = fabs(a), near = AT_MOST(REALS, x, 8), far = AT_LEAST(REALS, x, 8);
    POLYNOMIAL(REALS, p, JOIN(bessel_i1_near_, REAL), near * (REALS)(0.25f) - (REALS)(1))
    POLYNOMIAL(REALS, q, JOIN(bessel_i1_far_, REAL), (REALS)(16) / far - (REALS)(1))
    const REALS beyond = exp(far - (REALS)(8)) * (q / sqrt(far));
    const REALS whole = x > (REALS)(8) ? beyond : exp(near) * p * (x / ((REALS)(1) + near));
    return x == (REALS)(INFINITY) ? a : a < (REALS)(0) ? -whole : whole;
}

#undef BESSEL_NEAR
#undef BESSEL_FAR
#undef BESSEL_ENDS
