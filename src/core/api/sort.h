/* A part of lunarray.h: sorting and counting. */
#ifndef LUN_API_SORT_H
#define LUN_API_SORT_H

#include "array.h"

/* ---- sorting ----------------------------------------------------------------------------------------
 * Sorting is stable: equal elements keep their order, and 0 and -0 are equal. NaN comes last, forwards and backwards. Positions
 * are i64 and count from 1, as index arrays do. */

typedef struct lun_sorting {
    int axis;
    bool descending;
    bool some; /* only the `first` along the axis are wanted */
    size_t first;
} lun_sorting;

/* The shape of the results: the array's own, or with `first` positions along the axis, which may not be more than it has. */
lun_status lun_sort_result(size_t *shape, const lun_array *in, const lun_sorting *sorting, lun_error *err);
/* values: sorted, of the array's dtype; positions: where they stood along the axis. One of them may be NULL. */
lun_status lun_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                    const lun_sorting *sorting, const lun_call *call, lun_error *err);

#endif
