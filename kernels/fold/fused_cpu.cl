/* Elementwise functions with reductions in their midst on CPUs: a work-item computes whole rows, stage by stage; the row is in the cache
 * then. */
#define FUSED_AT(j) (j)
#include "parts/fused.cl"

/* What a stage does for result K. Names without a K are the kernel's own. */
#define STAGE_WHOLE(K) fold##K##_1 whole##K;
#define STAGE_START(K) FOLD_CHAINS(K, _v) fold##K##_1 few##K = fold##K##_1_init(), more##K = fold##K##_1_init();
#define STAGE_VALUES(K) fold##K##_value_v x##K[FOLD_LEAF];
#define STAGE_KEEP(K) x##K[q] = r##K;
#define STAGE_TAKE_LEAF(K) fold##K##_v_take(&first##K, x##K, at, FOLD_WIDTH);
#define STAGE_NEXT(K) FOLD_NEXT(K, _v)
#define STAGE_TAKE_VECTOR(K) fold##K##_v_more(&first##K, r##K, at);
#define STAGE_TAKE_SINGLE(K) fold##K##_1_more(&few##K, r##K, (FOLD_INDEX)j);
#define STAGE_NEXT_SINGLE(K) fold##K##_1_next(&more##K, &few##K);
#define STAGE_EACH(K, DO)                                                                                                  \
    for (long j = 0; j < fold.elements; j++) {                                                                             \
        fold##K##_value(j)                                                                                                 \
        DO(K, r##K)                                                                                                        \
    }
#define STAGE_END(K)                                                                                                       \
    second##K = fold##K##_v_join(second##K, first##K);                                                                     \
    whole##K = fold##K##_1_join(fold##K##_lanes(second##K), fold##K##_1_join(more##K, few##K));                            \
    fold##K##_again(whole##K, STAGE_EACH)
#define STAGE_HAVE(K) fold##K##_have(whole##K)

#define STAGE(S)                                                                                                           \
    FUSED_EACH_##S(STAGE_WHOLE)                                                                                            \
    {                                                                                                                      \
        int leaves = 0, singles = 0;                                                                                       \
        long j = 0;                                                                                                        \
        FUSED_EACH_##S(STAGE_START)                                                                                        \
        for (; j + FOLD_LEAF * FOLD_WIDTH <= fold.elements; j += FOLD_LEAF * FOLD_WIDTH) {                                 \
            FUSED_EACH_##S(STAGE_VALUES)                                                                                   \
            FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++)                                                              \
            {                                                                                                              \
                FUSED_VALUES_V_##S(j + q * FOLD_WIDTH)                                                                     \
                FUSED_EACH_##S(STAGE_KEEP)                                                                                 \
            }                                                                                                              \
            const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)j) + FOLD_LANES;                                            \
            FUSED_EACH_##S(STAGE_TAKE_LEAF)                                                                                \
            if (++leaves == FOLD_CHAIN) {                                                                                  \
                FUSED_EACH_##S(STAGE_NEXT)                                                                                 \
                leaves = 0;                                                                                                \
            }                                                                                                              \
        }                                                                                                                  \
        for (; j + FOLD_WIDTH <= fold.elements; j += FOLD_WIDTH) {                                                         \
            FUSED_VALUES_V_##S(j)                                                                                          \
            const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)j) + FOLD_LANES;                                            \
            FUSED_EACH_##S(STAGE_TAKE_VECTOR)                                                                              \
        }                                                                                                                  \
        for (; j < fold.elements; j++) {                                                                                   \
            FUSED_VALUES_1_##S(j)                                                                                          \
            FUSED_EACH_##S(STAGE_TAKE_SINGLE)                                                                              \
            if (++singles == FOLD_CHAIN) {                                                                                 \
                FUSED_EACH_##S(STAGE_NEXT_SINGLE)                                                                          \
                singles = 0;                                                                                               \
            }                                                                                                              \
        }                                                                                                                  \
        FUSED_EACH_##S(STAGE_END)                                                                                          \
    }                                                                                                                      \
    FUSED_EACH_##S(STAGE_HAVE)

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fused_cpu(const fused_shape fold, const map_shape shape MAP_PARAMETERS)
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
