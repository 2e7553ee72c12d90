/* Shifted reads of arrays in expressions: rolled and padded. */
#pragma once

#include "op/expression/expression.h"

/* LUN_MISUSE if a padding is wider than its mode can read. */
lun_status read_check(const lun_array *array, const lun_read *read, lun_error *err);
/* The array with the shape of the read and its own strides; some positions are outside of its memory. */
lun_array read_seen(const lun_array *array, const lun_read *read);
/* The shift of the read along the axis; false: not shifted. */
bool read_axis(int64_t *before, const lun_array *array, const lun_read *read, int axis);
