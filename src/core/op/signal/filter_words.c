/* lfilter and sosfilt: reading coefficients and states, and filters without a recursive part, which are
 * convolutions. */
#include "api/functions.h"
#include "op/signal/filter.h"

#include <string.h>

typedef struct filtering {
    filter_problem p;
    lun_dtype dtype, computed; /* of the result, and of coefficients and states */
    const lun_array *in, *zi;
    bool cascade; /* states have the sections along their first axis */
    int ndim;     /* and sizes of what is given as states */
    size_t shape[LUN_MAX_AXES];
} filtering;

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

typedef struct listed {
    char *numbers;
    size_t sent;
} listed;

static bool is_complex(const lun_value *value)
{
    bool complex = value->kind == LUN_VALUE_ARRAY && lun_dtype_has(value->array->dtype, LUN_PAIRS);
    for (size_t i = 0; i < value_count(value) && value->kind != LUN_VALUE_ARRAY; i++) {
        const lun_value *item = value_item(value, i);
        complex = complex || item->kind == LUN_VALUE_COMPLEX || (item->kind == LUN_VALUE_LIST && is_complex(item));
    }
    return complex;
}

/* A list's numbers as an array. */
static lun_status send_list(const lun_array **out, composing *c, const lun_value *value, lun_dtype dtype,
                            const char *name, lun_error *err)
{
    const size_t count = value_count(value);
    const lun_call quiet = request_quiet(c->r);
    lun_array *made;
    listed *k;
    COMPOSE_KEPT(k, c);
    if (!k->numbers) {
        char *at = k->numbers = REQUEST_MEMORY(c->r, count * lun_dtype_bytes(dtype) + 1);
        for (size_t i = 0; i < count; i++, at += lun_dtype_bytes(dtype)) {
            const lun_value *item = value_item(value, i);
            if (item->kind != LUN_VALUE_NUMBER && item->kind != LUN_VALUE_COMPLEX)
                FAIL(LUN_MISUSE, "%s: numbers are needed; one of its elements is %s", name, kind_shown(c->r, item));
            TRY(lun_number_round(at, dtype, value_scalar(item), err));
        }
    }
    TRY(compose_array(&made, c, dtype, 1, &count, err));
    *out = made;
    return count && compose_enters(c) ? lun_array_send(c->more, &k->sent, made, k->numbers, &quiet, err) : LUN_OK;
}

/* A row: other axes have the size 1. */
static lun_status bring(const lun_array **out, composing *c, unsigned i, lun_dtype listed_as, lun_error *err)
{
    const lun_value *value = &c->r->arguments[i];
    char shape[200];
    const char *name = i == 1 ? "b" : "a";
    size_t longest = 0;
    if (value->kind == LUN_VALUE_ARRAY) {
        *out = value->array;
        TRY(array_check_same_device(c->r->arguments[0].array, *out, name, err));
    } else {
        TRY(send_list(out, c, value, listed_as, name, err));
    }
    for (int axis = 0; axis < (*out)->ndim; axis++)
        longest = larger(longest, (*out)->shape[axis]);
    if (longest == 0 || longest != (*out)->size)
        FAIL(LUN_MISUSE, "%s is %s; a row of at least one coefficient is needed", name,
             array_shape_text(shape, sizeof shape, *out));
    return (*out)->ndim == 1 ? LUN_OK : compose_reshape(out, c, *out, 1, &longest, err);
}

/* The dtypes: numbers in a list do not widen the dtype, like other numbers of the host. */
static lun_status find_dtypes(filtering *f, composing *c, lun_error *err)
{
    const lun_array *all[4] = {c->r->arguments[0].array, f->zi};
    bool complex = false;
    lun_dtype ignored;
    for (unsigned i = 1; i < 3 && c->r->operation->arguments[i - 1].name; i++) {
        const lun_value *value = &c->r->arguments[i];
        all[i + 1] = value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
        complex = complex || is_complex(value);
    }
    f->dtype = compose_float(&ignored, c, all, COUNT(all));
    if (complex && !lun_dtype_has(f->dtype, LUN_PAIRS))
        f->dtype = lun_dtype_promoted(f->dtype, LUN_c64);
    const bool pairs = lun_dtype_has(f->dtype, LUN_PAIRS), wide = c->r->device->info.fp64;
    f->computed = complex ? (wide ? LUN_c128 : LUN_c64) : wide ? LUN_f64 : LUN_f32;
    f->p.parts = pairs && !complex ? 2 : 1;
    TRY(compose_axis(&f->p.axis, c, all[0], -1, err));
    f->in = all[0];
    return LUN_OK;
}

/* ---- states -------------------------------------------------------------------------------------------------------------- */

static lun_status check_states(filtering *f, const composing *c, lun_error *err)
{
    const lun_array *in = f->in, *zi = f->zi;
    char shapes[2][200];
    bool fits = true;
    f->ndim = in->ndim + f->cascade;
    if (f->ndim + (f->p.parts == 2) > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the array has %d axes, too many for states beside them", in->ndim);
    memcpy(f->shape + f->cascade, in->shape, (size_t)in->ndim * sizeof *f->shape);
    if (f->cascade)
        f->shape[0] = f->p.sections;
    f->shape[f->cascade + f->p.axis] = f->p.order;
    TRY(array_check_same_device(c->r->arguments[0].array, zi, "zi", err));
    for (int i = 0; i < f->ndim && zi->ndim == f->ndim; i++)
        fits = fits && (zi->shape[i] == f->shape[i] || (zi->shape[i] == 1 && i != f->cascade + f->p.axis));
    if (zi->ndim != f->ndim || !fits)
        FAIL(LUN_MISUSE, "zi is %s, expected %s", array_shape_text(shapes[0], sizeof shapes[0], zi),
             lun_shape_text(shapes[1], sizeof shapes[1], f->ndim, f->shape));
    return LUN_OK;
}

/* States in the kernels' order: the lines' axes first, then the two parts, sections and states. */
static lun_array by_lines(const filtering *f, const lun_array *z)
{
    lun_array v = *z;
    int order[LUN_MAX_AXES + 1], count = 0;
    const int parts = f->p.parts;
    for (int i = 0; i < z->ndim; i++)
        v.stride[i] = (z->shape[i] == f->shape[i] ? z->stride[i] : 0) * parts;
    for (int i = f->cascade; i < f->ndim; i++)
        if (i != f->cascade + f->p.axis)
            order[count++] = i;
    if (parts == 2) {
        v.dtype = lun_dtype_part(z->dtype);
        v.offset *= 2;
    }
    const int lines = count;
    lun_array to = v;
    for (int i = 0; i < lines; i++) {
        to.shape[i] = f->shape[order[i]];
        to.stride[i] = v.stride[order[i]];
    }
    if (parts == 2) {
        to.shape[count] = 2;
        to.stride[count++] = 1;
    }
    for (int i = 0; i <= f->cascade; i++) {
        const int from = f->cascade && i == 0 ? 0 : f->cascade + f->p.axis;
        to.shape[count] = f->shape[from];
        to.stride[count++] = v.stride[from];
    }
    to.ndim = count;
    to.size = 1;
    for (int i = 0; i < count; i++)
        to.size *= to.shape[i];
    return to;
}

/* Without a recursive part: the convolution, whose end is the final state. */
static lun_status convolved(composing *c, filtering *f, const lun_array *out, const lun_array *behind, lun_error *err)
{
    const lun_array *const b = f->p.coefficients[0], *taps, *full, *part, *x;
    const int axis = f->p.axis, last = f->in->ndim - 1;
    const size_t n = f->in->shape[axis], order = f->p.order;
    lun_array *divided, *one, *turned[3];
    const lun_array *from[3] = {f->in, f->zi, behind};
    int axes[LUN_MAX_AXES];
    for (int i = 0; i <= last; i++)
        axes[i] = i == last ? axis : i + (i >= axis);
    TRY(compose_array(&one, c, f->computed, 1, (size_t[]){1}, err));
    TRY(CALLED(c, false, lun_array_fill(one, lun_real(1), &call, err)));
    TRY(compose_array(&divided, c, f->computed, 1, b->shape, err));
    const filter_problem division = {divided, b, {one, f->p.coefficients[1]}, .sections = 1, .order = 1, .parts = 1};
    TRY(CALLED(c, false, filter_lines(&division, c->r->operation->name, &call, err)));
    TRY(compose_cast(&taps, c, f->p.parts == 2 ? lun_dtype_part(f->dtype) : f->dtype, divided, err));
    TRY(compose_cast(&from[0], c, f->dtype, f->in, err));
    for (int i = 0; i < (behind ? 3 : 1); i++)
        COMPOSE_VIEW(turned[i], c, lun_array_permute(turned[i], from[i], axes, err));
    TRY(compose_call(&full, c, "convolve", (const lun_array *const[]){turned[0], taps}, 2, NULL, err));
    if (behind) {
        composed sum = {0};
        TRY(compose_slice(&part, c, full, last, 0, 1, order, err));
        sum.results[0] =
            of_cast(&sum, f->dtype, of_op(&sum, LUN_MAP_add, of_array(&sum, part), of_array(&sum, turned[1])));
        TRY(order ? compose_into(c, &part, &sum, false, err) : LUN_OK);
        TRY(compose_slice(&x, c, full, last, (int64_t)n, 1, order, err));
        TRY(compose_copy(c, turned[2], x, false, err));
    }
    COMPOSE_VIEW(turned[0], c, lun_array_permute(turned[0], out, axes, err));
    TRY(compose_slice(&part, c, full, last, 0, 1, n, err));
    return compose_copy(c, turned[0], part, true, err);
}

/* The final states of an empty signal are the initial ones. */
static lun_status recursive(composing *c, filtering *f, const lun_array *out, const lun_array *behind, lun_error *err)
{
    lun_array view, *states;
    TRY(compose_cast(&f->p.in, c, f->dtype, f->in, err));
    f->p.out = out;
    if (!behind)
        return CALLED(c, true, filter_lines(&f->p, c->r->operation->name, &call, err));
    TRY(compose_cast(&f->zi, c, f->dtype, f->zi, err));
    view = by_lines(f, f->zi);
    TRY(compose_array(&states, c, f->p.parts == 2 ? lun_dtype_part(f->computed) : f->computed, view.ndim, view.shape,
                      err));
    TRY(compose_copy(c, states, &view, false, err));
    f->p.initial = states;
    TRY(compose_array(&states, c, states->dtype, view.ndim, view.shape, err));
    f->p.final = states;
    TRY(CALLED(c, false, filter_lines(&f->p, c->r->operation->name, &call, err)));
    view = by_lines(f, behind);
    return compose_copy(c, &view, out->shape[f->p.axis] ? f->p.final : f->p.initial, true, err);
}

/* The operation's results, of which states are the second. */
static lun_status run(composing *c, filtering *f, lun_error *err)
{
    const lun_array *out, *behind = NULL;
    c->results = f->zi ? 2 : 1;
    if (f->zi)
        TRY(check_states(f, c, err));
    TRY(compose_like(&out, c, f->dtype, f->in, err));
    TRY(compose_check_out(c, out, c->r->arguments[0].array, err));
    if (f->zi)
        TRY(compose_result(&behind, c, 1, f->dtype, f->ndim, f->shape, err));
    if (compose_waits(c))
        return LUN_OK;
    for (int i = 0; i < 2; i++)
        TRY(compose_cast(&f->p.coefficients[i], c, f->computed, f->p.coefficients[i], err));
    return !f->cascade && f->p.coefficients[1]->size == 1 && out->shape[f->p.axis] ? convolved(c, f, out, behind, err)
                                                                                   : recursive(c, f, out, behind, err);
}

static lun_status lfilter(composing *c, lun_error *err)
{
    filtering f = {.p = {.sections = 1}, .zi = request_array_option(c->r, "zi")};
    TRY(find_dtypes(&f, c, err));
    for (unsigned i = 0; i < 2; i++)
        TRY(bring(&f.p.coefficients[i], c, i + 1, f.computed, err));
    f.p.order = larger(f.p.coefficients[0]->size, f.p.coefficients[1]->size) - 1;
    return run(c, &f, err);
}

COMPOSED(lfilter)

#define SECTION 6
#define ROWS_NEEDED "; a row of b0, b1, b2, a0, a1, a2 for each section is needed"

/* The sections: an array, of one row also without its axis, or a list of rows. */
static lun_status bring_sections(const lun_array **out, composing *c, lun_dtype listed_as, lun_error *err)
{
    const lun_value *given = &c->r->arguments[1];
    const size_t rows = value_count(given), shape[2] = {rows, SECTION};
    lun_value flat = {.kind = LUN_VALUE_LIST, .list.count = rows * SECTION};
    *out = given->array;
    if (given->kind == LUN_VALUE_ARRAY && (*out)->ndim == 1 && (*out)->size == SECTION)
        return compose_reshape(out, c, *out, 2, (size_t[]){1, SECTION}, err);
    if (given->kind == LUN_VALUE_ARRAY)
        return array_check_same_device(c->r->arguments[0].array, *out, "sos", err);
    flat.list.items = REQUEST_MEMORY(c->r, (flat.list.count + 1) * sizeof *flat.list.items);
    for (size_t i = 0; i < rows; i++) {
        const lun_value *row = value_item(given, i);
        if (row->kind != LUN_VALUE_LIST || row->list.count != SECTION)
            FAIL(LUN_MISUSE, "sos: row %zu is %s%s" ROWS_NEEDED, i + 1, kind_shown(c->r, row),
                 row->kind == LUN_VALUE_LIST ? " of another length" : "");
        memcpy(flat.list.items + i * SECTION, row->list.items, SECTION * sizeof *row->list.items);
    }
    TRY(send_list(out, c, &flat, listed_as, "sos", err));
    return compose_reshape(out, c, *out, 2, shape, err);
}

static lun_status sosfilt(composing *c, lun_error *err)
{
    filtering f = {.p = {.order = 2}, .zi = request_array_option(c->r, "zi"), .cascade = true};
    const lun_array *sos;
    char shape[200];
    TRY(find_dtypes(&f, c, err));
    TRY(bring_sections(&sos, c, f.computed, err));
    if (sos->ndim != 2 || sos->shape[0] == 0 || sos->shape[1] != SECTION)
        FAIL(LUN_MISUSE, "sos is %s" ROWS_NEEDED, array_shape_text(shape, sizeof shape, sos));
    f.p.sections = sos->shape[0];
    for (int i = 0; i < 2; i++)
        TRY(compose_slice(&f.p.coefficients[i], c, sos, 1, 3 * i, 1, 3, err));
    return run(c, &f, err);
}

COMPOSED(sosfilt)
