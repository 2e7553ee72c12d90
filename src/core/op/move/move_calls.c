/* Transposing, joining, tiling, rolling, padding, diagonals and triangles, as rows of operation.def are called. */
#include "op/request.h"

#include <stdio.h>
#include <string.h>

/* ---- transpose ----------------------------------------------------------------------------------------------------------- */

typedef struct permutation {
    int axes[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
} permutation;

/* The permutation that the argument has, or all axes in reverse. */
static lun_status read_permutation(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *given = &r->arguments[1];
    permutation *p = REQUEST_STATE(r, permutation);
    const size_t count = given->kind == LUN_VALUE_NOTHING ? 0 : value_count(given);
    bool named[LUN_MAX_AXES] = {false};
    if (count && count != (size_t)array->ndim)
        FAIL(LUN_MISUSE, "the permutation has %zu %s, and the array %d", count, count == 1 ? "axis" : "axes",
             array->ndim);
    for (int k = 0; k < array->ndim; k++) {
        const int i = manner_axis(r->manner, k, array->ndim);
        p->axes[i] = array->ndim - 1 - i;
        if (count)
            TRY(value_axis(&p->axes[i], r, value_item(given, (size_t)k), array->ndim, array->shape, err));
        if (named[p->axes[i]])
            FAIL(LUN_MISUSE, "the permutation names axis %d twice",
                 manner_axis_shown(r->manner, p->axes[i], array->ndim));
        named[p->axes[i]] = true;
        p->shape[i] = array->shape[p->axes[i]];
    }
    return LUN_OK;
}

static lun_status bind_transpose(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    TRY(read_permutation(r, err));
    return request_result(r, array->dtype, array->ndim, ((permutation *)r->state)->shape, err);
}

static lun_status run_transpose(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const permutation *p = r->state;
    return lun_transpose(out[0], r->arguments[0].array, p->axes, &r->call, err);
}

static lun_status bind_transpose_(lun_request *r, lun_error *err)
{
    const lun_status status = read_permutation(r, err);
    return status == LUN_OK ? request_in_place(r, err) : status;
}

static lun_status run_transpose_(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const permutation *p = r->state;
    return lun_transpose_in_place(out[0], p->axes, &r->call, err);
}

const request_functions transpose_functions = {bind_transpose, run_transpose},
                        transpose__functions = {bind_transpose_, run_transpose_};

/* ---- joining ------------------------------------------------------------------------------------------------------------- */

typedef struct joining {
    int axis;
    const lun_array **arrays;
    size_t count;
} joining;

static lun_status read_arrays(joining *j, lun_request *r, lun_error *err)
{
    const lun_list *list = &r->arguments[1].list;
    j->count = list->count;
    if (list->count == 0)
        return fail(err, LUN_MISUSE, "the list has no array; there is nothing to join");
    j->arrays = REQUEST_MEMORY(r, list->count * sizeof *j->arrays);
    for (size_t i = 0; i < list->count; i++)
        j->arrays[i] = list->items[i].array;
    return LUN_OK;
}

static lun_status bind_join(lun_request *r, bool stacking, lun_error *err)
{
    joining *j = REQUEST_STATE(r, joining);
    const lun_value *axis = &r->arguments[2];
    lun_dtype dtype;
    int ndim, count = 1, axes[LUN_MAX_AXES] = {0};
    size_t shape[LUN_MAX_AXES];
    TRY(read_arrays(j, r, err));
    const lun_array *first = j->arrays[0];
    if (axis->kind != LUN_VALUE_NOTHING && stacking)
        TRY(value_axes(&count, axes, r, axis, first->ndim, NULL, true, err));
    else if (axis->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(axes, r, axis, first->ndim, first->shape, err));
    if (count != 1)
        FAIL(LUN_MISUSE, "arrays are stacked along one axis, and %d are named", count);
    j->axis = axes[0];
    TRY((stacking ? lun_stack_result : lun_concat_result)(&dtype, &ndim, shape, j->arrays, j->count, j->axis, err));
    return request_result(r, dtype, ndim, shape, err);
}

static lun_status bind_concat(lun_request *r, lun_error *err) { return bind_join(r, false, err); }

static lun_status run_concat(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const joining *j = r->state;
    return lun_concat(out[0], j->arrays, j->count, j->axis, &r->call, err);
}

static lun_status bind_stack(lun_request *r, lun_error *err) { return bind_join(r, true, err); }

static lun_status run_stack(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const joining *j = r->state;
    return lun_stack(out[0], j->arrays, j->count, j->axis, &r->call, err);
}

const request_functions concat_functions = {bind_concat, run_concat}, stack_functions = {bind_stack, run_stack};

/* ---- tile ---------------------------------------------------------------------------------------------------------------- */

typedef struct tiling {
    int count;
    size_t times[LUN_MAX_AXES];
} tiling;

static lun_status bind_tile(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    tiling *t = REQUEST_STATE(r, tiling);
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(value_counts(&t->count, t->times, r, &r->arguments[1], "repetition", 0, err));
    TRY(lun_tile_result(&ndim, shape, array, t->count, t->times, err));
    return request_result(r, array->dtype, ndim, shape, err);
}

static lun_status run_tile(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const tiling *t = r->state;
    return lun_tile(out[0], r->arguments[0].array, t->count, t->times, &r->call, err);
}

const request_functions tile_functions = {bind_tile, run_tile};

/* ---- roll ---------------------------------------------------------------------------------------------------------------- */

typedef struct rolling {
    bool flat;
    int64_t shift, shifts[LUN_MAX_AXES];
} rolling;

/* The shift of each axis that is named; one shift goes for all of them. */
static lun_status read_shifts(rolling *p, const lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    const lun_array *array = r->arguments[0].array;
    const lun_value *shift = &r->arguments[1];
    const bool list = shift->kind == LUN_VALUE_LIST;
    int count, axes[LUN_MAX_AXES];
    TRY(value_axes(&count, axes, r, &r->arguments[2], array->ndim, array->shape, false, err));
    if (list && shift->list.count != (size_t)count)
        FAIL(LUN_MISUSE, "the number of shifts is %zu, and that of axes %d", shift->list.count, count);
    for (int i = 0; i < count; i++) {
        const lun_value *each = value_item(shift, (size_t)i);
        if (!list)
            TRY(request_integer(&p->shifts[axes[i]], r, 1, err));
        else if (each->kind != LUN_VALUE_NUMBER || !number_whole(&p->shifts[axes[i]], each->number))
            FAIL(LUN_MISUSE, "shift %d is %s; a whole number is wanted", i + 1, value_shown(shown, r, each));
    }
    return LUN_OK;
}

static lun_status bind_roll(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    rolling *p = REQUEST_STATE(r, rolling);
    p->flat = r->arguments[2].kind == LUN_VALUE_NOTHING;
    if (p->flat && r->arguments[1].kind == LUN_VALUE_LIST)
        FAIL(LUN_MISUSE, "a list of shifts goes with a list of axes");
    TRY(p->flat ? request_integer(&p->shift, r, 1, err) : read_shifts(p, r, err));
    return request_result(r, array->dtype, array->ndim, array->shape, err);
}

static lun_status run_roll(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *array = r->arguments[0].array;
    const rolling *p = r->state;
    return p->flat ? lun_roll_flat(out[0], array, p->shift, &r->call, err)
                   : lun_roll(out[0], array, p->shifts, &r->call, err);
}

const request_functions roll_functions = {bind_roll, run_roll};

/* ---- pad ----------------------------------------------------------------------------------------------------------------- */

/* The widths before and behind an axis. */
static lun_status read_pair(lun_padding *out, int axis, const lun_request *r, const lun_value *pair, lun_error *err)
{
    char what[SHOWN];
    const int number = manner_axis(r->manner, axis, r->arguments[0].array->ndim) + 1;
    if (pair->kind != LUN_VALUE_LIST)
        FAIL(LUN_MISUSE, "pair %d is %s; {before, after} is wanted", number, kind_shown(r, pair));
    if (pair->list.odd)
        FAIL(LUN_MISUSE, "pair %d has %s", number, pair->list.odd);
    if (pair->list.count != 2)
        FAIL(LUN_MISUSE, "pair %d has length %zu; {before, after} is wanted", number, pair->list.count);
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
        FAIL(LUN_MISUSE, "the width is %lld; a whole number from 0 is wanted", (long long)width);
    if (list && widths->list.count != (size_t)array->ndim)
        FAIL(LUN_MISUSE, "the number of pairs {before, after} is %zu, and that of axes %d", widths->list.count,
             array->ndim);
    for (int i = 0; i < array->ndim; i++) {
        out->before[i] = out->after[i] = (size_t)width;
        if (list)
            TRY(read_pair(out, i, r, &widths->list.items[manner_axis(r->manner, i, array->ndim)], err));
    }
    return LUN_OK;
}

static lun_status bind_pad(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const char *mode = request_text(r, "mode");
    lun_padding *p = REQUEST_STATE(r, lun_padding);
    size_t shape[LUN_MAX_AXES];
    p->mode = LUN_PAD_CONSTANT;
    p->value = request_number(r, "value", lun_integer(0));
    TRY(read_widths(p, r, err));
    if (mode)
        TRY(lun_pad_mode_find(&p->mode, mode, err));
    if (request_option(r, "value") && p->mode != LUN_PAD_CONSTANT)
        FAIL(LUN_MISUSE, "value goes with mode \"constant\", not with \"%s\"", mode);
    TRY(lun_pad_result(shape, array, p, err));
    return request_result(r, array->dtype, array->ndim, shape, err);
}

static lun_status run_pad(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_pad(out[0], r->arguments[0].array, r->state, &r->call, err);
}

const request_functions pad_functions = {bind_pad, run_pad};

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
static lun_status bind_diag(lun_request *r, lun_error *err)
{
    size_t shape[2];
    const lun_array *array = r->arguments[0].array;
    if (array->ndim != 1 && array->ndim != 2)
        FAIL(LUN_MISUSE, "a vector or a matrix is wanted; this array has %d axes", array->ndim);
    if (array->ndim == 2 && r->given)
        FAIL(LUN_MISUSE, "the diagonal of a matrix is a view, which takes no options");
    if (array->ndim == 2) {
        request_views(r, 1);
    } else {
        TRY(lun_diagonal_matrix_result(shape, array, diagonal_of(r), err));
        TRY(request_result(r, array->dtype, 2, shape, err));
    }
    return LUN_OK;
}

static lun_status run_diag(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *array = r->arguments[0].array;
    return r->views ? lun_array_diagonal(out[0], array, (const int[]){0, 1}, diagonal_of(r), err)
                    : lun_diagonal_matrix(out[0], array, diagonal_of(r), &r->call, err);
}

static lun_status bind_triangle(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    if (array->ndim < 2)
        return fail(err, LUN_MISUSE, "an array with 2 axes or more is wanted; this one has %d", array->ndim);
    return request_result(r, array->dtype, array->ndim, array->shape, err);
}

static lun_status run_tril(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_triangle(out[0], r->arguments[0].array, r->manner->reversed, diagonal_of(r), &r->call, err);
}

static lun_status run_triu(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_triangle(out[0], r->arguments[0].array, !r->manner->reversed, diagonal_of(r), &r->call, err);
}

const request_functions diag_functions = {bind_diag, run_diag}, tril_functions = {bind_triangle, run_tril},
                        triu_functions = {bind_triangle, run_triu};
