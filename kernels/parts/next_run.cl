/* Sums of runs, joined in pairs, pairs of pairs and so on, so that a sum's error grows with the logarithm of the number
 * of runs. */

/* Takes the sum x of the next run of a part that begins with `first`, and gives what the run behind that one begins
 * with.
 *
 * The runs are joined as a binary counter does: level[k] is the sum of 2^k runs where bit k of `count`, the number of
 * runs before, is set, and before[k] is what is before these. This takes two additions a run. Levels lie `pitch`
 * apart. */
#define DEFINE_NEXT_RUN(name, type, BOTH)                                                                         \
    inline type name(type *level, type *before, long pitch, long count, type first, type x)                       \
    {                                                                                                             \
        int k = 0;                                                                                                \
        for (; count >> k & 1; k++)                                                                               \
            x = BOTH(level[k * pitch], x);                                                                        \
        if (count >> k == 0)                                                                                      \
            before[k * pitch] = first;                                                                            \
        const type both = BOTH(before[k * pitch], x);                                                             \
        level[k * pitch] = x;                                                                                     \
        for (int j = 0; j < k; j++)                                                                               \
            before[j * pitch] = both;                                                                             \
        return both;                                                                                              \
    }
