/* Reductions of expressions on CPUs where the elements of an output are neighbours, or lie in runs of neighbours: a
 * work-item reduces parts of outputs in vectors. FOLD_ORDERED: by operators that take values in their order alone. */

/* A leaf is two vectors from each of FOLD_LEAF / 2 places, `apart` elements from one to the next. In long runs these
 * are streams of FOLD_STREAM elements, or down to half of that: nearer ones share places of a cache. */
#ifndef FOLD_STREAM
#define FOLD_STREAM 8192
#endif
#define FOLD_AT(i, apart) ((i) / 2 * (apart) + (i) % 2 * WIDTH)
/* A division takes long in short rows. On NVIDIA's GPUs this choice takes registers: 166 instead of 128 for var in
 * bins, at 0.73 of the rate. */
#define FOLD_RUN(e) (runs == 1 ? 0 : (e) / shape.columns)
#include "parts/fold_cpu.cl"

/* Lines are fetched FETCH_AHEAD elements before they are read. Of what is only added up the processor fetches
 * them itself; of others it looks too few lines ahead. `place`: of the vector in neighbours of which each line is
 * fetched once. */
#define FETCH_AHEAD 512
#ifndef FOLD_FETCHES
#define FOLD_FETCHES 1
#endif
#define FETCH_LINE 64
#define MAP_FETCH_ONE(p, place)                                                                                        \
    if ((place) * sizeof *(p) % FETCH_LINE == 0)                                                                       \
        FETCH_SOON(p);

/* What fold_cpu_rows does for result K. Names without a K are the kernel's own. */
#ifdef FOLD_ORDERED /* one chain; a leaf is neighbours, which fold<K>_row joins */
#define NEIGHBOURS FOLD_LEAF /* vectors of a leaf that follow one another */
#define VECTORS 0
#define SINGLES leaves /* which are counted with leaves */
#define ROWS_START(K) FOLD_CHAINS(K, _1)
#define ROWS_TAKE_LEAF(K) first##K = fold##K##_1_join(first##K, fold##K##_row(x##K));
#define ROWS_NEXT(K) FOLD_NEXT(K, _1)
#define ROWS_TAKE_VECTOR(K)
#define ROWS_TAKE_SINGLE(K) first##K = fold##K##_1_join(first##K, fold##K##_1_one(r##K, 0));
#define ROWS_NEXT_SINGLE(K) FOLD_NEXT(K, _1)
#define ROWS_WHOLE(K) const fold##K##_1 whole##K = fold##K##_1_join(second##K, first##K);
#else
#define NEIGHBOURS 2
#define VECTORS 1
#define SINGLES singles
#define ROWS_START(K) FOLD_CHAINS(K, _v) fold##K##_1 few##K = fold##K##_1_init(), more##K = fold##K##_1_init();
#define ROWS_TAKE_LEAF(K) fold##K##_v_take(&first##K, x##K, at, apart);
#define ROWS_NEXT(K) FOLD_NEXT(K, _v)
#define ROWS_TAKE_VECTOR(K) fold##K##_v_more(&first##K, r##K, at);
#define ROWS_TAKE_SINGLE(K) fold##K##_1_more(&few##K, r##K, (FOLD_INDEX)(before + j));
#define ROWS_NEXT_SINGLE(K) fold##K##_1_next(&more##K, &few##K);
#define ROWS_EACH(K, DO)                                                                                               \
    for (long e = part * fold.part, last; e < to; e = last) {                                                          \
        FOLD_FIND_RUN                                                                                                  \
        for (; j < end; j++) {                                                                                         \
            MAP_VALUES_1(j)                                                                                            \
            DO(K, r##K)                                                                                                \
        }                                                                                                              \
    }
#define ROWS_WHOLE(K)                                                                                                  \
    second##K = fold##K##_v_join(second##K, first##K);                                                                 \
    fold##K##_1 whole##K = fold##K##_1_join(fold##K##_lanes(second##K), fold##K##_1_join(more##K, few##K));            \
    fold##K##_again(whole##K, ROWS_EACH)
#endif
#define ROWS_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define ROWS_KEEP(K) x##K[q] = r##K;
#define ROWS_GIVE(K)                                                                                                   \
    ROWS_WHOLE(K)                                                                                                      \
    FOLD_GIVE(K, whole##K, output, part);

KERNEL(1) fold_cpu_rows(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS,
                        volatile global uint *tickets)
{
    const long runs = fold.elements / shape.columns;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        FOLD_FIND_PART
        int leaves = 0, singles = 0;
        FOLD_EACH(ROWS_START)
        for (long e = part * fold.part, last; e < to; e = last) {
            FOLD_FIND_RUN
            while (j + FOLD_LEAF * WIDTH <= end) {
                const long share = (end - j) / (FOLD_LEAF * WIDTH) * (2 * WIDTH);
                const bool streams = NEIGHBOURS == 2 && share >= FOLD_STREAM / 2;
                const int apart = streams ? (int)min(share, (long)FOLD_STREAM) : 2 * WIDTH;
                const long behind = j + (streams ? apart : FOLD_LEAF / 2 * share);
                for (; j < behind; j += streams ? 2 * WIDTH : FOLD_LEAF * WIDTH) {
                    if (FOLD_FETCHES)
                        FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                            MAP_FETCH(j + FOLD_AT(q, apart) + FETCH_AHEAD, q % NEIGHBOURS * WIDTH)
                        }
                    FOLD_EACH(ROWS_VALUES)
                    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                        MAP_VALUES_V(j + FOLD_AT(q, apart))
                        FOLD_EACH(ROWS_KEEP)
                    }
                    const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)(before + j)) + FOLD_LANES;
                    FOLD_EACH(ROWS_TAKE_LEAF)
                    if (++leaves == FOLD_CHAIN) {
                        FOLD_EACH(ROWS_NEXT)
                        leaves = 0;
                    }
                }
                j += streams ? (FOLD_LEAF / 2 - 1) * apart : 0;
            }
            for (; VECTORS && j + WIDTH <= end; j += WIDTH) {
                MAP_VALUES_V(j)
                const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)(before + j)) + FOLD_LANES;
                FOLD_EACH(ROWS_TAKE_VECTOR)
                if (++leaves == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT)
                    leaves = 0;
                }
            }
            for (; j < end; j++) {
                MAP_VALUES_1(j)
                FOLD_EACH(ROWS_TAKE_SINGLE)
                if (++SINGLES == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT_SINGLE)
                    SINGLES = 0;
                }
            }
        }
        FOLD_EACH(ROWS_GIVE)
        if (tickets && was_last(tickets + output, fold.parts))
            fold_join_parts(fold, output FOLD_ARGUMENTS);
    }
}
