/* Filling as a part of other operations, which append it to their plans. */
#pragma once

#include "op/variant.h"

/* The problem that rows of fill_variants plan. */
typedef struct fill_problem {
    const lun_array *out;
    cl_ulong2 bits; /* the element, in its low bytes */
} fill_problem;

/* Appends the filling of an array, or of a part of one, to a plan. */
static inline lun_status plan_array_fill(plan *p, const lun_array *out, cl_ulong2 bits, lun_error *err)
{
    return out->size ? plan_variant(p, &fill_variants, &(fill_problem){out, bits}, NULL, err) : LUN_OK;
}

/* Appends the copying of matrices, with zeros above diagonal k, or below it where `upper` (op/move/triangle.c). In place, too. */
lun_status plan_array_triangle(plan *p, const lun_array *out, const lun_array *in, bool upper, int64_t k,
                               lun_error *err);
