/* Reductions of expressions on GPUs: a group reduces a part of an output whose elements are neighbours, or each
 * work-item a part of a column. */
#ifndef ITEMS
#define ITEMS 256  /* of a group */
#define SPREAD 1   /* positions from one value of a vector to the next */
#endif
/* Which kernel is compiled: 1 rows, 2 short rows, 3 columns; 0 all. What one of them has in local memory may be more
 * than the device has where another one is needed: a compiler refuses both then. */
#ifndef FOLD_ONLY
#define FOLD_ONLY 0
#endif
/* A work-item's leaf is WIDTH values from each of FOLD_LEAF / WIDTH rounds of the group; in a column, neighbouring
 * rows. */
#define FOLD_AT(i, step) ((step) ? (i) * (step) : (i) / WIDTH * (ITEMS * WIDTH) + (i) % WIDTH * SPREAD)
#define FOLD_HAS_CHAINS 1
#include "parts/fold.cl"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* What fold_gpu_rows does for result K. Names without a K are the kernel's own. */
#define ROWS_STATES(K) local fold##K##_1 states##K[ITEMS];
#define ROWS_BEGIN(K) FOLD_BEGIN(K, _c)
#define ROWS_VALUES(K) fold##K##_value_1 x##K[FOLD_LEAF];
#define ROWS_KEEP(K) FOLD_PUT(x##K, q, r##K)
#define ROWS_TAKE_LEAF(K) fold##K##_c_take(&first##K, x##K, (FOLD_INDEX)(before + own), 0);
#define ROWS_NEXT(K) FOLD_NEXT(K, _c)
#define ROWS_TAKE_SINGLE(K) fold##K##_c_more(&first##K, r##K, (FOLD_INDEX)(before + j));
#define ROWS_HAVE(K) x##K[q] = r##K;
#define ROWS_LACK(K) x##K[q] = 0;
#define ROWS_TAKE_TAIL(K) fold##K##_c_tail(&first##K, x##K, count, (FOLD_INDEX)(before + j), ITEMS);
#define ROWS_STATE(K) states##K[item] = fold##K##_c_end(second##K, first##K);
#define ROWS_PAIR(K) states##K[item] = fold##K##_1_join(states##K[item], states##K[item + step]);
#define ROWS_REPEAT(K) fold##K##_repeat(start##K, states##K[0])
#define ROWS_GIVE(K) FOLD_GIVE(K, states##K[0], output, part);

#if FOLD_ONLY == 0 || FOLD_ONLY == 1
KERNEL(ITEMS) fold_gpu_rows(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    FOLD_EACH(ROWS_STATES)
    const int item = (int)get_local_id(0);
    const long runs = fold.elements / shape.columns;
    for (long job = get_group_id(0); job < fold.outputs * fold.parts; job += get_num_groups(0)) {
        FOLD_FIND_PART
        int repeat = 0;
        FOLD_EACH(ROWS_BEGIN)
        do {
            int leaves = 0;
            FOLD_EACH(FOLD_START)
            for (long e = part * fold.part, last; e < to; e = last) {
                FOLD_FIND_RUN
                for (; j + FOLD_LEAF * ITEMS <= end; j += FOLD_LEAF * ITEMS) {
                    const long own = j + (SPREAD > 1 ? item : item * WIDTH);
                    FOLD_EACH(ROWS_VALUES)
                    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF / WIDTH; q++) {
                        MAP_VALUES_V(own + q * (ITEMS * WIDTH))
                        FOLD_EACH(ROWS_KEEP)
                    }
                    FOLD_EACH(ROWS_TAKE_LEAF)
                    if (++leaves == FOLD_CHAIN) {
                        FOLD_EACH(ROWS_NEXT)
                        leaves = 0;
                    }
                }
                j += item;
#ifdef FOLD_HAS_BINS /* a single value takes as long as a leaf */
                if (j < end) {
                    FOLD_EACH(ROWS_VALUES)
                    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                        if (j + q * ITEMS < end) {
                            MAP_VALUES_1(j + q * ITEMS)
                            FOLD_EACH(ROWS_HAVE)
                        } else {
                            FOLD_EACH(ROWS_LACK)
                        }
                    }
                    const int count = (int)((end - j + ITEMS - 1) / ITEMS);
                    FOLD_EACH(ROWS_TAKE_TAIL)
                }
#else
                for (; j < end; j += ITEMS) {
                    MAP_VALUES_1(j)
                    FOLD_EACH(ROWS_TAKE_SINGLE)
                    if (++leaves == FOLD_CHAIN) {
                        FOLD_EACH(ROWS_NEXT)
                        leaves = 0;
                    }
                }
#endif
            }
            FOLD_EACH(ROWS_STATE)
            for (int step = ITEMS / 2; step > 0; step /= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                if (item < step) {
                    FOLD_EACH(ROWS_PAIR)
                }
            }
#ifdef FOLD_HAS_MOMENTS
            barrier(CLK_LOCAL_MEM_FENCE);
            repeat = 0;
            FOLD_EACH(ROWS_REPEAT)
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
        } while (repeat);
        if (item == 0) {
            FOLD_EACH(ROWS_GIVE)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

/* ---- short rows: a work-item to a row, of which a group loads a leaf at a time ----------------------------------- */

#define PITCH (FOLD_LEAF | 1) /* odd: neighbouring rows begin in different banks of local memory */
#define SHORT_TILE(K) local fold##K##_value_1 tile##K[ITEMS * PITCH];
#define SHORT_PUT(K) tile##K[line * PITCH + place] = r##K;
#define SHORT_LACK(K) tile##K[line * PITCH + place] = 0;
#define SHORT_VALUES(K)                                                                                                \
    fold##K##_value_1 x##K[FOLD_LEAF];                                                                                 \
    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) x##K[q] = tile##K[item * PITCH + q];
#define SHORT_TAKE(K)                                                                                                  \
    if (count == FOLD_LEAF)                                                                                            \
        fold##K##_c_take(&first##K, x##K, (FOLD_INDEX)at, 1);                                                          \
    else                                                                                                               \
        fold##K##_c_tail(&first##K, x##K, count, (FOLD_INDEX)at, 1);
#define SHORT_END(K) const fold##K##_1 whole##K = fold##K##_c_end(second##K, first##K);
#define SHORT_REPEAT(K) fold##K##_repeat(start##K, whole##K)
#define SHORT_GIVE(K) fold##K##_give(output, whole##K)

#if FOLD_ONLY == 0 || FOLD_ONLY == 2
KERNEL(ITEMS) fold_gpu_short(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    FOLD_EACH(SHORT_TILE)
#ifdef FOLD_HAS_MOMENTS
    local int again; /* does any item repeat? All load together. */
#endif
    const int item = (int)get_local_id(0);
    const long runs = fold.elements / shape.columns;
    for (long from = (long)get_group_id(0) * ITEMS; from < fold.outputs; from += (long)get_num_groups(0) * ITEMS) {
        const long output = from + item;
        FOLD_EACH(ROWS_BEGIN)
        for (int repeat = 1; repeat;) {
            int leaves = 0;
            FOLD_EACH(FOLD_START)
            for (long at = 0; at < fold.elements;) {
                const long run = at / shape.columns, first = at - run * shape.columns;
                const int count = (int)min((long)FOLD_LEAF, shape.columns - first);
                barrier(CLK_LOCAL_MEM_FENCE);
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                    const int line = (q * ITEMS + item) / FOLD_LEAF, place = (q * ITEMS + item) % FOLD_LEAF;
                    if (from + line < fold.outputs && place < count) {
                        const long row = (from + line) * runs + run;
                        MAP_ROW(row)
                        MAP_VALUES_1(first + place)
                        FOLD_EACH(SHORT_PUT)
                    } else {
                        FOLD_EACH(SHORT_LACK)
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                FOLD_EACH(SHORT_VALUES)
                FOLD_EACH(SHORT_TAKE)
                if (++leaves == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT)
                    leaves = 0;
                }
                at += count;
            }
            repeat = 0;
            FOLD_EACH(SHORT_END)
#ifdef FOLD_HAS_MOMENTS
            FOLD_EACH(SHORT_REPEAT)
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item == 0)
                again = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (repeat && output < fold.outputs)
                again = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            repeat = again;
#endif
            if (!repeat && output < fold.outputs) {
                FOLD_EACH(SHORT_GIVE)
            }
        }
    }
}
#endif

/* ---- columns ----------------------------------------------------------------------------------------------------- */

#define COLUMNS_BEGIN(K) FOLD_BEGIN(K, _c) fold##K##_1 whole##K;
#define COLUMNS_END(K)                                                                                                 \
    whole##K = fold##K##_c_end(second##K, first##K);                                                                   \
    fold##K##_repeat(start##K, whole##K)
/* Loads the values of a leaf into `next`. A leaf is taken while the next one is loaded, as a compiler that may put
 * each load before its use waits for one after the other. */
#define COLUMNS_KEEP(K) next##K[q] = r##K;
#define COLUMNS_LOAD(first)                                                                                            \
    FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {                                                                \
        const long row = (first) + q;                                                                                  \
        MAP_ROW(row)                                                                                                   \
        MAP_VALUES_1(column)                                                                                           \
        FOLD_EACH(COLUMNS_KEEP)                                                                                        \
    }

#if FOLD_ONLY == 0 || FOLD_ONLY == 3
KERNEL(ITEMS) fold_gpu_columns(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    const long rows = fold.outputs / fold.columns, column = get_global_id(0);
    if (column >= fold.columns)
        return;
    for (long job = get_group_id(1); job < rows * fold.parts; job += get_num_groups(1)) {
        const long kept = job / fold.parts, part = job - kept * fold.parts, output = kept * fold.columns + column;
        const long to = min((part + 1) * fold.part, fold.elements);
        int repeat;
        FOLD_EACH(COLUMNS_BEGIN)
        do {
            int leaves = 0;
            long e = part * fold.part;
            FOLD_EACH(FOLD_START)
#define DECLARE(K) fold##K##_value_1 x##K[FOLD_LEAF], next##K[FOLD_LEAF];
            FOLD_EACH(DECLARE)
#undef DECLARE
            if (e + FOLD_LEAF <= to)
                COLUMNS_LOAD(kept * fold.elements + e)
            for (; e + FOLD_LEAF <= to; e += FOLD_LEAF) {
#define HAVE(K) FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) x##K[q] = next##K[q];
                FOLD_EACH(HAVE)
#undef HAVE
                if (e + 2 * FOLD_LEAF <= to)
                    COLUMNS_LOAD(kept * fold.elements + e + FOLD_LEAF)
#define TAKE(K) fold##K##_c_take(&first##K, x##K, (FOLD_INDEX)e, 1);
                FOLD_EACH(TAKE)
#undef TAKE
                if (++leaves == FOLD_CHAIN) {
#define NEXT(K) FOLD_NEXT(K, _c)
                    FOLD_EACH(NEXT)
#undef NEXT
                    leaves = 0;
                }
            }
            for (; e < to; e++) {
                const long row = kept * fold.elements + e;
                MAP_ROW(row)
                MAP_VALUES_1(column)
#define TAKE(K) fold##K##_c_more(&first##K, r##K, (FOLD_INDEX)e);
                FOLD_EACH(TAKE)
#undef TAKE
            }
            repeat = 0;
            FOLD_EACH(COLUMNS_END)
        } while (repeat);
#define GIVE(K) FOLD_GIVE(K, whole##K, output, part)
        FOLD_EACH(GIVE)
#undef GIVE
    }
}
#endif
