/* Random numbers on GPUs, contiguous: a work-item makes a block of the generator, and stores the elements that come
 * from it together. They are the very uniforms and integers that random_plain gives. */
#ifdef IS_FLOAT
#include "parts/random_floats.cl"
#define EACH PER_BLOCK
#define STORED_BLOCK(x) JOIN(pack, EACH)(x)
typedef JOIN(COMPUTE, EACH) numbers;
#else
#include "parts/philox.cl"
#define EACH 2
#define STORED_BLOCK(x) (x)
typedef JOIN(T, EACH) numbers;
#endif
typedef JOIN(STORED, EACH) elements;

/* Stores the elements of a block, whose first one is element `first` of the draw; where all of them are in it, and the
 * address is `aligned`, at once. */
inline void store_block(global STORED *to, long first, long n, elements x, int aligned)
{
    if (aligned && first + EACH <= n) {
        *(global elements *)(to + first) = x;
        return;
    }
    STORED each[EACH];
    JOIN(vstore, EACH)(x, 0, each);
    for (int k = 0; k < EACH; k++)
        if (first + k >= 0 && first + k < n)
            to[first + k] = each[k];
}

/* Stores what draw(words) makes from each block. */
#define FOR_BLOCKS(draw)                                                                                             \
    global STORED *const to = (global STORED *)dst + offset;                                                         \
    for (long b = get_global_id(0); b * EACH < from.skip + n; b += get_global_size(0)) {                             \
        const long first = b * EACH - from.skip;                                                                     \
        const uint4 words = philox(&from, (ulong)b, 0);                                                              \
        store_block(to, first, n, STORED_BLOCK(draw), aligned);                                                      \
    }

#ifdef IS_FLOAT
#ifdef DTYPE_f64
#define ALL_OF(number) (numbers)(number(words, 0), number(words, 1))
#else
#define ALL_OF(number) (numbers)(number(words, 0), number(words, 1), number(words, 2), number(words, 3))
#endif

/* The two normals of a pair of words, which share a radius. */
#ifdef DTYPE_f64
#define NORMALS normal_pair(words, 0)
#else
#define NORMALS (numbers)(normal_pair(words, 0), normal_pair(words, 2))
#endif

/* `below` is the largest number of the dtype under the upper end: rounding may not reach that end. */
KERNEL(GROUP) random_uniform(global T *dst, long offset, long n, int aligned, random_source from, COMPUTE low,
                             COMPUTE span, COMPUTE below)
{
    FOR_BLOCKS(min(fma(ALL_OF(unit), (numbers)(span), (numbers)(low)), (numbers)(below)))
}

KERNEL(GROUP) random_normal(global T *dst, long offset, long n, int aligned, random_source from, COMPUTE mean,
                            COMPUTE deviation)
{
    FOR_BLOCKS(mean + deviation * NORMALS)
}

KERNEL(GROUP) random_exponential(global T *dst, long offset, long n, int aligned, random_source from, COMPUTE scale)
{
    FOR_BLOCKS(scale * ALL_OF(exponential))
}
#else
/* As below_range, whose first attempt for both elements is the block. */
inline ulong from_words(uint low, uint high, const random_source *s, long i, ulong range, ulong favoured)
{
    const ulong x = wide(low, high);
    if (range == 0)
        return x;
    return x * range >= favoured ? mul_hi(x, range) : below_range(s, i, range, favoured);
}

#define INTEGERS                                                                                                     \
    (numbers)((T)(low + from_words(words.x, words.y, &from, first, range, favoured)),                                \
              (T)(low + from_words(words.z, words.w, &from, first + 1, range, favoured)))

KERNEL(GROUP) random_integers(global T *dst, long offset, long n, int aligned, random_source from, ulong low,
                              ulong range, ulong favoured)
{
    FOR_BLOCKS(INTEGERS)
}
#endif
