/* Reductions of expressions one value after the other, in their order: every device, layout and reduction. */
#include "parts/fold.cl"

KERNEL(GROUP) fold_plain(const fold_shape fold, const map_shape shape MAP_PARAMETERS FOLD_PARAMETERS)
{
    const long runs = fold.elements / shape.columns;
    FOR_SPREAD(job, fold.outputs * fold.parts) {
        FOLD_FIND_PART
        int repeat;
#define BEGIN(K) FOLD_BEGIN(K, _1)
        FOLD_EACH(BEGIN)
#undef BEGIN
        do {
            int count = 0;
            FOLD_EACH(FOLD_START)
            for (long e = part * fold.part, last; e < to; e = last) {
                FOLD_FIND_RUN
                for (; j < end; j++) {
                    MAP_VALUES_1(j)
#define TAKE(K) fold##K##_1_more(&first##K, r##K, (FOLD_INDEX)(before + j));
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
            repeat = 0;
#define END(K)                                                                                                         \
    second##K = fold##K##_1_join(second##K, first##K);                                                                 \
    fold##K##_repeat(start##K, second##K)
            FOLD_EACH(END)
#undef END
        } while (repeat);
#define GIVE(K) FOLD_GIVE(K, second##K, output, part)
        FOLD_EACH(GIVE)
#undef GIVE
    }
}
