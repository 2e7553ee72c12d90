/* Recursive filters of lines. */
#pragma once

#include "call/interface.h"

/* `sections` filters, each of the results of the one before. Coefficients and states have the dtype in which is computed: f64 or c128,
 * or f32 or c64 where the device has no f64. */
typedef struct filter_problem {
    const lun_array *out, *in;        /* of one shape and dtype */
    const lun_array *coefficients[2]; /* b and a: rows, or a matrix with a row for each section */
    const lun_array *initial, *final; /* dense states, a row of them for each line; NULL: 0, and none */
    size_t sections, order;           /* and states of each section, 1 at least */
    int axis, parts;                  /* 2: of complex numbers that are filtered by real ones */
} filter_problem;

lun_status filter_lines(const filter_problem *p, const char *name, const lun_call *call, lun_error *err);
