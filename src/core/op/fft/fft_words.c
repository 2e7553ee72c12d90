/* Fourier transforms: words of one along some axes, and that as an operation. */
#include "call/compose.h"
#include "op/fft/fft.h"

#include "api/functions.h"

#include <math.h>
#include <string.h>

/* What a name says. `halved`: of a real line's transform there is the first half, and one. `turned`: the halved numbers are
 * conjugated, and divided by as if the transform went the other way. */
typedef struct kind {
    bool inverse, halved, in_place, several, turned;
} kind;

typedef struct transform {
    kind kind;
    fft_axes along;
    size_t shape[LUN_MAX_AXES]; /* of the result */
} transform;

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

static lun_status check_dtype(const kind *k, const lun_request *r, lun_error *err)
{
    const lun_dtype dtype = r->arguments[0].array->dtype;
    const char *name = lun_dtype_name(dtype);
    const bool pairs = lun_dtype_has(dtype, LUN_PAIRS);
    if (k->halved && !k->inverse && pairs)
        FAIL(LUN_MISUSE, "the array is %s, complex; real numbers are needed; fft transforms complex ones", name);
    if (k->in_place && !pairs)
        FAIL(LUN_MISUSE, "the array is %s, and the transform is complex: it does not fit in place", name);
    return LUN_OK;
}

static lun_status read_axes(transform *t, const lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis"), *n = request_option(r, "n");
    char shown[SHOWN];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be transformed");
    if (axis) {
        TRY(value_axes(&t->along.count, t->along.axes, r, axis, in->ndim, in->shape, false, err));
        if (t->along.count == 0)
            FAIL(LUN_MISUSE, "no axis is named");
    } else {
        const bool listed = n && n->kind == LUN_VALUE_LIST;
        t->along.count = !t->kind.several ? 1 : listed ? (int)smaller(value_count(n), (size_t)in->ndim) : in->ndim;
        for (int i = 0; i < t->along.count; i++)
            t->along.axes[i] = manner_axis(r->manner, in->ndim - t->along.count + i, in->ndim);
    }
    if (n && n->kind == LUN_VALUE_NUMBER && t->along.count > 1)
        FAIL(LUN_MISUSE, "n: a list with a length for each of the %d axes is needed, got the number %s", t->along.count,
             number_shown(shown, n->number));
    if (n && value_count(n) != (size_t)t->along.count)
        FAIL(LUN_MISUSE, "n has %zu lengths, expected %d (the transformed axes)", value_count(n), t->along.count);
    return LUN_OK;
}

static lun_status read_lengths(transform *t, const lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    const lun_value *n = request_option(r, "n");
    memcpy(t->shape, in->shape, sizeof t->shape);
    for (int i = 0; i < t->along.count; i++) {
        const size_t has = in->shape[t->along.axes[i]];
        const bool last = t->kind.halved && i + 1 == t->along.count;
        if (has == 0)
            FAIL(LUN_MISUSE, "axis %d has no elements; at least one is needed", array_axis_shown(in, t->along.axes[i]));
        t->along.n[i] = last && t->kind.inverse ? 2 * (has - 1) : has;
        if (n)
            TRY(value_whole_from(&t->along.n[i], r, value_item(n, (size_t)i), "length", (size_t)i + 1, 1, err));
        if (t->along.n[i] == 0)
            FAIL(LUN_MISUSE, "n would be 0; give it as an option");
        t->shape[t->along.axes[i]] = last && !t->kind.inverse ? t->along.n[i] / 2 + 1 : t->along.n[i];
    }
    return LUN_OK;
}

lun_status fft_read_accurate(bool *out, const lun_request *r, lun_error *err)
{
    *out = request_truth(r, "accurate");
    if (*out && !r->device->info.fp64)
        return fail(err, LUN_MISUSE,
                    "accurate: such transforms compute in f64, which is not possible on this device (%.60s)",
                    r->device->info.name);
    return LUN_OK;
}

lun_dtype fft_between(lun_dtype dtype, bool pairs, bool accurate)
{
    const bool wide = accurate || lun_dtype_part(dtype) == LUN_f64;
    return pairs ? wide ? LUN_c128 : LUN_c64 : wide ? LUN_f64 : LUN_f32;
}

lun_status fft_read_norm(double *scale, const lun_request *r, double numbers, bool inverse, lun_error *err)
{
    static const char *const norms[] = {"backward", "ortho", "forward", NULL};
    enum { BACKWARD, ORTHO, FORWARD };
    int norm = BACKWARD;
    TRY(request_named(&norm, r, "norm", "norm", norms, err));
    *scale = norm == ORTHO ? 1 / sqrt(numbers) : inverse == (norm == BACKWARD) ? 1 / numbers : 1;
    return LUN_OK;
}

lun_status fft_read_line(int *axis, size_t *n, const lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    const lun_value *named = request_option(r, "axis");
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be transformed");
    *axis = manner_axis(r->manner, in->ndim - 1, in->ndim);
    if (named)
        TRY(value_axis(axis, r, named, in->ndim, in->shape, err));
    if (in->shape[*axis] == 0)
        FAIL(LUN_MISUSE, "axis %d has no elements; at least one is needed", array_axis_shown(in, *axis));
    const int64_t numbers = request_whole(r, "n", (int64_t)in->shape[*axis]);
    if (numbers < 1)
        FAIL(LUN_MISUSE, "n is %lld; at least 1 is needed", (long long)numbers);
    *n = (size_t)numbers;
    return LUN_OK;
}

static lun_status read_transform(transform *t, const lun_request *r, lun_error *err)
{
    double numbers = 1;
    *t = (transform){.kind = {.inverse = request_is(r, ROW_INVERSE),
                              .halved = request_is(r, ROW_HALVED),
                              .in_place = request_is(r, ROW_IN_PLACE),
                              .several = request_is(r, ROW_SEVERAL),
                              .turned = request_is(r, ROW_TURNED)}};
    TRY(check_dtype(&t->kind, r, err));
    TRY(read_axes(t, r, err));
    TRY(read_lengths(t, r, err));
    for (int i = 0; i < t->along.count; i++)
        numbers *= (double)t->along.n[i];
    t->along.inverse = t->kind.inverse;
    TRY(fft_read_norm(&t->along.scale, r, numbers, t->kind.inverse != t->kind.turned, err));
    return fft_read_accurate(&t->along.accurate, r, err);
}

/* ---- lines ---------------------------------------------------------------------------------------------------------------- */

/* One line after the other. The halved axis is the first of real numbers, and the last that gives some. Axes that have not been
 * transformed yet have the numbers that the input has, at most those that are needed. Where the result is real, or has fewer
 * numbers than that along such an axis, they lie in between. */
static void find_lines(fft_problem *p, const fft_axes *t, const lun_array *out, const lun_array *in)
{
    size_t shape[LUN_MAX_AXES];
    const bool real = !lun_dtype_has(out->dtype, LUN_PAIRS), wide = lun_dtype_part(out->dtype) == LUN_f64;
    bool between = real || (t->accurate && !wide);
    p->count = t->count;
    p->dtype = wide || t->accurate ? LUN_c128 : LUN_c64;
    memcpy(shape, in->shape, sizeof shape);
    memcpy(p->between_shape, out->shape, sizeof shape);
    for (int i = 0; i < t->count; i++) {
        const int which = real ? i : t->count - 1 - i, axis = t->axes[which];
        shape[axis] = smaller(shape[axis], real && i + 1 == t->count ? t->n[which] / 2 + 1 : t->n[which]);
        between = between || (i > 0 && shape[axis] > out->shape[axis]);
        if (i > 0)
            p->between_shape[axis] = real && i + 1 == t->count ? shape[axis] : larger(shape[axis], out->shape[axis]);
    }
    p->between_ndim = between && t->count > 1 ? in->ndim : 0;
    for (int i = 0; i < t->count; i++) {
        const int which = real ? i : t->count - 1 - i, axis = t->axes[which];
        const bool last = i + 1 == t->count;
        fft_line *l = &p->lines[i];
        l->axis = axis;
        l->n = t->n[which];
        l->first = t->first[which];
        l->factor = i == 0 ? t->factor : NULL;
        l->inverse = t->inverse;
        l->scale = last ? t->scale : 1;
        l->from = i == 0 ? *in : p->lines[i - 1].to;
        memcpy(l->from.shape, shape, sizeof shape);
        shape[axis] = out->shape[axis];
        l->to = p->between_ndim && !last ? (lun_array){.dtype = p->dtype, .ndim = in->ndim} : *out;
        memcpy(l->to.shape, shape, sizeof shape);
    }
}

/* What one core takes: of n log n numbers about a nanosecond each, and four times that by Bluestein's method. */
static double weight(const fft_problem *p, size_t numbers)
{
    double all = 0;
    for (int i = 0; i < p->count; i++)
        all += (double)numbers * log2((double)p->lines[i].n + 2) * (fft_is_smooth(p->lines[i].n) ? 1 : 4);
    return all;
}

lun_status fft_along(const lun_array *out, const lun_array *in, const fft_axes *along, const char *name,
                     const lun_call *call, lun_error *err)
{
    fft_problem problem = {0};
    find_lines(&problem, along, out, in);
    tables_settle(in->device);
    PLANNED(op, p, in->device, name, call);
    if (out == in) {
        TRY(operation_reads_writes(&op, in, err));
    } else {
        TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    }
    if (along->factor)
        TRY(operation_reads(&op, along->factor, err));
    operation_weigh(&op, weight(&problem, larger(in->size, out->size)));
    TRY(plan_variant(&p, &fft_variants, out->size ? &problem : NULL, variant_named(call), err));
    return operation_run(&op, &p, err);
}

/* ---- words ---------------------------------------------------------------------------------------------------------------- */

/* What gives real numbers takes complex ones: real ones have imaginary parts 0, and are their own conjugates. */
static lun_status bring_complex(const lun_array **out, composing *c, const transform *t, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    composed x = {0};
    if (!lun_dtype_has(in->dtype, LUN_PAIRS) || !t->kind.turned)
        return compose_cast(out, c, fft_between(in->dtype, true, false), in, err);
    x.results[0] = of_op1(&x, LUN_MAP_conj, of_array(&x, in));
    return compose_map(out, c, &x, err);
}

/* The conjugates are made in the result. */
static lun_status give_turned(composing *c, const lun_array *out, const transform *t, lun_error *err)
{
    const lun_call unnoticed = request_unnoticed(c->r);
    lun_call last = c->r->call;
    lun_elementwise e;
    last.variant = NULL;
    lun_elementwise_begin(&e, LUN_MAP_conj);
    lun_elementwise_array(&e, 0, out);
    if (compose_enters(c))
        TRY(fft_along(out, c->r->arguments[0].array, &t->along, c->r->operation->name, &unnoticed, err));
    return compose_enters(c) ? lun_map(&out, &e.expression, &last, err) : LUN_OK;
}

static lun_status fft(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    lun_array *self;
    transform t;
    TRY(read_transform(&t, c->r, err));
    const bool real = t.kind.halved && t.kind.inverse;
    if (t.kind.in_place) {
        TRY(compose_in_place(&self, c, err));
        out = self;
    } else {
        TRY(compose_result(&out, c, 0, fft_between(in->dtype, !real, false), in->ndim, t.shape, err));
        TRY(compose_check_out(c, out, in, err));
    }
    if (real)
        TRY(bring_complex(&in, c, &t, err));
    else if (t.kind.turned)
        return give_turned(c, out, &t, err);
    return CALLED(c, true, fft_along(out, in, &t.along, c->r->operation->name, &call, err));
}

COMPOSED(fft)
