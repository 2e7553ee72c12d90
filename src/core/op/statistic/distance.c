/* Distances between points, and the centre of mass. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <math.h>

/* ---- cdist ------------------------------------------------------------------------------------------------------- */

/* Points as rows, with an axis of size 1 for those of the other array. */
static lun_status as_points(const lun_array **out, composing *c, const lun_array *in, const char *which, int axis,
                            lun_error *err)
{
    lun_array *view;
    char shape[200];
    TRY(dtype_check_ordered(in->dtype, err));
    if (in->ndim != 2)
        FAIL(LUN_MISUSE, "%s has shape %s; a matrix whose rows are points is needed", which,
             array_shape_text(shape, sizeof shape, in));
    if (c->r->manner->reversed) {
        COMPOSE_VIEW(view, c, lun_array_permute(view, in, (const int[]){1, 0}, err));
        in = view;
    }
    return compose_expand(out, c, in, axis, err);
}

static lun_status cdist(composing *c, lun_error *err)
{
    const lun_array *const given[] = {c->r->arguments[0].array, c->r->arguments[1].array}, *points[2];
    const double p = request_number(c->r, "p", lun_integer(2)).real;
    const composed_axes over = {.axis = {false, false, true}};
    const bool reversed = c->r->manner->reversed;
    composed x = {0};
    lun_dtype computed;
    if (p != 1 && p != 2 && !(isinf(p) && p > 0))
        FAIL(LUN_MISUSE, "p is %g; 1, 2 or infinity is needed", p);
    TRY(array_check_same_device(given[0], given[1], "b", err));
    TRY(as_points(&points[0], c, given[0], "the array", reversed ? 0 : 1, err));
    TRY(as_points(&points[1], c, given[1], "b", reversed ? 1 : 0, err));
    if (points[0]->shape[2] != points[1]->shape[2])
        FAIL(LUN_MISUSE, "b has %zu columns, expected %zu (the columns of the array)", points[1]->shape[2],
             points[0]->shape[2]);
    (void)compose_float(&computed, c, given, 2);
    const unsigned a = of_cast_array(&x, computed, points[0]), b = of_cast_array(&x, computed, points[1]);
    x.results[0] = of_op(&x, LUN_MAP_sub, a, b);
    return compose_give_fold(c, &x,
                             p == 1   ? LUN_REDUCE_asum
                             : p == 2 ? LUN_REDUCE_norm
                                      : LUN_REDUCE_absmax,
                             &over, err);
}

COMPOSED(cdist)

/* ---- centre of mass ---------------------------------------------------------------------------------------------- */

static lun_status centre_of_mass(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *sums[LUN_MAX_AXES + 1], *out, *row, *part;
    const int ndim = in->ndim;
    lun_reduce_op ops[LUN_MAX_AXES + 1];
    composed_axes over = {.keepdims = false};
    composed x = {.result_count = (size_t)ndim + 1};
    lun_array *along;
    lun_dtype computed;
    const lun_dtype dtype = compose_float(&computed, c, &in, 1);
    TRY(dtype_check_ordered(in->dtype, err));
    if (ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    TRY(compose_result(&out, c, 0, dtype, 1, &(size_t){(size_t)ndim}, err));
    TRY(compose_check_out(c, out, in, err));
    const unsigned mass = of_cast_array(&x, computed, in);
    for (int i = 0; i <= ndim; i++) {
        size_t shape[LUN_MAX_AXES];
        ops[i] = LUN_REDUCE_sum;
        x.results[i] = mass;
        if (i == ndim)
            break;
        for (int k = 0; k < ndim; k++)
            shape[k] = k == i ? in->shape[k] : 1;
        over.axis[i] = true;
        TRY(compose_sequence(&along, c, in->shape[i], c->r->manner->first, 1, err));
        TRY(compose_reshape(&row, c, along, ndim, shape, err));
        x.results[i] = of_op(&x, LUN_MAP_mul, mass, of_cast_array(&x, computed, row));
    }
    TRY(compose_fold(sums, c, &x, ops, &over, err));
    for (int i = 0; i < ndim; i++) {
        TRY(compose_slice(&part, c, out, 0, manner_axis(c->r->manner, i, ndim), 1, 1, err));
        x = (composed){0};
        const unsigned sum = of_array(&x, sums[i]);
        x.results[0] = of_given(&x, dtype, sums[i]->dtype, of_op(&x, LUN_MAP_div, sum, of_array(&x, sums[ndim])));
        TRY(compose_reshape(&part, c, part, 0, NULL, err));
        TRY(compose_into(c, &part, &x, i == ndim - 1, err));
    }
    return LUN_OK;
}

COMPOSED(centre_of_mass)
