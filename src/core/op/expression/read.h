/* Arrays that an expression reads at other positions than their own: rolled and padded. */
#pragma once

#include "op/expression/expression.h"

/* LUN_MISUSE where a padding is wider than its mode can read. */
lun_status read_check(const lun_array *array, const lun_read *read, lun_error *err);
/* The array with the shape that it is read in; its strides are its own, and its positions not all there. */
lun_array read_seen(const lun_array *array, const lun_read *read);
/* How many positions the axis is read further on; false: it is read as it is. */
bool read_axis(int64_t *before, const lun_array *array, const lun_read *read, int axis);
