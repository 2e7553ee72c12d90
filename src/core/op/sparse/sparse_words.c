/* Operations on sparse matrices: arithmetic and sums. The sum of two is computed as a product. */
#include "op/sparse/sparse.h"

static const lun_sparse *self_of(const composing *s) { return s->r->arguments[0].sparse; }

/* Another matrix on the same device. */
static lun_status check_other(const lun_request *r, lun_error *err)
{
    if (r->arguments[1].sparse->values->device != r->device)
        FAIL(LUN_MISUSE, "argument 1: the matrix is on another device");
    return LUN_OK;
}

/* ---- the same places ------------------------------------------------------------------------------------------------- */

/* Gives a matrix with the same pattern and other values. */
static lun_status give_with(composing *s, lun_array *values, lun_error *err)
{
    const lun_sparse made = sparse_with(self_of(s), values);
    return sparse_result(s, &made, err);
}

static lun_status sparse_t(composing *s, lun_error *err)
{
    lun_sparse made;
    TRY(sparse_transpose(&made, s, self_of(s), err));
    return sparse_result(s, &made, err);
}

STEPPED(sparse_t, sparse_bind)

/* Applies an operation on arrays to the values, with the argument, if any. */
static lun_status sparse_values(composing *s, lun_error *err)
{
    lun_array *values = NULL;
    const lun_request *r = s->r;
    const step_value given[] = {OF(self_of(s)->values), {.value = r->arguments[1]}};
    const size_t count = r->operation->arguments[0].name ? 2 : 1;
    TRY(step_call(&values, s, LUN_OF_ARRAY, r->operation->name, given, count, err));
    return give_with(s, values, err);
}

STEPPED(sparse_values, sparse_bind)

/* Applies the named function, which must give 0 for 0, to the values. */
static lun_status bind_sparse_map(lun_request *r, lun_error *err)
{
    lun_map_op op;
    TRY(lun_map_find(&op, r->arguments[1].text, err));
    if (lun_map_arity(op) != 1 || !lun_operation_find(LUN_OF_ARRAY, r->arguments[1].text))
        FAIL(LUN_MISUSE, "%s takes %u arguments; only functions of one argument apply to sparse matrices",
             r->arguments[1].text, lun_map_arity(op));
    return sparse_bind(r, err);
}

static lun_status sparse_map(composing *s, lun_error *err)
{
    const char *name = s->r->arguments[1].text;
    lun_array *zero = NULL, *values = self_of(s)->values;
    lun_number fills;
    TRY(step_full(&zero, s, values->dtype, 1, lun_integer(0), err));
    STEP(&zero, s, ARRAY, name, OF(zero));
    STEP_NUMBER(&fills, s, "any", OF(zero));
    if (fills.integer)
        FAIL(LUN_MISUSE, "its value at 0 is not 0, so the result would not be sparse; A:dense():%s() computes it",
             name);
    STEP(&values, s, ARRAY, name, OF(values));
    return give_with(s, values, err);
}

STEPPED(sparse_map, bind_sparse_map)

/* ---- sums of two ------------------------------------------------------------------------------------------------------ */

static lun_status bind_sparse_sum(lun_request *r, lun_error *err)
{
    const lun_sparse *a = r->arguments[0].sparse, *b = r->arguments[1].sparse;
    TRY(check_other(r, err));
    if (a->rows != b->rows || a->width != b->width)
        FAIL(LUN_MISUSE, "the shapes differ: %zux%zu and %zux%zu", a->rows, a->width, b->rows, b->width);
    return sparse_bind(r, err);
}

/* The two matrices, one below the other. */
static lun_status put_below(lun_sparse *out, composing *s, const lun_sparse *a, const lun_sparse *b, lun_dtype index,
                            lun_dtype dtype, lun_error *err)
{
    const bool subtracts = request_is(s->r, ROW_INVERSE);
    lun_array *starts[2], *columns[2], *values[2];
    const lun_sparse *both[] = {a, b};
    for (size_t i = 0; i < COUNT(both); i++) {
        TRY(step_cast(&starts[i], s, both[i]->starts, index, err));
        TRY(step_cast(&columns[i], s, both[i]->columns, index, err));
        TRY(step_cast(&values[i], s, both[i]->values, dtype, err));
    }
    TRY(step_slice(&starts[1], s, starts[1], 1, 1, b->rows, err));
    STEP(&starts[1], s, ARRAY, "add", OF(starts[1]), WHOLE(a->columns->size));
    if (subtracts)
        STEP(&values[1], s, ARRAY, "neg", OF(values[1]));
    STEP(&out->starts, s, MODULE, "concat", LIST(OF(starts[0]).value, OF(starts[1]).value));
    STEP(&out->columns, s, MODULE, "concat", LIST(OF(columns[0]).value, OF(columns[1]).value));
    STEP(&out->values, s, MODULE, "concat", LIST(OF(values[0]).value, OF(values[1]).value));
    out->rows = a->rows + b->rows;
    out->width = a->width;
    return LUN_OK;
}

/* The product of (1 1) and the two matrices, one below the other. Differences of truth values are refused by the
 * negation. */
static lun_status sparse_sum(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s), *b = s->r->arguments[1].sparse;
    const size_t rows = a->rows;
    const bool subtracts = request_is(s->r, ROW_INVERSE);
    const lun_dtype both = lun_dtype_promoted(a->values->dtype, b->values->dtype);
    const lun_dtype dtype = both == LUN_bool && !subtracts ? LUN_i64 : both;
    const lun_dtype index = sparse_index(2 * rows, a->width, a->columns->size + b->columns->size);
    lun_sparse pairs = {.rows = rows, .width = 2 * rows}, below, sum;
    lun_array *places = NULL;
    TRY(step_range(&pairs.starts, s, index, 1, 2, rows + 1, err));
    TRY(step_range(&places, s, LUN_i64, 0, 1, 2 * rows, err));
    STEP_MAP(&places, s, LUN_i64, "i / 2 + i % 2 * m + 1", NAMED("i", OF(places)), NAMED("m", WHOLE(rows)));
    TRY(step_cast(&pairs.columns, s, places, index, err));
    TRY(step_full(&pairs.values, s, dtype, 2 * rows, lun_integer(1), err));
    TRY(put_below(&below, s, a, b, index, dtype, err));
    TRY(sparse_multiply(&sum, s, &pairs, &below, err));
    return sparse_result(s, &sum, err);
}

STEPPED(sparse_sum, bind_sparse_sum)

/* ---- Kronecker products ------------------------------------------------------------------------------------------------ */

static lun_status bind_sparse_kron(lun_request *r, lun_error *err)
{
    const lun_sparse *a = r->arguments[0].sparse, *b = r->arguments[1].sparse;
    size_t rows, width;
    TRY(check_other(r, err));
    if (__builtin_mul_overflow(a->rows, b->rows, &rows) || __builtin_mul_overflow(a->width, b->width, &width) ||
        larger(rows, width) > INT64_MAX)
        FAIL(LUN_MISUSE, "the product of %zux%zu and %zux%zu has too many rows or columns", a->rows, a->width, b->rows,
             b->width);
    return sparse_bind(r, err);
}

/* (p - 1) * count + q for each p and each q, in one axis. */
static lun_status pair_places(lun_array **out, composing *s, lun_array *p, lun_array *q, size_t count, lun_error *err)
{
    STEP(&p, s, ARRAY, "expand", OF(p), WHOLE(2));
    STEP_MAP(out, s, LUN_i64, "(p - 1) * n + q", NAMED("p", OF(p)), NAMED("q", OF(q)), NAMED("n", WHOLE(count)));
    STEP(out, s, ARRAY, "reshape", OF(*out), WHOLE((*out)->size));
    return LUN_OK;
}

static lun_status sparse_kron(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s), *b = s->r->arguments[1].sparse;
    lun_array *of_a = NULL, *of_b = NULL, *rows = NULL, *columns = NULL, *values = NULL;
    lun_sparse made;
    TRY(sparse_rows(&of_a, s, a, err));
    TRY(sparse_rows(&of_b, s, b, err));
    TRY(pair_places(&rows, s, of_a, of_b, b->rows, err));
    TRY(pair_places(&columns, s, a->columns, b->columns, b->width, err));
    STEP(&values, s, ARRAY, "outer", OF(a->values), OF(b->values));
    STEP(&values, s, ARRAY, "reshape", OF(values), WHOLE(values->size));
    TRY(sparse_of_triplets(&made, s, a->rows * b->rows, a->width * b->width, rows, columns, values, err));
    return sparse_result(s, &made, err);
}

STEPPED(sparse_kron, bind_sparse_kron)

/* ---- sums of entries --------------------------------------------------------------------------------------------------- */

static lun_status bind_sparse_total(lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    int64_t axis = 0;
    const lun_value *given = request_option(r, "axis");
    if (given &&
        (given->kind != LUN_VALUE_NUMBER || !number_whole(&axis, given->number) || axis < -2 || axis == 0 || axis > 2))
        FAIL(LUN_MISUSE, "option 'axis': 1 or 2 is needed, got %s", value_shown(shown, r, given));
    TRY(steps_bind(r, 1, err));
    r->direct = !given;
    if (!given)
        request_tell_numbers(r, 0, 1);
    return LUN_OK;
}

/* Of all; of each column (axis 1); of each row (2). */
static lun_status sparse_total(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *none = NULL, *sums = NULL, *values = a->values;
    int64_t axis;
    if (s->r->direct) {
        STEP_NUMBER(&s->r->numbers[0], s, "sum", OF(values));
        s->r->number_count = 1;
        return LUN_OK;
    }
    number_whole(&axis, request_option(s->r, "axis")->number);
    if (axis == 2 || axis == -1) {
        STEP(&sums, s, ARRAY, "sum", OF(values), NAMED("axis", WHOLE(1)), NAMED("segments", OF(a->starts)),
             NAMED("keepdims", TRUE));
        return step_give(s, 0, sums, err);
    }
    TRY(step_slice(&none, s, values, 0, 1, 0, err));
    STEP(&none, s, ARRAY, "sum", OF(none), NAMED("keepdims", TRUE));
    TRY(step_full(&sums, s, none->dtype, a->width, lun_integer(0), err));
    TRY(step_cast(&values, s, values, none->dtype, err));
    STEP(&sums, s, ARRAY, "add_at", OF(sums), OF(a->columns), OF(values));
    return step_give(s, 0, sums, err);
}

STEPPED(sparse_total, bind_sparse_total)

static lun_status sparse_degree(composing *s, lun_error *err)
{
    const lun_sparse *a = self_of(s);
    lun_array *ends = NULL, *starts = NULL;
    TRY(step_slice(&ends, s, a->starts, 1, 1, a->rows, err));
    TRY(step_slice(&starts, s, a->starts, 0, 1, a->rows, err));
    STEP(&ends, s, ARRAY, "sub", OF(ends), OF(starts));
    return step_give(s, 0, ends, err);
}

STEPPED(sparse_degree, steps_bind_one)
