/* Tests whether elements of an array are among values. */
#pragma once

#include "call/compose.h"

/* Writes to an array of bool, of the elements' shape, whether each is (or is not) one of the values. NaN equals
 * none. */
lun_status member_tell(const lun_array *to, composing *c, const lun_array *in, const lun_array *values, bool is,
                       bool last, lun_error *err);
