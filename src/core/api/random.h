/* A part of lunarray.h: random numbers. */
#pragma once

#include "array.h"

/* ---- distributions: distribution.def ---------------------------------------------------------------- */

typedef enum lun_distribution {
#define DISTRIBUTION(name, ...) LUN_DRAW_##name,
#define DERIVED(name, ...)
#include "../op/make/distribution.def"
#undef DERIVED
    LUN_DRAW_multinomial,
    LUN_DISTRIBUTIONS, /* those behind it, and the scale of gamma, are what operations compute from these */
#define DERIVED(name, ...) LUN_DRAW_##name,
#undef DISTRIBUTION
#define DISTRIBUTION(name, ...)
#include "../op/make/distribution.def"
#undef DISTRIBUTION
#undef DERIVED
} lun_distribution;

#define LUN_DRAW_PARAMETERS 2
#define LUN_DRAW_ARRAYS 3

/* What is drawn, with the parameters in the order of their names.
 *   uniform      floats, low <= x < high
 *   normal       floats of that mean and standard deviation, by Box and Muller
 *   exponential  floats of the mean `scale`, by the logarithm
 *   integers     low .. high, both included, none of them favoured (Lemire 2019)
 *   poisson      integers of the mean lambda: inversion below a mean of 10, else PTRS (Hormann 1993)
 *   binomial     how many of n trials succeed, each with the probability p: inversion, or BTRS (Hormann 1993)
 *   gamma, beta  of alpha, and of a and b; to f64, or f32 on devices without
 *   multinomial  rows along the last axis that are counts of n trials
 * Parameters of each element are arrays instead of numbers: new ones, which broadcast to the draw, of elements that are parameters; i64
 * of integers, else f64, or f32 on devices without. The first three take numbers alone, the last three arrays alone: of gamma alpha, of
 * beta both, and n, the probabilities and the sums of these from each one to the last. */
typedef struct lun_draw {
    lun_distribution distribution;
    lun_number parameters[LUN_DRAW_PARAMETERS];
    const lun_array *arrays[LUN_DRAW_ARRAYS];
} lun_draw;

/* ---- streams: Philox4x32-10 -------------------------------------------------------------------------
 * A seed has 2^32 streams, which have no block of the generator in common, and a stream 2^64 words. Uniforms, integers and
 * permutations are the same on every device; other numbers may differ in their last bits, and counts by 1 where these decide. */

typedef struct lun_rng {
    uint64_t seed, words; /* words: how many of the stream are used */
    uint32_t stream;
    uint32_t
        kind; /* of the last draw: one of the same kind goes on within its last block, any other leaves the block */
} lun_rng;

#define LUN_RNG_NUMBERS 4
/* A stream as numbers, and back; LUN_MISUSE for numbers that are none's. */
void lun_rng_save(int64_t *numbers, const lun_rng *rng);
lun_status lun_rng_restore(lun_rng *out, const int64_t *numbers, lun_error *err);

/* out's elements in row-major order. Moves the stream on. Draws of the same distribution, and of dtypes that take as many words, give
 * in pieces what they give at once. */
lun_status lun_array_random(const lun_array *out, const lun_draw *draw, lun_rng *rng, const lun_call *call,
                            lun_error *err);
/* Fails as lun_array_random would, whatever the stream: for hosts that find a seed when all else is right. */
lun_status lun_random_check(const lun_array *out, const lun_draw *draw, const lun_call *call, lun_error *err);

/* ---- weighted choices --------------------------------------------------------------------------------
 * Weights are a contiguous float array of one axis, none of them negative, NaN or infinite. */

/* positions: i64, from 1, each drawn by the weights. sums: the running sums of the weights, like these. */
lun_status lun_random_positions(const lun_array *positions, const lun_array *sums, const lun_array *weights,
                                lun_rng *rng, const lun_call *call, lun_error *err);
/* times: like the weights. Elements in the order of their times are a sample without replacement. */
lun_status lun_random_arrivals(const lun_array *times, const lun_array *weights, lun_rng *rng, const lun_call *call,
                               lun_error *err);
