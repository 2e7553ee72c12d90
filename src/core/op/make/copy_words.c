/* Copies and filling. */
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

/* ---- fill ---------------------------------------------------------------------------------------------------------------- */

static lun_status fill(composing *c, lun_error *err)
{
    lun_array *out;
    TRY(compose_in_place(&out, c, err));
    return CALLED(c, true, lun_array_fill(out, value_scalar(&c->r->arguments[1]), &call, err));
}

COMPOSED(fill)

/* ---- copies -------------------------------------------------------------------------------------------------------------- */

/* A copy between devices may wait. */
static lun_status give_copy(composing *c, lun_dtype dtype, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *given = request_array_option(c->r, "out");
    if (given && given->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(given->dtype), lun_dtype_name(dtype));
    c->unchecked = true;
    TRY(compose_like(&out, c, dtype, in, err));
    return compose_enters(c) ? request_copy(c->more, c->r, out, in, err) : LUN_OK;
}

static lun_status copy(composing *c, lun_error *err) { return give_copy(c, c->r->arguments[0].array->dtype, err); }

static lun_status cast(composing *c, lun_error *err)
{
    lun_dtype dtype;
    TRY(value_dtype(&dtype, &c->r->arguments[1], err));
    return give_copy(c, dtype, err);
}

/* flatten: the result, viewed in the array's shape, is a copy of the array. */
static lun_status flatten(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *given = request_array_option(c->r, "out");
    lun_array *view;
    if (given)
        TRY(array_check_out(given, in, in->dtype, 1, &in->size, err));
    TRY(compose_result(&out, c, 0, in->dtype, 1, &in->size, err));
    COMPOSE_VIEW(view, c, lun_array_reshape(view, out, in->ndim, in->shape, err));
    return compose_copy(c, view, in, true, err);
}

/* The array itself if there is nothing to copy; its event is then complete. */
static lun_status copy_unless(bool itself, composing *c, lun_error *err)
{
    lun_array *out;
    if (!itself)
        return copy(c, err);
    TRY(compose_in_place(&out, c, err));
    if (c->out && c->r->call.event)
        c->r->call.event->device = lun_device_retain(c->r->device);
    return LUN_OK;
}

static lun_status contiguous(composing *c, lun_error *err)
{
    return copy_unless(lun_array_is_contiguous(c->r->arguments[0].array), c, err);
}

static lun_status to(composing *c, lun_error *err)
{
    return copy_unless(c->r->device == c->r->arguments[0].array->device, c, err);
}

COMPOSED(copy)
COMPOSED(cast)
COMPOSED(flatten)
COMPOSED(contiguous)
COMPOSED(to)
