/* Arithmetic sequences whose numbers are rounded once, for several rooms (op/make/sequence.c). */
#pragma once

#include "op/operation.h"

/* Number i, from 0, is (first + i step) / over. Each of these is a sum of two doubles, the second below the rounding of
 * the first. */
typedef struct sequence_terms {
    double first[2], step[2], over[2];
} sequence_terms;

/* from, ... such that `to` is `steps` steps later. */
sequence_terms sequence_between(const lun_device *device, double from, double to, double steps);
/* first, first + 1, ... divided by n d. */
sequence_terms sequence_of_quotients(const lun_device *device, double first, double n, double d);
/* Fills an array of a float dtype. */
lun_status sequence_write(const lun_array *out, const sequence_terms *terms, const lun_call *call, lun_error *err);
/* Fills an array of the widest float with the rounding errors of those numbers. */
lun_status sequence_write_rest(const lun_array *out, const sequence_terms *terms, const lun_call *call, lun_error *err);
