/* Views of a part of an array. */
#include "call/request.h"
#include "op/move/move.h"

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
    char shape[200];
    if (count != array->ndim)
        FAIL(LUN_MISUSE, "%d %s needed for an array of shape %s, got %d", array->ndim,
             array->ndim == 1 ? "position is" : "positions are",
             manner_shape_text(shape, sizeof shape, manner, array->ndim, array->shape), count);
    for (int i = 0; i < count; i++) {
        const int axis = manner_axis(manner, i, count);
        TRY(pick(&out[axis], manner, array, positions[i], axis, err));
    }
    return LUN_OK;
}

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

enum { FROM, TO, STEP };

/* Whoever writes three positions in order, as {1, 5, 9}, means these, and not position 1 alone. So on an axis of fewer than 9,
 * too: whether three numbers are a list does not depend on the size. Programs whose steps may be longer than the range write
 * {1, -1, step}, whose numbers are in no order. */
static bool is_list(const lun_positions *g, const lun_manner *manner)
{
    const int64_t from = g->part[FROM], to = g->part[TO], step = g->part[STEP];
    const bool up = from >= manner->first && from < to && to < step, down = from < 0 && from > to && to > step;
    return g->given[FROM] && g->given[TO] && g->given[STEP] && (up || down);
}

static lun_status refuse_list(const lun_request *r, const lun_positions *g, unsigned position, lun_error *err)
{
    char at[SHOWN], shown[SHOWN];
    const long long a = g->part[FROM], b = g->part[TO], c = g->part[STEP];
    snprintf(shown, sizeof shown, r->manner->method, "take");
    return fail(err, LUN_MISUSE,
                "%s: {%lld, %lld, %lld} goes from %lld to %lld in steps of %lld, which selects only position %lld: "
                "write {%lld, %lld} for it, or {%lld, %d, %lld} for all steps to the end of the axis; %s picks "
                "positions that are in an array or a list",
                request_position(at, r, position), a, b, c, a, b, c, a, a, a, a, c > 0 ? -1 : r->manner->first, c,
                shown);
}

static lun_status read_range(lun_positions *out, const lun_request *r, unsigned argument, const lun_list *list,
                             lun_error *err)
{
    char at[SHOWN], shown[SHOWN];
    if (list->odd) {
        const bool further = list->odd[0] != '0' && list->odd[strspn(list->odd, "0123456789")] == '\0';
        snprintf(shown, sizeof shown, r->manner->method, "take");
        FAIL(LUN_MISUSE, "%s: a range is {from, to, step}, and has no part [%s]%s%s%s",
             request_position(at, r, argument), list->odd, further ? "; " : "", further ? shown : "",
             further ? " picks positions that are in an array or a list" : "");
    }
    for (size_t i = 0; i < LUN_POSITIONS_PARTS && i < list->count; i++) {
        const lun_value *item = &list->items[i];
        out->given[i] = item->kind != LUN_VALUE_NOTHING;
        if (out->given[i] && (item->kind != LUN_VALUE_NUMBER || !number_whole(&out->part[i], item->number)))
            FAIL(LUN_MISUSE, "%s: a range is {from, to, step} of whole numbers, got %s at position %zu",
                 request_position(at, r, argument), value_shown(shown, r, item), i + 1);
    }
    if (out->given[STEP] && out->part[STEP] == 0)
        FAIL(LUN_MISUSE, "%s: the step is 0", request_position(at, r, argument));
    if (is_list(out, r->manner))
        TRY(refuse_list(r, out, argument, err));
    return LUN_OK;
}

/* {from, to, step}, both ends included; a range that a loop would not enter is empty. */
static lun_status slice_range(lun_slice *out, const lun_manner *manner, const lun_array *array, const lun_positions *g,
                              int axis, lun_error *err)
{
    const int64_t size = (int64_t)array->shape[axis], step = g->given[STEP] ? g->part[STEP] : 1;
    const int64_t ends[] = {manner->first, size - 1 + manner->first};
    const int64_t first = g->given[FROM] ? g->part[FROM] : ends[step < 0],
                  last = g->given[TO] ? g->part[TO] : ends[step > 0];
    const int64_t from = place(manner, first, (size_t)size), to = place(manner, last, (size_t)size);
    *out = (lun_slice){.step = step};
    if (from < -1 || from > size)
        TRY(out_of_range(manner, array, first, axis, err));
    if (to < -1 || to > size)
        TRY(out_of_range(manner, array, last, axis, err));
    if (step > 0 ? from > to : from < to)
        return LUN_OK; /* it is empty: only its ends had to lie near the axis */
    if (from == -1 || from == size)
        TRY(out_of_range(manner, array, first, axis, err));
    if (to == -1 || to == size)
        TRY(out_of_range(manner, array, last, axis, err));
    const uint64_t distance = (uint64_t)(step > 0 ? to - from : from - to);
    const uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    out->from = from;
    out->count = (size_t)(distance / stride + 1);
    return LUN_OK;
}

/* ---- slice, row, col ----------------------------------------------------------------------------------------------------- */

void move_whole(lun_slice *out, const lun_array *array)
{
    for (int i = 0; i < array->ndim; i++)
        out[i] = (lun_slice){.step = 1, .count = array->shape[i]};
}

/* Where ranges leave an axis whole, it stays as it is. */
static lun_status slice_axis(lun_slice *out, const lun_manner *manner, const lun_array *array, const lun_positions *g,
                             int axis, lun_error *err)
{
    if (g->picks)
        return pick(out, manner, array, g->part[FROM], axis, err);
    return g->given[FROM] || g->given[TO] || g->given[STEP] ? slice_range(out, manner, array, g, axis, err) : LUN_OK;
}

/* What a value says of an axis. */
static lun_status read_axis(lun_positions *out, const lun_request *r, const lun_value *value, unsigned argument,
                            lun_error *err)
{
    char at[SHOWN], take[SHOWN] = "", mask[SHOWN] = "", further[3 * SHOWN] = "";
    *out = (lun_positions){.picks = value->kind == LUN_VALUE_NUMBER};
    if (value->kind == LUN_VALUE_NOTHING || (out->picks && number_whole(&out->part[FROM], value->number)))
        return LUN_OK;
    if (out->picks)
        return fail(err, LUN_MISUSE, "%s: a position (a whole number) is needed, got %s",
                    request_position(at, r, argument), value_shown(take, r, value));
    if (value->kind == LUN_VALUE_LIST)
        return read_range(out, r, argument, &value->list, err);
    snprintf(take, sizeof take, r->manner->method, "take");
    snprintf(mask, sizeof mask, r->manner->method, "mask");
    if (value->kind == LUN_VALUE_ARRAY)
        snprintf(further, sizeof further, "; %s(index, axis) takes positions, %s(m) what is true", take, mask);
    return fail(err, LUN_MISUSE, "%s: a range {from, to, step}, a position or %s is needed, got %s%s",
                request_position(at, r, argument), r->manner->left_out, kind_shown(r, value), further);
}

static lun_status slice(lun_array *out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *ranges = &r->arguments[1];
    const size_t given = ranges->kind == LUN_VALUE_NOTHING ? 0 : value_count(ranges);
    lun_slice slices[LUN_MAX_AXES];
    if (given > (size_t)array->ndim)
        FAIL(LUN_MISUSE, "%zu slices for an array with %d %s; a range is a list: slice{from, to}", given, array->ndim,
             array->ndim == 1 ? "axis" : "axes");
    move_whole(slices, array);
    for (unsigned i = 0; i < (unsigned)given; i++) {
        const int axis = manner_axis(r->manner, (int)i, array->ndim);
        lun_positions g;
        TRY(read_axis(&g, r, value_item(ranges, i), i + 1, err));
        TRY(slice_axis(&slices[axis], r->manner, array, &g, axis, err));
    }
    return lun_array_slice(out, array, slices, err);
}

/* Picks the position that argument 1 has on an axis, and leaves the others whole. */
static lun_status pick_on(lun_array *out, const lun_request *r, int axis, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    lun_slice slices[LUN_MAX_AXES];
    int64_t position = 0;
    move_whole(slices, array);
    number_whole(&position, r->arguments[1].number);
    TRY(pick(&slices[axis], r->manner, array, position, axis, err));
    return lun_array_slice(out, array, slices, err);
}

static lun_status row(lun_array *out, lun_request *r, lun_error *err)
{
    const int ndim = r->arguments[0].array->ndim;
    if (ndim == 0)
        return fail(err, LUN_MISUSE, "the array has no axes, so it has no rows");
    return pick_on(out, r, manner_axis(r->manner, 0, ndim), err);
}

static lun_status col(lun_array *out, lun_request *r, lun_error *err)
{
    const int ndim = r->arguments[0].array->ndim;
    if (ndim != 2)
        return fail(err, LUN_MISUSE, "only an array with 2 axes has columns; this one has %d", ndim);
    return pick_on(out, r, manner_axis(r->manner, 1, ndim), err);
}

static bool view_from(lun_array *out, const lun_array *array, const lun_positions *ranges, int count, int first,
                      const lun_manner *manner)
{
    lun_slice slices[LUN_MAX_AXES];
    lun_error ignored;
    move_whole(slices, array);
    for (int i = first; i < array->ndim && i < first + count; i++) {
        const int axis = manner_axis(manner, i, array->ndim);
        const lun_positions *g = &ranges[i - first];
        if ((!g->picks && ((g->given[STEP] && g->part[STEP] == 0) || is_list(g, manner))) ||
            slice_axis(&slices[axis], manner, array, g, axis, &ignored) != LUN_OK)
            return false;
    }
    return first + count <= array->ndim && lun_array_slice(out, array, slices, &ignored) == LUN_OK;
}

bool move_view_slice(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                     const lun_manner *manner)
{
    return view_from(out, array, ranges, count, 0, manner);
}

bool move_view_row(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                   const lun_manner *manner)
{
    return count == 1 && ranges->picks && view_from(out, array, ranges, count, 0, manner);
}

bool move_view_col(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                   const lun_manner *manner)
{
    return count == 1 && ranges->picks && array->ndim == 2 && view_from(out, array, ranges, count, 1, manner);
}

VIEW(slice)
VIEW(row)
VIEW(col)
