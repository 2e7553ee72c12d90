/* The order of two numbers by value where no type holds those of both: signed and unsigned 64-bit integers, or integers
 * and floats with fewer digits. Each becomes a head and a rest of one type, TO; heads are compared first.
 *   TO long      head: the bits from 2^63 on, -1, 0 or 1.   rest: those below.
 *   TO a float   head: the integer's first digits, as many as TO has.   rest: what is left; of a float 0. */

/* Below 0 where a is less than b, 0 where both are equal, above 0 where a is greater; NaN where one of them is. */
#define ORDER(FROM_A, FROM_B, TO, a, b)                                                                        \
    (head_##FROM_A##_##TO(a) == head_##FROM_B##_##TO(b) ? rest_##FROM_A##_##TO(a) - rest_##FROM_B##_##TO(b) \
                                                        : head_##FROM_A##_##TO(a) - head_##FROM_B##_##TO(b))

#define HEAD(FROM, TO) JOIN(JOIN(head_, FROM), JOIN(_, TO))
#define REST(FROM, TO) JOIN(JOIN(rest_, FROM), JOIN(_, TO))

#define LONGS long
#define ULONGS ulong
#include "templates/order.cl"
#define FLOATS float
#define DIGITS_OF_FLOATS 24
#include "templates/order_floats.cl"
#ifdef HAS_F64
#define FLOATS double
#define DIGITS_OF_FLOATS 53
#include "templates/order_floats.cl"
#endif
#undef LONGS
#undef ULONGS
#if WIDTH > 1
#define LONGS JOIN(long, WIDTH)
#define ULONGS JOIN(ulong, WIDTH)
#include "templates/order.cl"
#define FLOATS JOIN(float, WIDTH)
#define DIGITS_OF_FLOATS 24
#include "templates/order_floats.cl"
#ifdef HAS_F64
#define FLOATS JOIN(double, WIDTH)
#define DIGITS_OF_FLOATS 53
#include "templates/order_floats.cl"
#endif
#undef LONGS
#undef ULONGS
#endif
