/* Reductions of expressions one value after the other, in their order: every device, layout and reduction. */
#include "parts/fold.cl"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_plain(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    const long runs = fold.elements / shape.columns;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        const long output = job / fold.parts, part = job - output * fold.parts;
        const long to = min((part + 1) * fold.part, fold.elements);
        int count = 0;
#define START(K) FOLD_CHAINS(K, _1)
        FOLD_EACH(START)
#undef START
        for (long e = part * fold.part, last; e < to; e = last) {
            const long run = e / shape.columns, before = run * shape.columns;
            last = min(before + shape.columns, to);
            const long row = output * runs + run;
            MAP_ROW(row)
            for (long j = e - before; j < last - before; j++) {
                MAP_VALUES_1(j)
#define TAKE(K) first##K = fold##K##_1_more(first##K, r##K, (FOLD_INDEX)(before + j));
                FOLD_EACH(TAKE)
#undef TAKE
                if (++count == FOLD_CHAIN) {
#define NEXT(K) FOLD_NEXT(K, _1)
                    FOLD_EACH(NEXT)
#undef NEXT
                    count = 0;
                }
            }
        }
#define GIVE(K)                                                                                                            \
    second##K = fold##K##_1_join(second##K, first##K);                                                                     \
    FOLD_GIVE(K, second##K, output, part)
        FOLD_EACH(GIVE)
#undef GIVE
    }
}
