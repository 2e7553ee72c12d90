/* Masks over the first axes of an array, which choose rows. */
#ifndef LUN_OP_INDEX_ROW_MASKS_H
#define LUN_OP_INDEX_ROW_MASKS_H

#include "op/compose.h"

/* Has the mask fewer axes than the array, of the sizes of its first ones? */
bool rows_are_masked(const lun_array *array, const lun_array *mask);
lun_status rows_bind_mask(lun_request *r, lun_error *err);
lun_status rows_run_mask(bool *more, lun_request *r, lun_array *const *out, lun_error *err);
/* Writes values, which broadcast to a row, where the mask is true. */
lun_status rows_put(lun_request *r, const lun_array *array, const lun_array *mask, const lun_values *values,
                    lun_error *err);

/* The array and the axis that the argument names, or without it all elements in a row. */
lun_status rows_along(const lun_array **out, int *axis, composing *c, unsigned argument, lun_error *err);

#endif
