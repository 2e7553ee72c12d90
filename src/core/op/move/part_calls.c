/* Views of a part of an array, and in another shape, as rows of operation.def are called. */
#include "op/request.h"

#include <stdio.h>
#include <string.h>

/* ---- positions ----------------------------------------------------------------------------------------------------------- */

/* A position as the host counts, from 0; negative ones count from the last. It may lie one beside the axis at either end. */
static int64_t place(const lun_manner *manner, int64_t position, size_t size)
{
    return position < 0 ? position + (int64_t)size : position - manner->first;
}

static lun_status out_of_range(const lun_manner *manner, const lun_array *array, int64_t position, int axis,
                               lun_error *err)
{
    return fail(err, LUN_MISUSE, "position %lld is out of range on axis %d, which has %zu", (long long)position,
                manner_axis_shown(manner, axis, array->ndim), array->shape[axis]);
}

/* Picks one position, and the axis goes. */
static lun_status pick(lun_slice *out, const lun_manner *manner, const lun_array *array, int64_t position, int axis,
                       lun_error *err)
{
    const size_t size = array->shape[axis];
    *out = (lun_slice){.from = place(manner, position, size), .step = 1, .count = 1, .drop = true};
    if (out->from < 0 || out->from >= (int64_t)size)
        return out_of_range(manner, array, position, axis, err);
    return LUN_OK;
}

lun_status lun_element_slices(lun_slice *out, const lun_array *array, const int64_t *positions, int count,
                              const lun_manner *manner, lun_error *err)
{
    lun_status status = LUN_OK;
    char shape[200];
    if (count != array->ndim)
        FAIL(LUN_MISUSE, "%d %s wanted for an array of shape %s, got %d", array->ndim,
             array->ndim == 1 ? "position is" : "positions are",
             manner_shape_text(shape, sizeof shape, manner, array->ndim, array->shape), count);
    for (int i = 0; i < count; i++) {
        const int axis = manner_axis(manner, i, count);
        TRY(pick(&out[axis], manner, array, positions[i], axis, err));
    }
done:
    return status;
}

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

enum { FROM, TO, STEP, PARTS };

typedef struct range {
    unsigned argument;
    bool given[PARTS];
    int64_t part[PARTS];
} range;

static lun_status read_range(range *out, const lun_request *r, unsigned argument, const lun_list *list, lun_error *err)
{
    lun_status status = LUN_OK;
    char at[SHOWN], shown[SHOWN];
    *out = (range){.argument = argument, .part[STEP] = 1};
    if (list->odd) {
        const bool further = list->odd[0] != '0' && list->odd[strspn(list->odd, "0123456789")] == '\0';
        snprintf(shown, sizeof shown, r->manner->method, "take");
        FAIL(LUN_MISUSE, "%s: a range is {from, to, step}, and has no part [%s]%s%s%s",
             request_position(at, r, argument), list->odd, further ? "; " : "", further ? shown : "",
             further ? " picks positions that stand in an array or a list" : "");
    }
    for (size_t i = 0; i < PARTS && i < list->count; i++) {
        const lun_value *item = &list->items[i];
        out->given[i] = item->kind != LUN_VALUE_NOTHING;
        if (out->given[i] && (item->kind != LUN_VALUE_NUMBER || !number_whole(&out->part[i], item->number)))
            FAIL(LUN_MISUSE, "%s: a range is {from, to, step} of whole numbers, got %s in place %zu",
                 request_position(at, r, argument), value_shown(shown, r, item), i + 1);
    }
    if (out->part[STEP] == 0)
        FAIL(LUN_MISUSE, "%s: the step is 0", request_position(at, r, argument));
done:
    return status;
}

/* Refuses {1, 5, 9}: whoever writes three positions in order means these, and not position 1 alone. So on an axis of fewer
 * than 9, too: whether three numbers are a list does not depend on the size. Programs whose steps may be longer than the
 * range write {1, -1, step}, whose numbers are in no order. */
static lun_status check_no_list(const lun_request *r, const range *g, lun_error *err)
{
    char at[SHOWN], shown[SHOWN];
    const int64_t from = g->part[FROM], to = g->part[TO], step = g->part[STEP];
    const int first = r->manner->first;
    const bool up = from >= first && from < to && to < step, down = from < 0 && from > to && to > step;
    if (!(g->given[FROM] && g->given[TO] && g->given[STEP]) || (!up && !down))
        return LUN_OK;
    const long long a = from, b = to, c = step;
    snprintf(shown, sizeof shown, r->manner->method, "take");
    return fail(err, LUN_MISUSE,
                "%s: {%lld, %lld, %lld} goes from %lld to %lld in steps of %lld, which is position %lld alone: write "
                "{%lld, %lld} for it, or {%lld, %d, %lld} for all steps to the end of the axis; %s picks positions "
                "that stand in an array or a list",
                request_position(at, r, g->argument), a, b, c, a, b, c, a, a, a, a, up ? -1 : first, c, shown);
}

/* {from, to, step}, both ends included; a range that a loop would not enter is empty. */
static lun_status slice_range(lun_slice *out, const lun_request *r, range *g, int axis, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    const int64_t size = (int64_t)array->shape[axis], step = g->part[STEP];
    const int64_t begins = r->manner->first, ends = size - 1 + r->manner->first;
    TRY(check_no_list(r, g, err));
    if (!g->given[FROM])
        g->part[FROM] = step > 0 ? begins : ends;
    if (!g->given[TO])
        g->part[TO] = step > 0 ? ends : begins;
    const int64_t from = place(r->manner, g->part[FROM], (size_t)size),
                  to = place(r->manner, g->part[TO], (size_t)size);
    *out = (lun_slice){.step = step};
    if (from < -1 || from > size)
        TRY(out_of_range(r->manner, array, g->part[FROM], axis, err));
    if (to < -1 || to > size)
        TRY(out_of_range(r->manner, array, g->part[TO], axis, err));
    if (step > 0 ? from > to : from < to)
        goto done; /* it is empty: only its ends had to lie near the axis */
    if (from == -1 || from == size)
        TRY(out_of_range(r->manner, array, g->part[FROM], axis, err));
    if (to == -1 || to == size)
        TRY(out_of_range(r->manner, array, g->part[TO], axis, err));
    const uint64_t distance = (uint64_t)(step > 0 ? to - from : from - to);
    const uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    out->from = from;
    out->count = (size_t)(distance / stride + 1);
done:
    return status;
}

/* ---- slice, row, col ----------------------------------------------------------------------------------------------------- */

static lun_slice whole(size_t size) { return (lun_slice){.step = 1, .count = size}; }

static lun_status slice_axis(lun_slice *out, const lun_request *r, const lun_value *value, unsigned argument, int axis,
                             lun_error *err)
{
    char at[SHOWN], take[SHOWN] = "", mask[SHOWN] = "", further[3 * SHOWN] = "";
    range g;
    int64_t position;
    lun_status status = LUN_OK;
    switch (value->kind) {
    case LUN_VALUE_NOTHING:
        *out = whole(r->arguments[0].array->shape[axis]);
        break;
    case LUN_VALUE_NUMBER:
        if (!number_whole(&position, value->number))
            FAIL(LUN_MISUSE, "%s: a position (a whole number) is wanted, got %s", request_position(at, r, argument),
                 value_shown(take, r, value));
        TRY(pick(out, r->manner, r->arguments[0].array, position, axis, err));
        break;
    case LUN_VALUE_LIST:
        TRY(read_range(&g, r, argument, &value->list, err));
        TRY(slice_range(out, r, &g, axis, err));
        break;
    default:
        snprintf(take, sizeof take, r->manner->method, "take");
        snprintf(mask, sizeof mask, r->manner->method, "mask");
        if (value->kind == LUN_VALUE_ARRAY)
            snprintf(further, sizeof further, "; %s(index, axis) takes positions, %s(m) what is true", take, mask);
        FAIL(LUN_MISUSE, "%s: a range {from, to, step}, a position or %s is wanted, got %s%s",
             request_position(at, r, argument), r->manner->left_out, kind_shown(r, value), further);
    }
done:
    return status;
}

typedef struct slicing {
    lun_slice of[LUN_MAX_AXES];
} slicing;

static lun_status bind_slice(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    const lun_value *ranges = &r->arguments[1];
    slicing *s = REQUEST_STATE(r, slicing);
    const size_t given = ranges->kind == LUN_VALUE_NOTHING ? 0 : value_count(ranges);
    if (given > (size_t)array->ndim)
        FAIL(LUN_MISUSE, "%zu slices for an array with %d %s; a range is a list: slice{from, to}", given, array->ndim,
             array->ndim == 1 ? "axis" : "axes");
    for (unsigned i = 0; i < (unsigned)array->ndim; i++) {
        const int axis = manner_axis(r->manner, (int)i, array->ndim);
        if (i < given)
            TRY(slice_axis(&s->of[axis], r, value_item(ranges, i), i + 1, axis, err));
        else
            s->of[axis] = whole(array->shape[axis]);
    }
    request_views(r, 1);
done:
    return status;
}

/* Picks the position that argument 1 has on an axis, and leaves the others whole. */
static lun_status bind_pick(lun_request *r, int axis, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    slicing *s = REQUEST_STATE(r, slicing);
    int64_t position = 0;
    for (int i = 0; i < array->ndim; i++)
        s->of[i] = whole(array->shape[i]);
    number_whole(&position, r->arguments[1].number);
    TRY(pick(&s->of[axis], r->manner, array, position, axis, err));
    request_views(r, 1);
done:
    return status;
}

static lun_status bind_row(lun_request *r, lun_error *err)
{
    const int ndim = r->arguments[0].array->ndim;
    if (ndim == 0)
        return fail(err, LUN_MISUSE, "the array has no axes, so it has no rows");
    return bind_pick(r, manner_axis(r->manner, 0, ndim), err);
}

static lun_status bind_col(lun_request *r, lun_error *err)
{
    const int ndim = r->arguments[0].array->ndim;
    if (ndim != 2)
        return fail(err, LUN_MISUSE, "only an array with 2 axes has columns; this one has %d", ndim);
    return bind_pick(r, manner_axis(r->manner, 1, ndim), err);
}

static lun_status run_slice(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_array_slice(out[0], r->arguments[0].array, ((const slicing *)r->state)->of, err);
}

const request_functions slice_functions = {bind_slice, run_slice}, row_functions = {bind_row, run_slice},
                        col_functions = {bind_col, run_slice};

/* ---- t ------------------------------------------------------------------------------------------------------------------- */

static lun_status bind_t(lun_request *r, lun_error *err)
{
    (void)err;
    request_views(r, 1);
    return LUN_OK;
}

static lun_status run_t(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *array = r->arguments[0].array;
    int axes[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        axes[i] = array->ndim - 1 - i;
    return lun_array_permute(out[0], array, axes, err);
}

const request_functions t_functions = {bind_t, run_t};

/* ---- reshape ------------------------------------------------------------------------------------------------------------- */

typedef struct shaping {
    int ndim, open;                    /* the size that is left open, counted as the host does from 0; -1: none */
    size_t shape[LUN_MAX_AXES], known; /* as the host writes it, and the product of the others */
} shaping;

/* Refuses sizes beside one that is left open which leave no size for the elements. */
static lun_status refuse_open(const lun_request *r, const shaping *s, lun_error *err)
{
    char text[SHOWN] = "";
    const size_t elements = r->arguments[0].array->size;
    const char *plural = elements == 1 ? "element does" : "elements do";
    for (int i = 0; i < s->ndim; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? "x" : "",
                 i == s->open ? -1 : (long long)s->shape[i]);
    if (s->known == 0 && elements == 0)
        return fail(err, LUN_MISUSE,
                    "0 elements fit shape %s with any size in the place of -1: write the size that is meant", text);
    if (s->known == 0)
        return fail(err, LUN_MISUSE, "%zu %s not fit shape %s, which has none", elements, plural, text);
    return fail(err, LUN_MISUSE, "%zu %s not fit shape %s: %zu is no multiple of %zu", elements, plural, text, elements,
                s->known);
}

static lun_status read_size(shaping *s, const lun_request *r, const lun_value *value, int i, lun_error *err)
{
    lun_status status = LUN_OK;
    char shown[SHOWN];
    int64_t size = -2;
    const bool is_whole = value->kind == LUN_VALUE_NUMBER && number_whole(&size, value->number);
    if (is_whole && size == -1 && s->open >= 0)
        FAIL(LUN_MISUSE, "sizes %d and %d are both -1; one can be left open", s->open + 1, i + 1);
    if (!is_whole || size < -1)
        FAIL(LUN_MISUSE, "size %d is %s; sizes are whole numbers from 0", i + 1, value_shown(shown, r, value));
    s->shape[i] = size == -1 ? 0 : (size_t)size;
    if (size == -1)
        s->open = i;
    else if (__builtin_mul_overflow(s->known, s->shape[i], &s->known))
        FAIL(LUN_MISUSE, "the product of the sizes overflows");
done:
    return status;
}

static lun_status bind_reshape(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t elements = r->arguments[0].array->size;
    const lun_value *sizes = &r->arguments[1];
    const size_t count = sizes->kind == LUN_VALUE_NOTHING ? 0 : value_count(sizes);
    shaping *s = REQUEST_STATE(r, shaping);
    *s = (shaping){.ndim = (int)count, .open = -1, .known = 1};
    if (count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the shape has %zu sizes; an array has at most %d axes", count, LUN_MAX_AXES);
    for (int i = 0; i < s->ndim; i++)
        TRY(read_size(s, r, value_item(sizes, (size_t)i), i, err));
    if (s->open >= 0 && (s->known == 0 || elements % s->known != 0))
        TRY(refuse_open(r, s, err));
    if (s->open >= 0)
        s->shape[s->open] = elements / s->known;
    manner_turn(r->manner, s->shape, s->ndim);
    request_views(r, 1);
done:
    return status;
}

static lun_status run_reshape(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const shaping *s = r->state;
    return lun_array_reshape(out[0], r->arguments[0].array, s->ndim, s->shape, err);
}

const request_functions reshape_functions = {bind_reshape, run_reshape};
