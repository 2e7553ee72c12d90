/* Reductions on CPUs by operators that take values in their order alone. */
#include "parts/fold_cpu.cl"

#define ROWS_START(K) FOLD_CHAINS(K, _1)
#define ROWS_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define ROWS_KEEP(K) x##K[q] = r##K;
#define ROWS_LEAF(K) first##K = fold##K##_1_join(first##K, fold##K##_row(x##K));
#define ROWS_SINGLE(K) first##K = fold##K##_1_join(first##K, fold##K##_1_one(r##K, 0));
#define ROWS_NEXT(K) FOLD_NEXT(K, _1)
#define ROWS_GIVE(K)                                                                                                   \
    second##K = fold##K##_1_join(second##K, first##K);                                                                 \
    FOLD_GIVE(K, second##K, output, part);

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fold_cpu_ordered(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS,
                       volatile global uint *tickets)
{
    const long runs = fold.elements / shape.columns;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        FOLD_FIND_PART
        int joins = 0;
        FOLD_EACH(ROWS_START)
        for (long e = part * fold.part, last; e < to; e = last) {
            FOLD_FIND_RUN
            for (; j + FOLD_LEAF * WIDTH <= end; j += FOLD_LEAF * WIDTH) {
                FOLD_EACH(ROWS_VALUES)
                FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                    MAP_VALUES_V(j + q * WIDTH)
                    FOLD_EACH(ROWS_KEEP)
                }
                FOLD_EACH(ROWS_LEAF)
                if (++joins == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT)
                    joins = 0;
                }
            }
            for (; j < end; j++) {
                MAP_VALUES_1(j)
                FOLD_EACH(ROWS_SINGLE)
                if (++joins == FOLD_CHAIN) {
                    FOLD_EACH(ROWS_NEXT)
                    joins = 0;
                }
            }
        }
        FOLD_EACH(ROWS_GIVE)
        if (tickets && was_last(tickets + output, fold.parts))
            fold_join_parts(fold, output FOLD_ARGUMENTS);
    }
}
