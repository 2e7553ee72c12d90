/* Elementwise functions with reductions inside them on CPUs: a work-item computes whole rows, stage by stage; the
 * row is in the cache then. */
#define FUSED_AT(j) (j)
#include "parts/fused.cl"

/* What a stage does for result K. Names without a K are the kernel's own. */
#define ROW_WHOLE(K) fold##K##_1 whole##K;
#define ROW_START(K) FOLD_CHAINS(K, _v) fold##K##_1 few##K = fold##K##_1_init(), more##K = fold##K##_1_init();
#define ROW_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define ROW_KEEP(K) x##K[q] = r##K;
#define ROW_TAKE_LEAF(K) fold##K##_v_take(&first##K, x##K, at, FOLD_WIDTH);
#define ROW_NEXT(K) FOLD_NEXT(K, _v)
#define ROW_TAKE_VECTOR(K) fold##K##_v_more(&first##K, r##K, at);
#define ROW_TAKE_SINGLE(K) fold##K##_1_more(&few##K, r##K, (FOLD_INDEX)j);
#define ROW_NEXT_SINGLE(K) fold##K##_1_next(&more##K, &few##K);
#define ROW_EACH(K, DO)                                                                                              \
    for (long j = 0; j < fold.elements; j++) {                                                                         \
        fold##K##_value(j)                                                                                             \
        DO(K, r##K)                                                                                                    \
    }
#define ROW_END(K)                                                                                                   \
    second##K = fold##K##_v_join(second##K, first##K);                                                                 \
    whole##K = fold##K##_1_join(fold##K##_lanes(second##K), fold##K##_1_join(more##K, few##K));                        \
    fold##K##_again(whole##K, ROW_EACH)
#define ROW_HAVE(K) fold##K##_have(whole##K)

KERNEL(1) fused_cpu(const fused_shape fold, const map_shape shape MAP_PARAMETERS)
{
    FUSED_KEPT
    FOR_SPREAD(row, shape.rows) {
        MAP_ROW(row)
        FUSED_STAGES
        long j = 0;
#ifdef MAP_STREAMS /* stores past the cache want aligned addresses */
        for (; j < fold.elements && (size_t)MAP_FIRST(j) % MAP_STREAMS; j++) {
            MAP_STEP_1(j)
        }
#endif
        for (; j + WIDTH <= fold.elements; j += WIDTH) {
            MAP_STEP_V(j)
        }
        for (; j < fold.elements; j++) {
            MAP_STEP_1(j)
        }
    }
}
