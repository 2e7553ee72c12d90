/* Fourier transforms as rows of operation.def are called. */
#include "op/fft/fft.h"

#include <math.h>
#include <string.h>

/* What a name says. `halved`: of a real line's transform there is the first half, and one. */
typedef struct kind {
    const char *name;
    bool inverse, halved, in_place, several;
} kind;

static const kind kinds[] = {
    {.name = "fft"},
    {.name = "ifft", .inverse = true},
    {.name = "rfft", .halved = true},
    {.name = "irfft", .inverse = true, .halved = true},
    {.name = "fftn", .several = true},
    {.name = "ifftn", .inverse = true, .several = true},
    {.name = "rfftn", .halved = true, .several = true},
    {.name = "irfftn", .inverse = true, .halved = true, .several = true},
    {.name = "fft_", .in_place = true},
    {.name = "ifft_", .inverse = true, .in_place = true},
};

typedef struct transform {
    const kind *kind;
    int count, axes[LUN_MAX_AXES]; /* the last one is the halved one */
    size_t n[LUN_MAX_AXES];        /* of each */
    double scale;
    lun_dtype dtype;
    size_t shape[LUN_MAX_AXES]; /* of the result */
} transform;

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

static lun_status check_dtype(const kind *k, lun_dtype dtype, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *name = lun_dtype_name(dtype);
    const bool pairs = lun_dtype_has(dtype, LUN_PAIRS);
    if (!pairs && dtype != LUN_f32 && dtype != LUN_f64)
        FAIL(LUN_MISUSE, "%s numbers are not transformed; f32, f64, c64 or c128 are: take those of cast(\"f32\")",
             name);
    if (k->halved && pairs != k->inverse)
        FAIL(LUN_MISUSE,
             k->inverse ? "the array is %s, real; complex numbers are wanted, as rfft gives them"
                        : "the array is %s, complex; real numbers are wanted, or fft",
             name);
    if (k->in_place && !pairs)
        FAIL(LUN_MISUSE, "the array is %s, and the transform is complex: it does not fit in place", name);
done:
    return status;
}

static lun_status read_axes(transform *t, const lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *in = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis"), *n = request_option(r, "n");
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be transformed");
    if (axis) {
        TRY(value_axes(&t->count, t->axes, r, axis, in->ndim, in->shape, false, err));
        if (t->count == 0)
            FAIL(LUN_MISUSE, "no axis is named");
    } else {
        t->count = !t->kind->several ? 1 : n ? (int)smaller(value_count(n), (size_t)in->ndim) : in->ndim;
        for (int i = 0; i < t->count; i++)
            t->axes[i] = manner_axis(r->manner, in->ndim - t->count + i, in->ndim);
    }
    if (n && value_count(n) != (size_t)t->count)
        FAIL(LUN_MISUSE, "n has %zu lengths, and %d axes are transformed", value_count(n), t->count);
done:
    return status;
}

static lun_status read_lengths(transform *t, const lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *in = r->arguments[0].array;
    const lun_value *n = request_option(r, "n");
    memcpy(t->shape, in->shape, sizeof t->shape);
    for (int i = 0; i < t->count; i++) {
        const size_t has = in->shape[t->axes[i]];
        const bool last = t->kind->halved && i + 1 == t->count;
        if (has == 0)
            FAIL(LUN_MISUSE, "axis %d has no elements; one at least is wanted", array_axis_shown(in, t->axes[i]));
        t->n[i] = last && t->kind->inverse ? 2 * (has - 1) : has;
        if (n)
            TRY(value_whole_from_0(&t->n[i], r, value_item(n, (size_t)i), "length", (size_t)i + 1, err));
        if (t->n[i] == 0)
            FAIL(LUN_MISUSE, n ? "n is 0; 1 at least is wanted" : "n would be 0; name it");
        t->shape[t->axes[i]] = last && !t->kind->inverse ? t->n[i] / 2 + 1 : t->n[i];
    }
done:
    return status;
}

static lun_status read_norm(transform *t, const lun_request *r, lun_error *err)
{
    const char *norm = request_text(r, "norm");
    double numbers = 1;
    for (int i = 0; i < t->count; i++)
        numbers *= (double)t->n[i];
    if (norm && strcmp(norm, "ortho") == 0)
        t->scale = 1 / sqrt(numbers);
    else if (norm && strcmp(norm, "forward") == 0)
        t->scale = t->kind->inverse ? 1 : 1 / numbers;
    else if (!norm || strcmp(norm, "backward") == 0)
        t->scale = t->kind->inverse ? 1 / numbers : 1;
    else
        return fail(err, LUN_MISUSE, "unknown norm '%.40s'; known are backward, ortho, forward", norm);
    return LUN_OK;
}

static lun_status bind(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *in = r->arguments[0].array;
    transform *t = REQUEST_STATE(r, transform);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, r->operation->name) == 0)
            t->kind = &kinds[i];
    TRY(check_dtype(t->kind, in->dtype, err));
    TRY(read_axes(t, r, err));
    TRY(read_lengths(t, r, err));
    TRY(read_norm(t, r, err));
    const bool wide = lun_dtype_part(in->dtype) == LUN_f64;
    t->dtype = wide ? LUN_c128 : LUN_c64;
    const lun_dtype real = wide ? LUN_f64 : LUN_f32;
    if (t->kind->in_place)
        TRY(request_in_place(r, err));
    else
        TRY(request_result(r, t->kind->halved && t->kind->inverse ? real : t->dtype, in->ndim, t->shape, err));
done:
    return status;
}

/* ---- lines ---------------------------------------------------------------------------------------------------------------- */

/* One line after the other. The halved axis is the first of real numbers, and the last that gives some. Axes that have not been
 * transformed yet have the numbers that the input has, at most those that are wanted. */
static void find_lines(fft_problem *p, const transform *t, const lun_array *out, const lun_array *in)
{
    size_t shape[LUN_MAX_AXES];
    const bool real = !lun_dtype_has(out->dtype, LUN_PAIRS);
    p->count = t->count;
    p->dtype = t->dtype;
    p->between_ndim = real && t->count > 1 ? in->ndim : 0;
    memcpy(shape, in->shape, sizeof shape);
    memcpy(p->between_shape, t->shape, sizeof shape);
    for (int i = 0; i < t->count; i++)
        shape[t->axes[i]] = smaller(shape[t->axes[i]], real && i + 1 == t->count ? t->n[i] / 2 + 1 : t->n[i]);
    p->between_shape[t->axes[t->count - 1]] = shape[t->axes[t->count - 1]];
    for (int i = 0; i < t->count; i++) {
        const int which = real ? i : t->count - 1 - i, axis = t->axes[which];
        const bool last = i + 1 == t->count;
        fft_line *l = &p->lines[i];
        l->axis = axis;
        l->n = t->n[which];
        l->inverse = t->kind->inverse;
        l->scale = last ? t->scale : 1;
        l->from = i == 0 ? *in : p->lines[i - 1].to;
        memcpy(l->from.shape, shape, sizeof shape);
        shape[axis] = t->shape[axis];
        l->to = real && !last ? (lun_array){.dtype = t->dtype, .ndim = in->ndim} : *out;
        memcpy(l->to.shape, shape, sizeof shape);
    }
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    const transform *t = r->state;
    const lun_array *in = r->arguments[0].array;
    operation op = {0};
    plan p = {0};
    const variant *row;
    fft_problem problem = {0};
    if (!t->kind->in_place) {
        TRY(array_check_out(out[0], in, r->results[0].dtype, in->ndim, t->shape, err));
        TRY(array_check_apart(out[0], in, err));
    }
    find_lines(&problem, t, out[0], in);
    tables_settle(in->device);
    operation_init(&op, in->device, r->operation->name, &r->call);
    plan_init(&p, &op);
    if (t->kind->in_place) {
        TRY(operation_reads_writes(&op, in, err));
    } else {
        TRY(operation_reads(&op, in, err));
        TRY(operation_writes(&op, out[0], err));
    }
    if (out[0]->size)
        TRY(plan_variant(&p, &fft_variants, &problem, variant_named(&r->call), err));
    else
        TRY(variant_choose(&row, &fft_variants, in->device, NULL, variant_named(&r->call), err));
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}

const request_functions fft_functions = {bind, run};
