/* Inverse functions of complex numbers, float2 and double2: asin, acos and their hyperbolic ones by the ellipse on
 * which a number lies (Hull, Fairgrieve, Tang 1997, and FreeBSD's catrig.c, whose bounds these are), atanh and atan by
 * Kahan's formula. The cuts are C99's, whose sides the zero's sign shows, and so are the special values of its annex G.
 * Beyond 1/EPSILON only |z| counts. */
#ifndef PAIR_INVERSES_ARE_DEFINED /* by a text of the user's */
#define PAIR_INVERSES_ARE_DEFINED 1

#define REAL float
#define REAL2 float2
#define EPSILON 0x1p-23f
#include "templates/pair_inverses.cl"
#if defined(DTYPE_f64) || defined(HAS_F64)
#define REAL double
#define REAL2 double2
#define EPSILON 0x1p-52
#include "templates/pair_inverses.cl"
#endif
#endif
