/* Convolutions: what the files share that make them, directly or by transforms. */
#pragma once

#include "op/fft/signal.h"

/* Along each axis result i is the sum over p of a[i * step + first - p] b[p]. All have as many axes; others are batches, which
 * broadcast. */
typedef struct convolution {
    int ndim, count, axes[LUN_MAX_AXES];
    size_t first[LUN_MAX_AXES], step[LUN_MAX_AXES], size[LUN_MAX_AXES]; /* of each of the `count` axes */
    size_t shape[LUN_MAX_AXES];                                         /* of the result */
    size_t taps;                                                        /* of all axes together */
    bool accurate;                                                      /* are f32 and c64 computed in f64? */
} convolution;

#define CONVOLVE_AXES 2 /* that are convolved directly, at most */

/* All of one dtype, the result's. By sums (convolve_direct.c). */
lun_status convolve_directly(const lun_array *out, const lun_array *a, const lun_array *b, const convolution *c,
                             const char *name, const lun_call *call, lun_error *err);

/* Of real numbers all are of the result's dtype, of complex ones of that or of its parts'. By transforms, the last steps of a word
 * (convolve.c). */
lun_status convolve_transformed(composing *c, const lun_array *out, const lun_array *a, const lun_array *b,
                                const convolution *along, lun_error *err);
