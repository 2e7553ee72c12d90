/* The draw of a method: its shape, and its parameters, numbers or arrays. */
#include "op/make/drawing.h"
#include "base/dtype.h"
#include "base/shape.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

lun_status drawing_check_array(const lun_array *array, const lun_request *r, const char *name, lun_error *err)
{
    if (array->device != r->device)
        FAIL(LUN_MISUSE, "option '%s': the array is on another device", name);
    if (lun_dtype_has(array->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "option '%s': real numbers are needed, got %s", name, lun_dtype_name(array->dtype));
    return LUN_OK;
}

lun_status drawing_read(drawing *d, const lun_request *r, unsigned i, lun_error *err)
{
    const bool integers = d->draw.distribution == LUN_DRAW_integers;
    const lun_value *option = request_option(r, d->known[i].name);
    const lun_value *value = integers && r->arguments[2 + i].kind != LUN_VALUE_NOTHING ? &r->arguments[2 + i] : option;
    int64_t whole;
    d->draw.parameters[i] = lun_integer(d->known[i].missing);
    if (!value && d->known[i].required)
        return integers
                   ? fail(err, LUN_MISUSE, "the largest number is missing: %s(shape, low, high)", r->operation->name)
                   : fail(err, LUN_MISUSE, "the option %s is missing", d->known[i].name);
    if (!value)
        return LUN_OK;
    if (value->kind == LUN_VALUE_ARRAY) {
        d->given[i] = value->array;
        return drawing_check_array(value->array, r, d->known[i].name, err);
    }
    d->draw.parameters[i] = value->number;
    if (integers && !option) {
        TRY(request_integer(&whole, r, 2 + i, err));
        d->draw.parameters[i] = lun_integer(whole);
    }
    return LUN_OK;
}

/* LUN_MISUSE unless the array broadcasts to the draw's shape. */
static lun_status check_broadcast(const drawing *d, const lun_array *array, const char *name, lun_error *err)
{
    lun_array like = {.ndim = d->ndim};
    int ndim;
    size_t shape[LUN_MAX_AXES];
    char texts[2][SHOWN];
    memcpy(like.shape, d->shape, sizeof like.shape);
    if (shape_broadcast(&ndim, shape, (const lun_array *const[]){array, &like}, 2) && ndim == d->ndim &&
        memcmp(shape, d->shape, (size_t)ndim * sizeof *shape) == 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "option '%s': its shape %s does not broadcast to %s", name,
                array_shape_text(texts[0], SHOWN, array),
                device_shape_text(texts[1], SHOWN, array->device, d->ndim, d->shape));
}

lun_status drawing_shape(drawing *d, const lun_request *r, const lun_array *const *arrays, const char *const *names,
                         lun_error *err)
{
    const lun_value *value = &r->arguments[1];
    const lun_array *some[LUN_DRAW_PARAMETERS];
    size_t count = 0;
    d->wide = draw_wide(r->device);
    for (unsigned i = 0; i < LUN_DRAW_PARAMETERS; i++)
        if (arrays[i])
            some[count++] = arrays[i];
    const bool left_out = value->kind == LUN_VALUE_NOTHING || (count && value_count(value) == 0);
    if (!left_out)
        TRY(request_shape(&d->ndim, d->shape, r, 1, err));
    else if (!shape_broadcast(&d->ndim, d->shape, some, count))
        FAIL(LUN_MISUSE, "the shapes of %s and %s do not broadcast", names[0], names[1]);
    for (unsigned i = 0; i < LUN_DRAW_PARAMETERS; i++)
        if (arrays[i])
            TRY(check_broadcast(d, arrays[i], names[i], err));
    return LUN_OK;
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

lun_status drawing_check(const lun_array **out, composing *c, const drawing *d, const lun_array *in,
                         const draw_parameter *row, double most, lun_error *err)
{
    const parameter_rule rule = {c->r->operation->name, row, most, d->out->dtype};
    lun_array *made;
    TRY(compose_array(&made, c, row->may == WHOLE ? LUN_i64 : d->wide, in->ndim, in->shape, err));
    *out = made;
    return CALLED(c, false, parameter_copy(made, in, &rule, &call, err));
}

lun_status drawing_check_number(const drawing *d, int i, lun_error *err)
{
    char text[SHOWN];
    uint64_t ignored;
    const double most = draw_most(d->draw.distribution, i, d->out);
    const lun_number x = d->draw.parameters[i];
    TRY(parameter_check(&d->known[i], x, err));
    if (d->known[i].may == WHOLE)
        return lun_number_store(&ignored, d->out->dtype, x, err);
    if (x.real > most)
        FAIL(LUN_MISUSE, "%s is %s; for %s it is at most %.17g", d->known[i].name, number_shown(text, x),
             lun_dtype_name(d->out->dtype), most);
    return LUN_OK;
}

lun_status drawing_take(drawing *d, composing *c, lun_error *err)
{
    for (int i = 0; i < LUN_DRAW_PARAMETERS && d->known[i].name; i++)
        TRY(d->given[i] ? drawing_check(&d->taken[i], c, d, d->given[i], &d->known[i],
                                        draw_most(d->draw.distribution, i, d->out), err)
                        : drawing_check_number(d, i, err));
    return LUN_OK;
}

lun_status drawing_array(const lun_array **out, composing *c, const drawing *d, int i, lun_error *err)
{
    lun_array *made;
    *out = d->taken[i];
    if (*out)
        return LUN_OK;
    TRY(compose_array(&made, c, d->known[i].may == WHOLE ? LUN_i64 : d->wide, 0, NULL, err));
    *out = made;
    return CALLED(c, false, lun_array_fill(made, d->draw.parameters[i], &call, err));
}

lun_status drawing_draw(composing *c, const lun_array *to, const drawing *d, const lun_draw *draw, bool last,
                        lun_error *err)
{
    return CALLED(c, last,
                  (call.variant = request_text(c->r, "variant"), lun_array_random(to, draw, d->rng, &call, err)));
}

lun_status drawing_new(const lun_array **out, composing *c, const drawing *d, lun_dtype dtype, lun_draw draw,
                       lun_error *err)
{
    lun_array *made;
    draw.parameters[0] = lun_integer(draw.distribution == LUN_DRAW_exponential);
    draw.parameters[1] = lun_integer(1);
    TRY(compose_array(&made, c, dtype, d->ndim, d->shape, err));
    *out = made;
    return drawing_draw(c, made, d, &draw, false, err);
}

unsigned of_parameter(composed *x, const drawing *d, int i, lun_dtype dtype)
{
    return d->taken[i] ? of_cast_array(x, dtype, d->taken[i]) : of_real(x, d->draw.parameters[i].real);
}

lun_status drawing_give(composing *c, const drawing *d, composed *x, lun_dtype has, unsigned value, lun_error *err)
{
    x->results[0] = of_given(x, d->out->dtype, has, value);
    return compose_into(c, &d->out, x, true, err);
}
