/* Numbers: how an element is loaded and stored, alone and in vectors.
 *
 * Packed elements are floats in 16 bits that are computed in f32. STORED is the type in which vectors of elements are read
 * and written, ushort for packed elements, else T; unpackN makes the numbers of COMPUTE of a vector of N, packN goes back and
 * rounds to nearest even. The host says how elements are encoded: ENCODED_HALF (IEEE 754 binary16), ENCODED_BFLOAT (the upper
 * half of an f32), else they are OpenCL C's own numbers. Halves are only stored, so no device needs cl_khr_fp16. */
#if defined(ENCODED_HALF) || defined(ENCODED_BFLOAT)
#define PACKED 1
#define STORED ushort
#else
#define STORED T
#endif

#ifdef __has_warning /* NVIDIA's compiler knows no such warning, and would print one about that */
#if __has_warning("-Wpsabi")
#pragma clang diagnostic ignored "-Wpsabi" /* wide vectors are passed within a program only */
#endif
#endif

#define DEFINE_HALVES(N)                                                                               \
    inline float##N unpack_half##N(ushort##N x) { return vload_half##N(0, (const private half *)&x); } \
    inline ushort##N pack_half##N(float##N v)                                                          \
    {                                                                                                  \
        ushort##N x;                                                                                   \
        vstore_half##N##_rte(v, 0, (private half *)&x);                                                \
        return x;                                                                                      \
    }

/* A NaN stays one: its lower half may be all that tells it from an infinity, so a bit of the upper half is set. */
#define DEFINE_BFLOATS(N)                                                                                \
    inline float##N unpack_bfloat##N(ushort##N x) { return as_float##N(convert_uint##N(x) << 16u); }     \
    inline ushort##N pack_bfloat##N(float##N v)                                                          \
    {                                                                                                    \
        const uint##N bits = as_uint##N(v), even = bits + 0x7fffu + ((bits >> 16u) & 1u);                \
        const uint##N nan = bits | 0x400000u;                                                            \
        return convert_ushort##N(select(even, nan, (bits & 0x7fffffffu) > (uint##N)(0x7f800000u)) >> 16u); \
    }

#if defined(ENCODED_HALF) || defined(SRC_ENCODED_HALF)
DEFINE_HALVES()
DEFINE_HALVES(2)
DEFINE_HALVES(4)
DEFINE_HALVES(8)
DEFINE_HALVES(16)
#endif
#if defined(ENCODED_BFLOAT) || defined(SRC_ENCODED_BFLOAT)
DEFINE_BFLOATS()
DEFINE_BFLOATS(2)
DEFINE_BFLOATS(4)
DEFINE_BFLOATS(8)
DEFINE_BFLOATS(16)
#endif

#if defined(ENCODED_HALF)
#define LOAD(p, i) vload_half((i), (p))
#define STORE(p, i, v) vstore_half_rte((v), (i), (p))
#define unpack1(x) unpack_half(x)
#define unpack2(x) unpack_half2(x)
#define unpack4(x) unpack_half4(x)
#define unpack8(x) unpack_half8(x)
#define unpack16(x) unpack_half16(x)
#define pack1(v) pack_half(v)
#define pack2(v) pack_half2(v)
#define pack4(v) pack_half4(v)
#define pack8(v) pack_half8(v)
#define pack16(v) pack_half16(v)
#elif defined(ENCODED_BFLOAT)
#define LOAD(p, i) unpack_bfloat((p)[i])
#define STORE(p, i, v) ((p)[i] = pack_bfloat(v))
#define unpack1(x) unpack_bfloat(x)
#define unpack2(x) unpack_bfloat2(x)
#define unpack4(x) unpack_bfloat4(x)
#define unpack8(x) unpack_bfloat8(x)
#define unpack16(x) unpack_bfloat16(x)
#define pack1(v) pack_bfloat(v)
#define pack2(v) pack_bfloat2(v)
#define pack4(v) pack_bfloat4(v)
#define pack8(v) pack_bfloat8(v)
#define pack16(v) pack_bfloat16(v)
#else
#define LOAD(p, i) ((p)[i])
#define STORE(p, i, v) ((p)[i] = (v))
#define unpack1(x) (x)
#define unpack2(x) (x)
#define unpack4(x) (x)
#define unpack8(x) (x)
#define unpack16(x) (x)
#define pack1(v) (v)
#define pack2(v) (v)
#define pack4(v) (v)
#define pack8(v) (v)
#define pack16(v) (v)
#endif

/* What kernels for any dtype compute with: products, what a number is scaled by another, and whether an element is true. A complex
 * number is a vector of two of type PART. */
#define PAIR_IS_TRUE(z) (((z).x != 0) | ((z).y != 0))
#if defined(PART) || defined(HAS_PAIRS)
#include "parts/pairs.cl"
#endif
#ifdef PART
#define IS_TRUE(x) PAIR_IS_TRUE(x)
#define PRODUCT(a, b) pair_multiply(a, b)
#define SCALED(factor, x) pair_scale_by(factor, x)
#else
#define IS_TRUE(x) ((x) != 0)
#define PRODUCT(a, b) ((a) * (b))
#define SCALED(factor, x) PRODUCT(factor, x)
#endif

/* On its way to a packed element a wider number goes through float, rounded to odd there: cut, and the last bit set if
 * anything was lost. The element is then rounded only once. */
#ifdef PACKED
inline float odd_of_long(long x)
{
    const float cut = convert_float_rtz(x);
    return convert_long(cut) == x ? cut : as_float(as_uint(cut) | 1u);
}

inline float odd_of_ulong(ulong x)
{
    const float cut = convert_float_rtz(x);
    return convert_ulong(cut) == x ? cut : as_float(as_uint(cut) | 1u);
}

#ifdef HAS_F64
inline float odd_of_double(double x)
{
    const float cut = convert_float_rtz(x);
    return isfinite(x) && isfinite(cut) && (double)cut != x ? as_float(as_uint(cut) | 1u) : cut;
}
#endif
#endif
