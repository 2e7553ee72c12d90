/* Reductions of expressions on CPUs where neighbours belong to different outputs: a work-item reduces parts of strips
 * of columns in vectors. */
#include "parts/fold_cpu.cl"
#ifndef STRIP
#define STRIP 16 /* vectors of columns side by side */
#endif

/* As for rows (fold_cpu_rows.cl), a leaf before it is read. */
#define FETCH_LINE 64
#define MAP_FETCH_ONE(p, place)                                                                                        \
    if ((place) * sizeof *(p) % FETCH_LINE == 0)                                                                       \
        FETCH_SOON(p);

/* What fold_cpu_columns does for result K. Names without a K are the kernel's own. */
#define COLUMNS_START(K)                                                                                               \
    fold##K##_v first##K[STRIP], second##K[STRIP];                                                                     \
    for (int c = 0; c < vectors; c++)                                                                                  \
        first##K[c] = second##K[c] = fold##K##_v_init();
#define COLUMNS_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define COLUMNS_KEEP(K) x##K[q] = r##K;
#define COLUMNS_TAKE_LEAF(K) fold##K##_v_take(&first##K[c], x##K, at, 1);
#define COLUMNS_NEXT(K) fold##K##_v_next(&second##K[c], &first##K[c]);
#define COLUMNS_TAKE_ROW(K) fold##K##_v_more(&first##K[c], r##K, at);
#define COLUMNS_EACH(K, DO)                                                                                            \
    for (long e = part * fold.part; e < to; e++) {                                                                     \
        const long row = kept * fold.elements + e;                                                                     \
        MAP_ROW(row)                                                                                                   \
        MAP_VALUES_1(COLUMN(c) + l)                                                                                    \
        DO(K, r##K)                                                                                                    \
    }
#define COLUMNS_GIVE(K)                                                                                                \
    const fold##K##_v whole##K = fold##K##_v_join(second##K[c], first##K[c]);                                          \
    fold##K##_1 lane##K = fold##K##_lane(&whole##K, l);                                                                \
    fold##K##_again(lane##K, COLUMNS_EACH)                                                                             \
    FOLD_GIVE(K, lane##K, output, part);

/* A work-item takes a part of a strip of columns: STRIP vectors, of which the last one may overlap the one before. */
KERNEL(1) fold_cpu_columns(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS,
                           volatile global uint *tickets)
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
                FOLD_EACH(COLUMNS_VALUES)
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                    const long row = kept * fold.elements + e + q;
                    MAP_ROW(row)
                    MAP_VALUES_V(column)
                    FOLD_EACH(COLUMNS_KEEP)
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
        if (!tickets || !was_last(tickets + place, fold.parts))
            continue;
        for (long column = begin; column < min(begin + STRIP * WIDTH, fold.columns); column++)
            fold_join_parts(fold, kept * fold.columns + column FOLD_ARGUMENTS);
    }
}
