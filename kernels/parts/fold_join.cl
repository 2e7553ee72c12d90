/* Reductions of expressions: joins the parts of each output, in their order, a part of parts/fold.cl. A group makes
 * FOLD_JOINED outputs at a time, FOLD_JOINERS work-items an output. */
#ifndef FOLD_JOINERS
#define FOLD_JOINERS 1
#define FOLD_JOINED 1
#endif
kernel __attribute__((reqd_work_group_size(FOLD_JOINERS * FOLD_JOINED, 1, 1)))
void fold_join(const fold_shape fold FOLD_PARAMETERS)
{
#define DECLARE(K) local fold##K##_1 states##K[FOLD_JOINERS * FOLD_JOINED];
    FOLD_EACH(DECLARE)
#undef DECLARE
#ifdef FOLD_HAS_MOMENTS
    local int again; /* does any output repeat? All of a group do then. */
#endif
    const int item = (int)get_local_id(0), lane = item % FOLD_JOINERS;
    const long share = (fold.parts + FOLD_JOINERS - 1) / FOLD_JOINERS;
    const long from = min(lane * share, fold.parts), to = min(from + share, fold.parts);
    const long stride = (long)get_num_groups(0) * FOLD_JOINED;
    for (long first = (long)get_group_id(0) * FOLD_JOINED; first < fold.outputs; first += stride) {
        const long output = first + item / FOLD_JOINERS;
        const bool inside = output < fold.outputs;
        int repeat = 0;
#define BEGIN(K) FOLD_BEGIN(K, _1)
        FOLD_EACH(BEGIN)
#undef BEGIN
        do {
            FOLD_EACH(FOLD_START)
            for (long part = from; inside && part < to; part++) {
#define TAKE(K) first##K = fold##K##_added(first##K, t##K[output * fold.parts + part]);
                FOLD_EACH(TAKE)
#undef TAKE
                if ((part - from) % FOLD_CHAIN == FOLD_CHAIN - 1) {
#define NEXT(K) FOLD_NEXT(K, _1)
                    FOLD_EACH(NEXT)
#undef NEXT
                }
            }
#define KEEP(K) states##K[item] = fold##K##_1_join(second##K, first##K);
            FOLD_EACH(KEEP)
#undef KEEP
            for (int step = 1; step < FOLD_JOINERS; step *= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                if (lane % (2 * step) == 0 && lane + step < FOLD_JOINERS) {
#define PAIR(K) states##K[item] = fold##K##_1_join(states##K[item], states##K[item + step]);
                    FOLD_EACH(PAIR)
#undef PAIR
                }
            }
#ifdef FOLD_HAS_MOMENTS
#define AGAIN(K) fold##K##_repeat(start##K, states##K[item - lane])
            barrier(CLK_LOCAL_MEM_FENCE);
            repeat = 0;
            FOLD_EACH(AGAIN)
            if (item == 0)
                again = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (repeat && inside)
                again = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            repeat = again;
#undef AGAIN
#endif
        } while (repeat);
        if (lane == 0 && inside) {
#define GIVE(K) fold##K##_give(output, states##K[item])
            FOLD_EACH(GIVE)
#undef GIVE
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
