/* A part of lunarray.h: arranging and joining arrays. More views, and operations that make an array of parts of others.
 *
 * All dtypes, any views, arrays without elements, 0 to 8 axes. The results are NumPy's. */
#pragma once

#include "array.h"

/* ---- views: they share the memory and keep it; `out` may not be `array` ---------------------------------- */

/* The array as that shape sees it when it broadcasts: axes are matched from the last on, and one that is missing or has
 * size 1 takes any size. Its elements then stand for several positions, so no operation writes it as a whole: LUN_MISUSE. */
lun_status lun_array_broadcast(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err);
/* Without the axes that are marked; one whose size is not 1 is LUN_MISUSE. NULL: without all axes of size 1. */
lun_status lun_array_squeeze(lun_array *out, const lun_array *array, const bool *axis, lun_error *err);
/* With `count` axes of size 1 more: those of the view that are marked. */
lun_status lun_array_expand(lun_array *out, const lun_array *array, const bool *axis, int count, lun_error *err);
/* In reverse along the axes that are marked. */
lun_status lun_array_flip(lun_array *out, const lun_array *array, const bool *axis, lun_error *err);
/* The real or the imaginary parts of complex numbers, as an array of the parts' dtype. */
lun_status lun_array_part(lun_array *out, const lun_array *array, bool imaginary, lun_error *err);
/* Complex numbers as real ones, with a last axis of both parts; and such an array as complex numbers. */
lun_status lun_array_as_real(lun_array *out, const lun_array *array, lun_error *err);
lun_status lun_array_as_complex(lun_array *out, const lun_array *array, lun_error *err);
/* The diagonal of the matrices in two axes, k columns right of their first, or -k rows below, as the last axis; empty where there is
 * none. At least two axes. */
lun_status lun_array_diagonal(lun_array *out, const lun_array *array, const int *axes, int64_t k, lun_error *err);
/* For each of the axes one more, behind the others, that has the `widths[i]` positions from each `steps[i]`-th on; no axis twice.
 * An element is in several windows, so no operation writes them as a whole. A width above the axis's size is LUN_MISUSE. */
lun_status lun_array_windows(lun_array *out, const lun_array *array, int count, const int *axes, const size_t *widths,
                             const size_t *steps, lun_error *err);

/* ---- operations: `out` has the result's shape and dtype, and shares no element with an input -------------- */

/* A function x has an x_result, which says what its result is. */

/* The arrays one behind the other along an axis; the other sizes are equal. The dtype is the one that holds all of theirs. */
lun_status lun_concat_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                             int axis, lun_error *err);
lun_status lun_concat(const lun_array *out, const lun_array *const *arrays, size_t count, int axis,
                      const lun_call *call, lun_error *err);
/* Arrays of one shape along a new axis, which is `axis` of the result. */
lun_status lun_stack_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                            int axis, lun_error *err);
lun_status lun_stack(const lun_array *out, const lun_array *const *arrays, size_t count, int axis, const lun_call *call,
                     lun_error *err);
/* The array `times[i]` times along axis i. Axes are matched from the last on: missing sizes are 1, and so are missing times. */
lun_status lun_tile_result(int *ndim, size_t *shape, const lun_array *array, int count, const size_t *times,
                           lun_error *err);
lun_status lun_tile(const lun_array *out, const lun_array *array, int count, const size_t *times, const lun_call *call,
                    lun_error *err);
/* Each element `shift[i]` positions further along axis i; those that leave at the end come in at the start. */
lun_status lun_roll(const lun_array *out, const lun_array *array, const int64_t *shift, const lun_call *call,
                    lun_error *err);
/* The same through all elements in row-major order. */
lun_status lun_roll_flat(const lun_array *out, const lun_array *array, int64_t shift, const lun_call *call,
                         lun_error *err);

typedef enum lun_pad_mode {
    LUN_PAD_CONSTANT, /* with `value` */
    LUN_PAD_EDGE,     /* with the nearest element */
    LUN_PAD_WRAP,     /* with what is at the other end, as often as needed */
    LUN_PAD_REFLECT,  /* with the mirror image, whose mirror is the last element, as often as needed */
    LUN_PAD_SYMMETRIC /* with the mirror image, whose mirror is behind the last element, as often as needed */
} lun_pad_mode;

typedef struct lun_padding {
    size_t before[LUN_MAX_AXES], after[LUN_MAX_AXES];
    lun_pad_mode mode;
    lun_number value; /* what the dtype cannot hold is LUN_MISUSE */
} lun_padding;

/* The mode of that name, "constant", "edge", "wrap", "reflect" or "symmetric"; others are LUN_MISUSE with the list. */
lun_status lun_pad_mode_find(lun_pad_mode *out, const char *name, lun_error *err);
/* An axis without positions has nothing to pad with: LUN_MISUSE, but for a constant. */
lun_status lun_pad_result(size_t *shape, const lun_array *array, const lun_padding *padding, lun_error *err);
lun_status lun_pad(const lun_array *out, const lun_array *array, const lun_padding *padding, const lun_call *call,
                   lun_error *err);

/* The matrices in the last two axes with zeros above diagonal k (upper: below it). At least two axes. */
lun_status lun_triangle(const lun_array *out, const lun_array *array, bool upper, int64_t k, const lun_call *call,
                        lun_error *err);
/* The square matrix, with zeros, whose diagonal k the vector is. */
lun_status lun_diagonal_matrix_result(size_t *shape, const lun_array *vector, int64_t k, lun_error *err);
lun_status lun_diagonal_matrix(const lun_array *out, const lun_array *vector, int64_t k, const lun_call *call,
                               lun_error *err);
