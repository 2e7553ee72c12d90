/* Complex numbers, float2 and double2: what vectors of two do not compute as complex numbers already. Adding, subtracting,
 * negating and scaling by a real number they do. */
#define DEFINE_PAIRS(REAL)                                                                                             \
    inline REAL##2 __attribute__((overloadable)) pair_multiply(REAL##2 a, REAL##2 b)                                   \
    {                                                                                                                  \
        return (REAL##2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                \
    }                                                                                                                  \
    /* b is scaled by a power of 2 so that its square neither overflows nor vanishes (C11, annex G.5.1). */            \
    inline REAL##2 __attribute__((overloadable)) pair_divide(REAL##2 a, REAL##2 b)                                     \
    {                                                                                                                  \
        const REAL most = fmax(fabs(b.x), fabs(b.y));                                                                  \
        const int scale = isfinite(most) && most > 0 ? ilogb(most) : 0;                                                \
        const REAL x = ldexp(b.x, -scale), y = ldexp(b.y, -scale), square = x * x + y * y;                             \
        const REAL##2 q = (REAL##2)((a.x * x + a.y * y) / square, (a.y * x - a.x * y) / square);                       \
        return (REAL##2)(ldexp(q.x, -scale), ldexp(q.y, -scale));                                                      \
    }                                                                                                                  \
    inline REAL##2 __attribute__((overloadable)) pair_share(REAL##2 a, long parts) { return a / (REAL)parts; }

DEFINE_PAIRS(float)
#if defined(DTYPE_f64) || defined(HAS_F64)
DEFINE_PAIRS(double)
#endif
