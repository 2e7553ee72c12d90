/* Reductions of expressions on CPUs: a work-item reduces parts of outputs in vectors. */
#ifdef MAP_CIRCULAR /* the expression has sin, cos or tan */
#include "parts/circular.cl"
#endif
#ifdef MAP_REMAINDER /* the expression has fmod or mod */
#include "parts/remainder.cl"
#endif
#ifdef MAP_POWER /* the expression has pow */
#include "parts/power.cl"
#endif

#define FOLD_STREAM 4224 /* elements from one of four streams of a row to the next: other pages, and other sets of the cache */
#define FOLD_AT(i, step) ((step) ? (i) * (step) : (i) / 2 * FOLD_STREAM + (i) % 2 * WIDTH)
#include "parts/fold.cl"
/* Sums in bins do so much for each value that the processor looks few lines ahead, so these are fetched: FETCH_AHEAD elements before they
 * are read, and rows of columns a leaf before. `place`: of the vector in neighbours of which each line is fetched once. */
#define FETCH_AHEAD 512
#define FETCH_LINE 64
#define MAP_FETCH_ONE(p, place)                        \
    if ((place) * sizeof *(p) % FETCH_LINE == 0)       \
        FETCH_SOON(p);
#ifndef STRIP
#define STRIP 16 /* vectors of columns side by side */
#endif

/* ---- rows: the elements of an output are neighbours, or lie in runs of neighbours ---------------------------------------- */

/* What fold_cpu_rows does for result K. Names without a K are the kernel's own. */
#define ROWS_START(K) FOLD_CHAINS(K, _v) fold##K##_1 few##K = fold##K##_1_init(), more##K = fold##K##_1_init();
#define ROWS_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define ROWS_KEEP(K) x##K[q] = r##K;
#define ROWS_TAKE_LEAF(K) fold##K##_v_take(&first##K, x##K, at, step);
#define ROWS_NEXT(K) FOLD_NEXT(K, _v)
/* A leaf of vectors at j and behind, as FOLD_AT says: neighbours, or from four streams. */
#define ROWS_LEAF(STEP)                                                                                                    \
    const int step = STEP;                                                                                                 \
    FOLD_EACH(ROWS_VALUES)                                                                                                 \
    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++)                                                                      \
    {                                                                                                                      \
        MAP_FETCH(j + FOLD_AT(q, step) + FETCH_AHEAD, q % 2 * WIDTH)                                                       \
        MAP_VALUES_V(j + FOLD_AT(q, step))                                                                                 \
        FOLD_EACH(ROWS_KEEP)                                                                                               \
    }                                                                                                                      \
    const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)(before + j)) + FOLD_LANES;                                         \
    FOLD_EACH(ROWS_TAKE_LEAF)                                                                                              \
    if (++leaves == FOLD_CHAIN) {                                                                                          \
        FOLD_EACH(ROWS_NEXT)                                                                                               \
        leaves = 0;                                                                                                        \
    }
#define ROWS_TAKE_VECTOR(K) fold##K##_v_more(&first##K, r##K, at);
#define ROWS_TAKE_SINGLE(K) fold##K##_1_more(&few##K, r##K, (FOLD_INDEX)(before + j));
#define ROWS_NEXT_SINGLE(K) fold##K##_1_next(&more##K, &few##K);
#define ROWS_EACH(K, DO)                                                                                                   \
    for (long e = part * fold.part, last; e < to; e = last) {                                                              \
        FOLD_FIND_RUN                                                                                                      \
        for (; j < end; j++) {                                                                                             \
            MAP_VALUES_1(j)                                                                                                \
            DO(K, r##K)                                                                                                    \
        }                                                                                                                  \
    }
#define ROWS_GIVE(K)                                                                                                       \
    second##K = fold##K##_v_join(second##K, first##K);                                                                     \
    fold##K##_1 whole##K = fold##K##_1_join(fold##K##_lanes(second##K), fold##K##_1_join(more##K, few##K));                \
    fold##K##_again(whole##K, ROWS_EACH)                                                                                   \
    FOLD_GIVE(K, whole##K, output, part);

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fold_cpu_rows(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    const long runs = fold.elements / shape.columns;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        FOLD_FIND_PART
        int leaves = 0, singles = 0;
        FOLD_EACH(ROWS_START)
        for (long e = part * fold.part, last; e < to; e = last) {
            FOLD_FIND_RUN
            while (j + FOLD_LEAF / 2 * FOLD_STREAM <= end) {
                for (const long behind = j + FOLD_STREAM; j < behind; j += 2 * WIDTH) {
                    ROWS_LEAF(0)
                }
                j += (FOLD_LEAF / 2 - 1) * FOLD_STREAM;
            }
            for (; j + FOLD_LEAF * WIDTH <= end; j += FOLD_LEAF * WIDTH) {
                ROWS_LEAF(WIDTH)
            }
            for (; j + WIDTH <= end; j += WIDTH) {
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
                if (++singles == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT_SINGLE)
                    singles = 0;
                }
            }
        }
        FOLD_EACH(ROWS_GIVE)
    }
}

/* ---- columns: neighbours belong to different outputs --------------------------------------------------------------------- */

/* What fold_cpu_columns does for result K. Names without a K are the kernel's own. */
#define COLUMNS_START(K)                                                                                                   \
    fold##K##_v first##K[STRIP], second##K[STRIP];                                                               \
    for (int c = 0; c < vectors; c++)                                                                                      \
        first##K[c] = second##K[c] = fold##K##_v_init();
#define COLUMNS_TAKE_LEAF(K) fold##K##_v_take(&first##K[c], x##K, at, 1);
#define COLUMNS_NEXT(K) fold##K##_v_next(&second##K[c], &first##K[c]);
#define COLUMNS_TAKE_ROW(K) fold##K##_v_more(&first##K[c], r##K, at);
#define COLUMNS_EACH(K, DO)                                                                                                \
    for (long e = part * fold.part; e < to; e++) {                                                                         \
        const long row = kept * fold.elements + e;                                                                         \
        MAP_ROW(row)                                                                                                       \
        MAP_VALUES_1(COLUMN(c) + l)                                                                                        \
        DO(K, r##K)                                                                                                        \
    }
#define COLUMNS_GIVE(K)                                                                                                    \
    const fold##K##_v whole##K = fold##K##_v_join(second##K[c], first##K[c]);                                              \
    fold##K##_1 lane##K = fold##K##_lane(&whole##K, l);                                                                    \
    fold##K##_again(lane##K, COLUMNS_EACH)                                                                                 \
    FOLD_GIVE(K, lane##K, output, part);

/* A work-item takes a part of a strip of columns: STRIP vectors, of which the last one may overlap the one before. */
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fold_cpu_columns(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    const long rows = fold.outputs / fold.columns;
    FOR_SPREAD(job, rows * fold.strips * fold.parts) {
        const long place = job / fold.parts, part = job - place * fold.parts;
        const long kept = place / fold.strips, begin = (place - kept * fold.strips) * (STRIP * WIDTH);
        const int vectors = (int)min((fold.columns - begin + WIDTH - 1) / WIDTH, (long)STRIP);
        const long to = min((part + 1) * fold.part, fold.elements);
#define COLUMN(c) min(begin + (c) * WIDTH, fold.columns - WIDTH)
        FOLD_EACH(COLUMNS_START)
        int leaves = 0;
        long e = part * fold.part;
        for (; e + FOLD_LEAF <= to; e += FOLD_LEAF) {
            const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)e);
            for (int c = 0; c < vectors; c++) {
                const long column = COLUMN(c);
                FOLD_EACH(ROWS_VALUES)
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                    const long row = kept * fold.elements + e + q;
                    MAP_ROW(row)
                    MAP_VALUES_V(column)
                    FOLD_EACH(ROWS_KEEP)
                }
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                    MAP_ROW(kept * fold.elements + e + FOLD_LEAF + q)
                    MAP_FETCH(column, c * WIDTH)
                }
                FOLD_EACH(COLUMNS_TAKE_LEAF)
            }
            if (++leaves == FOLD_CHAIN) {
                for (int c = 0; c < vectors; c++) {
                    FOLD_EACH(COLUMNS_NEXT)
                }
                leaves = 0;
            }
        }
        for (; e < to; e++) {
            const long row = kept * fold.elements + e;
            MAP_ROW(row)
            for (int c = 0; c < vectors; c++) {
                MAP_VALUES_V(COLUMN(c))
                const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)e);
                FOLD_EACH(COLUMNS_TAKE_ROW)
            }
        }
        for (int c = 0; c < vectors; c++) {
            for (int l = 0; l < WIDTH; l++) {
                const long output = kept * fold.columns + COLUMN(c) + l;
                FOLD_EACH(COLUMNS_GIVE)
            }
        }
    }
}
