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

#ifdef DTYPE_f64
inline double2 on_circle(ulong word)
{
    const double turn = (double)(word >> 11) * 0x1p-52;
    return (double2)(cospi(turn), sinpi(turn));
}
#else
/* Cosine and sine of an angle of `word >> 8`, in half turns of 2^23: within a quarter round an axis both are short
 * polynomials (their errors at most 4e-8, as Remez' algorithm finds them), and no step but these rounds. */
inline float2 on_circle(uint word)
{
    const uint angle = word >> 8, quarter = (angle + (1u << 21)) >> 22;
    const float r = (float)((int)angle - (int)(quarter << 22)) * 0x1p-23f, t = r * r;
    const float s = r * fma(fma(fma(-0.58901205f, t, 2.549761f), t, -5.1677077f), t, 3.1415926f);
    const float c = fma(fma(fma(-1.30728f, t, 4.0577018f), t, -4.934792f), t, 1.0f);
    const uint x = as_uint(quarter & 1 ? s : c), y = as_uint(quarter & 1 ? c : s);
    return (float2)(as_float(x ^ ((quarter + 1) & 2) << 30), as_float(y ^ (quarter & 2) << 30));
}
#endif

/* Box and Muller's: a pair of uniforms gives a pair of normals; the first uniform is in (0, 1]. Words k and k + 1, of
 * f64 all. */
inline JOIN(COMPUTE, 2) normal_pair(uint4 words, int k)
{
    const uint w[4] = {words.x, words.y, words.z, words.w};
#ifdef DTYPE_f64
    const COMPUTE u = ((COMPUTE)(wide(w[0], w[1]) >> 11) + 1) * 0x1p-53;
    return sqrt(-2 * log(u)) * on_circle(wide(w[2], w[3]));
#else
    const COMPUTE u = ((COMPUTE)(w[k] >> 8) + 1) * 0x1p-24f;
    return sqrt(-2 * log(u)) * on_circle(w[k + 1]);
#endif
}

/* Number k of a block. */
inline COMPUTE normal(uint4 words, int k)
{
    const JOIN(COMPUTE, 2) pair = normal_pair(words, k & 2);
    return k & 1 ? pair.y : pair.x;
}

/* -log(u) of a uniform u in (0, 1), by the end that is nearer: so small results have all their digits, as large ones
 * have. */
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
