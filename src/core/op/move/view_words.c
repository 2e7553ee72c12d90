/* Views in another arrangement. None of them copies or waits. */
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"
#include "op/move/move.h"

#include <string.h>

/* ---- axes ---------------------------------------------------------------------------------------------------------------- */

/* Marks the axes that argument 1 names; `fresh`: among those of the result, as new ones. */
static lun_status read_axes(bool *marked, int *count, const lun_request *r, bool fresh, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    int axes[LUN_MAX_AXES];
    TRY(value_axes(count, axes, r, &r->arguments[1], array->ndim, fresh ? NULL : array->shape, fresh, err));
    for (int i = 0; i < *count; i++)
        marked[axes[i]] = true;
    return LUN_OK;
}

static bool names_axes(const lun_request *r) { return r->arguments[1].kind != LUN_VALUE_NOTHING; }

static lun_status squeeze(lun_array *out, lun_request *r, lun_error *err)
{
    bool axes[LUN_MAX_AXES] = {false};
    int count;
    if (names_axes(r))
        TRY(read_axes(axes, &count, r, false, err));
    return lun_array_squeeze(out, r->arguments[0].array, names_axes(r) ? axes : NULL, err);
}

static lun_status flip(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    bool axes[LUN_MAX_AXES] = {false};
    int count;
    for (int i = 0; i < array->ndim; i++)
        axes[i] = !names_axes(r);
    if (names_axes(r))
        TRY(read_axes(axes, &count, r, false, err));
    return lun_array_flip(out, array, axes, err);
}

static lun_status expand(lun_array *out, lun_request *r, lun_error *err)
{
    bool axes[2 * LUN_MAX_AXES] = {false};
    int count;
    TRY(read_axes(axes, &count, r, true, err));
    return lun_array_expand(out, r->arguments[0].array, axes, count, err);
}

VIEW(squeeze)
VIEW(flip)
VIEW(expand)

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

VIEW_AS(real, lun_array_part(out, in, false, err))
VIEW_AS(imag, lun_array_part(out, in, true, err))
VIEW_AS(as_real, lun_array_as_real(out, in, err))
VIEW_AS(as_complex, lun_array_as_complex(out, in, err))

/* ---- broadcast ----------------------------------------------------------------------------------------------------------- */

static lun_status broadcast(lun_array *out, lun_request *r, lun_error *err)
{
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    if (r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(value_counts(&ndim, shape, r, &r->arguments[1], "size", 0, err));
    return lun_array_broadcast(out, r->arguments[0].array, ndim, shape, err);
}

VIEW(broadcast)

/* ---- split --------------------------------------------------------------------------------------------------------------- */

/* The size of each part, where all have one, and how many there are. */
static lun_status read_even(size_t *each, size_t *count, const lun_request *r, int axis, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    int64_t parts;
    TRY(request_integer(&parts, r, 1, err));
    if (parts < 1)
        FAIL(LUN_MISUSE, "the number of parts is %lld; a whole number from 1 is needed", (long long)parts);
    if (in->shape[axis] % (size_t)parts != 0)
        FAIL(LUN_MISUSE,
             "axis %d has %zu positions, which cannot be divided into %lld equal parts; a list gives the size of each "
             "part",
             manner_axis_shown(r->manner, axis, in->ndim), in->shape[axis], (long long)parts);
    *each = in->shape[axis] / (size_t)parts;
    *count = (size_t)parts;
    return LUN_OK;
}

static lun_status read_part(size_t *out, const lun_request *r, size_t i, lun_error *err)
{
    return value_whole_from(out, r, &r->arguments[1].list.items[i], "size", i + 1, 0, err);
}

static lun_status check_listed(size_t *count, const lun_request *r, int axis, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    size_t sum = 0, part;
    *count = r->arguments[1].list.count;
    for (size_t i = 0; i < *count; i++) {
        TRY(read_part(&part, r, i, err));
        if (__builtin_add_overflow(sum, part, &sum))
            sum = SIZE_MAX; /* which no axis has */
    }
    if (sum != in->shape[axis])
        FAIL(LUN_MISUSE, "the sizes of the parts add up to %lld, and axis %d has %zu positions", (long long)sum,
             manner_axis_shown(r->manner, axis, in->ndim), in->shape[axis]);
    return LUN_OK;
}

static lun_status split(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_value *named = &c->r->arguments[2];
    const bool listed = c->r->arguments[1].kind == LUN_VALUE_LIST;
    int axis = 0;
    size_t count = 0, each = 0;
    lun_slice slices[LUN_MAX_AXES];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be split");
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&axis, c->r, named, in->ndim, in->shape, err));
    TRY(listed ? check_listed(&count, c->r, axis, err) : read_even(&each, &count, c->r, axis, err));
    request_views(c->r, count);
    move_whole(slices, in);
    for (size_t i = 0; c->out && i < count; i++) {
        slices[axis].count = each;
        if (listed)
            TRY(read_part(&slices[axis].count, c->r, i, err));
        TRY(lun_array_slice(c->out[i], in, slices, err));
        slices[axis].from += (int64_t)slices[axis].count;
    }
    return LUN_OK;
}

COMPOSED(split)

/* ---- meshgrid ------------------------------------------------------------------------------------------------------------ */

/* A view of the vector along that axis of the grid. */
static lun_status view_along(lun_array *out, const lun_array *vector, int axis, int ndim, const size_t *shape,
                             lun_error *err)
{
    ENDED_BY(lun_array_clear) lun_array thin = {0};
    bool others[LUN_MAX_AXES] = {false};
    for (int i = 0; i < ndim; i++)
        others[i] = i != axis;
    TRY(lun_array_expand(&thin, vector, others, ndim - 1, err));
    return lun_array_broadcast(out, &thin, ndim, shape, err);
}

static lun_status meshgrid(composing *c, lun_error *err)
{
    const lun_list *vectors = &c->r->arguments[1].list;
    const char *indexing = request_text(c->r, "indexing");
    const int ndim = (int)vectors->count;
    const bool sparse = request_truth(c->r, "sparse"),
               matrix_order = ndim < 2 || (indexing && strcmp(indexing, "ij") == 0);
    int axis[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
    if (vectors->count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "there are more than %d vectors; an array has at most %d axes", LUN_MAX_AXES, LUN_MAX_AXES);
    if (indexing && strcmp(indexing, "xy") != 0 && strcmp(indexing, "ij") != 0)
        FAIL(LUN_MISUSE, "option 'indexing': \"xy\" or \"ij\" is needed, got \"%s\"", indexing);
    for (int i = 0; i < ndim; i++) {
        const lun_array *vector = vectors->items[i].array;
        if (vector->ndim != 1)
            FAIL(LUN_MISUSE, "argument %d: a vector is needed; this array has %d axes", i + 1, vector->ndim);
        axis[i] = manner_axis(c->r->manner, matrix_order || i > 1 ? i : 1 - i, ndim);
        shape[axis[i]] = vector->size;
    }
    request_views(c->r, vectors->count);
    for (int i = 0; c->out && i < ndim; i++) {
        size_t own[LUN_MAX_AXES];
        for (int k = 0; k < ndim; k++)
            own[k] = sparse && k != axis[i] ? 1 : shape[k];
        TRY(view_along(c->out[i], vectors->items[i].array, axis[i], ndim, own, err));
    }
    return LUN_OK;
}

COMPOSED(meshgrid)

/* ---- broadcast of several ------------------------------------------------------------------------------------------------ */

static lun_status together(composing *c, lun_error *err)
{
    const lun_list *list = &c->r->arguments[1].list;
    char has[SHOWN], before[SHOWN];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array **arrays;
    TRY(compose_kept((void **)&arrays, c, list->count * sizeof *arrays, err));
    for (size_t i = 0; i < list->count; i++) {
        arrays[i] = list->items[i].array;
        if (shape_broadcast(&ndim, shape, arrays, i + 1))
            continue;
        shape_broadcast(&ndim, shape, arrays, i);
        FAIL(LUN_MISUSE, "argument %zu has shape %s, which does not broadcast with %s", i + 1,
             array_shape_text(has, sizeof has, arrays[i]),
             device_shape_text(before, sizeof before, c->r->device, ndim, shape));
    }
    request_views(c->r, list->count);
    for (size_t i = 0; c->out && i < list->count; i++)
        TRY(lun_array_broadcast(c->out[i], arrays[i], ndim, shape, err));
    return LUN_OK;
}

COMPOSED(together)
