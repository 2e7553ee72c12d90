/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011): block b of a
 * stream, four words, is a pure function of the seed, the stream and b. A counter has 128 bits, and is enciphered under
 * the seed: the block, which attempt it is (of methods that reject), and the stream. So no two streams of a seed have a
 * block in common. */
#include "abi/random.h"

#define PHILOX_0 0xD2511F53u
#define PHILOX_1 0xCD9E8D57u
#define PHILOX_KEY_0 0x9E3779B9u
#define PHILOX_KEY_1 0xBB67AE85u

/* Block b of a draw, counted from its first. */
inline uint4 philox(const random_source *s, ulong b, uint attempt)
{
    const ulong block = s->block + b;
    uint x = (uint)block, y = (uint)(block >> 32), z = attempt, w = (uint)s->stream;
    uint k0 = (uint)s->seed, k1 = (uint)(s->seed >> 32);
    _Pragma("unroll") for (int round = 0; round < 10; round++) {
        const ulong p0 = (ulong)PHILOX_0 * x, p1 = (ulong)PHILOX_1 * z;
        x = (uint)(p1 >> 32) ^ y ^ k0;
        z = (uint)(p0 >> 32) ^ w ^ k1;
        y = (uint)p1;
        w = (uint)p0;
        k0 += PHILOX_KEY_0;
        k1 += PHILOX_KEY_1;
    }
    return (uint4)(x, y, z, w);
}

inline ulong wide(uint low, uint high) { return (ulong)high << 32 | low; }

/* 0 .. range-1 for element i of a draw; range 0 stands for 2^64. Multiply and shift, and draw again where the low half
 * would favour some values (Lemire: "Fast random integer generation in an interval", TOMACS 2019). */
inline ulong below_range(const random_source *s, long i, ulong range, ulong favoured)
{
    const ulong at = (ulong)(i + s->skip);
    for (uint attempt = 0;; attempt++) {
        uint4 words = philox(s, at >> 1, attempt);
        ulong x = at & 1 ? wide(words.z, words.w) : wide(words.x, words.y);
        if (range == 0)
            return x;
        if (x * range >= favoured)
            return mul_hi(x, range);
    }
}
