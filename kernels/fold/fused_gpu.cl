/* Elementwise functions with reductions inside them on GPUs: a group computes LINES rows at a time, LANES
 * work-items a row, stage by stage. The elements of a work-item are LANES apart. Of short rows it has FOLD_LEAF
 * each, and some of the items one more (FUSED_REST), whose values stay in registers from the first stage on; long
 * rows (FUSED_LONG) are read again. */
#ifndef LANES
#define LANES 32 /* of a row, a power of 2 */
#define LINES 8
#define FUSED_LONG 0
#define FUSED_REST 1
#endif
#define FUSED_AT(j) q
#include "parts/fused.cl"

/* LEAVES takes FOLD_LEAF elements at once, and OTHERS has the rest one by one; both find element `at` + q * LANES. */
#if FUSED_LONG
#define LEAVES for (; at + (FOLD_LEAF - 1) * LANES < count; at += FOLD_LEAF * LANES)
#define OTHERS for (int q = 0; at + q * LANES < count; q++)
#else
#define LEAVES if (count)
#define OTHERS FOLD_UNROLLED for (int q = FOLD_LEAF; q < FOLD_LEAF + FUSED_REST; q++) if (at + q * LANES < count)
#endif

/* What a stage does for result K. Names without a K are the kernel's own. */
#define STATES(K) local fold##K##_1 states##K[LINES * LANES];
#define ROW_BEGIN(K) FOLD_BEGIN(K, _1) fold##K##_1 whole##K;
#define ROW_VALUES(K) fold##K##_value_1 x##K[FOLD_LEAF];
#define ROW_KEEP(K) x##K[q] = r##K;
#define ROW_TAKE_LEAF(K) fold##K##_1_take(&first##K, x##K, (FOLD_INDEX)at, LANES);
#define ROW_TAKE_SINGLE(K) fold##K##_1_more(&first##K, r##K, (FOLD_INDEX)(at + q * LANES));
#define ROW_NEXT(K) FOLD_NEXT(K, _1)
#define ROW_STATE(K) states##K[item] = fold##K##_1_join(second##K, first##K);
#define ROW_PAIR(K) states##K[item] = fold##K##_1_join(states##K[item], states##K[item + step]);
#define ROW_WHOLE(K) whole##K = states##K[item - lane];
#define ROW_REPEAT(K) fold##K##_repeat(start##K, whole##K)
#define ROW_HAVE(K) fold##K##_have(whole##K)

#ifdef FOLD_HAS_MOMENTS /* all rows of a group repeat a stage where one of them does */
inline int repeats_anywhere(local int *again, int item, int repeat)
{
    if (item == 0)
        *again = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (repeat)
        *again = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *again;
}
#define REPEATS_ANYWHERE(repeat) repeats_anywhere(&again, item, repeat)
#else
#define REPEATS_ANYWHERE(repeat) 0
#endif

kernel __attribute__((reqd_work_group_size(LINES * LANES, 1, 1)))
void fused_gpu(const fused_shape fold, const map_shape shape MAP_PARAMETERS)
{
    FOLD_EACH(STATES)
#ifdef FOLD_HAS_MOMENTS
    local int again;
#endif
    const int item = (int)get_local_id(0), lane = item % LANES;
    for (long from = (long)get_group_id(0) * LINES; from < shape.rows; from += (long)get_num_groups(0) * LINES) {
        const int count = from + item / LANES < shape.rows ? (int)fold.elements : 0;
        const long row = min(from + item / LANES, shape.rows - 1);
        MAP_ROW(row)
        FUSED_KEPT
        FUSED_STAGES
        int at = lane;
        LEAVES {
            FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
                MAP_STEP_1(at + q * LANES)
            }
        }
        OTHERS {
            MAP_STEP_1(at + q * LANES)
        }
    }
}
