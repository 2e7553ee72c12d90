/* Recursive filters of lines. */
#pragma once

#include "call/interface.h"

/* `sections` filters in series. Coefficients and states have the dtype of the computation: f64 or c128, or f32 or c64
 * on a device without f64. */
typedef struct filter_problem {
    const lun_array *out, *in;        /* of one shape and dtype */
    const lun_array *coefficients[2]; /* b and a: rows, or a matrix with a row for each section */
    const lun_array *initial, *final; /* dense states, a row for each line; NULL: initial states are 0, and final ones
                                       * are not returned */
    size_t sections, order;           /* and states of each section, 1 at least */
    int axis, parts;                  /* 2: for complex numbers filtered by real coefficients */
} filter_problem;

lun_status filter_lines(const filter_problem *p, const char *name, const lun_call *call, lun_error *err);
