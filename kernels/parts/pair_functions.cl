/* Functions of complex numbers, float2 and double2, as C99 has them: branch cuts along the negative real axis, whose
 * sides the zero's sign shows, and the special values of its annex G. Nothing overflows or vanishes on the way where
 * the result does not. Beyond FAR_EXP exp is made of two factors, and beyond FAR_TANH the hyperbolic tangent is 1 to
 * rounding. */
#ifndef PAIR_FUNCTIONS_ARE_DEFINED /* by a text of the user's */
#define PAIR_FUNCTIONS_ARE_DEFINED 1
#pragma OPENCL FP_CONTRACT OFF

#define REAL float
#define REAL2 float2
#define FAR_EXP 80.0f
#define FAR_TANH 10.0f
#include "templates/pair_functions.cl"
#if defined(DTYPE_f64) || defined(HAS_F64)
#define REAL double
#define REAL2 double2
#define FAR_EXP 700.0
#define FAR_TANH 20.0
#include "templates/pair_functions.cl"
#endif

/* Whole exponents up to WHOLE_POWERS are products, as those of numbers in Lua are. Others are made in f64 where there
 * is one: the error of the logarithm grows with the exponent. */
#define WHOLE_POWERS 1024

#if defined(DTYPE_f64) || defined(HAS_F64)
#define REAL2 float2
#define WIDENED(z) convert_double2(z)
#define NARROWED(z) convert_float2(z)
#include "templates/pair_power.cl"
#define REAL2 double2
#define WIDENED(z) convert_double2(z)
#define NARROWED(z) convert_double2(z)
#include "templates/pair_power.cl"
#else
#define REAL2 float2
#define WIDENED(z) convert_float2(z)
#define NARROWED(z) convert_float2(z)
#include "templates/pair_power.cl"
#endif
#endif
