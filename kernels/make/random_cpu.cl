/* Random numbers on CPUs, contiguous: eight blocks of Philox at a time, and the very uniforms and integers that
 * random_plain gives. Normals may differ from its normals in their last bits, as the built-in functions of vectors may
 * from others.
 *
 * A word of a block stands in the lower half of 64 bits, where a multiplication by a constant gives both halves of the
 * product that a round wants. What the upper half holds does not matter. */
#include "parts/philox.cl"

#define LOWER 0xffffffffUL
#define BLOCKS 8
#define LANES (ulong8)(0, 1, 2, 3, 4, 5, 6, 7)

/* Words 0 and 1 of eight blocks in `first`, 2 and 3 in `second`, the lower word in the lower half. */
inline void philox_blocks(ulong8 *first, ulong8 *second, const random_source *s, ulong b)
{
    ulong8 x = s->block + b + LANES, y = x >> 32, z = 0, w = (ulong)s->stream;
    uint k0 = (uint)s->seed, k1 = (uint)(s->seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        const ulong8 p0 = (x & LOWER) * (ulong)PHILOX_0, p1 = (z & LOWER) * (ulong)PHILOX_1;
        x = (p1 >> 32) ^ y ^ (ulong)k0;
        z = (p0 >> 32) ^ w ^ (ulong)k1;
        y = p1;
        w = p0;
        k0 += PHILOX_KEY_0;
        k1 += PHILOX_KEY_1;
    }
    *first = (x & LOWER) | y << 32;
    *second = (z & LOWER) | w << 32;
}

/* Of two vectors the first halves, and the second halves, one element of each in turn. */
#define LOW_HALVES(a, b) shuffle2(a, b, (ulong8)(0, 8, 1, 9, 2, 10, 3, 11))
#define HIGH_HALVES(a, b) shuffle2(a, b, (ulong8)(4, 12, 5, 13, 6, 14, 7, 15))

/* How many elements a vector has; eight blocks give two vectors. */
#if defined(IS_FLOAT) && !defined(DTYPE_f64)
#define VECTOR 16
#else
#define VECTOR 8
#endif
#define CHUNK (2 * VECTOR)

typedef JOIN(COMPUTE, VECTOR) numbers;
typedef JOIN(STORED, VECTOR) elements;

/* Stores a chunk's two vectors; past the cache where `streams`, which an aligned address needs. */
inline void store_chunk(global STORED *to, elements low, elements high, int streams)
{
    if (streams) {
        STORE_PAST_CACHE((global elements *)to, low);
        STORE_PAST_CACHE((global elements *)(to + VECTOR), high);
    } else {
        JOIN(vstore, VECTOR)(low, 0, to);
        JOIN(vstore, VECTOR)(high, 0, to + VECTOR);
    }
}

/* Stores those of the chunk's elements that are among from .. end-1, positions in the chunk. */
inline void store_part(global STORED *to, elements low, elements high, long from, long end)
{
    STORED chunk[CHUNK];
    JOIN(vstore, VECTOR)(low, 0, chunk);
    JOIN(vstore, VECTOR)(high, 0, chunk + VECTOR);
    for (long i = from; i < end; i++)
        to[i - from] = chunk[i];
}

/* How many chunks hold n elements; the first one and the last may be cut. */
inline long chunks_of(const random_source *from, long n) { return (from->skip + n + CHUNK - 1) / CHUNK; }

/* Stores the two vectors of chunk c. */
inline void store_drawn(global T *dst, long offset, long n, const random_source *from, long c, elements low,
                        elements high, int streams)
{
    const long end = from->skip + n, cut = c == 0 ? from->skip : 0;
    global STORED *const to = (global STORED *)dst + offset + (c * CHUNK + cut - from->skip);
    if (cut == 0 && (c + 1) * CHUNK <= end)
        store_chunk(to, low, high, streams);
    else
        store_part(to, low, high, cut, min((long)CHUNK, end - c * CHUNK));
}

#ifdef IS_FLOAT
/* Stores each chunk's two vectors x and y, which `draw` makes of the words in `first` and `second`. */
#define FOR_CHUNKS(draw)                                                                                             \
    FOR_SPREAD(c, chunks_of(&from, n))                                                                               \
    {                                                                                                                \
        ulong8 first, second;                                                                                        \
        numbers x, y;                                                                                                \
        philox_blocks(&first, &second, &from, (ulong)c * BLOCKS);                                                    \
        draw;                                                                                                        \
        store_drawn(dst, offset, n, &from, c, JOIN(pack, VECTOR)(x), JOIN(pack, VECTOR)(y), streams);                \
    }

/* 0 <= u < 1 from a vector of words, in the order of the elements. */
inline numbers unit(ulong8 words)
{
#ifdef DTYPE_f64
    return convert_double8(words >> 11) * 0x1p-53;
#else
    return convert_float16(as_uint16(words) >> (uint)(32 - DIGITS)) * (1.0f / (1 << DIGITS));
#endif
}

KERNEL(1) random_uniform(global T *dst, long offset, long n, int streams, random_source from, COMPUTE low, COMPUTE span,
                         COMPUTE below)
{
#define UNIFORM(words) min(fma(unit(words), (numbers)(span), (numbers)(low)), below)
    FOR_CHUNKS(x = UNIFORM(LOW_HALVES(first, second)); y = UNIFORM(HIGH_HALVES(first, second)))
}

/* Box and Muller's: a pair of uniforms gives a pair of normals, the first uniform in (0, 1]. */
#ifdef DTYPE_f64
typedef double8 singles;

inline void draw_pairs(numbers *low, numbers *high, ulong8 first, ulong8 second, COMPUTE mean, COMPUTE deviation)
{
    const singles radius = sqrt(-2 * log((convert_double8(first >> 11) + 1) * 0x1p-53));
    const singles turn = convert_double8(second >> 11) * 0x1p-52;
    const singles x = mean + deviation * (radius * cospi(turn)), y = mean + deviation * (radius * sinpi(turn));
    *low = LOW_HALVES(x, y);
    *high = HIGH_HALVES(x, y);
}
#else
typedef float8 singles;

/* Of pairs of words in the order of the elements. */
inline numbers pairs(ulong8 words, COMPUTE mean, COMPUTE deviation)
{
    const singles radius = sqrt(-2 * log((convert_float8(convert_uint8(words & LOWER) >> 8u) + 1) * 0x1p-24f));
    const singles turn = convert_float8(convert_uint8(words >> 40)) * 0x1p-23f;
    const singles x = mean + deviation * (radius * cospi(turn)), y = mean + deviation * (radius * sinpi(turn));
    return as_float16(convert_ulong8(as_uint8(x)) | convert_ulong8(as_uint8(y)) << 32);
}

inline void draw_pairs(numbers *low, numbers *high, ulong8 first, ulong8 second, COMPUTE mean, COMPUTE deviation)
{
    *low = pairs(LOW_HALVES(first, second), mean, deviation);
    *high = pairs(HIGH_HALVES(first, second), mean, deviation);
}
#endif

KERNEL(1) random_normal(global T *dst, long offset, long n, int streams, random_source from, COMPUTE mean,
                        COMPUTE deviation)
{
    FOR_CHUNKS(draw_pairs(&x, &y, first, second, mean, deviation))
}

/* -log(u) of a uniform in (0, 1), by the end that is nearer, as random_floats.cl has it. */
inline numbers exponential(ulong8 words, COMPUTE scale)
{
#ifdef DTYPE_f64
    const long8 upper = as_long8(words) < 0;
    const ulong8 word = select(words, ~words, upper);
    const numbers u = (convert_double8(word) + 0.5) * 0x1p-64;
#else
    const int16 upper = as_int16(words) < 0;
    const uint16 word = select(as_uint16(words), ~as_uint16(words), upper);
    const numbers u = (convert_float16(word) + 0.5f) * 0x1p-32f;
#endif
    return scale * -select(log(u), log1p(-u), upper);
}

KERNEL(1) random_exponential(global T *dst, long offset, long n, int streams, random_source from, COMPUTE scale)
{
    FOR_CHUNKS(x = exponential(LOW_HALVES(first, second), scale); y = exponential(HIGH_HALVES(first, second), scale))
}
#else
/* The numbers of below_range; `at` is the first element. */
inline ulong8 below_range_8(ulong8 x, const random_source *s, long at, ulong range, ulong favoured)
{
    ulong8 value, lower;
    if (range == 0)
        return x;
    if (range >> 32 == 0) {
        const ulong8 below = (x & LOWER) * range, sum = (x >> 32) * range + (below >> 32);
        value = sum >> 32;
        lower = sum << 32 | (below & LOWER);
    } else {
        value = mul_hi(x, (ulong8)(range));
        lower = x * range;
    }
    if (any(lower < favoured)) {
        ulong again[8];
        for (int i = 0; i < 8; i++)
            again[i] = below_range(s, at + i, range, favoured);
        value = vload8(0, again);
    }
    return value;
}

KERNEL(1) random_integers(global T *dst, long offset, long n, int streams, random_source from, ulong low, ulong range,
                          ulong favoured)
{
    FOR_SPREAD(c, chunks_of(&from, n))
    {
        ulong8 first, second;
        philox_blocks(&first, &second, &from, (ulong)c * BLOCKS);
        const long at = c * CHUNK - from.skip;
        const ulong8 x = low + below_range_8(LOW_HALVES(first, second), &from, at, range, favoured);
        const ulong8 y = low + below_range_8(HIGH_HALVES(first, second), &from, at + 8, range, favoured);
        store_drawn(dst, offset, n, &from, c, JOIN(JOIN(convert_, T), 8)(x), JOIN(JOIN(convert_, T), 8)(y), streams);
    }
}
#endif
