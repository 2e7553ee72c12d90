/* What the kernels of CPUs that take a matrix whole do with its rows or columns, behind field.cl: vectors of real or
 * complex numbers in memory of a group, filled up with zeros to whole vectors of the device. */
#if REAL_BYTES == 8
#define WIDTH 8
#define HALF 4
#else
#define WIDTH 16
#define HALF 8
#endif
#define LANES (WIDTH / PARTS_OF_NUMBER)
typedef JOIN(REAL, WIDTH) lanes;
#define LOAD_LANES(p) JOIN(vload, WIDTH)(0, (global const REAL *)(p))
#define STORE_LANES(x, p) JOIN(vstore, WIDTH)(x, 0, (global REAL *)(p))

inline REAL total_half(JOIN(REAL, HALF) x)
{
#if HALF == 8
    const JOIN(REAL, 4) sums = x.lo + x.hi;
#else
    const JOIN(REAL, 4) sums = x;
#endif
    return (sums.x + sums.z) + (sums.y + sums.w);
}

inline REAL total(lanes x) { return total_half(x.lo + x.hi); }

/* The sum of products of conjugated numbers and others: of the products of their parts and, for the imaginary part, of
 * parts and SWAPPED ones. */
#ifndef PART
#define SWAPPED(v) (v)
#define joined(products, crossed) ((void)(crossed), total(products))
#else
#if REAL_BYTES == 8
#define SWAPPED(v) (v).s10325476
#else
#define SWAPPED(v) (v).s1032547698badcfe
#endif
inline T joined(lanes products, lanes crossed)
{
    return (T)(total(products), total_half(crossed.even - crossed.odd));
}
#endif

/* x^H y. */
inline T dot(global const T *x, global const T *y, long first, long end)
{
    lanes sum = 0, crossed = 0;
    for (long j = first; j < end; j += LANES) {
        const lanes a = LOAD_LANES(x + j), b = LOAD_LANES(y + j);
        sum += a * b;
        crossed += a * SWAPPED(b);
    }
    return joined(sum, crossed);
}

/* x less f times y. */
inline void subtract(global T *x, global const T *y, T f, long first, long end)
{
    for (long j = first; j < end; j += LANES)
        STORE_LANES(LOAD_LANES(x + j) - scaled(LOAD_LANES(y + j), f), x + j);
}
