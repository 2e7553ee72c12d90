/* Reductions on CPU devices: each group is one work-item that walks long stretches of memory in vectors.
 *
 * Elements are combined in straight chains (LEAF_TYPE); a leaf of them becomes lanes of partial results (ACC), and
 * leaves are joined in pairs, pairs of pairs and so on (a binary counter), so that a sum's error grows as log n. */
#include "parts/lanes.cl"
#include "parts/tickets.cl"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpsabi" /* wide vectors are passed within this program only */
#endif

#if LANES == 16
#define HALF_LANES 8
#elif LANES == 8
#define HALF_LANES 4
#elif LANES == 4
#define HALF_LANES 2
#endif

#define STREAM_LEAST (16384 / ITEM_BYTES) /* elements from one stream to the next, at least */
#define ABREAST REDUCE_ABREAST
#define BLOCK REDUCE_BLOCK
#define STRIP REDUCE_STRIP
#define LEVELS REDUCE_LEVELS
#define MOST_LEVELS 50           /* leaves */

#define LEAFV JOIN(LEAF_TYPE, LANES)

/* ---- what is carried along: `chain` and `lanes` hold LANES values, `item` one ------------------------------------ */

typedef LEAFV chain;
typedef ACCV lanes;
typedef ACC item;
#define DEFINE_JOIN(state, type)                                                                                       \
    inline state state##_join(state a, state b)                                                                        \
    {                                                                                                                  \
        return COMBINE(a, b);                                                                                          \
    }
#define WIDEN(c) JOIN(convert_, ACCV)(c)

DEFINE_JOIN(chain, LEAFV)
DEFINE_JOIN(lanes, ACCV)
DEFINE_JOIN(item, ACC)

/* Loops over an array of vectors, unrolled so that they stay in registers (and because PoCL 3.1 got a halving loop over
 * bytes wrong when it was free to vectorize it). */
#define EACH(n) _Pragma("unroll") for (int i = 0; i < n; i++)
#if LANES > 8
#define HALVE_16(step) EACH(8) step(8)
#else
#define HALVE_16(step)
#endif
#if LANES > 4
#define HALVE_8(step) EACH(4) step(4)
#else
#define HALVE_8(step)
#endif
#if LANES > 2
#define HALVE_4(step) EACH(2) step(2)
#else
#define HALVE_4(step)
#endif
/* step(n) for i from 0 to n-1, with n = LANES/2, LANES/4 ... 1. */
#define HALVE(step) HALVE_16(step) HALVE_8(step) HALVE_4(step) EACH(1) step(1)

/* Counts one more leaf in binary: level k holds 2^k leaves where bit k of count is set. */
inline void push(lanes *level, long step, long count, lanes leaf)
{
    for (; count & 1; count >>= 1, level += step)
        leaf = lanes_join(*level, leaf);
    *level = leaf;
}

inline lanes total(const lanes *level, long step, long count)
{
    for (; !(count & 1); count >>= 1)
        level += step;
    lanes sum = *level;
    while (count >>= 1) {
        level += step;
        if (count & 1)
            sum = lanes_join(*level, sum);
    }
    return sum;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

inline LEAFV load_part(global const T *p, long n)
{
    LEAFV x = (LEAFV)(IDENTITY);
    for (int i = 0; i < LANES; i++)
        if (i < n)
            ((LEAF_TYPE *)&x)[i] = MAP((LEAF_TYPE)LOAD(p, i), LEAF_TYPE);
    return x;
}

inline void store_all(global OUT *out, ACCV x, long past_cache)
{
    STORE_LANES(out, x, past_cache && (size_t)out % sizeof x == 0);
}

/* Stores the lanes from..to-1 of a result; past the cache only where these are all lanes, one behind another. */
inline void store(global OUT *out, long step, lanes result, long from, long to, long past_cache)
{
    const ACCV x = result;
    if (from == 0 && to >= LANES && step == 1)
        store_all(out, x, past_cache);
    else
        for (int i = 0; i < LANES; i++)
            if (i >= from && i < to)
                STORE_OUT(out, i * step, ((const ACC *)&x)[i]);
}

inline void store_partial(global ACC *p, lanes result, long n)
{
    for (int i = 0; i < LANES; i++)
        if (i < n) {
            p[i] = ((const ACC *)&result)[i];
        }
}

inline lanes load_partial(global const ACC *p, long n)
{
    lanes x = (lanes)0;
    if (n >= LANES) {
        x = load_acc(p);
        return x;
    }
    for (int i = 0; i < LANES; i++)
        if (i < n) {
            ((ACC *)&x)[i] = p[i];
        }
    return x;
}

/* ---- short rows: LANES of them at once --------------------------------------------------------------------------- */

#include "parts/reduce_short_rows.cl"

#include "parts/reduce_columns.cl"
