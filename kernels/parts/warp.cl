/* Values of the other work-items of an NVIDIA warp, of 32 that go on together. ACC has ACC_BYTES bytes. */
#define WARP 32

inline uint word_below(uint word, int distance)
{
    uint other;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(word), "r"(distance));
    return other;
}

/* The first items of a warp get their own. */
inline uint word_above(uint word, int distance)
{
    uint other;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(other) : "r"(word), "r"(distance));
    return other;
}

inline uint word_of_last(uint word, int unused)
{
    uint other;
    asm volatile("shfl.sync.idx.b32 %0, %1, 31, 0x1f, 0xffffffff;" : "=r"(other) : "r"(word));
    return other;
}

#if ACC_BYTES == 8
#define DEFINE_VALUE(name, word)                                                           \
    inline ACC name(ACC x, int distance)                                                   \
    {                                                                                      \
        const uint2 words = as_uint2(x);                                                   \
        return JOIN(as_, ACC)((uint2)(word(words.x, distance), word(words.y, distance)));  \
    }
#elif ACC_BYTES == 4
#define DEFINE_VALUE(name, word) \
    inline ACC name(ACC x, int distance) { return JOIN(as_, ACC)(word(as_uint(x), distance)); }
#else
#define DEFINE_VALUE(name, word) \
    inline ACC name(ACC x, int distance) { return (ACC)word((uint)x, distance); }
#endif
DEFINE_VALUE(value_below, word_below)
DEFINE_VALUE(value_above, word_above)
DEFINE_VALUE(value_of_last_, word_of_last)
#define value_of_last(x) value_of_last_(x, 0)
