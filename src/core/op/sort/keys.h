/* The values to search for in a sorted array: an array, a number, or a list of numbers, which becomes an array. */
#pragma once

#include "call/compose.h"

/* Argument 1; for a list, in a dtype in which all its numbers compare correctly with the array, argument 0.
 * compose_waits must follow. */
lun_status keys_bring(const lun_array **out, composing *c, lun_error *err);
