/* Triangular solves of sparse matrices, and incomplete factors. Rows that do not depend on one another form a level;
 * the host finds the levels once for a matrix, and the device sweeps over them (csr_sweep). */
#include "op/sparse/sparse.h"

#include <stdlib.h>
#include <string.h>

/* ---- levels --------------------------------------------------------------------------------------------------------- */

static void forget(void *matrix) { lun_sparse_forget(matrix); }

/* The analysis of the rows, in host memory: numbers count from 1. */
typedef struct finding {
    bool done;
    size_t highest, sweeps;
    int64_t *levels, *order,
        *bounds;  /* the level of each row; the rows ordered by levels; the starts of the levels among them, and the
                   * end */
    size_t *cuts; /* the first level of each sweep, and the end */
} finding;

/* The level of each row: one more than the highest level of the rows in the columns of its entries on one side of the
 * diagonal. Starts and columns may have been overwritten since they were checked, so nothing is assumed about them. */
static void find_levels(finding *f, const int64_t *starts, const int64_t *columns, const lun_sparse *a, bool upper)
{
    const int64_t rows = (int64_t)a->rows, entries = (int64_t)a->columns->size;
    for (int64_t k = 0; k < rows; k++) {
        const int64_t i = upper ? rows - 1 - k : k;
        int64_t level = 0;
        for (int64_t e = starts[i] - 1; e < starts[i + 1] - 1 && e >= 0 && e < entries; e++) {
            const int64_t j = columns[e] - 1;
            if (j >= 0 && j < rows && j != i && (j > i) == upper && f->levels[j] > level)
                level = f->levels[j];
        }
        f->levels[i] = level + 1;
        f->highest = larger(f->highest, (size_t)level + 1);
    }
}

static void put_in_order(finding *f, size_t rows)
{
    int64_t *begins = f->bounds; /* of level k + 1 at first, and at last that of level k */
    for (size_t i = 0; i < rows; i++)
        begins[f->levels[i]]++;
    begins[0] = 1;
    for (size_t level = 1; level <= f->highest; level++)
        begins[level] += begins[level - 1];
    for (size_t i = rows; i-- > 0;)
        f->order[--begins[f->levels[i]] - 1] = (int64_t)i + 1;
    memmove(begins, begins + 1, f->highest * sizeof *begins);
    begins[f->highest] = (int64_t)rows + 1;
}

/* Each wide level is a sweep, and so are the levels between two of them together. */
static void cut(finding *f, size_t wide)
{
    size_t from = 0;
    for (size_t level = 0; level < f->highest; level++) {
        if ((size_t)(f->bounds[level + 1] - f->bounds[level]) < wide)
            continue;
        if (level > from)
            f->cuts[f->sweeps++] = from;
        f->cuts[f->sweeps++] = level;
        from = level + 1;
    }
    if (from < f->highest || f->sweeps == 0)
        f->cuts[f->sweeps++] = from;
    f->cuts[f->sweeps] = f->highest;
}

static lun_status find(finding **out, composing *s, const lun_sparse *a, bool upper, lun_error *err)
{
    int64_t *starts = NULL, *columns = NULL;
    void *memory = NULL;
    TRY(step_receive(&starts, s, a->starts, err));
    TRY(step_receive(&columns, s, a->columns, err));
    TRY(compose_kept(&memory, s, sizeof(finding) + (3 * a->rows + 2) * sizeof(int64_t), err));
    finding *f = *out = memory;
    if (f->done)
        return LUN_OK;
    f->levels = (int64_t *)(f + 1);
    f->order = f->levels + a->rows;
    f->bounds = f->order + a->rows;
    find_levels(f, starts, columns, a, upper);
    put_in_order(f, a->rows);
    f->cuts = REQUEST_MEMORY(s->r, (f->highest + 2) * sizeof *f->cuts);
    cut(f, sparse_wide(s->r->device));
    f->done = true;
    return LUN_OK;
}

/* The levels of one triangle in an operation: those that the matrix already had, or new ones. */
typedef struct known {
    bool begun, before;
    lun_levels *levels;
} known;

static lun_status upload(lun_levels *levels, composing *s, const finding *f, size_t rows, lun_dtype index,
                         lun_error *err)
{
    lun_array *made = NULL;
    for (size_t i = 0; i <= f->sweeps; i++) {
        const size_t *at = f->cuts + i - 1;
        lun_array *to = i ? &levels->bounds[i - 1] : &levels->order;
        TRY(i ? step_send(&made, s, f->bounds + at[0], at[1] - at[0] + 1, err)
              : step_send(&made, s, f->order, rows, err));
        TRY(step_cast(&made, s, made, index, err));
        if (!lun_array_is_live(to))
            TRY(lun_array_view(to, made, err));
    }
    return LUN_OK;
}

static void drop_found(void *found)
{
    known *k = found;
    matrix_drop_levels(k->levels);
}

/* The levels of one triangle, stored in the matrix. */
static lun_status levels_of(lun_levels **out, composing *s, lun_sparse *a, bool upper, lun_error *err)
{
    void *memory = NULL;
    finding *f = NULL;
    TRY(compose_kept(&memory, s, sizeof(known), err));
    known *k = memory;
    if (!k->begun)
        *k = (known){.begun = true, .before = a->levels[upper] != NULL};
    if (k->before) {
        *out = a->levels[upper];
        return LUN_OK;
    }
    TRY(find(&f, s, a, upper, err));
    if (!k->levels) {
        TRY(request_hold(s->r, k, drop_found, err));
        k->levels = NEW(1, sizeof *k->levels + f->sweeps * sizeof *k->levels->bounds, "a matrix's levels");
        k->levels->owners = 1;
        k->levels->sweeps = f->sweeps;
    }
    TRY(upload(k->levels, s, f, a->rows, a->starts->dtype, err));
    *out = k->levels;
    if (!a->levels[upper]) {
        a->levels[upper] = k->levels;
        k->levels->owners++;
    }
    return LUN_OK;
}

/* Sweeps over all levels. If an event is requested, only the last call has one, which comes after the work enqueued
 * before it. */
static lun_status sweep(composing *s, lun_sparse *a, const char *task, lun_array *b, lun_array *out, bool last,
                        lun_error *err)
{
    lun_array *made = NULL;
    lun_levels *levels = NULL;
    TRY(levels_of(&levels, s, a, strcmp(task, "upper") == 0, err));
    for (size_t i = 0; i < levels->sweeps; i++) {
        s->last = last && i + 1 == levels->sweeps;
        if (b)
            STEP(&made, s, ARRAY, "csr_sweep", OF(a->values), OF(a->starts), OF(a->columns), OF(&levels->order),
                 OF(&levels->bounds[i]), OF(b), NAMED("task", TEXT(task)), NAMED("out", OF(out)));
        else
            STEP(&made, s, ARRAY, "csr_sweep", OF(a->values), OF(a->starts), OF(a->columns), OF(&levels->order),
                 OF(&levels->bounds[i]), NAMED("task", TEXT(task)), NAMED("out", OF(out)));
    }
    return LUN_OK;
}

/* ---- triangular solves ---------------------------------------------------------------------------------------------- */

static lun_status check_square(const lun_request *r, lun_error *err)
{
    const lun_sparse *a = r->arguments[0].sparse;
    if (a->rows != a->width)
        FAIL(LUN_MISUSE, "the matrix is %zux%zu; a square one is needed", a->rows, a->width);
    return LUN_OK;
}

static lun_status bind_sparse_solve(lun_request *r, lun_error *err)
{
    static const char *const known_tasks[] = {"lower", "unit lower", "upper"};
    const lun_value *assume = request_option(r, "assume");
    const lun_array *b = r->arguments[1].array;
    bool good = false;
    for (size_t i = 0; assume && assume->kind == LUN_VALUE_TEXT && i < COUNT(known_tasks); i++)
        good = good || strcmp(assume->text, known_tasks[i]) == 0;
    if (!good)
        FAIL(LUN_MISUSE,
             "option 'assume': 'lower', 'unit lower' or 'upper' is needed, got %s; other sparse systems are solved by "
             "cg, gmres and bicgstab",
             assume ? kind_shown(r, assume) : "nothing");
    TRY(check_square(r, err));
    return request_result(r, lun_dtype_promoted(r->arguments[0].sparse->values->dtype, b->dtype), b->ndim, b->shape,
                          err);
}

static lun_status sparse_solve(composing *s, lun_error *err)
{
    lun_request *r = s->r;
    return sweep(s, r->arguments[0].sparse, request_text(r, "assume"), r->arguments[1].array, s->out[0], true, err);
}

STEPPED(sparse_solve, bind_sparse_solve)

/* ---- incomplete factors ----------------------------------------------------------------------------------------------- */

static lun_status bind_sparse_factor(lun_request *r, lun_error *err)
{
    TRY(check_square(r, err));
    return sparse_bind(r, err);
}

/* LUN_MISUSE for the first row whose diagonal entry is 0 or missing. */
static lun_status check_pivots(composing *s, const lun_sparse *a, const char *wrong, lun_error *err)
{
    lun_array *pivots = NULL, *finite = NULL, *good = NULL;
    lun_number all, at;
    if (a->rows == 0)
        return LUN_OK;
    STEP(&pivots, s, ARRAY, "csr_sweep", OF(a->values), OF(a->starts), OF(a->columns), OF(a->starts), OF(a->starts),
         NAMED("task", TEXT("diagonal")));
    STEP(&finite, s, ARRAY, "isfinite", OF(pivots));
    STEP(&good, s, ARRAY, "ne", OF(pivots), WHOLE(0));
    STEP(&good, s, ARRAY, "land", OF(finite), OF(good));
    STEP_NUMBER(&all, s, "all", OF(good));
    if (all.integer)
        return LUN_OK;
    STEP(&good, s, ARRAY, "cast", OF(good), TEXT("u8"));
    STEP_NUMBER(&at, s, "argmin", OF(good));
    FAIL(LUN_MISUSE, "the pivot of row %lld is %s", (long long)at.integer, wrong);
}

/* The factors' values, in the sparsity pattern of a matrix. */
static lun_status factor(lun_sparse *out, composing *s, lun_sparse *a, const char *task, const char *wrong,
                         lun_error *err)
{
    lun_array *values = NULL;
    TRY(step_full(&values, s, a->values->dtype, a->values->size, lun_integer(0), err));
    TRY(sweep(s, a, task, NULL, values, false, err));
    *out = sparse_with(a, values);
    out->levels[true] = NULL;
    return check_pivots(s, out, wrong, err);
}

/* L and U in one matrix with A's pattern. */
static lun_status sparse_ilu(composing *s, lun_error *err)
{
    lun_sparse both;
    TRY(factor(&both, s, s->r->arguments[0].sparse, "ilu", "0, or not finite", err));
    return sparse_result(s, &both, err);
}

STEPPED(sparse_ilu, bind_sparse_factor)

/* The lower triangle. Its analysis lives as long as the request. */
static lun_status lower_triangle(lun_sparse **out, composing *s, const lun_sparse *a, lun_error *err)
{
    lun_array *rows = NULL, *below = NULL, *columns = NULL, *values = NULL;
    void *memory = NULL;
    lun_sparse made;
    TRY(compose_kept(&memory, s, sizeof **out, err));
    *out = memory;
    TRY(sparse_rows(&rows, s, a, err));
    STEP(&below, s, ARRAY, "ge", OF(rows), OF(a->columns));
    STEP(&rows, s, ARRAY, "mask", OF(rows), OF(below));
    STEP(&columns, s, ARRAY, "mask", OF(a->columns), OF(below));
    STEP(&values, s, ARRAY, "mask", OF(a->values), OF(below));
    TRY(sparse_of_triplets(&made, s, a->rows, a->width, rows, columns, values, err));
    if (!(*out)->starts) {
        TRY(request_hold(s->r, *out, forget, err));
        **out = made;
    }
    return LUN_OK;
}

/* The L of L L^H with the pattern of A's lower triangle; only this triangle is read. */
static lun_status sparse_ichol(composing *s, lun_error *err)
{
    lun_sparse *triangle = NULL, l;
    TRY(lower_triangle(&triangle, s, s->r->arguments[0].sparse, err));
    TRY(factor(&l, s, triangle, "cholesky", "not above 0", err));
    return sparse_result(s, &l, err);
}

STEPPED(sparse_ichol, bind_sparse_factor)
