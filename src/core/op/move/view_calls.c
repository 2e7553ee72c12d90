/* Views in another arrangement, as rows of operation.def are called. None of them copies or waits. */
#include "base/shape.h"
#include "device/device.h"
#include "op/request.h"

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

static lun_status real(lun_array *out, lun_request *r, lun_error *err)
{
    return lun_array_part(out, r->arguments[0].array, false, err);
}

static lun_status imag(lun_array *out, lun_request *r, lun_error *err)
{
    return lun_array_part(out, r->arguments[0].array, true, err);
}

static lun_status as_real(lun_array *out, lun_request *r, lun_error *err)
{
    return lun_array_as_real(out, r->arguments[0].array, err);
}

static lun_status as_complex(lun_array *out, lun_request *r, lun_error *err)
{
    return lun_array_as_complex(out, r->arguments[0].array, err);
}

VIEW(real)
VIEW(imag)
VIEW(as_real)
VIEW(as_complex)

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

typedef struct splitting {
    int axis;
    size_t each; /* the size of a part where all have one */
} splitting;

static lun_status count_even(splitting *s, size_t *count, const lun_request *r, size_t size, lun_error *err)
{
    int64_t parts;
    TRY(request_integer(&parts, r, 1, err));
    if (parts < 1)
        FAIL(LUN_MISUSE, "%lld parts are asked for; a whole number from 1 is wanted", (long long)parts);
    if (size % (size_t)parts != 0)
        FAIL(LUN_MISUSE,
             "axis %d has %zu positions, which cannot be shared out evenly to %lld parts; a list gives each its size",
             manner_axis_shown(r->manner, s->axis, r->arguments[0].array->ndim), size, (long long)parts);
    s->each = size / (size_t)parts;
    *count = (size_t)parts;
    return LUN_OK;
}

static lun_status count_listed(const splitting *s, const lun_request *r, size_t size, lun_error *err)
{
    const lun_list *list = &r->arguments[1].list;
    size_t sum = 0, part;
    for (size_t i = 0; i < list->count; i++) {
        TRY(value_whole_from(&part, r, &list->items[i], "size", i + 1, 0, err));
        if (__builtin_add_overflow(sum, part, &sum))
            sum = SIZE_MAX; /* which no axis has */
    }
    if (sum != size)
        FAIL(LUN_MISUSE, "the sizes of the parts add up to %lld, and axis %d has %zu positions", (long long)sum,
             manner_axis_shown(r->manner, s->axis, r->arguments[0].array->ndim), size);
    return LUN_OK;
}

static lun_status bind_split(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = &r->arguments[2];
    splitting *s = REQUEST_STATE(r, splitting);
    size_t count = value_count(&r->arguments[1]);
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be split");
    if (axis->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&s->axis, r, axis, array->ndim, array->shape, err));
    const size_t size = array->shape[s->axis];
    TRY(r->arguments[1].kind == LUN_VALUE_LIST ? count_listed(s, r, size, err) : count_even(s, &count, r, size, err));
    request_views(r, count);
    return LUN_OK;
}

static lun_status run_split(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *array = r->arguments[0].array;
    const splitting *s = r->state;
    lun_slice slices[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        slices[i] = (lun_slice){.from = 0, .step = 1, .count = array->shape[i]};
    for (size_t i = 0; i < r->result_count; i++) {
        slices[s->axis].count = s->each;
        if (r->arguments[1].kind == LUN_VALUE_LIST)
            TRY(value_whole_from(&slices[s->axis].count, r, &r->arguments[1].list.items[i], "size", i + 1, 0, err));
        TRY(lun_array_slice(out[i], array, slices, err));
        slices[s->axis].from += (int64_t)slices[s->axis].count;
    }
    return LUN_OK;
}

const request_functions split_functions = {bind_split, run_split};

/* ---- meshgrid ------------------------------------------------------------------------------------------------------------ */

typedef struct grid {
    int axis[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
} grid;

static lun_status bind_meshgrid(lun_request *r, lun_error *err)
{
    const lun_list *vectors = &r->arguments[1].list;
    const char *indexing = request_text(r, "indexing");
    grid *g = REQUEST_STATE(r, grid);
    const bool matrix_order = vectors->count < 2 || (indexing && strcmp(indexing, "ij") == 0);
    if (vectors->count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "there are more than %d vectors; an array has at most %d axes", LUN_MAX_AXES, LUN_MAX_AXES);
    if (indexing && strcmp(indexing, "xy") != 0 && strcmp(indexing, "ij") != 0)
        FAIL(LUN_MISUSE, "option 'indexing': \"xy\" or \"ij\" is wanted, got \"%s\"", indexing);
    for (int i = 0; i < (int)vectors->count; i++) {
        const lun_array *vector = vectors->items[i].array;
        if (vector->ndim != 1)
            FAIL(LUN_MISUSE, "argument %d: a vector is wanted; this array has %d axes", i + 1, vector->ndim);
        g->axis[i] = manner_axis(r->manner, matrix_order || i > 1 ? i : 1 - i, (int)vectors->count);
        g->shape[g->axis[i]] = vector->size;
    }
    request_views(r, vectors->count);
    return LUN_OK;
}

/* A view of the vector along that axis of the grid. */
static lun_status view_along(lun_array *out, const lun_array *vector, int axis, int ndim, const size_t *shape,
                             lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array thin = {0};
    bool others[LUN_MAX_AXES] = {false};
    for (int i = 0; i < ndim; i++)
        others[i] = i != axis;
    TRY_DONE(lun_array_expand(&thin, vector, others, ndim - 1, err));
    TRY_DONE(lun_array_broadcast(out, &thin, ndim, shape, err));
done:
    lun_array_clear(&thin);
    return status;
}

static lun_status run_meshgrid(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_list *vectors = &r->arguments[1].list;
    const grid *g = r->state;
    for (size_t i = 0; i < vectors->count; i++)
        TRY(view_along(out[i], vectors->items[i].array, g->axis[i], (int)vectors->count, g->shape, err));
    return LUN_OK;
}

const request_functions meshgrid_functions = {bind_meshgrid, run_meshgrid};

/* ---- broadcast of several ------------------------------------------------------------------------------------------------ */

typedef struct common {
    int ndim;
    size_t shape[LUN_MAX_AXES];
} common;

static lun_status bind_together(lun_request *r, lun_error *err)
{
    const lun_list *list = &r->arguments[1].list;
    common *c = REQUEST_STATE(r, common);
    char has[SHOWN], before[SHOWN];
    const lun_array **arrays = REQUEST_MEMORY(r, list->count * sizeof *arrays);
    for (size_t i = 0; i < list->count; i++) {
        arrays[i] = list->items[i].array;
        if (shape_broadcast(&c->ndim, c->shape, arrays, i + 1))
            continue;
        shape_broadcast(&c->ndim, c->shape, arrays, i);
        FAIL(LUN_MISUSE, "argument %zu has shape %s, which does not broadcast with %s", i + 1,
             array_shape_text(has, sizeof has, arrays[i]),
             device_shape_text(before, sizeof before, r->device, c->ndim, c->shape));
    }
    request_views(r, list->count);
    return LUN_OK;
}

static lun_status run_together(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const common *c = r->state;
    for (size_t i = 0; i < r->result_count; i++)
        TRY(lun_array_broadcast(out[i], r->arguments[1].list.items[i].array, c->ndim, c->shape, err));
    return LUN_OK;
}

const request_functions together_functions = {bind_together, run_together};
