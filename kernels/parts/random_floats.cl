/* Floats from the generator's words, one at a time: those of parts/philox.cl's blocks, for float dtypes. */
#include "parts/philox.cl"

/* Elements that one block of four words gives. */
#ifdef DTYPE_f64
#define PER_BLOCK 2
#else
#define PER_BLOCK 4
#endif

/* 0 <= u < 1 with as many bits as the dtype holds. */
inline COMPUTE unit(uint4 words, int k)
{
    const uint w[4] = {words.x, words.y, words.z, words.w};
#ifdef DTYPE_f64
    return (COMPUTE)(wide(w[2 * k], w[2 * k + 1]) >> 11) * 0x1p-53;
#else
    return (COMPUTE)(w[k] >> (32 - DIGITS)) * (1.0f / (1u << DIGITS)); /* exact, as ldexp is, which is slow on GPUs */
#endif
}

/* Box and Muller's: a pair of uniforms gives a pair of normals; the first uniform is in (0, 1]. Words k and k + 1, of f64 all. */
inline JOIN(COMPUTE, 2) normal_pair(uint4 words, int k)
{
    const uint w[4] = {words.x, words.y, words.z, words.w};
#ifdef DTYPE_f64
    const COMPUTE u = ((COMPUTE)(wide(w[0], w[1]) >> 11) + 1) * 0x1p-53;
    const COMPUTE turn = (COMPUTE)(wide(w[2], w[3]) >> 11) * 0x1p-52;
#else
    const COMPUTE u = ((COMPUTE)(w[k] >> 8) + 1) * 0x1p-24f;
    const COMPUTE turn = (COMPUTE)(w[k + 1] >> 8) * 0x1p-23f;
#endif
    return sqrt(-2 * log(u)) * (JOIN(COMPUTE, 2))(cospi(turn), sinpi(turn));
}

/* Number k of a block. */
inline COMPUTE normal(uint4 words, int k)
{
    const JOIN(COMPUTE, 2) pair = normal_pair(words, k & 2);
    return k & 1 ? pair.y : pair.x;
}

/* -log(u) of a uniform u in (0, 1), by the end that is nearer: so small results have all their digits, as large ones have. */
inline COMPUTE exponential(uint4 words, int k)
{
    const uint w[4] = {words.x, words.y, words.z, words.w};
#ifdef DTYPE_f64
    const ulong word = wide(w[2 * k], w[2 * k + 1]);
    const bool upper = word >> 63;
    const COMPUTE u = ((COMPUTE)(upper ? ~word : word) + 0.5) * 0x1p-64;
#else
    const uint word = w[k];
    const bool upper = word >> 31;
    const COMPUTE u = ((COMPUTE)(upper ? ~word : word) + 0.5f) * 0x1p-32f;
#endif
    return upper ? -log1p(-u) : -log(u);
}
