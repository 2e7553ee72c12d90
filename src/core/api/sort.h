/* A part of lunarray.h: sorting and counting. */
#pragma once

#include "array.h"

/* ---- sorting ----------------------------------------------------------------------------------------
 * Sorting is stable: equal elements keep their order, and 0 and -0 are equal. NaN comes last, forwards and backwards. Positions
 * are i64 and count from 1, as index arrays do. */

typedef struct lun_sorting {
    int axis;
    bool descending;
    bool some; /* only the first `first` along the axis are needed */
    size_t first;
} lun_sorting;

/* The shape of the results: the array's own, or with `first` positions along the axis, which may not be more than it has. */
lun_status lun_sort_result(size_t *shape, const lun_array *in, const lun_sorting *sorting, lun_error *err);
/* values: sorted, in the array's dtype; positions: where they were along the axis. One of the two may be NULL. */
lun_status lun_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                    const lun_sorting *sorting, const lun_call *call, lun_error *err);

/* Where each value can be inserted into a sorted array of one axis: i64 positions from 1, in the shape of the values;
 * before equal elements, or with `right` after them. Elements are compared by value. */
lun_status lun_searchsorted(const lun_array *out, const lun_array *sorted, const lun_array *values, bool right,
                            const lun_call *call, lun_error *err);

/* ---- distinct values --------------------------------------------------------------------------------
 * Sorts all elements, and marks each that differs from the one before; lun_mask and lun_nonzero then give the values
 * and their starts, which lun_unique_tell needs. Here all NaN are equal. sorted, marks (u8) and positions (i64, or
 * NULL) have one axis. */
lun_status lun_unique_sort(const lun_array *sorted, const lun_array *positions, const lun_array *marks,
                           const lun_array *in, const lun_call *call, lun_error *err);
/* counts: the number of elements of each value. inverse: the position of each element's value. NULL: not needed. Both
 * are i64 and contiguous; the inverse needs the positions. */
lun_status lun_unique_tell(const lun_array *counts, const lun_array *inverse, const lun_array *starts,
                           const lun_array *positions, size_t elements, const lun_call *call, lun_error *err);

/* ---- counting ---------------------------------------------------------------------------------------
 * Weights are an array of the elements' shape, added in the order of the elements; the sums have the dtype of
 * lun_count_dtype. */

/* i64 without weights, else the dtype of their sums. */
lun_dtype lun_count_dtype(const lun_array *weights);
/* out[i] counts the elements equal to base + i. Other elements are reported as an index out of range is. Only for
 * integers. */
lun_status lun_bincount(const lun_array *out, const lun_array *in, const lun_array *weights, int64_t base,
                        const lun_call *call, lun_error *err);
lun_dtype lun_histogram_dtype(const lun_array *in); /* of the edges */
/* counts of the elements between neighbouring edges; only the last bin includes its upper edge. edges: one more than
 * the counts, evenly spaced from low to high. NaN and elements outside are not counted. */
lun_status lun_histogram(const lun_array *counts, const lun_array *edges, const lun_array *in, const lun_array *weights,
                         double low, double high, const lun_call *call, lun_error *err);
/* The same for pairs x, y, arrays of one shape: counts is contiguous and has two axes, the bins of x and those of y. */
lun_status lun_histogram2d(const lun_array *counts, const lun_array *const edges[2], const lun_array *const in[2],
                           const lun_array *weights, const double low[2], const double high[2], const lun_call *call,
                           lun_error *err);
