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
    LUN_DISTRIBUTIONS, /* the ones after it, and the scale of gamma, are computed from these by operations */
#define DERIVED(name, ...) LUN_DRAW_##name,
#undef DISTRIBUTION
#define DISTRIBUTION(name, ...)
#include "../op/make/distribution.def"
#undef DISTRIBUTION
#undef DERIVED
} lun_distribution;

#define LUN_DRAW_PARAMETERS 2
#define LUN_DRAW_ARRAYS 3

/* A distribution, with the parameters in the order of their names.
 *   uniform      floats, low <= x < high
 *   normal       floats of that mean and standard deviation, by Box and Muller
 *   exponential  floats of the mean `scale`, by the logarithm
 *   integers     low .. high, both included, equally likely (Lemire 2019)
 *   poisson      integers of the mean lambda: inversion below a mean of 10, else PTRS (Hormann 1993)
 *   binomial     successes in n trials, each with the probability p: inversion, or BTRS (Hormann 1993)
 *   gamma, beta  of alpha, and of a and b; to f64, or f32 on devices without
 *   multinomial  rows along the last axis that are counts of n trials
 * Parameters of each element are arrays instead of numbers: new ones, which broadcast to the draw, of elements that are
 * parameters; i64 of integers, else f64, or f32 on devices without. The first three take only numbers, the last three
 * only arrays: gamma alpha, beta both, and multinomial n, the probabilities, and their sums from each one to the
 * last. */
typedef struct lun_draw {
    lun_distribution distribution;
    lun_number parameters[LUN_DRAW_PARAMETERS];
    const lun_array *arrays[LUN_DRAW_ARRAYS];
} lun_draw;

/* ---- streams: Philox4x32-10 -------------------------------------------------------------------------
 * A seed has 2^32 streams of 2^64 words each, which have no block of the generator in common. Uniform numbers, integers
 * and permutations are the same on every device. Other numbers may differ in their last bits, and counts by 1 if these
 * bits decide. */

typedef struct lun_rng {
    uint64_t seed, words; /* words: the number of words of the stream that are used */
    uint32_t stream;
    uint32_t
        kind; /* the kind of the last draw: a draw of the same kind continues in its last block, any other leaves the
               * block */
} lun_rng;

#define LUN_RNG_NUMBERS 4
/* A stream as numbers, and back; numbers that are not a stream's are LUN_MISUSE. */
void lun_rng_save(int64_t *numbers, const lun_rng *rng);
lun_status lun_rng_restore(lun_rng *out, const int64_t *numbers, lun_error *err);

/* Fills out in row-major order, and advances the stream. Several draws of the same distribution, in dtypes that take as
 * many words, give the same numbers as one draw. */
lun_status lun_array_random(const lun_array *out, const lun_draw *draw, lun_rng *rng, const lun_call *call,
                            lun_error *err);
/* Fails as lun_array_random would, for any stream: for hosts that choose a seed after checking all else. */
lun_status lun_random_check(const lun_array *out, const lun_draw *draw, const lun_call *call, lun_error *err);

/* ---- weighted choices --------------------------------------------------------------------------------
 * Weights are a contiguous float array of one axis, none of them negative, NaN or infinite. */

/* positions: i64, from 1, each drawn by the weights. sums: the running sums of the weights, an array like weights. */
lun_status lun_random_positions(const lun_array *positions, const lun_array *sums, const lun_array *weights,
                                lun_rng *rng, const lun_call *call, lun_error *err);
/* times: an array like weights. The elements with the smallest times are a sample without replacement. */
lun_status lun_random_arrivals(const lun_array *times, const lun_array *weights, lun_rng *rng, const lun_call *call,
                               lun_error *err);
