/* Filling, as a part of the plans of other operations. */
#pragma once

#include "op/variant.h"

/* The problem of the rows of fill_variants. */
typedef struct fill_problem {
    const lun_array *out;
    cl_ulong2 bits; /* the element, in its low bytes */
} fill_problem;

/* Appends the filling of an array, or of a part of one, to a plan. */
static inline lun_status plan_array_fill(plan *p, const lun_array *out, cl_ulong2 bits, lun_error *err)
{
    return out->size ? plan_variant(p, &fill_variants, &(fill_problem){out, bits}, NULL, err) : LUN_OK;
}

/* Appends a copy of matrices with zeros above diagonal k, or with `upper` below it (op/move/triangle.c). Also in
 * place. */
lun_status plan_array_triangle(plan *p, const lun_array *out, const lun_array *in, bool upper, int64_t k,
                               lun_error *err);
