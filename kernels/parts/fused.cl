/* Elementwise functions with reductions inside them: what the kernels for CPUs and GPUs share. A kernel computes
 * whole rows. A stage makes those reductions of a row that wait for no other, the next one those that wait for them,
 * and the last step the elements.
 *
 * The host says: FUSED_STAGES, all stages, each made of parts/fused_stages.cl; FUSED_EACH_<stage>(DO), which expands
 * DO(K) for each reduction of it that has a state; FUSED_VALUES_1_<stage>(j) and FUSED_VALUES_V_<stage>(j), which
 * declare r<K>, what they reduce; fold<K>_value(j), the first of these; fold<K>_have(state), which declares the
 * results of a state for what comes behind; and FUSED_KEPT, which declares room for values that later stages read,
 * of which an element's is at FUSED_AT(j). */
#include "parts/map_functions.cl"

#define FOLD_FUSED
#include "parts/fold.cl"

#ifndef FUSED_STAGES
#pragma clang diagnostic ignored "-Wunused-variable" /* stages use them */
#define FUSED_STAGES
#define FUSED_EACH_1(DO) DO(0)
#define FUSED_VALUES_1_1(j) MAP_VALUES_1(j)
#define FUSED_VALUES_V_1(j) MAP_VALUES_V(j)
#define FUSED_KEPT
#define fold0_value(j) MAP_VALUES_1(j)
#define fold0_have(state) (void)state;
#define MAP_STEP_1(j)
#define MAP_STEP_V(j)
#endif
