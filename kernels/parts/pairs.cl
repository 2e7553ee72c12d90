/* Complex numbers, float2 and double2: what vectors of two do not compute as complex numbers already. Adding,
 * subtracting, negating and scaling by a real number they do. Each step is rounded: the product of a number and its
 * conjugate is real. */
#ifndef PAIRS_ARE_DEFINED /* by a text of the user's */
#define PAIRS_ARE_DEFINED 1
#pragma OPENCL FP_CONTRACT OFF

#define REAL float
#define REAL2 float2
#define LARGE 0x1p50f
#define MILD 0x1p20f
#include "templates/pairs.cl"
#if defined(DTYPE_f64) || defined(HAS_F64)
#define REAL double
#define REAL2 double2
#define LARGE 0x1p400
#define MILD 0x1p200
#include "templates/pairs.cl"
#endif
#pragma OPENCL FP_CONTRACT ON
#endif
