/* What linear algebra computes with, one text for real and for complex numbers: REAL is the type of their parts, of
 * which a number has PARTS_OF_NUMBER, of REAL_BYTES each. */
#ifdef PART
#define REAL PART
#define REAL_BYTES (ITEM_BYTES / 2)
#define PARTS_OF_NUMBER 2
inline T times(T a, T b) { return (T)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline T over(T a, T b) { return pair_divide(a, b); }
inline T conjugate(T a) { return (T)(a.x, -a.y); }
inline T of_real(REAL a) { return (T)(a, 0); }
inline REAL real_of(T a) { return a.x; }
inline bool is_zero(T a) { return (a.x == 0) & (a.y == 0); }
inline bool is_finite(T a) { return isfinite(a.x) & isfinite(a.y); }
inline REAL square_of(T a) { return a.x * a.x + a.y * a.y; }
inline REAL absolute(T a) { return pair_size(a); }
inline REAL most_of(T a) { return fmax(fabs(a.x), fabs(a.y)); }
/* As large as `absolute`, or by half larger: for comparisons. */
inline REAL size_of(T a) { return fabs(a.x) + fabs(a.y); }
/* The direction, of size 1: that of 0 is 1, or as `sign_of` 0. */
inline T direction(T a)
{
    const REAL size = pair_size(a);
    return size > 0 ? a / size : of_real(1);
}
inline T sign_of(T a) { return is_zero(a) ? a : direction(a) + a * 0; } /* NaN's is NaN */
/* A number of about 1, and the power of 2 that goes with it; and the way back. */
inline T mantissa_of(T a, int *exponent)
{
    *exponent = pair_scale(a);
    return pair_scaled(a, -*exponent);
}
inline T rebuilt(T a, int exponent) { return pair_scaled(a, exponent); }
/* Vectors of numbers, times a number: v s.x, and v with its parts exchanged times i s.y. */
inline JOIN(REAL, 8) __attribute__((overloadable)) scaled(JOIN(REAL, 8) v, T s)
{
    const JOIN(REAL, 4) y = (JOIN(REAL, 4))(-s.y, s.y, -s.y, s.y);
    return v * s.x + v.s10325476 * (JOIN(REAL, 8))(y, y);
}
inline JOIN(REAL, 16) __attribute__((overloadable)) scaled(JOIN(REAL, 16) v, T s)
{
    const JOIN(REAL, 4) y = (JOIN(REAL, 4))(-s.y, s.y, -s.y, s.y);
    return v * s.x + v.s1032547698badcfe * (JOIN(REAL, 16))(y, y, y, y);
}
#else
#define REAL T
#define REAL_BYTES ITEM_BYTES
#define PARTS_OF_NUMBER 1
#define times(a, b) ((a) * (b))
#define over(a, b) ((a) / (b))
#define conjugate(a) (a)
#define of_real(a) ((T)(a))
#define real_of(a) (a)
#define is_zero(a) ((a) == 0)
#define is_finite(a) isfinite(a)
#define square_of(a) ((a) * (a))
#define absolute(a) fabs(a)
#define most_of(a) fabs(a)
#define size_of(a) fabs(a)
#define direction(a) ((a) < 0 ? (T)(-1) : (T)(1))
#define sign_of(a) ((a) > 0 ? (T)(1) : (a) < 0 ? (T)(-1) : (a))
#define mantissa_of(a, exponent) frexp(a, exponent)
#define rebuilt(a, exponent) ldexp(a, exponent)
#define scaled(v, s) ((v) * (s))
#endif
/* A number of a vector that is turned so that its largest number becomes real, and not below 0. */
inline T turned_with(T x, T largest, bool itself)
{
    return itself ? of_real(absolute(x)) : times(conjugate(direction(largest)), x);
}
