/* The frequencies of transforms, and their order. */
#include "call/compose.h"
#include "op/sequence.h"

/* Half of each axis is rolled: the frequency 0 comes to the middle, or back. */
static lun_status fftshift(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const lun_value *named = &c->r->arguments[1];
    const bool back = request_is(c->r, ROW_INVERSE), all = named->kind == LUN_VALUE_NOTHING;
    int64_t shifts[LUN_MAX_AXES] = {0};
    int count = in->ndim, axes[LUN_MAX_AXES];
    if (!all)
        TRY(value_axes(&count, axes, c->r, named, in->ndim, in->shape, false, err));
    for (int i = 0; i < count; i++) {
        const int axis = all ? i : axes[i];
        const int64_t half = (int64_t)(in->shape[axis] / 2);
        shifts[axis] = back ? -half : half;
    }
    TRY(compose_like(&out, c, in->dtype, in, err));
    return CALLED(c, true, lun_roll(out, in, shifts, &call, err));
}

COMPOSED(fftshift)

/* Of rfftfreq all numbers are from 0 on; of fftfreq those of the second half are negative. */
static lun_status fftfreq(composing *c, lun_error *err)
{
    const lun_value *spacing = &c->r->arguments[2], *named = &c->r->arguments[3];
    const double apart = spacing->kind == LUN_VALUE_NOTHING ? 1 : spacing->number.real;
    const bool real = request_is(c->r, ROW_HALVED);
    const lun_array *out, *parts[2];
    lun_dtype dtype = c->r->floats;
    int64_t n;
    TRY(request_integer_from(&n, c->r, 1, 1, err));
    if (apart == 0)
        FAIL(LUN_MISUSE, "the distance between samples is 0");
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_dtype(&dtype, named, err));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "frequencies are not integers: %s cannot hold them", lun_dtype_name(dtype));
    const size_t all = real ? (size_t)n / 2 + 1 : (size_t)n, first = real ? all : ((size_t)n + 1) / 2;
    TRY(compose_result(&out, c, 0, dtype, 1, &all, err));
    for (int i = 0; i < 2; i++) {
        const size_t count = i ? all - first : first;
        const sequence_terms terms = sequence_of_quotients(c->r->device, i ? -(double)count : 0, (double)n, apart);
        TRY(compose_slice(&parts[i], c, out, 0, i ? (int64_t)first : 0, 1, count, err));
        if (count)
            TRY(CALLED(c, i || first == all, sequence_write(parts[i], &terms, &call, err)));
    }
    return LUN_OK;
}

COMPOSED(fftfreq)
