/* Values of requests, read: options, whole numbers, sizes, axes, dtypes. */
#include "call/request.h"

#include <stdio.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------------------------------------------------- */

/* Searches only the given options, so that the others cost nothing. */
const lun_value *request_option(const lun_request *r, const char *name)
{
    const lun_option *row = r->operation->options;
    for (uint32_t left = r->given, i = 0; left; left >>= 1, i++)
        if (left & 1 && strcmp(row[i].name, name) == 0)
            return &r->options[i];
    return NULL;
}

bool request_reproducible(const lun_request *r) { return lun_request_truth(r, "reproducible", r->reproducible); }

bool lun_request_truth(const lun_request *request, const char *name, bool missing)
{
    const lun_value *value = request_option(request, name);
    return value ? value->truth : missing;
}

bool request_truth(const lun_request *r, const char *name) { return lun_request_truth(r, name, false); }

const char *request_text(const lun_request *r, const char *name)
{
    const lun_value *value = request_option(r, name);
    return value ? value->text : NULL;
}

lun_array *request_array_option(const lun_request *r, const char *name)
{
    const lun_value *value = request_option(r, name);
    return value && value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
}

bool value_is_scalar(const lun_value *value)
{
    return value->kind == LUN_VALUE_NUMBER || value->kind == LUN_VALUE_COMPLEX || value->kind == LUN_VALUE_BOOLEAN;
}

lun_number value_scalar(const lun_value *value)
{
    return value->kind == LUN_VALUE_BOOLEAN ? lun_truth(value->truth) : value->number;
}

lun_status value_named(int *out, const char *name, const char *what, const char *const *names, lun_error *err)
{
    char known[SHOWN] = "";
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return LUN_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", names[i]);
    }
    return fail(err, LUN_MISUSE, "unknown %s '%.40s'; known are %s", what, name, known);
}

lun_status request_named(int *out, const lun_request *r, const char *option, const char *what, const char *const *names,
                         lun_error *err)
{
    const char *name = request_text(r, option);
    return name ? value_named(out, name, what, names, err) : LUN_OK;
}

lun_number request_number(const lun_request *r, const char *name, lun_number missing)
{
    const lun_value *value = request_option(r, name);
    return value ? value_scalar(value) : missing;
}

int64_t request_whole(const lun_request *r, const char *name, int64_t missing)
{
    const lun_value *value = request_option(r, name);
    if (value)
        number_whole(&missing, value->number);
    return missing;
}

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

size_t value_count(const lun_value *value) { return value->kind == LUN_VALUE_LIST ? value->list.count : 1; }

const lun_value *value_item(const lun_value *value, size_t i)
{
    return value->kind == LUN_VALUE_LIST ? &value->list.items[i] : value;
}

/* ---- whole numbers ------------------------------------------------------------------------------------------------------- */

static bool value_is_whole(int64_t *out, const lun_value *value)
{
    return value->kind == LUN_VALUE_NUMBER && number_whole(out, value->number);
}

lun_status request_integer(int64_t *out, const lun_request *r, unsigned argument, lun_error *err)
{
    char place[SHOWN], shown[SHOWN];
    const lun_value *value = &r->arguments[argument];
    if (value_is_whole(out, value))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s: a whole number is needed, got %s", request_place(place, r, argument),
                value_shown(shown, r, value));
}

lun_status request_integer_from(int64_t *out, const lun_request *r, unsigned argument, int64_t least, lun_error *err)
{
    char place[SHOWN];
    const lun_status status = request_integer(out, r, argument, err);
    if (status != LUN_OK || *out >= least)
        return status;
    return fail(err, LUN_MISUSE, "%s: a whole number from %lld is needed, got %lld", request_place(place, r, argument),
                (long long)least, (long long)*out);
}

lun_status value_whole_from(size_t *out, const lun_request *r, const lun_value *value, const char *what,
                            size_t position, unsigned least, lun_error *err)
{
    char shown[SHOWN];
    int64_t count = 0;
    if (!value_is_whole(&count, value) || count < (int64_t)least)
        return fail(err, LUN_MISUSE, "%s %zu is %s; a whole number from %u is needed", what, position,
                    value_shown(shown, r, value), least);
    *out = (size_t)count;
    return LUN_OK;
}

lun_status value_counts(int *count, size_t *out, const lun_request *r, const lun_value *value, const char *what,
                        unsigned least, lun_error *err)
{
    const size_t given = value_count(value);
    if (given > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "%zu sizes are named; an array has at most %d axes", given, LUN_MAX_AXES);
    for (size_t i = 0; i < given; i++)
        TRY(value_whole_from(&out[i], r, value_item(value, i), what, i + 1, least, err));
    *count = (int)given;
    manner_turn(r->manner, out, *count);
    return LUN_OK;
}

/* ---- axes ---------------------------------------------------------------------------------------------------------------- */

lun_status lun_axis(int *out, int64_t axis, int ndim, const size_t *shape, const lun_manner *manner, lun_error *err)
{
    char text[SHOWN];
    const char *from = axis == 0 && manner->first == 1 ? ", and axes count from 1" : "";
    const int64_t from_zero = axis < 0 ? axis + ndim : axis - manner->first;
    *out = manner_axis(manner, (int)from_zero, ndim);
    if (from_zero >= 0 && from_zero < ndim)
        return LUN_OK;
    if (ndim == 0 && shape)
        return fail(err, LUN_MISUSE, "axis %lld is out of range: the array has no axes", (long long)axis);
    if (!shape)
        return fail(err, LUN_MISUSE, "axis %lld is out of range: the result has %d %s%s", (long long)axis, ndim,
                    ndim == 1 ? "axis" : "axes", from);
    return fail(err, LUN_MISUSE, "axis %lld is out of range: the array has %d %s (%s)%s", (long long)axis, ndim,
                ndim == 1 ? "axis" : "axes", manner_shape_text(text, sizeof text, manner, ndim, shape), from);
}

lun_status value_axis(int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      lun_error *err)
{
    char text[SHOWN];
    int64_t axis = 0;
    if (!value_is_whole(&axis, value))
        return fail(err, LUN_MISUSE, "axis: a whole number or a list of them is needed, got %s",
                    value_shown(text, r, value));
    return lun_axis(out, axis, ndim, shape, r->manner, err);
}

size_t lun_request_extent(const lun_request *request)
{
    lun_error ignored;
    const lun_array *array = request->arguments[0].array;
    const lun_value *axis = request_option(request, "axis");
    int found;
    unsigned i = 1;
    bool last = false;
    for (const lun_operand *row = request->operation->arguments; row->name; row++, i++) {
        if (strcmp(row->name, "axis") != 0)
            continue;
        last = row->last && array->ndim;
        axis = request->arguments[i].kind != LUN_VALUE_NOTHING ? &request->arguments[i] : axis;
    }
    if (!axis)
        return last ? array->shape[array->ndim - 1] : array->size;
    return value_axis(&found, request, axis, array->ndim, array->shape, &ignored) == LUN_OK ? array->shape[found] : 0;
}

lun_status value_axes(int *count, int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      bool more, lun_error *err)
{
    const size_t given = value_count(value);
    bool named[2 * LUN_MAX_AXES] = {false};
    if (given > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "%zu axes are named; an array has at most %d", given, LUN_MAX_AXES);
    for (size_t i = 0; i < given; i++) {
        TRY(value_axis(&out[i], r, value_item(value, i), more ? ndim + (int)given : ndim, shape, err));
        if (named[out[i]])
            FAIL(LUN_MISUSE, "axis %d is named twice",
                 manner_axis_shown(r->manner, out[i], more ? ndim + (int)given : ndim));
        named[out[i]] = true;
    }
    *count = (int)given;
    return LUN_OK;
}

lun_status request_reduced(bool *numbers, bool *reduced, const lun_request *r, int ndim, const size_t *shape,
                           lun_error *err)
{
    const lun_value *axis = request_option(r, "axis");
    const bool segments = request_option(r, "segments") != NULL;
    int count = ndim, axes[LUN_MAX_AXES] = {0};
    if (axis)
        TRY(value_axes(&count, axes, r, axis, ndim, shape, false, err));
    *numbers = !segments && !request_truth(r, "keepdims") && !request_option(r, "out");
    for (int i = 0; i < ndim; i++)
        reduced[i] = !axis && (!segments || i == ndim - 1);
    for (int i = 0; axis && i < count; i++)
        reduced[axes[i]] = true;
    for (int i = 0; i < ndim; i++)
        *numbers = *numbers && reduced[i];
    return LUN_OK;
}

lun_status value_dtype(lun_dtype *out, const lun_value *value, lun_error *err)
{
    return lun_dtype_find(out, value->text, err);
}

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

const char *list_shown(char *text, const lun_request *r, const lun_list *list, size_t count)
{
    char shown[SHOWN];
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < count; i++, used = strlen(text))
        snprintf(text + used, SHOWN - used, "%s%s", i ? ", " : "", value_shown(shown, r, &list->items[i]));
    return text;
}

/* The error for sizes given as several arguments, which shows the correct form. */
static lun_status refuse_spread(const lun_request *r, unsigned argument, lun_error *err)
{
    char list[SHOWN], behind[SHOWN] = "", shown[SHOWN];
    const lun_value *value = &r->arguments[argument];
    for (const lun_operand *row = r->operation->arguments + argument; row->name; row++)
        if (row->kind != LUN_OPTION_TEXT && r->arguments[++argument].kind == LUN_VALUE_NUMBER)
            snprintf(behind + strlen(behind), sizeof behind - strlen(behind), ", %s",
                     value_shown(shown, r, &r->arguments[argument]));
    return fail(err, LUN_MISUSE, "several sizes belong in a list: %s%s{%s}%s%s", r->operation->name,
                behind[0] ? "(" : "", list_shown(list, r, &value->list, value->list.count), behind,
                behind[0] ? ")" : "");
}

/* The error for an invalid size. For the name of a dtype among the sizes it shows the correct place: {3, "f64"}. */
static lun_status refuse_size(const lun_request *r, const lun_value *list, size_t i, lun_error *err)
{
    char shown[SHOWN], before[SHOWN], quoted[SHOWN], option[SHOWN];
    const lun_value *value = value_item(list, i);
    const char *meant = value->kind == LUN_VALUE_TEXT ? lun_dtype_meant(value->text) : NULL;
    lun_dtype dtype;
    if (value->kind == LUN_VALUE_TEXT && lun_dtype_find(&dtype, value->text, err) == LUN_OK)
        meant = value->text;
    if (!meant)
        return fail(err, LUN_MISUSE, "size %zu is %s; sizes are whole numbers from 0", i + 1,
                    value_shown(shown, r, value));
    snprintf(quoted, sizeof quoted, "\"%.40s\"", meant);
    snprintf(option, sizeof option, r->manner->option, "dtype", quoted);
    return fail(err, LUN_MISUSE, "size %zu is %s; a dtype has its name in a list: {%s%s%s}", i + 1,
                text_shown(shown, r, value), list_shown(before, r, &list->list, i), i ? ", " : "", option);
}

lun_status request_shape(int *ndim, size_t *shape, const lun_request *r, unsigned argument, lun_error *err)
{
    char shown[SHOWN], place[SHOWN];
    int64_t size = 0;
    const lun_value *value = &r->arguments[argument];
    const size_t count = value_count(value);
    if (value->kind == LUN_VALUE_LIST && value->list.spread && count > 1)
        TRY(refuse_spread(r, argument, err));
    if (value->kind == LUN_VALUE_NUMBER && !value_is_whole(&size, value))
        FAIL(LUN_MISUSE, "%s: a whole number or a list of sizes is needed, got %s", request_place(place, r, argument),
             value_shown(shown, r, value));
    if (count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the shape has %zu sizes; an array has at most %d axes", count, LUN_MAX_AXES);
    for (size_t i = 0; i < count; i++) {
        if (!value_is_whole(&size, value_item(value, i)) || size < 0)
            TRY(refuse_size(r, value, i, err));
        shape[i] = (size_t)size;
    }
    *ndim = (int)count;
    manner_turn(r->manner, shape, *ndim);
    return LUN_OK;
}

const lun_value *request_dtype_argument(const lun_request *r)
{
    unsigned i = 1;
    for (const lun_operand *row = r->operation->arguments; row->name; row++, i++)
        if (strcmp(row->name, "dtype") == 0)
            return &r->arguments[i];
    return NULL;
}

lun_status request_dtype(lun_dtype *out, const lun_request *r, lun_error *err)
{
    const lun_value *value = request_dtype_argument(r);
    return value && value->kind != LUN_VALUE_NOTHING ? value_dtype(out, value, err) : LUN_OK;
}

lun_dtype lun_request_dtype(const lun_request *request, lun_number number)
{
    return number.is_truth     ? LUN_bool
           : number.is_complex ? lun_dtype_promoted_by(request->floats, number)
                               : request->floats;
}
