/* Words of one launch: transposing, joining, tiling, rolling, padding, diagonals and triangles. */
#include "api/functions.h"
#include "base/dtype.h"
#include "call/compose.h"
#include "device/device.h"

#include <stdio.h>
#include <string.h>

/* ---- transpose ----------------------------------------------------------------------------------------------------------- */

/* The permutation that the argument has, or all axes in reverse, and the sizes in that order. */
static lun_status read_permutation(int *axes, size_t *shape, const lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *given = &r->arguments[1];
    const size_t count = given->kind == LUN_VALUE_NOTHING ? 0 : value_count(given);
    bool named[LUN_MAX_AXES] = {false};
    if (count && count != (size_t)array->ndim)
        FAIL(LUN_MISUSE, "the permutation has %zu %s, expected %d", count, count == 1 ? "axis" : "axes", array->ndim);
    for (int k = 0; k < array->ndim; k++) {
        const int i = manner_axis(r->manner, k, array->ndim);
        axes[i] = array->ndim - 1 - i;
        if (count)
            TRY(value_axis(&axes[i], r, value_item(given, (size_t)k), array->ndim, array->shape, err));
        if (named[axes[i]])
            FAIL(LUN_MISUSE, "the permutation names axis %d twice", manner_axis_shown(r->manner, axes[i], array->ndim));
        named[axes[i]] = true;
        shape[i] = array->shape[axes[i]];
    }
    return LUN_OK;
}

static lun_status transpose(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    lun_array *self;
    int axes[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
    TRY(read_permutation(axes, shape, c->r, err));
    if (request_is(c->r, ROW_IN_PLACE)) {
        TRY(compose_in_place(&self, c, err));
        return CALLED(c, true, lun_transpose_in_place(self, axes, &call, err));
    }
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, shape, err));
    return CALLED(c, true, lun_transpose(out, in, axes, &call, err));
}

COMPOSED(transpose)

/* ---- joining ------------------------------------------------------------------------------------------------------------- */

/* The axis along which arrays like the first are joined, or that they get. */
static lun_status read_joined_axis(int *axis, const composing *c, const lun_array *first, bool stacking, lun_error *err)
{
    const lun_value *named = &c->r->arguments[2];
    int count = 1, axes[LUN_MAX_AXES] = {0};
    if (named->kind != LUN_VALUE_NOTHING && stacking)
        TRY(value_axes(&count, axes, c->r, named, first->ndim, NULL, true, err));
    else if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(axes, c->r, named, first->ndim, first->shape, err));
    if (count != 1)
        FAIL(LUN_MISUSE, "arrays are stacked along one axis, got %d", count);
    *axis = axes[0];
    return LUN_OK;
}

static lun_status join(composing *c, bool stacking, lun_error *err)
{
    const lun_list *list = &c->r->arguments[1].list;
    const lun_array **arrays, *out;
    lun_dtype dtype;
    int ndim, axis = 0;
    size_t shape[LUN_MAX_AXES];
    if (list->count == 0)
        FAIL(LUN_MISUSE, "the list has no array; there is nothing to join");
    TRY(compose_kept((void **)&arrays, c, list->count * sizeof *arrays, err));
    for (size_t i = 0; i < list->count; i++)
        arrays[i] = list->items[i].array;
    TRY(read_joined_axis(&axis, c, arrays[0], stacking, err));
    TRY((stacking ? lun_stack_result : lun_concat_result)(&dtype, &ndim, shape, arrays, list->count, axis, err));
    TRY(compose_result(&out, c, 0, dtype, ndim, shape, err));
    return CALLED(c, true, (stacking ? lun_stack : lun_concat)(out, arrays, list->count, axis, &call, err));
}

static lun_status concat(composing *c, lun_error *err) { return join(c, false, err); }
static lun_status stack(composing *c, lun_error *err) { return join(c, true, err); }

COMPOSED(concat)
COMPOSED(stack)

/* ---- tile ---------------------------------------------------------------------------------------------------------------- */

static lun_status tile(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    int count, ndim;
    size_t times[LUN_MAX_AXES], shape[LUN_MAX_AXES];
    TRY(value_counts(&count, times, c->r, &c->r->arguments[1], "repetition", 0, err));
    TRY(lun_tile_result(&ndim, shape, in, count, times, err));
    TRY(compose_result(&out, c, 0, in->dtype, ndim, shape, err));
    return CALLED(c, true, lun_tile(out, in, count, times, &call, err));
}

COMPOSED(tile)

/* ---- roll ---------------------------------------------------------------------------------------------------------------- */

/* The shift of each axis that is named; one shift goes for all of them. */
static lun_status read_shifts(int64_t *shifts, const lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    const lun_array *array = r->arguments[0].array;
    const lun_value *shift = &r->arguments[1];
    const bool list = shift->kind == LUN_VALUE_LIST;
    int count, axes[LUN_MAX_AXES];
    TRY(value_axes(&count, axes, r, &r->arguments[2], array->ndim, array->shape, false, err));
    if (list && shift->list.count != (size_t)count)
        FAIL(LUN_MISUSE, "there are %zu shifts, expected %d (the axes)", shift->list.count, count);
    for (int i = 0; i < count; i++) {
        const lun_value *each = value_item(shift, (size_t)i);
        if (!list)
            TRY(request_integer(&shifts[axes[i]], r, 1, err));
        else if (each->kind != LUN_VALUE_NUMBER || !number_whole(&shifts[axes[i]], each->number))
            FAIL(LUN_MISUSE, "shift %d is %s; a whole number is needed", i + 1, value_shown(shown, r, each));
    }
    return LUN_OK;
}

static lun_status roll(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const bool flat = c->r->arguments[2].kind == LUN_VALUE_NOTHING;
    int64_t shifts[LUN_MAX_AXES] = {0};
    if (flat && c->r->arguments[1].kind == LUN_VALUE_LIST)
        FAIL(LUN_MISUSE, "a list of shifts needs a list of axes");
    TRY(flat ? request_integer(shifts, c->r, 1, err) : read_shifts(shifts, c->r, err));
    TRY(compose_like(&out, c, in->dtype, in, err));
    return CALLED(c, true,
                  flat ? lun_roll_flat(out, in, shifts[0], &call, err) : lun_roll(out, in, shifts, &call, err));
}

COMPOSED(roll)

/* ---- pad ----------------------------------------------------------------------------------------------------------------- */

/* The widths before and behind an axis. */
static lun_status read_pair(lun_padding *out, int axis, const lun_request *r, const lun_value *pair, lun_error *err)
{
    char what[SHOWN];
    const int number = manner_axis(r->manner, axis, r->arguments[0].array->ndim) + 1;
    if (pair->kind != LUN_VALUE_LIST)
        FAIL(LUN_MISUSE, "pair %d is %s; {before, after} is needed", number, kind_shown(r, pair));
    if (pair->list.odd)
        FAIL(LUN_MISUSE, "pair %d has %s", number, pair->list.odd);
    if (pair->list.count != 2)
        FAIL(LUN_MISUSE, "pair %d has length %zu; {before, after} is needed", number, pair->list.count);
    snprintf(what, sizeof what, "pair %d: width", number);
    TRY(value_whole_from(&out->before[axis], r, &pair->list.items[0], what, 1, 0, err));
    return value_whole_from(&out->after[axis], r, &pair->list.items[1], what, 2, 0, err);
}

/* A pair for each axis, or one width for all, before and behind. */
static lun_status read_widths(lun_padding *out, const lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *widths = &r->arguments[1];
    const bool list = widths->kind == LUN_VALUE_LIST;
    int64_t width = 0;
    if (!list)
        TRY(request_integer(&width, r, 1, err));
    if (width < 0)
        FAIL(LUN_MISUSE, "the width is %lld; a whole number from 0 is needed", (long long)width);
    if (list && widths->list.count != (size_t)array->ndim)
        FAIL(LUN_MISUSE, "there are %zu pairs {before, after}, expected %d (the axes)", widths->list.count,
             array->ndim);
    for (int i = 0; i < array->ndim; i++) {
        out->before[i] = out->after[i] = (size_t)width;
        if (list)
            TRY(read_pair(out, i, r, &widths->list.items[manner_axis(r->manner, i, array->ndim)], err));
    }
    return LUN_OK;
}

/* `width` numbers in even steps from the value to the element at that end of the axis, or from behind it back to the value. */
static lun_status ramp(const lun_array **out, composing *c, const lun_array *in, int axis, size_t width, bool behind,
                       lun_number value, lun_error *err)
{
    size_t row[LUN_MAX_AXES];
    lun_array *steps;
    const lun_array *edge, *step;
    composed x = {0};
    for (int i = 0; i < in->ndim; i++)
        row[i] = i == axis ? width : 1;
    TRY(compose_sequence(&steps, c, width, behind ? (int64_t)width - 1 : 0, behind ? -1 : 1, err));
    TRY(compose_reshape(&step, c, steps, in->ndim, row, err));
    TRY(compose_slice(&edge, c, in, axis, behind ? (int64_t)in->shape[axis] - 1 : 0, 1, 1, err));
    const unsigned from = of_number(&x, value), rise = of_op(&x, LUN_MAP_sub, of_wide(&x, edge), from);
    const unsigned risen = of_op(&x, LUN_MAP_mul, rise, of_wide(&x, step));
    unsigned at = of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_div, risen, of_real(&x, (double)width)), from);
    if (lun_dtype_has(in->dtype, LUN_WHOLE))
        at = of_op1(&x, LUN_MAP_floor, at);
    x.results[0] = of_cast(&x, in->dtype, at);
    return compose_map(out, c, &x, err);
}

/* The array with ramps at both ends of each axis, one axis after the other. */
static lun_status give_ramps(composing *c, const lun_padding *p, const size_t *shape, lun_error *err)
{
    const lun_array *now = c->r->arguments[0].array, *out;
    lun_array *joined;
    cl_ulong2 element;
    TRY(lun_number_store(&element, now->dtype, p->value, err));
    for (int i = 0; i < now->ndim; i++) {
        const size_t width[] = {p->before[i], p->after[i]};
        const lun_array *parts[3];
        size_t count = 0, sizes[LUN_MAX_AXES];
        for (int end = 0; end < 2; end++) {
            if (width[end])
                TRY(ramp(&parts[count++], c, now, i, width[end], end, p->value, err));
            if (end == 0)
                parts[count++] = now;
        }
        if (count == 1)
            continue;
        memcpy(sizes, now->shape, sizeof sizes);
        sizes[i] = shape[i];
        TRY(compose_array(&joined, c, now->dtype, now->ndim, sizes, err));
        TRY(CALLED(c, false, lun_concat(joined, parts, count, i, &call, err)));
        now = joined;
    }
    TRY(compose_result(&out, c, 0, now->dtype, now->ndim, shape, err));
    TRY(compose_check_out(c, out, c->r->arguments[0].array, err));
    return compose_copy(c, out, now, true, err);
}

static lun_status pad(composing *c, lun_error *err)
{
    static const char *const modes[] = {[LUN_PAD_CONSTANT] = "constant",
                                        [LUN_PAD_EDGE] = "edge",
                                        [LUN_PAD_WRAP] = "wrap",
                                        [LUN_PAD_REFLECT] = "reflect",
                                        [LUN_PAD_SYMMETRIC] = "symmetric",
                                        "linear_ramp",
                                        NULL};
    const lun_array *in = c->r->arguments[0].array, *out;
    lun_padding p = {.value = request_number(c->r, "value", lun_integer(0))};
    int mode = LUN_PAD_CONSTANT;
    size_t shape[LUN_MAX_AXES];
    TRY(read_widths(&p, c->r, err));
    TRY(request_named(&mode, c->r, "mode", "mode", modes, err));
    p.mode = (lun_pad_mode)mode;
    if (request_option(c->r, "value") && mode != LUN_PAD_CONSTANT && mode <= LUN_PAD_SYMMETRIC)
        FAIL(LUN_MISUSE, "value is for the modes \"constant\" and \"linear_ramp\", not with \"%s\"", modes[mode]);
    TRY(lun_pad_result(shape, in, &p, err));
    if (mode > LUN_PAD_SYMMETRIC) {
        if (lun_dtype_has(c->r->arguments[0].array->dtype, LUN_TRUTHS))
            FAIL(LUN_MISUSE, "mode \"linear_ramp\" needs numbers; the array is bool");
        return give_ramps(c, &p, shape, err);
    }
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, shape, err));
    return CALLED(c, true, lun_pad(out, in, &p, &call, err));
}

COMPOSED(pad)

/* ---- diagonals and triangles --------------------------------------------------------------------------------------------- */

/* Which diagonal: 0 where it is left out. */
static int64_t diagonal_of(const lun_request *r)
{
    int64_t k = 0;
    if (r->arguments[1].kind == LUN_VALUE_NUMBER)
        number_whole(&k, r->arguments[1].number);
    return r->manner->reversed ? -k : k;
}

/* A view of a matrix's diagonal, or a new matrix that has the vector as its diagonal. */
static lun_status diag(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const int64_t k = diagonal_of(c->r);
    size_t shape[2];
    if (in->ndim != 1 && in->ndim != 2)
        FAIL(LUN_MISUSE, "a vector or a matrix is needed; this array has %d axes", in->ndim);
    if (in->ndim == 2 && c->r->given)
        FAIL(LUN_MISUSE, "the diagonal of a matrix is a view, which takes no options");
    if (in->ndim == 2) {
        request_views(c->r, 1);
        return c->out ? lun_array_diagonal(c->out[0], in, (const int[]){0, 1}, k, err) : LUN_OK;
    }
    TRY(lun_diagonal_matrix_result(shape, in, k, err));
    TRY(compose_result(&out, c, 0, in->dtype, 2, shape, err));
    return CALLED(c, true, lun_diagonal_matrix(out, in, k, &call, err));
}

static lun_status triangle(composing *c, bool upper, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    if (in->ndim < 2)
        FAIL(LUN_MISUSE, "an array with 2 axes or more is needed; this one has %d", in->ndim);
    TRY(compose_like(&out, c, in->dtype, in, err));
    return CALLED(c, true, lun_triangle(out, in, upper != c->r->manner->reversed, diagonal_of(c->r), &call, err));
}

static lun_status tril(composing *c, lun_error *err) { return triangle(c, false, err); }
static lun_status triu(composing *c, lun_error *err) { return triangle(c, true, err); }

COMPOSED(diag)
COMPOSED(tril)
COMPOSED(triu)
