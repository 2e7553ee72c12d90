/* Views with other axes: named ones exchanged, turned, gone, or seen through a window. */
#include "call/compose.h"
#include "op/move/move.h"

#include "api/reductions.h"

#include <string.h>

/* ---- exchanging ---------------------------------------------------------------------------------------------------------- */

/* A view in which the two axes have changed places. */
static lun_status exchange(lun_array *out, const lun_array *array, int a, int b, lun_error *err)
{
    int from[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        from[i] = i == a ? b : i == b ? a : i;
    return lun_array_permute(out, array, from, err);
}

/* The two axes that a value names; `missing`: those that stand for it. */
static lun_status read_two(int *out, const lun_request *r, const lun_value *value, const int *missing, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int count = 2, named[LUN_MAX_AXES];
    if (array->ndim < 2)
        FAIL(LUN_MISUSE, "an array with 2 axes or more is needed; this one has %d", array->ndim);
    memcpy(named, missing, 2 * sizeof *named);
    if (value && value->kind != LUN_VALUE_NOTHING)
        TRY(value_axes(&count, named, r, value, array->ndim, array->shape, false, err));
    if (count != 2)
        FAIL(LUN_MISUSE, "option 'axes': two axes are needed, got %d", count);
    memcpy(out, named, 2 * sizeof *out);
    return LUN_OK;
}

/* The rows and the columns of each matrix: the last two axes, of which a host with reversed axes has the rows first. */
static void matrix_axes(int *out, const lun_request *r)
{
    const int ndim = r->arguments[0].array->ndim;
    for (int i = 0; i < 2; i++)
        out[i] = ndim < 2 ? 0 : r->manner->reversed ? ndim - 1 - i : ndim - 2 + i;
}

static lun_status mt(lun_array *out, lun_request *r, lun_error *err)
{
    int axes[2];
    matrix_axes(axes, r);
    TRY(read_two(axes, r, NULL, axes, err));
    return exchange(out, r->arguments[0].array, axes[0], axes[1], err);
}

static lun_status swapaxes(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int axes[2];
    for (int i = 0; i < 2; i++)
        TRY(value_axis(&axes[i], r, &r->arguments[i + 1], array->ndim, array->shape, err));
    return exchange(out, array, axes[0], axes[1], err);
}

/* Axes go to the places that are named, and the others keep their order. */
static lun_status moveaxis(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int counts[2], axes[2][LUN_MAX_AXES], from[LUN_MAX_AXES], next = 0;
    bool goes[LUN_MAX_AXES] = {false}, taken[LUN_MAX_AXES] = {false};
    for (int i = 0; i < 2; i++)
        TRY(value_axes(&counts[i], axes[i], r, &r->arguments[i + 1], array->ndim, array->shape, false, err));
    if (counts[0] != counts[1])
        FAIL(LUN_MISUSE, "%d axes cannot be moved to %d positions", counts[0], counts[1]);
    for (int i = 0; i < counts[0]; i++) {
        goes[axes[0][i]] = taken[axes[1][i]] = true;
        from[axes[1][i]] = axes[0][i];
    }
    for (int i = 0; i < array->ndim; i++, next++) {
        while (next < array->ndim && goes[next])
            next++;
        if (taken[i])
            next--;
        else
            from[i] = next;
    }
    return lun_array_permute(out, array, from, err);
}

/* A quarter turn brings the first axis to the second: the second is in reverse, and then both change places. */
static lun_status rot90(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int axes[2] = {manner_axis(r->manner, 0, array->ndim), manner_axis(r->manner, 1, array->ndim)};
    bool reversed[LUN_MAX_AXES] = {false};
    ENDED_BY(lun_array_clear) lun_array flipped = {0};
    int64_t k = 1;
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(&k, r, 1, err));
    TRY(read_two(axes, r, request_option(r, "axes"), axes, err));
    const int turns = (int)(k & 3);
    reversed[axes[0]] = turns == 2 || turns == 3;
    reversed[axes[1]] = turns == 1 || turns == 2;
    TRY(lun_array_flip(&flipped, array, reversed, err));
    return exchange(out, &flipped, axes[0], axes[turns & 1], err);
}

VIEW(mt)
VIEW(swapaxes)
VIEW(moveaxis)
VIEW(rot90)

/* ---- diagonals ----------------------------------------------------------------------------------------------------------- */

/* A view of the diagonals of the matrices that two axes hold. */
static lun_status diagonal(lun_array *out, lun_request *r, lun_error *err)
{
    int axes[2];
    int64_t k = 0;
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer(&k, r, 1, err));
    matrix_axes(axes, r);
    TRY(read_two(axes, r, request_option(r, "axes"), axes, err));
    return lun_array_diagonal(out, r->arguments[0].array, axes, k, err);
}

VIEW(diagonal)

/* The sum of each diagonal. */
static lun_status trace(composing *c, lun_error *err)
{
    composed x = {0};
    composed_axes over = {.keepdims = false};
    lun_array *view;
    COMPOSE_VIEW(view, c, diagonal(view, c->r, err));
    over.axis[view->ndim - 1] = true;
    c->numbers = view->ndim == 1 && !request_array_option(c->r, "out");
    x.results[0] = of_array(&x, view);
    return compose_give_fold(c, &x, LUN_REDUCE_sum, &over, err);
}

COMPOSED(trace)

/* ---- unstack ------------------------------------------------------------------------------------------------------------- */

static lun_status unstack(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_value *named = &c->r->arguments[1];
    lun_slice slices[LUN_MAX_AXES];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it has no windows");
    int axis = manner_axis(c->r->manner, 0, in->ndim);
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&axis, c->r, named, in->ndim, in->shape, err));
    request_views(c->r, in->shape[axis]);
    move_whole(slices, in);
    for (size_t i = 0; c->out && i < in->shape[axis]; i++) {
        slices[axis] = (lun_slice){.from = (int64_t)i, .step = 1, .count = 1, .drop = true};
        TRY(lun_array_slice(c->out[i], in, slices, err));
    }
    return LUN_OK;
}

COMPOSED(unstack)

/* ---- windows ------------------------------------------------------------------------------------------------------------- */

/* A width for each axis that is named, or for all of them; a step for each, or one for all. */
static lun_status windows(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis"), *step = request_option(r, "step");
    int count = array->ndim, axes[LUN_MAX_AXES], width_count, step_count = 1;
    size_t widths[LUN_MAX_AXES], steps[LUN_MAX_AXES] = {1};
    TRY(value_counts(&width_count, widths, r, &r->arguments[1], "width", 0, err));
    for (int i = 0; i < count; i++)
        axes[i] = manner_axis(r->manner, i, array->ndim);
    if (axis)
        TRY(value_axes(&count, axes, r, axis, array->ndim, array->shape, false, err));
    if (width_count != count)
        FAIL(LUN_MISUSE, "there are %d widths, expected %d (the axes)%s", width_count, count,
             axis ? "" : "; the option axis names some of them");
    if (step)
        TRY(value_counts(&step_count, steps, r, step, "step", 1, err));
    if (step_count != 1 && step_count != count)
        FAIL(LUN_MISUSE, "there are %d steps, expected %d (the axes)", step_count, count);
    for (int i = count; step_count == 1 && i-- > 0;)
        steps[i] = steps[0];
    return lun_array_windows(out, array, count, axes, widths, steps, err);
}

VIEW(windows)
