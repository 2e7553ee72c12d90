/* A part of lunarray.h: arranging and joining arrays. More views, and operations that make an array from parts of
 * others.
 *
 * All dtypes, any views, arrays without elements, 0 to 8 axes. The results are NumPy's. */
#pragma once

#include "array.h"

/* ---- views: they share the memory and keep it; `out` may not be `array` ---------------------------------- */

/* The array broadcast to that shape: axes are matched from the last on, and a missing axis or one of size 1 matches any
 * size. An element can then be at several positions, so writing the view as a whole is LUN_MISUSE. */
lun_status lun_array_broadcast(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err);
/* Drops the marked axes; one whose size is not 1 is LUN_MISUSE. NULL: drops all axes of size 1. */
lun_status lun_array_squeeze(lun_array *out, const lun_array *array, const bool *axis, lun_error *err);
/* Adds `count` axes of size 1: the marked axes of the view. */
lun_status lun_array_expand(lun_array *out, const lun_array *array, const bool *axis, int count, lun_error *err);
/* Reverses the marked axes. */
lun_status lun_array_flip(lun_array *out, const lun_array *array, const bool *axis, lun_error *err);
/* The real or imaginary parts of complex numbers, as an array in the dtype of the parts. */
lun_status lun_array_part(lun_array *out, const lun_array *array, bool imaginary, lun_error *err);
/* Complex numbers as real ones, with a last axis for the two parts; and the inverse. */
lun_status lun_array_as_real(lun_array *out, const lun_array *array, lun_error *err);
lun_status lun_array_as_complex(lun_array *out, const lun_array *array, lun_error *err);
/* The diagonals of the matrices in two axes, k columns right of the main one or -k rows below it, along the last axis;
 * empty if there is no such diagonal. The array needs at least two axes. */
lun_status lun_array_diagonal(lun_array *out, const lun_array *array, const int *axes, int64_t k, lun_error *err);
/* Windows: for each of the axes, which must differ, another axis after the others, with the `widths[i]` positions from
 * each `steps[i]`-th position on. Windows share elements, so no operation writes them as a whole. A width above the
 * axis's size is LUN_MISUSE. */
lun_status lun_array_windows(lun_array *out, const lun_array *array, int count, const int *axes, const size_t *widths,
                             const size_t *steps, lun_error *err);

/* ---- operations: `out` has the result's shape and dtype, and shares no element with an input -------------- */

/* For a function x, x_result gives the dtype and shape of the result. */

/* Joins the arrays along an axis; the other sizes must be equal. The dtype is the one that holds all of theirs. */
lun_status lun_concat_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                             int axis, lun_error *err);
lun_status lun_concat(const lun_array *out, const lun_array *const *arrays, size_t count, int axis,
                      const lun_call *call, lun_error *err);
/* Joins arrays of one shape along a new axis, `axis` of the result. */
lun_status lun_stack_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                            int axis, lun_error *err);
lun_status lun_stack(const lun_array *out, const lun_array *const *arrays, size_t count, int axis, const lun_call *call,
                     lun_error *err);
/* Repeats the array `times[i]` times along axis i. Axes are matched from the last on; missing sizes and missing times
 * are 1. */
lun_status lun_tile_result(int *ndim, size_t *shape, const lun_array *array, int count, const size_t *times,
                           lun_error *err);
lun_status lun_tile(const lun_array *out, const lun_array *array, int count, const size_t *times, const lun_call *call,
                    lun_error *err);
/* Moves each element `shift[i]` positions along axis i; elements that leave at the end enter at the start. */
lun_status lun_roll(const lun_array *out, const lun_array *array, const int64_t *shift, const lun_call *call,
                    lun_error *err);
/* The same for all elements in row-major order. */
lun_status lun_roll_flat(const lun_array *out, const lun_array *array, int64_t shift, const lun_call *call,
                         lun_error *err);

typedef enum lun_pad_mode {
    LUN_PAD_CONSTANT, /* with `value` */
    LUN_PAD_EDGE,     /* with the nearest element */
    LUN_PAD_WRAP,     /* with the elements of the other end, repeatedly if needed */
    LUN_PAD_REFLECT,  /* with the mirror image without the last element, repeatedly if needed */
    LUN_PAD_SYMMETRIC /* with the mirror image that begins with the last element, repeatedly if needed */
} lun_pad_mode;

typedef struct lun_padding {
    size_t before[LUN_MAX_AXES], after[LUN_MAX_AXES];
    lun_pad_mode mode;
    lun_number value; /* a value that the dtype cannot hold is LUN_MISUSE */
} lun_padding;

/* The mode of that name, "constant", "edge", "wrap", "reflect" or "symmetric"; others are LUN_MISUSE with the list. */
lun_status lun_pad_mode_find(lun_pad_mode *out, const char *name, lun_error *err);
/* An axis without positions can only be padded with a constant: LUN_MISUSE in the other modes. */
lun_status lun_pad_result(size_t *shape, const lun_array *array, const lun_padding *padding, lun_error *err);
lun_status lun_pad(const lun_array *out, const lun_array *array, const lun_padding *padding, const lun_call *call,
                   lun_error *err);

/* The matrices in the last two axes with zeros above diagonal k (upper: below it). The array needs at least two
 * axes. */
lun_status lun_triangle(const lun_array *out, const lun_array *array, bool upper, int64_t k, const lun_call *call,
                        lun_error *err);
/* The square matrix with the vector on diagonal k and zeros elsewhere. */
lun_status lun_diagonal_matrix_result(size_t *shape, const lun_array *vector, int64_t k, lun_error *err);
lun_status lun_diagonal_matrix(const lun_array *out, const lun_array *vector, int64_t k, const lun_call *call,
                               lun_error *err);
