/* (first + i step) / over, in row-major order: in 64-bit integers for integer dtypes, whose `over` is 1, else in the
 * widest float there is, rounded once. A term is a sum of two numbers, the second less than the first's rounding. */
#pragma OPENCL FP_CONTRACT OFF

#ifndef IS_FLOAT
#define NUMBER long
#elif defined(HAS_F64)
#define NUMBER double
#else
#define NUMBER float
#endif
typedef NUMBER number;
typedef JOIN(NUMBER, 2) given;

#if defined(PACKED) && defined(HAS_F64) /* rounded once */
#define ROUNDED(x) odd_of_double(x)
#elif defined(PACKED)
#define ROUNDED(x) (x)
#else
#define ROUNDED(x) (T)(x)
#endif

#ifdef IS_FLOAT
typedef struct {
    number x, y;
} term;
#define TERM(a) ((term){(a).x, (a).y})

inline term sum_of(number a, number b)
{
    const number sum = a + b, second = sum - a;
    return (term){sum, a - (sum - second) + (b - second)};
}

/* The same where a is 0 or the larger one. */
inline term ordered_sum(number a, number b)
{
    const number sum = a + b;
    return (term){sum, b - (sum - a)};
}

inline term product_of(number a, number b)
{
    const number product = a * b;
    return (term){product, fma(a, b, -product)};
}

/* To 3 u^2 of the sum, whatever cancels (Joldes, Muller, Popescu 2017: AccurateDWPlusDW). */
inline term plus(term a, term b)
{
    const term heads = sum_of(a.x, b.x), rests = sum_of(a.y, b.y), sum = ordered_sum(heads.x, heads.y + rests.x);
    return ordered_sum(sum.x, rests.y + sum.y);
}

/* By the inverse of b: what the first product is off by is in the rest. */
inline term quotient(term a, term b)
{
    const number inverse = 1 / b.x, whole = a.x * inverse;
    const number rest = (fma(-whole, b.x, a.x) + (a.y - whole * b.y)) * inverse;
    return ordered_sum(whole, fabs(whole) < INFINITY ? rest : 0);
}

inline term number_at(long i, term first, term step, term over)
{
    const term sum = plus(first, product_of((number)i, step.x));
    return quotient(step.y == 0 ? sum : plus(sum, product_of((number)i, step.y)), over);
}

/* A number that is rounded once more, to fewer digits: the last of its own is odd where rounding has left anything of
 * it. */
#if ITEM_BYTES == 8 || !defined(HAS_F64)
#define ODD(of) (of).x
#else
inline number odd_of_term(term x)
{
    const long left = fabs(x.y) > 0, below = left & ((x.y > 0) != (x.x > 0)); /* what is left of an infinity is NaN */
    return as_double((as_long(x.x) - below) | left);
}
#define ODD(of) odd_of_term(of)
#endif

KERNEL(GROUP) sequence_plain(global T *dst, long offset, lun_layout to, long n, given first, given step, given over)
{
    dst += offset;
    FOR_SPREAD(i, n)
        STORE(dst, layout_offset(&to, i), ROUNDED(ODD(number_at(i, TERM(first), TERM(step), TERM(over)))));
}

/* What rounding leaves of each number. */
KERNEL(GROUP) sequence_rest(global T *dst, long offset, lun_layout to, long n, given first, given step, given over)
{
    dst += offset;
    FOR_SPREAD(i, n)
        STORE(dst, layout_offset(&to, i), ROUNDED(number_at(i, TERM(first), TERM(step), TERM(over)).y));
}

#define STEPPED(i) fma((number)(i), step.x, first.x)
#else
#define STEPPED(i) (first.x + (number)(i) * step.x)
#endif

/* Numbers of one rounding as they are: integers, those of few digits, and those of the widest float. */
KERNEL(GROUP) sequence_steps(global T *dst, long offset, lun_layout to, long n, given first, given step, given over)
{
    dst += offset;
    FOR_SPREAD(i, n)
        STORE(dst, layout_offset(&to, i), ROUNDED(STEPPED(i)));
}
