/* Numbers: how an element is loaded and stored, alone and in vectors.
 *
 * Packed elements are floats of few bits that are computed in f32: PACKED(verb, N) is the name of what packs so. STORED
 * is the type in which vectors of elements are read and written, an unsigned integer for packed elements, else T;
 * unpackN makes the numbers of COMPUTE of a vector of N, packN goes back and rounds to nearest even. ENCODED_<how> is
 * the encoding of T, SRC_ENCODED_<how> of other dtypes that a program meets. Halves are only stored, so no device needs
 * cl_khr_fp16. */
#ifndef STORED
#define STORED T
#endif

#ifdef __has_warning /* NVIDIA's compiler knows no such warning, and would print one about that */
#if __has_warning("-Wpsabi")
#pragma clang diagnostic ignored "-Wpsabi" /* wide vectors are passed within a program only */
#endif
#endif

/* HALF: IEEE 754's binary16. */
#define DEFINE_HALF(N)                                                                                 \
    inline float##N unpack_HALF##N(ushort##N x) { return vload_half##N(0, (const private half *)&x); } \
    inline ushort##N pack_HALF##N(float##N v)                                                          \
    {                                                                                                  \
        ushort##N x;                                                                                   \
        vstore_half##N##_rte(v, 0, (private half *)&x);                                                \
        return x;                                                                                      \
    }
#define LOAD_HALF(p, i) vload_half((i), (p))
#define STORE_HALF(p, i, v) vstore_half_rte((v), (i), (p))

/* BFLOAT: the upper half of an f32. A NaN stays one: its lower half may be all that shows it from an infinity, so a bit
 * of the upper half is set. */
#define DEFINE_BFLOAT(N)                                                                                 \
    inline float##N unpack_BFLOAT##N(ushort##N x) { return as_float##N(convert_uint##N(x) << 16u); }     \
    inline ushort##N pack_BFLOAT##N(float##N v)                                                          \
    {                                                                                                    \
        const uint##N bits = as_uint##N(v), even = bits + 0x7fffu + ((bits >> 16u) & 1u);                \
        const uint##N nan = bits | 0x400000u;                                                            \
        return convert_ushort##N(select(even, nan, (bits & 0x7fffffffu) > (uint##N)(0x7f800000u)) >> 16u); \
    }
#define LOAD_BFLOAT(p, i) unpack_BFLOAT((p)[i])
#define STORE_BFLOAT(p, i, v) ((p)[i] = pack_BFLOAT(v))

#define DEFINE_VECTORS(define) define() define(2) define(4) define(8) define(16)
#if defined(ENCODED_HALF) || defined(SRC_ENCODED_HALF)
DEFINE_VECTORS(DEFINE_HALF)
#endif
#if defined(ENCODED_BFLOAT) || defined(SRC_ENCODED_BFLOAT)
DEFINE_VECTORS(DEFINE_BFLOAT)
#endif

#ifdef PACKED
#define LOAD(p, i) PACKED(LOAD_, )(p, i)
#define STORE(p, i, v) PACKED(STORE_, )(p, i, v)
#define unpack1(x) PACKED(unpack_, )(x)
#define unpack2(x) PACKED(unpack_, 2)(x)
#define unpack4(x) PACKED(unpack_, 4)(x)
#define unpack8(x) PACKED(unpack_, 8)(x)
#define unpack16(x) PACKED(unpack_, 16)(x)
#define pack1(v) PACKED(pack_, )(v)
#define pack2(v) PACKED(pack_, 2)(v)
#define pack4(v) PACKED(pack_, 4)(v)
#define pack8(v) PACKED(pack_, 8)(v)
#define pack16(v) PACKED(pack_, 16)(v)
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

/* What kernels for any dtype compute with: products, what a number is scaled by another, and whether an element is
 * true. A complex number is a vector of two of type PART. */
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
