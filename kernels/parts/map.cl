/* Elementwise functions: what the kernels for all devices share. The host generates the rest for each expression,
 * before this text: MAP_PARAMETERS, the kernel's parameters behind the shape; MAP_ROW(row), which finds where a row of
 * every array begins; MAP_STEP_1(j) and MAP_STEP_V(j), which compute element j, and WIDTH elements from j on, of that
 * row; MAP_FIRST(j), the address of element j of the first output; MAP_PIECE(j), which sets where the piece of the row
 * ends that element j is in, and whether it has no vectors; and in programs of several kernels, MAP_KERNEL, each one's
 * name. */
#include "abi/map.h"

#ifndef MAP_PARAMETERS
#define WIDTH 4
#define MAP_PARAMETERS , global float *o0, global const float *i1
#define MAP_ROW(row) const long f0 = shape.at[0] + (row)*shape.at[1], f1 = shape.at[2] + (row)*shape.at[3];
#define MAP_FIRST(j) (o0 + f0 + (j))
#define MAP_STEP_1(j) o0[f0 + (j)] = sqrt(i1[f1 + (j)]);
#define MAP_STEP_V(j) vstore4(sqrt(vload4(0, i1 + f1 + (j))), 0, o0 + f0 + (j));
#endif

/* ---- what map.def's expressions say; each stands for numbers and for vectors of TYPE ----------------------------- */

#define NEVER(TYPE, a) ((a & (TYPE)(0)) != (TYPE)(0))
#define ALWAYS(TYPE, a) ((a & (TYPE)(0)) == (TYPE)(0))

#ifdef MAP_PAIR_FUNCTIONS /* the expression computes complex numbers with more than vectors do */
#include "parts/pair_functions.cl"
#endif
#ifdef MAP_PAIR_INVERSES
#include "parts/pair_inverses.cl"
#endif

/* pi: a sum of floats, of which f64 has more. */
#define HALF_TURN(TYPE) ((TYPE)(0x1.921fb6p1f) + (TYPE)(-0x1.777a5cp-24f) + (TYPE)(-0x1.ee59dap-49f))

#ifdef MAP_SPECIAL /* the expression has functions that are polynomials here */
#include "parts/special.cl"
#endif
/* Kept within the dtype, whose largest number is TOP; mad_sat of NVIDIA's driver keeps no numbers of 64 bits. */
#define KEPT_PRODUCT(TYPE, a, b, low, TOP)                                                                             \
    mul_hi(a, b) == (low < (TYPE)(0) ? (TYPE)(-1) : (TYPE)(0)) ? low : (a ^ b) < (TYPE)(0) ? ~(TOP) : TOP
#define NATURAL_KEPT_PRODUCT(TYPE, a, b) mul_hi(a, b) == (TYPE)(0) ? (TYPE)(a * b) : (TYPE)(-1)

#ifdef MAP_WHOLE /* or such of integers */
#include "parts/whole.cl"
#endif

/* By value. <operand>_top is what it has from 2^63 on: -1 and less are signed, 2^63 and more are u64. */
#define LESS(a, b) ((a##_top < b##_top) | ((a##_top == b##_top) & (a < b)))

#ifdef MAP_READS /* the expression reads arrays at other positions */
#include "parts/reads.cl"
#endif
#ifdef MAP_ORDER /* the expression compares by parts */
#include "parts/order.cl"
#endif

/* Of floats. */
#define LESSER(a, b) NAN_WINS((a) < (b), (a), (b), LOWER_ZERO(a, b))
#define GREATER(a, b) NAN_WINS((a) > (b), (a), (b), UPPER_ZERO(a, b))

/* What kernels for CPUs compute otherwise. */
#ifndef CIRCULAR
#define CIRCULAR(TYPE, f, a) circular_##f(a)
#define circular_sine(a) sin(a)
#define circular_cosine(a) cos(a)
#define circular_tangent(a) tan(a)
#endif
#ifndef FMOD
#define FMOD(TYPE, a, b) fmod(a, b)
#endif
#ifndef POWER
#define POWER(TYPE, a, b) pow(a, b)
#endif

/* From 13 log(2) on 1 is nearer in f32 than what comes before it. In f64, where 1e-10 counts beside 1, it is the
 * compiler's. */
#define ALL_ONE(TYPE) ((TYPE)(1) + (TYPE)(1e-10f) == (TYPE)(1) ? (TYPE)(9.0109134f) : (TYPE)(INFINITY))
#define HYPERBOLIC_TANGENT(TYPE, a) fabs(a) >= ALL_ONE(TYPE) ? sign(a) : tanh(a)

/* 0 and 1 of a vector of N conditions, which are 0 and -1. For a constant 1 LLVM emits a masked load with AVX-512,
   which costs 700 cycles if no lane is true and the constant's page has not been touched yet. So 1 is a number that
   the compiler cannot know. */
#define TRUTHS(N, conditions) (convert_uchar##N(conditions) & (uchar##N)((uchar)(shape.columns >= 0)))

/* Division of integers. What would trap, by 0 and of the least integer by -1, is not computed. */
#define NOT_ZERO(TYPE, b) (b == (TYPE)(0) ? (TYPE)(1) : b)
#define DIVIDE(TYPE, a, b) b == (TYPE)(0) ? (TYPE)(0) : a / NOT_ZERO(TYPE, b)
#define REMAINDER(TYPE, a, b) b == (TYPE)(0) ? (TYPE)(0) : a % NOT_ZERO(TYPE, b)
#define DIVISOR(TYPE, b) (((b == (TYPE)(0)) | (b == (TYPE)(-1))) ? (TYPE)(1) : b)
/* Does the quotient of a and d, which is cut toward 0, lie above the exact one? */
#define IS_ABOVE(TYPE, a, d) (((a % d) != (TYPE)(0)) & ((a ^ d) < (TYPE)(0)))
#define FLOORED(TYPE, a, d) (a / d - (IS_ABOVE(TYPE, a, d) ? (TYPE)(1) : (TYPE)(0)))
#define FLOOR_DIVIDE(TYPE, a, b) b == (TYPE)(0) ? (TYPE)(0) : b == (TYPE)(-1) ? -a : FLOORED(TYPE, a, DIVISOR(TYPE, b))
#define MOD_OF(TYPE, a, d) (a % d + (IS_ABOVE(TYPE, a, d) ? d : (TYPE)(0)))
#define FLOOR_MOD(TYPE, a, b) MOD_OF(TYPE, a, DIVISOR(TYPE, b))
/* Rounded, halves away from 0. By 0 it is the end of the dtype on the side of a, 0 of 0; d: a divisor that does not
 * trap. */
#define NEAREST(TYPE, a, d)                                                                                            \
    (a / d + (abs(a % d) >= abs(d) - abs(a % d) ? (a ^ d) < (TYPE)(0) ? (TYPE)(-1) : (TYPE)(1) : (TYPE)(0)))
#define QUOTIENT(TYPE, a, b, d, TOP)                                                                                   \
    b == (TYPE)(0)    ? a > (TYPE)(0)   ? TOP                                                                          \
                        : a < (TYPE)(0) ? ~(TOP)                                                                       \
                                        : a                                                                            \
    : b == (TYPE)(-1) ? sub_sat((TYPE)(0), a)                                                                          \
                      : NEAREST(TYPE, a, (d))
#define NATURAL_QUOTIENT(TYPE, a, b)                                                                                   \
    b == (TYPE)(0) ? a == (TYPE)(0) ? a : (TYPE)(-1)                                                                   \
                   : a / NOT_ZERO(TYPE, b) +                                                                           \
                         (a % NOT_ZERO(TYPE, b) >= NOT_ZERO(TYPE, b) - a % NOT_ZERO(TYPE, b) ? (TYPE)(1) : (TYPE)(0))
/* As Lua's: of the sign of b. */
#define WRONG_SIGN(TYPE, m, b) (((m > (TYPE)(0)) & (b < (TYPE)(0))) | ((m < (TYPE)(0)) & (b > (TYPE)(0))))
#define REAL_MOD(TYPE, a, b) WRONG_SIGN(TYPE, FMOD(TYPE, a, b), b) ? FMOD(TYPE, a, b) + b : FMOD(TYPE, a, b)
/* Is a a multiple of a fraction b, but for what a quotient is rounded by? That of f32 is off by more on some
 * devices. */
#define ROUNDED_QUOTIENT(a, b) (a / b + fma(-(a / b), b, a) / b)
#define MULTIPLE(TYPE, BITS, a, b)                                                                                     \
    ((rint(b) != b) & (fabs(ROUNDED_QUOTIENT(a, b) - rint(ROUNDED_QUOTIENT(a, b))) <                                   \
                       fabs(rint(ROUNDED_QUOTIENT(a, b))) * (TYPE)(BITS == 64 ? 0x1p-52f : 0x1p-23f)))

/* Shifts, of signed operands: by b, or the other way by -b; 0 where nothing is left. */
#define WITHIN(TYPE, BITS, b) ((b) & (TYPE)(BITS - 1))
#define SHIFT(TYPE, BITS, there, back, b)                                                                              \
    ((b >= (TYPE)(BITS)) | (b <= (TYPE)(-BITS))) ? (TYPE)(0) : b >= (TYPE)(0) ? there : back
