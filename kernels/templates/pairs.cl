/* Complex numbers as vectors of two, REAL2 of REAL, for parts/pairs.cl. Squares of numbers from 1/LARGE to LARGE
 * neither overflow nor vanish, nor do products of four numbers from 1/MILD to MILD. */

inline REAL2 __attribute__((overloadable)) pair_multiply(REAL2 a, REAL2 b)
{
    return (REAL2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* An infinity as a direction, of parts 0 and 1; other parts, if they are NaN, as 0. */
inline REAL2 __attribute__((overloadable)) pair_direction(REAL2 a, bool boxed)
{
    const REAL x = boxed ? (isinf(a.x) ? 1 : 0) : isnan(a.x) ? 0 : a.x;
    const REAL y = boxed ? (isinf(a.y) ? 1 : 0) : isnan(a.y) ? 0 : a.y;
    return (REAL2)(copysign(x, a.x), copysign(y, a.y));
}

/* As C11's annex G.5.1 has it: where an infinity went in, the product is one, though both of its parts be NaN. */
inline REAL2 __attribute__((overloadable)) pair_product(REAL2 a, REAL2 b)
{
    const REAL2 product = pair_multiply(a, b);
    if (!(isnan(product.x) & isnan(product.y)))
        return product;
    const bool first = isinf(a.x) | isinf(a.y), second = isinf(b.x) | isinf(b.y);
    const bool over = isinf(a.x * b.x) | isinf(a.y * b.y) | isinf(a.x * b.y) | isinf(a.y * b.x);
    if (!(first | second | over))
        return product;
    return (REAL)INFINITY * pair_multiply(pair_direction(a, first), pair_direction(b, second));
}

/* The same in a run of factors, which begins with 1: that changes no infinity and no sign of a zero. */
inline REAL2 __attribute__((overloadable)) pair_run(REAL2 a, REAL2 b)
{
    const REAL2 product = pair_multiply(a, b);
    if ((fabs(product.x) > 0) & (fabs(product.y) > 0))
        return product;
    return ((a.x == 1) & (a.y == 0)) ? b : ((b.x == 1) & (b.y == 0)) ? a : pair_product(a, b);
}

/* A number scaled: a factor without an imaginary part scales both parts. */
inline REAL2 __attribute__((overloadable)) pair_scale_by(REAL2 factor, REAL2 z)
{
    return factor.y == 0 ? factor.x * z : pair_multiply(factor, z);
}

/* |z|. Squares neither overflow nor vanish: numbers at an end of the range are scaled by a power of 2. */
inline REAL __attribute__((overloadable)) pair_size(REAL2 z)
{
    const REAL x = fabs(z.x), y = fabs(z.y), most = fmax(x, y);
    const bool far = most > LARGE, near = most < 1 / LARGE;
    const REAL scale = far ? 1 / LARGE / MILD : near ? LARGE * LARGE : 1;
    const REAL back = far ? LARGE * MILD : near ? 1 / LARGE / LARGE : 1;
    const REAL a = x * scale, b = y * scale, size = sqrt(a * a + b * b) * back;
    return isinf(x) | isinf(y) ? (REAL)INFINITY : size;
}

/* Is the part 0, or so far from the ends of the range that nothing overflows or vanishes in a quotient? */
inline int __attribute__((overloadable)) pair_is_mild(REAL x)
{
    return (x == 0) | ((fabs(x) >= 1 / MILD) & (fabs(x) <= MILD));
}

/* The power of 2 by which the larger part is from 1 to 2. */
inline int __attribute__((overloadable)) pair_scale(REAL2 a)
{
    const REAL most = fmax(fabs(a.x), fabs(a.y));
    return isfinite(most) && most > 0 ? ilogb(most) : 0;
}

inline REAL2 __attribute__((overloadable)) pair_scaled(REAL2 a, int scale)
{
    return (REAL2)(ldexp(a.x, scale), ldexp(a.y, scale));
}

/* Both are scaled by powers of 2, so that nothing overflows or vanishes but the result (C11, annex G.5.1). */
inline REAL2 __attribute__((overloadable)) pair_divide(REAL2 of, REAL2 by)
{
    const bool mild = pair_is_mild(of.x) & pair_is_mild(of.y) & pair_is_mild(by.x) & pair_is_mild(by.y);
    const REAL direct = by.x * by.x + by.y * by.y;
    if (mild & (direct != 0))
        return (REAL2)((of.x * by.x + of.y * by.y) / direct, (of.y * by.x - of.x * by.y) / direct);
    const int up = pair_scale(of), down = pair_scale(by);
    const REAL2 a = pair_scaled(of, -up), b = pair_scaled(by, -down);
    const REAL square = b.x * b.x + b.y * b.y;
    const REAL2 q = (REAL2)((a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square);
    if (!(isnan(q.x) & isnan(q.y)))
        return pair_scaled(q, up - down);
    if ((square == 0) & !(isnan(a.x) & isnan(a.y)))
        return copysign((REAL)INFINITY, b.x) * a;
    const bool large = isinf(a.x) | isinf(a.y), small = isinf(b.x) | isinf(b.y);
    if (large == small || !(large ? isfinite(b.x) & isfinite(b.y) : isfinite(a.x) & isfinite(a.y)))
        return q;
    const REAL2 u = pair_direction(a, large), v = pair_direction(b, small);
    return (large ? (REAL)INFINITY : (REAL)0) * (REAL2)(u.x * v.x + u.y * v.y, u.y * v.x - u.x * v.y);
}

inline REAL2 __attribute__((overloadable)) pair_share(REAL2 a, long parts) { return a / (REAL)parts; }

#undef REAL
#undef REAL2
#undef LARGE
#undef MILD
