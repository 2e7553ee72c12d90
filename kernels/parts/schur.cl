/* What kernels of general eigenvalues share, behind field.cl: PAIR is a complex number, whatever the matrix has. Rows
 * of matrices have n numbers, contiguous; matrices come scaled so that their largest number is below 1. */
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
/* SHARING items, a group, have a task together, or each item has its own. What they share they read again behind WAIT
 * only. */
#ifndef SHARING
#define SHARING 1
#endif
#if SHARING > 1
#define ITEM get_local_id(0)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define EACH_OF(task, count) for (long task = get_group_id(0); task < (count); task += get_num_groups(0))
#define SHARED kernel __attribute__((reqd_work_group_size(SHARING, 1, 1)))
#else
#define ITEM 0
#define WAIT
#define EACH_OF(task, count) for (long task = get_global_id(0); task < (count); task += get_global_size(0))
#define SHARED kernel
#endif
#define EACH_SHARE(i, from, behind) for (long i = (from) + ITEM; i < (behind); i += SHARING)

/* The sum of all items' numbers, or the largest, for all of them. */
inline REAL across(REAL x, bool largest, local REAL *parts)
{
#if SHARING > 1
    parts[ITEM] = x;
    WAIT;
    x = parts[0];
    for (int i = 1; i < SHARING; i++)
        x = largest ? fmax(x, parts[i]) : x + parts[i];
    WAIT;
#endif
    return x;
}

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
    return size == 0  ? (PAIR)(0, 0)
           : z.x >= 0 ? (PAIR)(r, z.y / (2 * r))
                      : (PAIR)(fabs(z.y) / (2 * r), copysign(r, z.y));
}

inline PAIR pair_of(T a)
{
#ifdef PART
    return a;
#else
    return (PAIR)(a, 0);
#endif
}
