/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011): block b of the
 * sequence, four words, is a pure function of the seed and b. */
#define PHILOX_0 0xD2511F53u
#define PHILOX_1 0xCD9E8D57u
#define PHILOX_KEY_0 0x9E3779B9u
#define PHILOX_KEY_1 0xBB67AE85u

inline uint4 philox(ulong seed, ulong block, uint attempt)
{
    uint4 c = (uint4)((uint)block, (uint)(block >> 32), attempt, 0);
    uint k0 = (uint)seed, k1 = (uint)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint high0 = mul_hi(PHILOX_0, c.x), low0 = PHILOX_0 * c.x;
        uint high1 = mul_hi(PHILOX_1, c.z), low1 = PHILOX_1 * c.z;
        c = (uint4)(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
        k0 += PHILOX_KEY_0;
        k1 += PHILOX_KEY_1;
    }
    return c;
}

inline ulong wide(uint low, uint high) { return (ulong)high << 32 | low; }

/* low + (0 .. range-1) for element i; range 0 stands for 2^64. Multiply and shift, and draw again where the low half would
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
