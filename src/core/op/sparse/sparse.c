/* Sparse matrices: made from triplets, transposed, multiplied. */
#include "op/sparse/sparse.h"

#include <string.h>

static size_t narrow = INT32_MAX; /* that many rows, columns or entries have starts and columns of i64 */
static size_t tried_wide;

void lun_sparse_try(size_t most, size_t wide)
{
    narrow = most ? most : INT32_MAX;
    tried_wide = wide;
}

static bool is_cpu(const lun_device *device) { return strcmp(device->info.type, "cpu") == 0; }

size_t sparse_wide(const lun_device *device)
{
    const csr_tuning *tuned = csr_tuned(device);
    return tried_wide ? tried_wide : is_cpu(device) ? tuned->cpu_wide : tuned->wide;
}

lun_dtype sparse_index(size_t rows, size_t width, size_t entries)
{
    return larger(larger(rows, width), entries) < narrow ? LUN_i32 : LUN_i64;
}

lun_sparse sparse_with(const lun_sparse *a, lun_array *values)
{
    lun_sparse made = *a;
    made.values = values;
    return made;
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

lun_status sparse_bind(lun_request *r, lun_error *err)
{
    r->sparse = true;
    return steps_bind(r, 3, err);
}

lun_status sparse_result(composing *s, const lun_sparse *a, lun_error *err)
{
    lun_array *parts[] = {a->starts, a->columns, a->values};
    lun_sparse_forget(&s->r->matrix); /* of an attempt that failed later */
    s->r->matrix = (lun_sparse){.rows = a->rows, .width = a->width};
    matrix_share_levels(&s->r->matrix, a);
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (!lun_array_is_contiguous(parts[i]))
            STEP(&parts[i], s, ARRAY, "copy", OF(parts[i]));
        TRY(step_give(s, i, parts[i], err));
    }
    return LUN_OK;
}

lun_status sparse_find_outside(int64_t *at, int64_t *value, composing *s, lun_array *positions, size_t most,
                               lun_error *err)
{
    lun_array *outside = NULL;
    lun_number any = lun_truth(false), first;
    if (positions->size) {
        STEP_MAP(&outside, s, LUN_i64, "p < 1 || p > most", NAMED("p", OF(positions)), NAMED("most", WHOLE(most)));
        STEP_NUMBER(&any, s, "any", OF(outside));
    }
    *at = 0;
    if (!any.integer)
        return LUN_OK;
    STEP_NUMBER(&first, s, "argmax", OF(outside));
    *at = first.integer;
    return step_element(value, s, positions, (size_t)*at - 1, err);
}

/* ---- triplets ------------------------------------------------------------------------------------------------------ */

/* Sorting is faster on GPUs, and truth values cannot be added. */
bool sparse_is_counted(const lun_array *values)
{
    return values->size && values->dtype != LUN_bool && is_cpu(values->device);
}

static lun_status count_triplets(lun_sparse *out, composing *s, lun_array *rows, lun_array *columns, lun_array *values,
                                 lun_error *err)
{
    lun_array *made[3] = {NULL};
    if (rows->dtype != columns->dtype || (rows->dtype != LUN_i32 && rows->dtype != LUN_i64)) {
        TRY(step_cast(&rows, s, rows, LUN_i64, err));
        TRY(step_cast(&columns, s, columns, LUN_i64, err));
    }
    const lun_dtype index = sparse_index(out->rows, out->width, values->size);
    STEP(made, s, ARRAY, "csr_build", OF(values), OF(rows), OF(columns), WHOLE(out->rows), WHOLE(out->width),
         NAMED("dtype", DTYPE(index)));
    *out = (lun_sparse){made[0], made[1], made[2], out->rows, out->width, {NULL}};
    return LUN_OK;
}

/* The distinct sorted keys, and the sum of the values of each, in their order. */
static lun_status add_up(lun_array **keys, lun_array **values, composing *s, lun_error *err)
{
    const size_t count = (*keys)->size;
    const lun_dtype dtype = (*values)->dtype;
    lun_array *behind = NULL, *before = NULL, *fresh = NULL, *ends = NULL, *first = NULL, *last = NULL;
    lun_number all;
    TRY(step_slice(&behind, s, *keys, 1, 1, count - 1, err));
    TRY(step_slice(&before, s, *keys, 0, 1, count - 1, err));
    STEP(&fresh, s, ARRAY, "ne", OF(behind), OF(before));
    STEP_NUMBER(&all, s, "all", OF(fresh));
    if (all.integer)
        return LUN_OK;
    STEP(&ends, s, ARRAY, "nonzero", OF(fresh));
    STEP(&ends, s, ARRAY, "add", OF(ends), WHOLE(1));
    TRY(step_full(&first, s, LUN_i64, 1, lun_integer(1), err));
    TRY(step_full(&last, s, LUN_i64, 1, lun_integer((int64_t)count + 1), err));
    STEP(&first, s, MODULE, "concat", LIST(OF(first).value, OF(ends).value));
    STEP(&last, s, MODULE, "concat", LIST(OF(first).value, OF(last).value));
    if (dtype == LUN_bool)
        STEP(values, s, ARRAY, "any", OF(*values), NAMED("axis", WHOLE(1)), NAMED("segments", OF(last)),
             NAMED("keepdims", TRUE));
    else
        STEP(values, s, ARRAY, "sum", OF(*values), NAMED("axis", WHOLE(1)), NAMED("segments", OF(last)),
             NAMED("keepdims", TRUE), NAMED("dtype", DTYPE(dtype)));
    STEP(keys, s, ARRAY, "take", OF(*keys), OF(first));
    return LUN_OK;
}

static lun_status sort_triplets(lun_sparse *out, composing *s, lun_array *rows, lun_array *columns, lun_array *values,
                                lun_error *err)
{
    const size_t width = out->width;
    const lun_dtype index = sparse_index(out->rows, width, values->size);
    const lun_dtype wide = out->rows * width < narrow ? LUN_i32 : LUN_i64;
    lun_array *keys = NULL, *sorted[2], *edges = NULL;
    STEP_MAP(&keys, s, wide, "(r - 1) * n + c", NAMED("r", OF(rows)), NAMED("c", OF(columns)),
             NAMED("n", WHOLE(width)));
    STEP(sorted, s, MODULE, "sort_by", OF(keys), LIST(OF(keys).value, OF(values).value));
    if (values->size > 1)
        TRY(add_up(&sorted[0], &sorted[1], s, err));
    TRY(step_range(&edges, s, LUN_i64, 0, 1, out->rows + 1, err));
    STEP_MAP(&edges, s, wide, "r * n + 1", NAMED("r", OF(edges)), NAMED("n", WHOLE(width)));
    STEP(&out->starts, s, ARRAY, "searchsorted", OF(sorted[0]), OF(edges));
    STEP_MAP(&out->columns, s, wide, "(k - 1) % n + 1", NAMED("k", OF(sorted[0])), NAMED("n", WHOLE(width)));
    TRY(step_cast(&out->starts, s, out->starts, index, err));
    TRY(step_cast(&out->columns, s, out->columns, index, err));
    out->values = sorted[1];
    return LUN_OK;
}

lun_status sparse_of_triplets(lun_sparse *out, composing *s, size_t rows, size_t width, lun_array *at_rows,
                              lun_array *at_columns, lun_array *values, lun_error *err)
{
    const lun_dtype index = sparse_index(rows, width, values->size);
    *out = (lun_sparse){.values = values, .rows = rows, .width = width};
    if (sparse_is_counted(values))
        return count_triplets(out, s, at_rows, at_columns, values, err);
    if (values->size)
        return sort_triplets(out, s, at_rows, at_columns, values, err);
    TRY(step_full(&out->starts, s, index, rows + 1, lun_integer(1), err));
    return step_full(&out->columns, s, index, 0, lun_integer(0), err);
}

/* ---- places -------------------------------------------------------------------------------------------------------- */

lun_status sparse_rows(lun_array **out, composing *s, const lun_sparse *a, lun_error *err)
{
    const size_t count = a->columns->size;
    const lun_dtype dtype = a->starts->dtype;
    lun_array *begins = NULL, *starts = NULL;
    if (count == 0 || a->rows == 0)
        return step_full(out, s, dtype, count, lun_integer(0), err);
    TRY(step_full(&begins, s, dtype, count + 1, lun_integer(0), err));
    TRY(step_slice(&starts, s, a->starts, 0, 1, a->rows, err));
    STEP(&begins, s, ARRAY, "add_at", OF(begins), OF(starts), WHOLE(1));
    STEP(&begins, s, ARRAY, "cumsum", OF(begins));
    TRY(step_slice(&begins, s, begins, 0, 1, count, err));
    return step_cast(out, s, begins, dtype, err);
}

/* Entries are already ordered by rows, so they are sorted only by columns. */
lun_status sparse_transpose(lun_sparse *out, composing *s, const lun_sparse *a, lun_error *err)
{
    lun_array *rows = NULL, *sorted[3], *edges = NULL;
    const lun_dtype index = a->starts->dtype;
    TRY(sparse_rows(&rows, s, a, err));
    if (a->columns->size == 0 || sparse_is_counted(a->values))
        return sparse_of_triplets(out, s, a->width, a->rows, a->columns, rows, a->values, err);
    STEP(sorted, s, MODULE, "sort_by", OF(a->columns), LIST(OF(a->columns).value, OF(rows).value, OF(a->values).value));
    TRY(step_range(&edges, s, index, 1, 1, a->width + 1, err));
    STEP(&edges, s, ARRAY, "searchsorted", OF(sorted[0]), OF(edges));
    TRY(step_cast(&edges, s, edges, index, err));
    *out = (lun_sparse){edges, sorted[1], sorted[2], a->width, a->rows, {NULL}};
    return LUN_OK;
}

/* ---- products ------------------------------------------------------------------------------------------------------ */

/* Each entry of a is multiplied by the row of b given by its column. */
lun_status sparse_multiply(lun_sparse *out, composing *s, const lun_sparse *a, const lun_sparse *b, lun_error *err)
{
    lun_array *made[3], *places[] = {a->starts, a->columns, b->starts, b->columns};
    const lun_dtype index = lun_dtype_promoted(a->starts->dtype, b->starts->dtype);
    for (size_t i = 0; i < COUNT(places); i++)
        TRY(step_cast(&places[i], s, places[i], index, err));
    STEP(made, s, ARRAY, "csr_product", OF(a->values), OF(places[0]), OF(places[1]), OF(places[2]), OF(places[3]),
         OF(b->values));
    *out = (lun_sparse){made[0], made[1], made[2], a->rows, b->width, {NULL}};
    return LUN_OK;
}
