/* Views with other axes: named ones exchanged, turned, gone, or seen through a window, as rows of operation.def are called. */
#include "op/compose.h"

#include "api/reductions.h"

#include <string.h>

/* ---- exchanging ---------------------------------------------------------------------------------------------------------- */

/* Where each axis of the view comes from, and which of the array's are in reverse. */
typedef struct turning {
    int from[LUN_MAX_AXES];
    bool flipped[LUN_MAX_AXES], flips;
} turning;

static lun_status begin_turning(turning **out, lun_request *r, lun_error *err)
{
    turning *t = *out = REQUEST_STATE(r, turning);
    for (int i = 0; i < r->arguments[0].array->ndim; i++)
        t->from[i] = i;
    request_views(r, 1);
    return LUN_OK;
}

static void exchange(turning *t, int a, int b)
{
    const int kept = t->from[a];
    t->from[a] = t->from[b];
    t->from[b] = kept;
}

/* The two axes that a value names; `missing`: those that stand for it. */
static lun_status read_two(int *out, const lun_request *r, const lun_value *value, const int *missing, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int count = 2, named[LUN_MAX_AXES];
    if (array->ndim < 2)
        FAIL(LUN_MISUSE, "an array with 2 axes or more is wanted; this one has %d", array->ndim);
    memcpy(named, missing, 2 * sizeof *named);
    if (value && value->kind != LUN_VALUE_NOTHING)
        TRY(value_axes(&count, named, r, value, array->ndim, array->shape, false, err));
    if (count != 2)
        FAIL(LUN_MISUSE, "option 'axes': two axes are wanted, got %d", count);
    memcpy(out, named, 2 * sizeof *out);
    return LUN_OK;
}

/* The last two axes as the host counts: those of a matrix, with batches before. */
static void last_two(int *out, const lun_request *r)
{
    const int ndim = r->arguments[0].array->ndim;
    for (int i = 0; i < 2; i++)
        out[i] = ndim < 2 ? 0 : r->manner->reversed ? i : ndim - 2 + i;
}

static lun_status bind_mt(lun_request *r, lun_error *err)
{
    int axes[2];
    turning *t;
    TRY(begin_turning(&t, r, err));
    last_two(axes, r);
    TRY(read_two(axes, r, NULL, axes, err));
    exchange(t, axes[0], axes[1]);
    return LUN_OK;
}

static lun_status bind_swapaxes(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int axes[2];
    turning *t;
    TRY(begin_turning(&t, r, err));
    for (int i = 0; i < 2; i++)
        TRY(value_axis(&axes[i], r, &r->arguments[i + 1], array->ndim, array->shape, err));
    exchange(t, axes[0], axes[1]);
    return LUN_OK;
}

/* Axes go to the places that are named, and the others keep their order. */
static lun_status bind_moveaxis(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    turning *t;
    TRY(begin_turning(&t, r, err));
    int counts[2], axes[2][LUN_MAX_AXES], next = 0;
    bool goes[LUN_MAX_AXES] = {false}, taken[LUN_MAX_AXES] = {false};
    for (int i = 0; i < 2; i++)
        TRY(value_axes(&counts[i], axes[i], r, &r->arguments[i + 1], array->ndim, array->shape, false, err));
    if (counts[0] != counts[1])
        FAIL(LUN_MISUSE, "%d axes are moved to %d places", counts[0], counts[1]);
    for (int i = 0; i < counts[0]; i++) {
        goes[axes[0][i]] = taken[axes[1][i]] = true;
        t->from[axes[1][i]] = axes[0][i];
    }
    for (int i = 0; i < array->ndim; i++, next++) {
        while (next < array->ndim && goes[next])
            next++;
        if (taken[i])
            next--;
        else
            t->from[i] = next;
    }
    return LUN_OK;
}

/* A quarter turn brings the first axis to the second: the second is in reverse, and then both change places. */
static lun_status bind_rot90(lun_request *r, lun_error *err)
{
    const int ndim = r->arguments[0].array->ndim;
    int axes[2] = {manner_axis(r->manner, 0, ndim), manner_axis(r->manner, 1, ndim)};
    int64_t k = 1;
    turning *t;
    TRY(begin_turning(&t, r, err));
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(&k, r, 1, err));
    TRY(read_two(axes, r, request_option(r, "axes"), axes, err));
    const int turns = (int)(k & 3);
    t->flips = turns != 0;
    t->flipped[axes[0]] = turns == 2 || turns == 3;
    t->flipped[axes[1]] = turns == 1 || turns == 2;
    if (turns & 1)
        exchange(t, axes[0], axes[1]);
    return LUN_OK;
}

static lun_status run_turned(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    lun_status status = LUN_OK;
    const turning *t = r->state;
    lun_array flipped = {0};
    const lun_array *array = r->arguments[0].array;
    if (t->flips) {
        TRY_DONE(lun_array_flip(&flipped, array, t->flipped, err));
        array = &flipped;
    }
    TRY_DONE(lun_array_permute(out[0], array, t->from, err));
done:
    lun_array_clear(&flipped);
    return status;
}

const request_functions mt_functions = {bind_mt, run_turned}, swapaxes_functions = {bind_swapaxes, run_turned},
                        moveaxis_functions = {bind_moveaxis, run_turned}, rot90_functions = {bind_rot90, run_turned};

/* ---- diagonals ----------------------------------------------------------------------------------------------------------- */

typedef struct diagonals {
    int axes[2];
    int64_t k;
} diagonals;

static lun_status bind_diagonal(lun_request *r, lun_error *err)
{
    diagonals *d = REQUEST_STATE(r, diagonals);
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(&d->k, r, 1, err));
    last_two(d->axes, r);
    TRY(read_two(d->axes, r, request_option(r, "axes"), d->axes, err));
    if (r->manner->reversed && !request_option(r, "axes"))
        d->k = -d->k;
    request_views(r, 1);
    return LUN_OK;
}

static lun_status run_diagonal(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const diagonals *d = r->state;
    return lun_array_diagonal(out[0], r->arguments[0].array, d->axes, d->k, err);
}

const request_functions diagonal_functions = {bind_diagonal, run_diagonal};

/* The sum of each diagonal. */
static lun_status trace(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    composed x = {0};
    composed_axes over = {.keepdims = false};
    lun_array *diagonal;
    int axes[2];
    int64_t k = 0;
    if (c->r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(&k, c->r, 1, err));
    last_two(axes, c->r);
    TRY(read_two(axes, c->r, request_option(c->r, "axes"), axes, err));
    if (c->r->manner->reversed && !request_option(c->r, "axes"))
        k = -k;
    TRY(compose_view(&diagonal, c, err));
    if (!lun_array_is_live(diagonal))
        TRY(lun_array_diagonal(diagonal, in, axes, k, err));
    over.axis[diagonal->ndim - 1] = true;
    c->numbers = diagonal->ndim == 1 && !request_array_option(c->r, "out");
    x.results[0] = of_array(&x, diagonal);
    return compose_give_fold(c, &x, LUN_REDUCE_sum, &over, err);
}

COMPOSED(trace)

/* ---- unstack ------------------------------------------------------------------------------------------------------------- */

static lun_status bind_unstack(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int *axis = REQUEST_STATE(r, int);
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be parted");
    *axis = manner_axis(r->manner, 0, array->ndim);
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(value_axis(axis, r, &r->arguments[1], array->ndim, array->shape, err));
    request_views(r, array->shape[*axis]);
    return LUN_OK;
}

static lun_status run_unstack(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *array = r->arguments[0].array;
    const int axis = *(const int *)r->state;
    lun_slice slices[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        slices[i] = (lun_slice){.step = 1, .count = array->shape[i]};
    slices[axis] = (lun_slice){.step = 1, .count = 1, .drop = true};
    for (size_t i = 0; i < r->result_count; i++) {
        slices[axis].from = (int64_t)i;
        TRY(lun_array_slice(out[i], array, slices, err));
    }
    return LUN_OK;
}

const request_functions unstack_functions = {bind_unstack, run_unstack};

/* ---- windows ------------------------------------------------------------------------------------------------------------- */

typedef struct framing {
    int count, axes[LUN_MAX_AXES];
    size_t widths[LUN_MAX_AXES], steps[LUN_MAX_AXES];
} framing;

/* A width for each axis that is named, or for all of them; a step for each, or one for all. */
static lun_status bind_windows(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis"), *step = request_option(r, "step");
    framing *f = REQUEST_STATE(r, framing);
    int widths, steps = 1;
    TRY(value_counts(&widths, f->widths, r, &r->arguments[1], "width", 0, err));
    f->count = array->ndim;
    for (int i = 0; i < f->count; i++)
        f->axes[i] = manner_axis(r->manner, i, array->ndim);
    if (axis)
        TRY(value_axes(&f->count, f->axes, r, axis, array->ndim, array->shape, false, err));
    if (widths != f->count)
        FAIL(LUN_MISUSE, "the number of widths is %d, and that of axes %d%s", widths, f->count,
             axis ? "" : "; the option axis names some of them");
    f->steps[0] = 1;
    if (step)
        TRY(value_counts(&steps, f->steps, r, step, "step", 1, err));
    if (steps != 1 && steps != f->count)
        FAIL(LUN_MISUSE, "the number of steps is %d, and that of axes %d", steps, f->count);
    for (int i = 0; i < f->count; i++)
        f->steps[i] = f->steps[steps == 1 ? 0 : i];
    request_views(r, 1);
    return LUN_OK;
}

static lun_status run_windows(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const framing *f = r->state;
    return lun_array_windows(out[0], r->arguments[0].array, f->count, f->axes, f->widths, f->steps, err);
}

const request_functions windows_functions = {bind_windows, run_windows};
