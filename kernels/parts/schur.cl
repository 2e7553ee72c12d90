/* What kernels of general eigenvalues share, behind field.cl: PAIR is a complex number, whatever the matrix has. Rows of matrices have n
 * numbers, contiguous; matrices come scaled so that their largest number is below 1. */
#if REAL_BYTES == 8
#define EPSILON 2.220446049250313e-16
#define TINY 1e-290
#define BIG 1e100
#define MOST_BALANCE 200
#else
#define EPSILON 1.1920929e-7f
#define TINY 1e-35f
#define BIG 1e10f
#define MOST_BALANCE 30
#endif
#define PAIR JOIN(REAL, 2)
#ifdef PART
#define BULGE 2 /* numbers that a step's reflections take */
#else
#define BULGE 3
#endif
#define EACH_OF(batch, count) for (long batch = get_global_id(0); batch < (count); batch += get_global_size(0))

inline PAIR product(PAIR a, PAIR b) { return (PAIR)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline REAL size_of_pair(PAIR a) { return fabs(a.x) + fabs(a.y); }

/* By Smith's method: nothing overflows in between. */
inline PAIR quotient(PAIR a, PAIR b)
{
    if (fabs(b.x) >= fabs(b.y)) {
        const REAL r = b.y / b.x, d = b.x + b.y * r;
        return (PAIR)((a.x + a.y * r) / d, (a.y - a.x * r) / d);
    }
    const REAL r = b.x / b.y, d = b.x * r + b.y;
    return (PAIR)((a.x * r + a.y) / d, (a.y * r - a.x) / d);
}

inline PAIR root_of(PAIR z)
{
    const REAL size = hypot(z.x, z.y), r = sqrt((fabs(z.x) + size) / 2);
    return size == 0 ? (PAIR)(0, 0) : z.x >= 0 ? (PAIR)(r, z.y / (2 * r)) : (PAIR)(fabs(z.y) / (2 * r), copysign(r, z.y));
}

inline PAIR pair_of(T a)
{
#ifdef PART
    return a;
#else
    return (PAIR)(a, 0);
#endif
}
