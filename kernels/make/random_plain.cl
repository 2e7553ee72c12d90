/* Random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 * Block b of the sequence is a pure function of the seed and b, so any device and any split of the work gives
 * the same numbers. Uniforms use only exact steps and fma, which OpenCL rounds correctly everywhere. */
#ifndef T
#define T float
#define COMPUTE float
#define DTYPE_f32 1
#define IS_FLOAT 1
#endif

inline uint4 philox(ulong seed, ulong block, uint attempt)
{
    uint4 c = (uint4)((uint)block, (uint)(block >> 32), attempt, 0);
    uint k0 = (uint)seed, k1 = (uint)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        uint high1 = mul_hi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = (uint4)(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

inline ulong wide(uint low, uint high) { return (ulong)high << 32 | low; }

#ifdef IS_FLOAT
/* Elements that one block of four words gives. */
#ifdef DTYPE_f64
#define PER_BLOCK 2
#else
#define PER_BLOCK 4
#endif

/* 0 <= u < 1 with as many bits as the dtype holds. */
inline COMPUTE unit(uint4 words, int k)
{
    uint w[4] = {words.x, words.y, words.z, words.w};
#if defined(DTYPE_f64)
    return (COMPUTE)(wide(w[2 * k], w[2 * k + 1]) >> 11) * 0x1p-53;
#else
    return ldexp((COMPUTE)(w[k] >> (32 - DIGITS)), -DIGITS);
#endif
}

/* `below` is the largest number of the dtype under the upper end: rounding may not reach that end. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_uniform(global T *dst, long offset, lun_layout to, long n, ulong seed, COMPUTE low, COMPUTE span,
                    COMPUTE below)
{
    dst += offset;
    FOR_SPREAD(b, (n + PER_BLOCK - 1) / PER_BLOCK)
    {
        uint4 words = philox(seed, (ulong)b, 0);
        for (int k = 0; k < PER_BLOCK && b * PER_BLOCK + k < n; k++) {
            COMPUTE x = fma(unit(words, k), span, low);
            STORE(dst, layout_offset(&to, b * PER_BLOCK + k), min(x, below));
        }
    }
}

/* Box-Muller: a pair of uniforms gives a pair of normals; the first uniform is in (0, 1]. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_normal(global T *dst, long offset, lun_layout to, long n, ulong seed, COMPUTE mean, COMPUTE deviation)
{
    dst += offset;
    FOR_SPREAD(b, (n + PER_BLOCK - 1) / PER_BLOCK)
    {
        uint4 words = philox(seed, (ulong)b, 0);
        uint w[4] = {words.x, words.y, words.z, words.w};
        for (int k = 0; k < PER_BLOCK && b * PER_BLOCK + k < n; k++) {
#ifdef DTYPE_f64
            COMPUTE u = ((COMPUTE)(wide(w[0], w[1]) >> 11) + 1) * 0x1p-53;
            COMPUTE turn = (COMPUTE)(wide(w[2], w[3]) >> 11) * 0x1p-52;
#else
            COMPUTE u = ((COMPUTE)(w[k & 2] >> 8) + 1) * 0x1p-24f;
            COMPUTE turn = (COMPUTE)(w[(k & 2) + 1] >> 8) * 0x1p-23f;
#endif
            COMPUTE radius = sqrt(-2 * log(u));
            COMPUTE z = radius * (k & 1 ? sinpi(turn) : cospi(turn));
            STORE(dst, layout_offset(&to, b * PER_BLOCK + k), mean + deviation * z);
        }
    }
}
#else
/* low + (0 .. range-1); range 0 stands for 2^64. Multiply and shift, and draw again where the low half would
 * favour some values (Lemire: "Fast random integer generation in an interval", TOMACS 2019). */
inline ulong below_range(ulong seed, long i, ulong range, ulong favoured)
{
    for (uint attempt = 0;; attempt++) {
        uint4 words = philox(seed, (ulong)i >> 1, attempt);
        ulong x = i & 1 ? wide(words.z, words.w) : wide(words.x, words.y);
        if (range == 0)
            return x;
        if (x * range >= favoured)
            return mul_hi(x, range);
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void random_randint(global T *dst, long offset, lun_layout to, long n, ulong seed, ulong low, ulong range,
                    ulong favoured)
{
    dst += offset;
    FOR_SPREAD(i, n)
        dst[layout_offset(&to, i)] = (T)(low + below_range(seed, i, range, favoured));
}
#endif
