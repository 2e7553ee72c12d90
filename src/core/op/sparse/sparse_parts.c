/* Parts of sparse matrices: also products with matrices that select rows. */
#include "op/sparse/sparse.h"

#include <string.h>

static const lun_sparse *self_of(const composing *s) { return s->r->arguments[0].sparse; }

static lun_status bind_sparse_row(lun_request *r, lun_error *err)
{
    int64_t at;
    TRY(request_integer(&at, r, 1, err));
    const int64_t rows = (int64_t)r->arguments[0].sparse->rows, row = at < 0 ? at + rows + 1 : at;
    if (row < 1 || row > rows)
        FAIL(LUN_MISUSE, "row %lld is out of range 1..%lld", (long long)at, (long long)rows);
    return steps_bind(r, 2, err);
}

/* The columns of a row's entries, and their values, as views. */
static lun_status sparse_row(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *parts[] = {a->columns, a->values};
    int64_t at, from, to;
    TRY(request_integer(&at, s->r, 1, err));
    at = at < 0 ? at + (int64_t)a->rows : at - 1;
    TRY(step_element(&from, s, a->starts, (size_t)at, err));
    TRY(step_element(&to, s, a->starts, (size_t)at + 1, err));
    for (size_t i = 0; i < COUNT(parts); i++) {
        TRY(step_slice(&parts[i], s, parts[i], from - 1, 1, (size_t)(to - from), err));
        TRY(step_give(s, i, parts[i], err));
    }
    return LUN_OK;
}

STEPPED(sparse_row, bind_sparse_row)

/* The product with a matrix whose row i has a 1 in the column rows[i]. */
static lun_status choose_rows(lun_sparse *out, composing *s, const lun_sparse *a, lun_array *rows, lun_error *err)
{
    const lun_dtype index = a->columns->dtype, dtype = a->values->dtype;
    lun_sparse choice = {.rows = rows->size, .width = a->rows};
    TRY(step_range(&choice.starts, s, index, 1, 1, rows->size + 1, err));
    TRY(step_cast(&choice.columns, s, rows, index, err));
    TRY(step_full(&choice.values, s, dtype, rows->size, lun_integer(1), err));
    TRY(sparse_multiply(out, s, &choice, a, err));
    return dtype == LUN_bool ? step_cast(&out->values, s, out->values, dtype, err) : LUN_OK;
}

/* A part by rows and columns; NULL: all rows or columns. */
static lun_status give_part(composing *s, lun_array *const *positions, lun_error *err)
{
    lun_sparse part = *self_of(s), turned;
    if (positions[0])
        TRY(choose_rows(&part, s, &part, positions[0], err));
    if (positions[1]) {
        TRY(sparse_transpose(&turned, s, &part, err));
        TRY(choose_rows(&turned, s, &turned, positions[1], err));
        TRY(sparse_transpose(&part, s, &turned, err));
    }
    if (!positions[0] && !positions[1])
        STEP(&part.values, s, ARRAY, "copy", OF(part.values));
    return sparse_result(s, &part, err);
}

/* Is the argument missing, or the host's value for nothing? */
static bool is_left_out(const lun_request *r, const lun_value *value)
{
    return value->kind == LUN_VALUE_NOTHING ||
           (value->kind == LUN_VALUE_OTHER && strcmp(value->text, r->manner->left_out) == 0);
}

/* Positions in 1..most of an argument: a list, or an array of i32 or i64. */
static lun_status read_positions(lun_array **out, composing *s, unsigned argument, size_t most, lun_error *err)
{
    char place[SHOWN];
    int64_t at, found;
    const lun_value *value = &s->r->arguments[argument];
    *out = value->array;
    if (value->kind == LUN_VALUE_LIST)
        TRY(step_positions(out, s, &value->list, err));
    TRY(sparse_find_outside(&at, &found, s, *out, most, err));
    return at ? fail(err, LUN_MISUSE, "%s: %lld at position %lld is out of range 1..%zu",
                     request_place(place, s->r, argument), (long long)found, (long long)at, most)
              : LUN_OK;
}

static lun_status check_positions(lun_request *r, unsigned argument, lun_error *err)
{
    char place[SHOWN], shown[SHOWN];
    const lun_value *value = &r->arguments[argument];
    const lun_array *array = value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
    bool good = array && array->ndim == 1 && (array->dtype == LUN_i32 || array->dtype == LUN_i64);
    int64_t ignored;
    for (size_t i = 0; value->kind == LUN_VALUE_LIST && (good = i < value->list.count); i++) {
        const lun_value *item = &value->list.items[i];
        if (item->kind != LUN_VALUE_NUMBER || !number_whole(&ignored, item->number))
            FAIL(LUN_MISUSE, "element %zu is %s where a whole number is needed", i + 1, value_shown(shown, r, item));
    }
    if (is_left_out(r, value) || good || value->kind == LUN_VALUE_LIST)
        return LUN_OK;
    FAIL(LUN_MISUSE, "%s: a list or an i32 or i64 array of positions is needed, got %s; A:slice takes ranges",
         request_place(place, r, argument), kind_shown(r, value));
}

static lun_status bind_sparse_submatrix(lun_request *r, lun_error *err)
{
    TRY(check_positions(r, 1, err));
    TRY(check_positions(r, 2, err));
    return sparse_bind(r, err);
}

static lun_status sparse_submatrix(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *positions[2] = {NULL};
    for (unsigned i = 0; i < 2; i++)
        if (!is_left_out(s->r, &s->r->arguments[i + 1]))
            TRY(read_positions(&positions[i], s, i + 1, i ? a->width : a->rows, err));
    return give_part(s, positions, err);
}

STEPPED(sparse_submatrix, bind_sparse_submatrix)

/* LUN_MISUSE unless each of 1..count occurs once. */
static lun_status check_permutation(composing *s, unsigned argument, lun_array *positions, size_t count, lun_error *err)
{
    char place[SHOWN];
    lun_array *sorted = NULL, *all = NULL;
    lun_number differ = lun_truth(positions->size != count);
    if (!differ.integer && count) {
        STEP(&sorted, s, ARRAY, "sort", OF(positions));
        TRY(step_range(&all, s, positions->dtype, 1, 1, count, err));
        STEP(&sorted, s, ARRAY, "ne", OF(sorted), OF(all));
        STEP_NUMBER(&differ, s, "any", OF(sorted));
    }
    if (differ.integer)
        FAIL(LUN_MISUSE, "%s: it is not a permutation of 1..%zu", request_place(place, s->r, argument), count);
    return LUN_OK;
}

/* Without an argument columns are permuted as rows; an explicit nothing keeps them. */
static lun_status sparse_permute(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *positions[2] = {NULL};
    const bool alone = s->r->arguments[2].kind == LUN_VALUE_NOTHING;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned argument = i && !alone ? 2 : 1;
        const size_t count = i ? a->width : a->rows;
        if (is_left_out(s->r, &s->r->arguments[argument]))
            continue;
        TRY(read_positions(&positions[i], s, argument, count, err));
        TRY(check_permutation(s, argument, positions[i], count, err));
    }
    return give_part(s, positions, err);
}

STEPPED(sparse_permute, bind_sparse_submatrix)

static lun_status bind_sparse_slice(lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    const lun_list *ranges = &r->arguments[1].list;
    const size_t count = r->arguments[1].kind == LUN_VALUE_LIST ? ranges->count : 0;
    for (size_t i = 0; i < count; i++) {
        const lun_value *range = &ranges->items[i];
        if (is_left_out(r, range))
            continue;
        if (i >= 2)
            FAIL(LUN_MISUSE, "argument %zu: nothing after argument 2 is needed, got %s", i + 1, kind_shown(r, range));
        if (range->kind != LUN_VALUE_LIST)
            FAIL(LUN_MISUSE, "argument %zu: a range {from, to, step} is needed, got %s; A:submatrix takes positions",
                 i + 1, value_shown(shown, r, range));
    }
    return sparse_bind(r, err);
}

/* The positions of a slice, with its axis for error messages. */
static lun_status sparse_slice(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *positions[2] = {NULL};
    const lun_value *given = &s->r->arguments[1];
    for (size_t i = 0; i < 2 && given->kind == LUN_VALUE_LIST && i < given->list.count; i++) {
        const lun_value *range = &given->list.items[i];
        lun_value ranges[2] = {{.kind = LUN_VALUE_NOTHING}, {.kind = LUN_VALUE_NOTHING}};
        lun_array **at = &positions[i];
        if (is_left_out(s->r, range))
            continue;
        ranges[i] = *range;
        TRY(step_range(at, s, LUN_i64, 1, 1, i ? a->width : a->rows, err));
        STEP(at, s, ARRAY, "expand", OF(*at), WHOLE(2 - i));
        STEP(at, s, ARRAY, "slice", OF(*at), LIST(ranges[0], ranges[1]));
        STEP(at, s, ARRAY, "reshape", OF(*at), WHOLE((*at)->size));
    }
    return give_part(s, positions, err);
}

STEPPED(sparse_slice, bind_sparse_slice)
