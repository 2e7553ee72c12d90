/* Positions in the flattened array and along each of its axes, one made of the other. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

/* Integers of any dtype as index arrays. */
static lun_status as_index(const lun_array **out, composing *c, const lun_array *in, lun_error *err)
{
    *out = in;
    if (!dtype_is_whole(in->dtype) || lun_dtype_has(in->dtype, LUN_TRUTHS))
        FAIL(LUN_MISUSE, "the index array is %s; whole numbers are needed", lun_dtype_name(in->dtype));
    if (in->dtype == LUN_i32 || in->dtype == LUN_i64)
        return LUN_OK;
    return compose_cast(out, c, LUN_i64, in, err);
}

/* ---- ravel --------------------------------------------------------------------------------------------------------------- */

static lun_status ravel(composing *c, lun_error *err)
{
    const lun_list *list = &c->r->arguments[1].list;
    const lun_array *index[LUN_MAX_AXES], *out;
    size_t shape[LUN_MAX_AXES];
    int ndim;
    lun_places places;
    TRY(value_counts(&ndim, shape, c->r, &c->r->arguments[2], "size", 0, err));
    if (list->count != (size_t)ndim || ndim == 0)
        FAIL(LUN_MISUSE, "got %zu index arrays and %d sizes; equal numbers are needed, and at least one", list->count,
             ndim);
    for (int i = 0; i < ndim; i++)
        TRY(as_index(&index[i], c, list->items[i].array, err));
    TRY(lun_places_at(&places, c->r->device, ndim, shape, index, (size_t)ndim, err));
    TRY(compose_result(&out, c, 0, LUN_i64, places.ndim, places.shape, err));
    return CALLED(c, true, lun_places_tell(out, c->r->operation->name, &places, &call, err));
}

COMPOSED(ravel)

/* ---- unravel ------------------------------------------------------------------------------------------------------------- */

/* The positions, looked at whether they are in range. */
static lun_status checked(lun_array **out, composing *c, size_t size, lun_error *err)
{
    lun_places places;
    const lun_array *index;
    TRY(as_index(&index, c, c->r->arguments[0].array, err));
    TRY(lun_places_at(&places, c->r->device, 1, &size, &index, 1, err));
    TRY(compose_array(out, c, LUN_i64, places.ndim, places.shape, err));
    return CALLED(c, false, lun_places_tell(*out, c->r->operation->name, &places, &call, err));
}

/* Of each axis: what is left of a position counted from 0, by the elements behind the axis, and by its own positions. */
static lun_status unravel(composing *c, lun_error *err)
{
    composed x = {0};
    lun_array *positions;
    size_t shape[LUN_MAX_AXES], behind = 1;
    int ndim;
    TRY(value_counts(&ndim, shape, c->r, &c->r->arguments[1], "size", 0, err));
    if (ndim == 0)
        FAIL(LUN_MISUSE, "at least one size is needed");
    TRY(shape_size(&behind, ndim, shape, 1, err));
    TRY(checked(&positions, c, behind, err));
    x.result_count = (size_t)ndim;
    const unsigned one = of_number(&x, lun_integer(1)),
                   from_zero = of_op(&x, LUN_MAP_sub, of_array(&x, positions), one);
    behind = 1;
    for (int i = ndim - 1; i >= 0; behind *= shape[i--]) {
        unsigned at = from_zero;
        if (behind != 1)
            at = of_op(&x, LUN_MAP_floordiv, at, of_number(&x, lun_integer((int64_t)behind)));
        if (i > 0)
            at = of_op(&x, LUN_MAP_mod, at, of_number(&x, lun_integer((int64_t)shape[i])));
        x.results[manner_axis(c->r->manner, i, ndim)] = of_op(&x, LUN_MAP_add, at, one);
    }
    return compose_give_map(c, &x, err);
}

COMPOSED(unravel)
