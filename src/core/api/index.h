/* A part of lunarray.h: elements chosen by index and by mask. */
#pragma once

#include "array.h"

/* ---- choosing by index ------------------------------------------------------------------------------
 * Index arrays are i32 or i64, and what is in them counts from 1. An index that is out of range touches nothing. The
 * device alone sees it, so it is not an error of the call: the operation then has failed, as one that its device failed has, and
 * what it was to write is marked. */

#define LUN_FLATTENED (-1) /* no axis: positions in the flattened array, row-major */

/* The shape of what the index takes: its own, or the array's with the index's axes in place of `axis`. */
lun_status lun_take_result(int *ndim, size_t *shape, const lun_array *in, const lun_array *index, int axis,
                           lun_error *err);
/* out: of that shape, and of the array's dtype. */
lun_status lun_take(const lun_array *out, const lun_array *in, const lun_array *index, int axis, const lun_call *call,
                    lun_error *err);

/* What is written: an array that broadcasts to the shape it is written to, cast to the dtype there; or a number. */
typedef struct lun_values {
    const lun_array *array; /* NULL: `number` */
    lun_number number;
} lun_values;

/* Writes to the array's flattened positions. Of equal indices the last one's value stays. */
lun_status lun_put(const lun_array *array, const lun_array *index, const lun_values *values, const lun_call *call,
                   lun_error *err);
/* Combines there by LUN_REDUCE_sum, prod, min or max, values of equal indices too, with the same bits every time. */
lun_status lun_combine_at(const lun_array *array, const lun_array *index, const lun_values *values, lun_reduce_op op,
                          const lun_call *call, lun_error *err);

/* ---- places -----------------------------------------------------------------------------------------
 * Index arrays that each say positions along an axis of their own, and the places that they name together: they broadcast. */

typedef struct lun_places {
    int ndim; /* of the places */
    size_t shape[LUN_MAX_AXES];
    int walks[LUN_MAX_AXES]; /* the axis of the array that an axis of the places walks; -1: none */
    size_t count;
    const lun_array *index[LUN_MAX_AXES];
    int axis[LUN_MAX_AXES]; /* of the array, for each index array */
    int behind;             /* that many axes of the places come behind those of the index arrays */
    int array_ndim;
    size_t array_shape[LUN_MAX_AXES];
} lun_places;

/* One index array, whose axes are the array's: both broadcast, but along the axis. */
lun_status lun_places_along(lun_places *out, const lun_array *array, const lun_array *index, int axis, lun_error *err);
/* Index arrays for the first axes; the axes without one come behind theirs. */
lun_status lun_places_at(lun_places *out, lun_device *device, int ndim, const size_t *shape,
                         const lun_array *const *index, size_t count, lun_error *err);
/* The elements there, in the shape of the places. `name` is the operation's, a literal, for failures. */
lun_status lun_places_take(const lun_array *out, const char *name, const lun_array *in, const lun_places *places,
                           const lun_call *call, lun_error *err);
/* Positions in the flattened array, i64 from 1, in the shape of the places; where an index is out of range 0, beside the failure. */
lun_status lun_places_tell(const lun_array *out, const char *name, const lun_places *places, const lun_call *call,
                           lun_error *err);

/* ---- choosing by mask -------------------------------------------------------------------------------
 * How many elements a mask picks is known once it has been counted: lun_mask_count fills an i64 array of
 * lun_mask_counts(mask) elements, the last of which is the number of all. */

size_t lun_mask_counts(const lun_array *mask);
/* True is what is not 0, in a mask of any dtype; NaN is true. */
lun_status lun_mask_count(const lun_array *counts, const lun_array *mask, const lun_call *call, lun_error *err);
/* LUN_MISUSE unless the mask is u8 and has the array's shape. */
lun_status lun_mask_check(const lun_array *array, const lun_array *mask, lun_error *err);
/* out: 1-d, with as many elements as were counted, in row-major order. */
lun_status lun_mask(const lun_array *out, const lun_array *in, const lun_array *mask, const lun_array *counts,
                    const lun_call *call, lun_error *err);
/* out: axes x number, i64: along each axis the positions of true elements, which count from 1. */
lun_status lun_nonzero(const lun_array *out, const lun_array *mask, const lun_array *counts, const lun_call *call,
                       lun_error *err);
/* Writes where the mask is true: one number or element everywhere, or a 1-d array, element by element in row-major order. If
 * such an array has not as many elements as the mask is true, nothing is written, and the operation has failed as by an
 * index out of range. */
lun_status lun_mask_put(const lun_array *array, const lun_array *mask, const lun_values *values, const lun_call *call,
                        lun_error *err);
