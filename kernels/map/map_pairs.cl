/* Complex numbers in texts of the user's, in front of these: structs, so that a product of two does not compile, where
 * vectors would multiply parts; and functions of them. TEXT_PAIR is the struct's name, TEXT_REAL the type of its parts:
 * of the widest complex numbers that the text meets. */
#ifndef TEXT_PAIR
#define TEXT_PAIR c64
#define TEXT_REAL float
#endif
#define TEXT_VECTOR_OF(REAL) REAL##2
#define TEXT_VECTOR(REAL) TEXT_VECTOR_OF(REAL)
#include "parts/pairs.cl"
#include "parts/pair_functions.cl"
#include "parts/pair_inverses.cl"
#pragma OPENCL FP_CONTRACT ON

#define OVERLOADED inline __attribute__((overloadable))

typedef struct {
    TEXT_REAL re, im;
} TEXT_PAIR;

/* Names of lun_ and a digit are none of the user's. The numbers as vectors, and back. */
OVERLOADED TEXT_PAIR lun_0number(TEXT_VECTOR(TEXT_REAL) z)
{
    TEXT_PAIR number;
    number.re = z.x;
    number.im = z.y;
    return number;
}
OVERLOADED float2 lun_0to_float2(TEXT_PAIR z) { return (float2)(z.re, z.im); }
#define FROM_REAL(TYPE) \
    OVERLOADED float2 lun_0to_float2(TYPE x) { return (float2)(x, 0); }
FROM_REAL(bool)
FROM_REAL(char)
FROM_REAL(uchar)
FROM_REAL(short)
FROM_REAL(ushort)
FROM_REAL(int)
FROM_REAL(uint)
FROM_REAL(long)
FROM_REAL(ulong)
FROM_REAL(float)
#ifdef HAS_F64
FROM_REAL(double)
#undef FROM_REAL
#define FROM_REAL(TYPE) \
    OVERLOADED double2 lun_0to_double2(TYPE x) { return (double2)(x, 0); }
OVERLOADED double2 lun_0to_double2(TEXT_PAIR z) { return (double2)(z.re, z.im); }
FROM_REAL(bool)
FROM_REAL(char)
FROM_REAL(uchar)
FROM_REAL(short)
FROM_REAL(ushort)
FROM_REAL(int)
FROM_REAL(uint)
FROM_REAL(long)
FROM_REAL(ulong)
FROM_REAL(float)
FROM_REAL(double)
#endif
#ifdef TEXT_WIDENS
OVERLOADED TEXT_PAIR lun_0number(float2 z) { return lun_0number(convert_double2(z)); }
#endif
inline TEXT_VECTOR(TEXT_REAL) lun_0pair(TEXT_PAIR z) { return (TEXT_VECTOR(TEXT_REAL))(z.re, z.im); }

inline TEXT_PAIR complex(TEXT_REAL re, TEXT_REAL im) { return lun_0number((TEXT_VECTOR(TEXT_REAL))(re, im)); }
inline TEXT_PAIR cpolar(TEXT_REAL r, TEXT_REAL angle) { return complex(r * cos(angle), r * sin(angle)); }
inline TEXT_REAL cabs(TEXT_PAIR z) { return pair_size(lun_0pair(z)); }
inline TEXT_REAL carg(TEXT_PAIR z) { return atan2(z.im, z.re); }
inline TEXT_PAIR conj(TEXT_PAIR z) { return complex(z.re, -z.im); }
inline TEXT_PAIR cneg(TEXT_PAIR z) { return complex(-z.re, -z.im); }

#define TEXT_FUNCTION(name, function) \
    inline TEXT_PAIR name(TEXT_PAIR z) { return lun_0number(function(lun_0pair(z))); }
TEXT_FUNCTION(cexp, complex_exp)
TEXT_FUNCTION(clog, complex_log)
TEXT_FUNCTION(csqrt, complex_sqrt)
TEXT_FUNCTION(csin, complex_sin)
TEXT_FUNCTION(ccos, complex_cos)
TEXT_FUNCTION(ctan, complex_tan)
TEXT_FUNCTION(csinh, complex_sinh)
TEXT_FUNCTION(ccosh, complex_cosh)
TEXT_FUNCTION(ctanh, complex_tanh)
TEXT_FUNCTION(casin, complex_asin)
TEXT_FUNCTION(cacos, complex_acos)
TEXT_FUNCTION(catan, complex_atan)
TEXT_FUNCTION(casinh, complex_asinh)
TEXT_FUNCTION(cacosh, complex_acosh)
TEXT_FUNCTION(catanh, complex_atanh)
TEXT_FUNCTION(cexpm1, complex_expm1)
TEXT_FUNCTION(clog1p, complex_log1p)
TEXT_FUNCTION(csign, complex_sign)

/* Of a complex number and a real one, too. */
#define TEXT_OPERATOR(name, function)                                                                                 \
    OVERLOADED TEXT_PAIR name(TEXT_PAIR a, TEXT_PAIR b) { return lun_0number(function(lun_0pair(a), lun_0pair(b))); } \
    OVERLOADED TEXT_PAIR name(TEXT_PAIR a, TEXT_REAL b) { return name(a, complex(b, 0)); }                            \
    OVERLOADED TEXT_PAIR name(TEXT_REAL a, TEXT_PAIR b) { return name(complex(a, 0), b); }
#define TEXT_ADD(a, b) (a) + (b)
#define TEXT_SUBTRACT(a, b) (a) - (b)
TEXT_OPERATOR(cadd, TEXT_ADD)
TEXT_OPERATOR(csub, TEXT_SUBTRACT)
TEXT_OPERATOR(cmul, pair_product)
TEXT_OPERATOR(cdiv, pair_divide)
TEXT_OPERATOR(cpow, complex_power)
