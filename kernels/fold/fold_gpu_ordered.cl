/* Reductions on GPUs by operators that take values in their order alone. */
#include "parts/fold.cl"

#ifndef ITEMS
#define ITEMS 256 /* of a group */
#endif

#define ORDERED_STATES(K) local fold##K##_1 states##K[ITEMS];
#define ORDERED_START(K) FOLD_CHAINS(K, _1)
#define ORDERED_VALUES(K) fold##K##_value_1 x##K[FOLD_LEAF];
#define ORDERED_KEEP(K) FOLD_PUT(x##K, q, r##K)
#define ORDERED_NEXT(K) FOLD_NEXT(K, _1)
#define ORDERED_NONE(K) states##K[item] = fold##K##_1_init();
#define ORDERED_ONE(K) states##K[item] = fold##K##_1_one(r##K, 0);
#define ORDERED_LEAF(K) states##K[item] = fold##K##_1_leaf(x##K, 0, 1);
#define ORDERED_PAIR(K) states##K[item] = fold##K##_1_join(states##K[item], states##K[item + step]);
#define ORDERED_TAKE(K) first##K = fold##K##_1_join(first##K, states##K[0]);
#define ORDERED_GIVE(K)                                                                                                \
    second##K = fold##K##_1_join(second##K, first##K);                                                                 \
    FOLD_GIVE(K, second##K, output, part);

/* Joins the states of the group's items in their order to the chain of each item. */
#define ORDERED_JOIN                                                                                                   \
    for (int step = 1; step < ITEMS; step *= 2) {                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (item % (2 * step) == 0) {                                                                                  \
            FOLD_EACH(ORDERED_PAIR)                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    FOLD_EACH(ORDERED_TAKE)                                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);

/* Each item takes FOLD_LEAF neighbours, then one value where fewer are left. */
KERNEL(ITEMS) fold_gpu_ordered(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    FOLD_EACH(ORDERED_STATES)
    const int item = (int)get_local_id(0);
    const long runs = fold.elements / shape.columns;
    for (long job = get_group_id(0); job < fold.outputs * fold.parts; job += get_num_groups(0)) {
        FOLD_FIND_PART
        int leaves = 0;
        FOLD_EACH(ORDERED_START)
        for (long e = part * fold.part, last; e < to; e = last) {
            FOLD_FIND_RUN
            for (; j + FOLD_LEAF * ITEMS <= end; j += FOLD_LEAF * ITEMS) {
                FOLD_EACH(ORDERED_VALUES)
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF / WIDTH; q++) {
                    MAP_VALUES_V(j + item * FOLD_LEAF + q * WIDTH)
                    FOLD_EACH(ORDERED_KEEP)
                }
                FOLD_EACH(ORDERED_LEAF)
                ORDERED_JOIN
                if (++leaves == FOLD_CHAIN) {
                    FOLD_EACH(ORDERED_NEXT)
                    leaves = 0;
                }
            }
            for (; j < end; j += ITEMS) {
                if (j + item < end) {
                    MAP_VALUES_1(j + item)
                    FOLD_EACH(ORDERED_ONE)
                } else {
                    FOLD_EACH(ORDERED_NONE)
                }
                ORDERED_JOIN
            }
        }
        if (item == 0) {
            FOLD_EACH(ORDERED_GIVE)
        }
    }
}
