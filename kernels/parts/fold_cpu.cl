/* Reductions of expressions on CPUs: what the kernels share. A work-item makes a part of one output or of some, and the
 * one that stores an output's last part joins them all: a second launch would take as long as reading a MiB or two.
 * Without tickets, where outputs are more than there are, fold_join does so. */
#include "parts/map_functions.cl"

#include "parts/fold.cl"
#include "parts/tickets.cl"

#define PARTS_BEGIN(K) FOLD_BEGIN(K, _1)
#define PARTS_TAKE(K) first##K = fold##K##_added(first##K, t##K[output * fold.parts + part]);
#define PARTS_NEXT(K) FOLD_NEXT(K, _1)
#define PARTS_END(K) second##K = fold##K##_1_join(second##K, first##K);
#define PARTS_REPEAT(K) fold##K##_repeat(start##K, second##K)
#define PARTS_GIVE(K) fold##K##_give(output, second##K)

/* Joins the parts of an output, as fold_join does. */
inline void fold_join_parts(const fold_shape fold, long output FOLD_PARAMETERS)
{
    int repeat;
    FOLD_EACH(PARTS_BEGIN)
    do {
        FOLD_EACH(FOLD_START)
        for (long part = 0; part < fold.parts; part++) {
            FOLD_EACH(PARTS_TAKE)
            if (part % FOLD_CHAIN == FOLD_CHAIN - 1) {
                FOLD_EACH(PARTS_NEXT)
            }
        }
        repeat = 0;
        FOLD_EACH(PARTS_END)
        FOLD_EACH(PARTS_REPEAT)
    } while (repeat);
    FOLD_EACH(PARTS_GIVE)
}
