/* What makers of arrays share. */
#pragma once

#include "call/compose.h"
#include "op/sequence.h"

/* One result of that shape, of the dtype that the argument `dtype` names, or `missing`. The option `out` has to have that shape,
 * and the dtype where it is named or none may be. */
lun_status maker_result(const lun_array **out, composing *c, lun_dtype missing, int ndim, const size_t *shape,
                        lun_error *err);
/* A size by itself, which is at an argument. */
lun_status maker_size(size_t *out, const lun_request *r, unsigned argument, lun_error *err);
/* n numbers from one to another, which is the last one, or, without the option `endpoint`, would be the next. */
sequence_terms maker_steps(const lun_request *r, double from, double to, size_t n);
