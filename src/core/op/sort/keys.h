/* Values that a sorted array is asked for: an array, a number, or a list of numbers, which becomes an array. */
#pragma once

#include "call/compose.h"

/* Argument 1, in a dtype that has all the numbers of a list as the array, argument 0, has them; compose_waits comes behind it. */
lun_status keys_bring(const lun_array **out, composing *c, lun_error *err);
