/* Shared parts of makers of arrays. */
#pragma once

#include "call/compose.h"
#include "op/sequence.h"

/* One result of that shape, in the dtype of the argument `dtype`, or `missing`. The option `out` must have that shape,
 * and the dtype if it is given or cannot be given. */
lun_status maker_result(const lun_array **out, composing *c, lun_dtype missing, int ndim, const size_t *shape,
                        lun_error *err);
/* A single size, given as an argument. */
lun_status maker_size(size_t *out, const lun_request *r, unsigned argument, lun_error *err);
/* n numbers between two ends; the second end is the last number, or without the option `endpoint` the one after it. */
sequence_terms maker_steps(const lun_request *r, double from, double to, size_t n);
