/* Sparse matrices from a host's triplets, rows or arrays, and conversion to arrays. */
#include "op/sparse/sparse.h"

#include <stdio.h>

/* ---- the option of sparse ------------------------------------------------------------------------------------------- */

typedef struct making {
    lun_array *rows, *starts, *columns, *values; /* NULL: not given, or a number for all */
    size_t m, n;
    lun_dtype dtype; /* of the values */
} making;

/* Two whole numbers from 0. */
static lun_status read_shape(making *m, const lun_request *r, lun_error *err)
{
    char room[2][SHOWN];
    const char *shown[2];
    int64_t sizes[2] = {-1, -1};
    lun_error found;
    const lun_value *shape = request_option(r, "shape");
    const bool two = shape && shape->kind == LUN_VALUE_LIST && shape->list.count == 2;
    for (size_t i = 0; i < 2 && two; i++) {
        const lun_value *size = value_item(shape, i);
        if (size->kind != LUN_VALUE_NUMBER || !number_whole(&sizes[i], size->number))
            sizes[i] = -1;
        shown[i] = value_shown(room[i], r, size);
    }
    if (two && (sizes[0] < 0 || sizes[1] < 0))
        FAIL(LUN_MISUSE, "shape: a list of two whole numbers from 0 is needed, {rows, columns}, got {%s, %s}", shown[0],
             shown[1]);
    if (!two)
        FAIL(LUN_MISUSE, "shape: a list of two whole numbers from 0 is needed, {rows, columns}, got %s",
             shape ? value_shown(room[0], r, shape) : "nothing");
    m->m = (size_t)sizes[0];
    m->n = (size_t)sizes[1];
    if (lun_sparse_check(m->m, m->n, &found) != LUN_OK)
        FAIL(LUN_MISUSE, "shape: %s", found.message);
    return LUN_OK;
}

/* An array of one axis on the request's device. */
static lun_status read_vector(lun_array **out, const lun_request *r, const char *name, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *given = request_option(r, name);
    if (!given || given->kind != LUN_VALUE_ARRAY)
        FAIL(LUN_MISUSE, "%s: a list or an array is needed, got %s", name,
             given ? value_shown(shown, r, given) : "nothing");
    *out = given->array;
    if ((*out)->device != r->device)
        FAIL(LUN_MISUSE, "%s: the array is on another device than the others", name);
    if ((*out)->ndim != 1)
        FAIL(LUN_MISUSE, "%s: one axis is needed, and the shape is %s", name,
             array_shape_text(shown, sizeof shown, *out));
    return LUN_OK;
}

static lun_status read_positions(lun_array **out, const lun_request *r, const char *name, lun_error *err)
{
    TRY(read_vector(out, r, name, err));
    if (!lun_dtype_has((*out)->dtype, LUN_WHOLE) || (*out)->dtype == LUN_bool)
        FAIL(LUN_MISUSE, "%s: whole numbers are needed, and the array is %s", name, lun_dtype_name((*out)->dtype));
    return LUN_OK;
}

static lun_status read_values(making *m, const lun_request *r, lun_error *err)
{
    const lun_value *dtype = request_option(r, "dtype"), *values = request_option(r, "values");
    m->dtype = r->floats;
    if (dtype)
        TRY(value_dtype(&m->dtype, dtype, err));
    if (values && values->kind == LUN_VALUE_NUMBER)
        return LUN_OK;
    TRY(read_vector(&m->values, r, "values", err));
    if (m->values->size != m->columns->size)
        FAIL(LUN_MISUSE, "values: got %zu, expected %zu (the entries of cols)", m->values->size, m->columns->size);
    m->dtype = dtype ? m->dtype : m->values->dtype;
    return LUN_OK;
}

static lun_status read_making(making *m, const lun_request *r, lun_error *err)
{
    const bool rows = request_option(r, "rows") != NULL;
    if (rows == (request_option(r, "starts") != NULL))
        FAIL(LUN_MISUSE, "rows or starts are needed, got %s", rows ? "both" : "neither");
    TRY(read_shape(m, r, err));
    TRY(read_positions(rows ? &m->rows : &m->starts, r, rows ? "rows" : "starts", err));
    TRY(read_positions(&m->columns, r, "cols", err));
    if (rows && m->rows->size != m->columns->size)
        FAIL(LUN_MISUSE, "rows and cols: got %zu and %zu; each entry has one of both", m->rows->size, m->columns->size);
    if (!rows && m->starts->size != m->m + 1)
        FAIL(LUN_MISUSE, "starts: got %zu, expected %zu (one more than the rows)", m->starts->size, m->m + 1);
    return read_values(m, r, err);
}

static lun_status bind_sparse_make(lun_request *r, lun_error *err)
{
    making m = {0};
    TRY(read_making(&m, r, err));
    return sparse_bind(r, err);
}

/* LUN_MISUSE for the first triplet out of range 1..most. */
static lun_status check_range(composing *s, const char *what, lun_array *positions, size_t most, lun_error *err)
{
    int64_t at, value;
    TRY(sparse_find_outside(&at, &value, s, positions, most, err));
    return at ? fail(err, LUN_MISUSE, "triplet %lld: %s %lld is out of range 1..%zu", (long long)at, what,
                     (long long)value, most)
              : LUN_OK;
}

/* If columns ascend in each row, the arrays are the matrix; otherwise they are sorted. */
static lun_status of_rows(lun_sparse *out, composing *s, making *m, lun_error *err)
{
    const lun_dtype index = sparse_index(m->m, m->n, m->columns->size);
    lun_number unordered;
    TRY(step_cast(&m->starts, s, m->starts, index, err));
    TRY(step_cast(&m->columns, s, m->columns, index, err));
    STEP_NUMBER(&unordered, s, "csr_check", OF(m->starts), OF(m->columns), WHOLE(m->n));
    *out = (lun_sparse){m->starts, m->columns, m->values, m->m, m->n, {NULL}};
    if (unordered.integer == 0)
        return LUN_OK;
    TRY(sparse_rows(&m->rows, s, out, err));
    return sparse_of_triplets(out, s, m->m, m->n, m->rows, m->columns, m->values, err);
}

static lun_status sparse_make(composing *s, lun_error *err)
{
    making m = {0};
    lun_sparse made;
    TRY(read_making(&m, s->r, err));
    if (m.values)
        TRY(step_cast(&m.values, s, m.values, m.dtype, err));
    else
        TRY(step_full(&m.values, s, m.dtype, m.columns->size, request_option(s->r, "values")->number, err));
    if (m.starts) {
        TRY(of_rows(&made, s, &m, err));
        return sparse_result(s, &made, err);
    }
    if (!sparse_is_counted(m.values)) {
        TRY(check_range(s, "row", m.rows, m.m, err));
        TRY(check_range(s, "column", m.columns, m.n, err));
    }
    TRY(sparse_of_triplets(&made, s, m.m, m.n, m.rows, m.columns, m.values, err));
    return sparse_result(s, &made, err);
}

STEPPED(sparse_make, bind_sparse_make)

/* ---- of arrays, and back -------------------------------------------------------------------------------------------- */

static lun_status bind_sparse_of_array(lun_request *r, lun_error *err)
{
    char shape[SHOWN];
    const lun_array *array = r->arguments[0].array;
    if (array->ndim != 2)
        FAIL(LUN_MISUSE, "a matrix is needed, and the shape is %s", array_shape_text(shape, sizeof shape, array));
    return sparse_bind(r, err);
}

/* What is not 0. */
static lun_status sparse_of_array(composing *s, lun_error *err)
{
    lun_array *array = s->r->arguments[0].array, *places[2], *edges = NULL, *there = NULL;
    lun_sparse made = {.rows = array->shape[0], .width = array->shape[1]};
    STEP(places, s, ARRAY, "nonzero", OF(array));
    const lun_dtype index = sparse_index(made.rows, made.width, places[0]->size);
    TRY(step_range(&edges, s, LUN_i64, 1, 1, made.rows + 1, err));
    STEP(&edges, s, ARRAY, "searchsorted", OF(places[0]), OF(edges));
    TRY(step_cast(&made.starts, s, edges, index, err));
    TRY(step_cast(&made.columns, s, places[1], index, err));
    STEP(&there, s, ARRAY, "ne", OF(array), WHOLE(0));
    STEP(&made.values, s, ARRAY, "mask", OF(array), OF(there));
    return sparse_result(s, &made, err);
}

STEPPED(sparse_of_array, bind_sparse_of_array)

/* Zeros where there is no entry. */
static lun_status sparse_dense(composing *s, lun_error *err)
{
    const lun_sparse *a = s->r->arguments[0].sparse;
    lun_array *dense = NULL, *rows = NULL, *places = NULL;
    STEP(&dense, s, DEVICE, "zeros", LIST(WHOLE(a->rows).value, WHOLE(a->width).value), DTYPE(a->values->dtype));
    if (a->columns->size) {
        TRY(sparse_rows(&rows, s, a, err));
        STEP_MAP(&places, s, LUN_i64, "(r - 1) * n + c", NAMED("r", OF(rows)), NAMED("c", OF(a->columns)),
                 NAMED("n", WHOLE(a->width)));
        STEP(&dense, s, ARRAY, "put", OF(dense), OF(places), OF(a->values));
    }
    return step_give(s, 0, dense, err);
}

STEPPED(sparse_dense, steps_bind_one)

static lun_status sparse_rows_of(composing *s, lun_error *err)
{
    lun_array *rows = NULL;
    TRY(sparse_rows(&rows, s, s->r->arguments[0].sparse, err));
    return step_give(s, 0, rows, err);
}

STEPPED(sparse_rows_of, steps_bind_one)

static lun_status bind_sparse_triplets(lun_request *r, lun_error *err) { return steps_bind(r, 3, err); }

static lun_status sparse_triplets(composing *s, lun_error *err)
{
    const lun_sparse *a = s->r->arguments[0].sparse;
    lun_array *parts[] = {NULL, a->columns, a->values};
    TRY(sparse_rows(&parts[0], s, a, err));
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (i > 0)
            STEP(&parts[i], s, ARRAY, "copy", OF(parts[i]));
        TRY(step_give(s, i, parts[i], err));
    }
    return LUN_OK;
}

STEPPED(sparse_triplets, bind_sparse_triplets)

/* The kernel searches for each row's diagonal entry; an order and bounds of levels are not needed. */
static lun_status sparse_diag(composing *s, lun_error *err)
{
    const lun_sparse *a = s->r->arguments[0].sparse;
    const size_t count = smaller(a->rows, a->width);
    lun_array *found = NULL;
    if (count == 0 || a->columns->size == 0) {
        TRY(step_full(&found, s, a->values->dtype, count, lun_integer(0), err));
        return step_give(s, 0, found, err);
    }
    STEP(&found, s, ARRAY, "csr_sweep", OF(a->values), OF(a->starts), OF(a->columns), OF(a->starts), OF(a->starts),
         NAMED("task", TEXT("diagonal")));
    TRY(step_slice(&found, s, found, 0, 1, count, err));
    return step_give(s, 0, found, err);
}

STEPPED(sparse_diag, steps_bind_one)
