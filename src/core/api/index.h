/* A part of lunarray.h: elements chosen by index and by mask. */
#pragma once

#include "array.h"

/* ---- choosing by index ------------------------------------------------------------------------------
 * Index arrays are i32 or i64, and indices count from 1. An index out of range touches nothing. Only the device can see
 * it, so the call succeeds and the operation fails later, as after a failure of the device: its outputs are marked. */

#define LUN_FLATTENED (-1) /* no axis: positions in the flattened array, row-major */

/* The shape of the taken elements: that of the index, or the array's with the index's axes in place of `axis`. */
lun_status lun_take_result(int *ndim, size_t *shape, const lun_array *in, const lun_array *index, int axis,
                           lun_error *err);
/* out has that shape and the array's dtype. */
lun_status lun_take(const lun_array *out, const lun_array *in, const lun_array *index, int axis, const lun_call *call,
                    lun_error *err);

/* What to write: a number, or an array, which broadcasts to the written shape and is cast to its dtype. */
typedef struct lun_values {
    const lun_array *array; /* NULL: `number` */
    lun_number number;
} lun_values;

/* Writes to positions of the flattened array. For equal indices the last value is kept. */
lun_status lun_put(const lun_array *array, const lun_array *index, const lun_values *values, const lun_call *call,
                   lun_error *err);
/* Combines by LUN_REDUCE_sum, prod, min or max, including the values of equal indices, with the same bits every
 * time. */
lun_status lun_combine_at(const lun_array *array, const lun_array *index, const lun_values *values, lun_reduce_op op,
                          const lun_call *call, lun_error *err);

/* ---- places -----------------------------------------------------------------------------------------
 * Several index arrays, each with positions along one axis; they broadcast, and together select places. */

typedef struct lun_places {
    int ndim; /* shape of the places */
    size_t shape[LUN_MAX_AXES];
    int walks[LUN_MAX_AXES]; /* the axis of the array that an axis of the places walks; -1: none */
    size_t count;
    const lun_array *index[LUN_MAX_AXES];
    int axis[LUN_MAX_AXES]; /* of the array, for each index array */
    int behind;             /* that many axes of the places come after those of the index arrays */
    int array_ndim;
    size_t array_shape[LUN_MAX_AXES];
} lun_places;

/* One index array with the axes of the array: apart from `axis` both broadcast. */
lun_status lun_places_along(lun_places *out, const lun_array *array, const lun_array *index, int axis, lun_error *err);
/* Index arrays for the first axes; the remaining axes come after theirs. */
lun_status lun_places_at(lun_places *out, lun_device *device, int ndim, const size_t *shape,
                         const lun_array *const *index, size_t count, lun_error *err);
/* The elements at the places, in their shape. `name` is the operation's, a literal, for failures. */
lun_status lun_places_take(const lun_array *out, const char *name, const lun_array *in, const lun_places *places,
                           const lun_call *call, lun_error *err);
/* Positions in the flattened array, i64 from 1, in the shape of the places. An index out of range gives 0 and a
 * failure. */
lun_status lun_places_tell(const lun_array *out, const char *name, const lun_places *places, const lun_call *call,
                           lun_error *err);

/* ---- choosing by mask -------------------------------------------------------------------------------
 * The number of elements that a mask selects is known only after counting: lun_mask_count fills an i64 array of
 * lun_mask_counts(mask) elements, the last of which is the total. */

size_t lun_mask_counts(const lun_array *mask);
/* Any value other than 0 is true, in a mask of any dtype; NaN is true. */
lun_status lun_mask_count(const lun_array *counts, const lun_array *mask, const lun_call *call, lun_error *err);
/* LUN_MISUSE unless the mask is u8 and has the array's shape. */
lun_status lun_mask_check(const lun_array *array, const lun_array *mask, lun_error *err);
/* out has one axis with as many elements as were counted, in row-major order. */
lun_status lun_mask(const lun_array *out, const lun_array *in, const lun_array *mask, const lun_array *counts,
                    const lun_call *call, lun_error *err);
/* out is axes x number, i64: for each axis the positions of the true elements, from 1. */
lun_status lun_nonzero(const lun_array *out, const lun_array *mask, const lun_array *counts, const lun_call *call,
                       lun_error *err);
/* Writes where the mask is true: one number or element everywhere, or an array with one axis, element by element in
 * row-major order. If the length of such an array differs from the number of true elements, nothing is written, and the
 * operation fails as for an index out of range. */
lun_status lun_mask_put(const lun_array *array, const lun_array *mask, const lun_values *values, const lun_call *call,
                        lun_error *err);
