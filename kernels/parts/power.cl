/* pow of floats on CPUs, for vectors and single numbers: 2^(b * log2(a)). f32 is computed in f64. In f64 the logarithm and its product
 * with b are sums of two doubles, as in Sun's fdlibm: b makes up to 1100 times as much of the logarithm's error. Polynomials are
 * interpolated at Chebyshev's nodes. What is no ordinary power is chosen at the end, as C's Annex F has it. */

#define ROOT_HALF_F32 0x3f3504f3 /* the bits of sqrt(1/2): mantissas lie between it and sqrt(2) */
#define ROOT_HALF_F64 0x3fe6a09e667f3bcdL
#define ROUNDS_F64 0x1.8p52 /* a number beside it is rounded to a whole one, which stands in the lower bits */

/* 2/log(2) * atanh(s)/s and 2^f, of z = s*s and of |f| <= 1/2: errors 2^-45 and 2^-28.5. */
#define LOGARITHM_F32(T, z)                                                                                            \
    fma(z, fma(z, fma(z, fma(z, fma(z, (T)(0x1.21b245a850e1dp-2), (T)(0x1.4795463b406c3p-2)),                          \
                             (T)(0x1.a61a2ef4051f3p-2)), (T)(0x1.2776c2935a8c1p-1)), (T)(0x1.ec709dc53bfcfp-1)),       \
        (T)(0x1.71547652b8251p+1))
#define EXPONENTIAL_F32(T, f)                                                                                          \
    fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, (T)(0x1.443fffc90db59p-13), (T)(0x1.5f48c04f62e50p-10)),                 \
                                    (T)(0x1.3b2a1b7152befp-7)), (T)(0x1.c6aecc669b6ddp-5)),                            \
                      (T)(0x1.ebfbe045f4d3cp-3)), (T)(0x1.62e430d034702p-1)), (T)(1.0))
/* (atanh(s)/s - 1 - z/3)/z^2 and (2^f - 1)/f: errors 2^-70 of atanh and 2^-57. */
#define LOGARITHM_F64(T, z)                                                                                            \
    fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, (T)(0x1.e03a7acf07f85p-5), (T)(0x1.df7ba1f4809c3p-5)),            \
                                           (T)(0x1.1118cd67251c5p-4)), (T)(0x1.3b1395b82701ep-4)),                     \
                             (T)(0x1.745d177ad436ap-4)), (T)(0x1.c71c71c6ea5acp-4)), (T)(0x1.2492492492522p-3)),       \
        (T)(0x1.999999999999ap-3))
#define EXPONENTIAL_F64(T, f)                                                                                          \
    fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, (T)(0x1.e9d3fe3952179p-32),                  \
        (T)(0x1.e6063f7217bc6p-28)), (T)(0x1.b524fae627834p-24)), (T)(0x1.62bfd47773353p-20)),                         \
        (T)(0x1.ffcbfc670dcd4p-17)), (T)(0x1.430913096fd9fp-13)), (T)(0x1.5d87fe78a5276p-10)),                         \
        (T)(0x1.3b2ab6fba1ddap-7)), (T)(0x1.c6b08d704a0c2p-5)), (T)(0x1.ebfbdff82c598p-3)), (T)(0x1.62e42fefa39efp-1))

/* The power of |a| is `power`; the rest of pow(a, b). `sign` is the bit of the sign, in the integers of that width. */
#define POWER_ENDS(type, ints, sign)                                                                                   \
    const type halved = b * (type)(0.5f), nothing = (type)(0.0f), endless = (type)(INFINITY);                            \
    const type ended = (((size == nothing) & (b > nothing)) | ((size == endless) & (b < nothing))) ? nothing : endless; \
    const type sized = ((size == nothing) | (size == endless)) ? ended : power;                                        \
    const type normal = ((size == (type)(1.0f)) | (b == nothing)) ? (type)(1.0f) : sized;                              \
    const type whole = trunc(b), even = trunc(halved);                                                                   \
    const type odd = as_##type((ints)(sign));                                                                          \
    const type turns = ((whole == b) & (even != halved)) ? odd : nothing;                                                  \
    const type given = as_##type(as_##ints(normal) ^ (as_##ints(a) & as_##ints(turns)));                               \
    const type wrong = ((a < nothing) & (whole != b) & (size != endless)) ? (type)(NAN) : given;                       \
    return (((a != a) & (b != nothing)) | ((b != b) & (a != (type)(1.0f)))) ? (type)(NAN) : wrong;

#define POWER_F32(type, ints, doubles, longs)                                                                          \
    inline type power_##type(type a, type b)                                                                           \
    {                                                                                                                  \
        const type size = fabs(a);                                                                                     \
        const type scaled = size < (type)(0x1p-126f) ? size * (type)(0x1p24f) : size;                                  \
        const type raised = size < (type)(0x1p-126f) ? (type)(-24.0f) : (type)(0.0f);                                  \
        const ints e = (as_##ints(scaled) - (ints)(ROOT_HALF_F32)) >> 23;                                              \
        const type m = as_##type(as_##ints(scaled) - (e << 23)), r = (type)(1.0f) / (m + (type)(1.0f));                \
        const doubles wide = convert_##doubles(m), sum = wide + (doubles)(1.0), r0 = convert_##doubles(r);             \
        const doubles s = (wide - (doubles)(1.0)) * (r0 * fma(-sum, r0, (doubles)(2.0))), z = s * s;                   \
        const doubles exponent = convert_##doubles(convert_##type(e) + raised);                                        \
        const doubles p = convert_##doubles(b) * fma(s, LOGARITHM_F32(doubles, z), exponent);                          \
        const doubles low = p < (doubles)(-1000.0) ? (doubles)(-1000.0) : p;                                           \
        const doubles bounded = low > (doubles)(1000.0) ? (doubles)(1000.0) : low;                                     \
        const doubles rounded = bounded + (doubles)(ROUNDS_F64), f = bounded - (rounded - (doubles)(ROUNDS_F64));      \
        const doubles g = EXPONENTIAL_F32(doubles, f);                                                                 \
        const type power = convert_##type(as_##doubles(as_##longs(g) + (as_##longs(rounded) << 52)));                  \
        POWER_ENDS(type, ints, 0x80000000)                                                                             \
    }

/* Sums of two doubles: x_lo is what x lacks. */
#define POWER_F64(type, longs)                                                                                         \
    inline type power_##type(type a, type b)                                                                           \
    {                                                                                                                  \
        const type size = fabs(a), one = (type)(1.0), third = (type)(0x1.5555555555555p-2);                            \
        const type scaled = size < (type)(0x1p-1022) ? size * (type)(0x1p54) : size;                                   \
        const type raised = size < (type)(0x1p-1022) ? (type)(-54.0) : (type)(0.0);                                    \
        const longs e = (as_##longs(scaled) - (longs)(ROOT_HALF_F64)) >> 52;                                           \
        const type m = as_##type(as_##longs(scaled) - (e << 52)), n = m - one, d = m + one, d_lo = m - (d - one);      \
        const type r = one / d, s = n * r, s_lo = fma(-s, d_lo, fma(-s, d, n)) * r;                                    \
        const type z = s * s, z_lo = fma(s, s, -z) + (type)(2.0) * s * s_lo;                                           \
        const type more = z * LOGARITHM_F64(type, z), c = third + more;                                                \
        const type c_lo = (third - c) + more + (type)(0x1.5555555555555p-56);                                          \
        const type q = z * c, q_lo = fma(z, c, -q) + (z * c_lo + z_lo * c);                                            \
        const type u = one + q, u_lo = (one - u) + q + q_lo;                                                           \
        const type v = s * u, v_lo = fma(s, u, -v) + (s * u_lo + s_lo * u);                                            \
        const type k = (type)(0x1.71547652b82fep+1), w = v * k;                                                        \
        const type w_lo = fma(v, k, -w) + (v * (type)(0x1.777d0ffda0d24p-55) + v_lo * k);                              \
        const type exponent = convert_##type(e) + raised, t = exponent + w, t_lo = (exponent - t) + w + w_lo;          \
        const type p = b * t, p_lo = fma(b, t, -p) + b * t_lo;                                                         \
        const type low = p < (type)(-2000.0) ? (type)(-2000.0) : p;                                                    \
        const type bounded = low > (type)(2000.0) ? (type)(2000.0) : low;                                              \
        const type rounded = bounded + (type)(ROUNDS_F64), whole_power = rounded - (type)(ROUNDS_F64);                 \
        const type f = (bounded - whole_power) + (fabs(p) < (type)(2000.0) ? p_lo : (type)(0.0));                      \
        const type g = fma(f, EXPONENTIAL_F64(type, f), one);                                                          \
        const type root = (whole_power * (type)(0.5)) + (type)(ROUNDS_F64); /* 2^k in two factors: k may be -1074 */   \
        const longs first = as_##longs(root) << 52, second = (as_##longs(rounded) - as_##longs(root)) << 52;           \
        const longs unit = (longs)(0x3ff0000000000000L);                                                               \
        const type power = as_##type(as_##longs(g) + first) * as_##type(unit + second);                                \
        POWER_ENDS(type, longs, 0x8000000000000000)                                                                    \
    }

#define power_driver(a, b) pow(a, b) /* pow may be a macro, which a name made of it would have in it */
#if defined(HAS_F64) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) /* without the instruction fma is slow */
#define POWER_OF(TYPE, a, b) power_##TYPE(a, b)
POWER_F32(float, int, double, long)
POWER_F32(float2, int2, double2, long2)
POWER_F32(float4, int4, double4, long4)
POWER_F32(float8, int8, double8, long8)
POWER_F32(float16, int16, double16, long16)
POWER_F64(double, long)
POWER_F64(double2, long2)
POWER_F64(double4, long4)
POWER_F64(double8, long8)
POWER_F64(double16, long16)
#else
#define POWER_OF(TYPE, a, b) power_driver(a, b)
#endif
#define POWER(TYPE, a, b) POWER_OF(TYPE, a, b)
