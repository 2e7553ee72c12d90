/* Iterative solvers: their arguments. */
#include "base/shape.h"
#include "op/solver/solver.h"
#include "op/variant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRECONDITIONER "option 'preconditioner'"
#define SHAPE_TEXT(array) manner_shape_text((char[SHOWN]){""}, SHOWN, r->manner, (array)->ndim, (array)->shape)

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

static lun_status refuse_option(const lun_request *r, const char *name, const char *wanted, lun_error *err)
{
    char shown[SHOWN];
    FAIL(LUN_MISUSE, "option '%s': %s is needed, got %s", name, wanted, value_shown(shown, r, request_option(r, name)));
}

/* An integer option; *out stays where it is not given. */
static lun_status read_count(int64_t *out, const lun_request *r, const char *name, int64_t from, int64_t to,
                             const char *wanted, lun_error *err)
{
    const lun_value *value = request_option(r, name);
    int64_t count = 0;
    if (!value)
        return LUN_OK;
    if (value->kind != LUN_VALUE_NUMBER || !number_whole(&count, value->number) || count < from || count > to)
        return refuse_option(r, name, wanted, err);
    *out = count;
    return LUN_OK;
}

static lun_status read_numbers(solver *s, const lun_request *r, lun_error *err)
{
    const lun_value *tol = request_option(r, "tol"), *callback = request_option(r, "callback");
    const lun_array *b = r->arguments[2].array;
    if (tol && !(tol->kind == LUN_VALUE_NUMBER && tol->number.real >= 0 && isfinite(tol->number.real)))
        return refuse_option(r, "tol", "a finite number from 0", err);
    s->tol = tol ? tol->number.real : 1e-6;
    s->most = 10 * (int64_t)b->size;
    s->every = 10;
    s->restart = s->method == &gmres_method ? 30 : INT64_MAX;
    TRY(read_count(&s->most, r, "steps", 0, INT64_MAX, "an integer from 0", err));
    TRY(read_count(&s->every, r, "every", 1, 1000, "an integer from 1 to 1000", err));
    TRY(read_count(&s->restart, r, "restart", 1, INT64_MAX, "an integer from 1", err));
    if (callback && callback->kind != LUN_VALUE_FUNCTION)
        return refuse_option(r, "callback", "a function", err);
    return LUN_OK;
}

/* An array of b's shape. */
static lun_status check_vector(const lun_request *r, const char *what, const lun_array *array, lun_error *err)
{
    const lun_array *b = r->arguments[2].array;
    if (!shape_equal(array, b))
        FAIL(LUN_MISUSE, "%s: the shape of b is needed, %s, got %s", what, SHAPE_TEXT(b), SHAPE_TEXT(array));
    if (array->device != b->device)
        FAIL(LUN_MISUSE, "%s: an array of b's device is needed", what);
    return LUN_OK;
}

/* A square matrix with as many rows as b has elements. */
static lun_status check_matrix(const lun_request *r, const char *what, const lun_value *a, lun_error *err)
{
    const lun_array *b = r->arguments[2].array;
    const bool sparse = a->kind == LUN_VALUE_SPARSE;
    const lun_array *array = sparse ? a->sparse->values : a->array;
    const size_t shape[] = {sparse ? a->sparse->rows : array->shape[0], sparse ? a->sparse->width : array->shape[1]};
    char text[SHOWN];
    if ((!sparse && array->ndim != 2) || shape[0] != shape[1])
        FAIL(LUN_MISUSE, "%s: a square matrix is needed, got %s", what,
             sparse ? manner_shape_text(text, SHOWN, &lun_plain_manner, 2, shape) : SHAPE_TEXT(array));
    if (b->ndim != 1 || b->size != shape[0])
        FAIL(LUN_MISUSE, "%s is %zux%zu; b of %zu numbers is needed, got %s", what, shape[0], shape[0], shape[0],
             SHAPE_TEXT(b));
    if (array->device != b->device)
        FAIL(LUN_MISUSE, "%s: a matrix of b's device is needed", what);
    return LUN_OK;
}

bool solver_is_matrix(const lun_value *value)
{
    return value->kind == LUN_VALUE_ARRAY || value->kind == LUN_VALUE_SPARSE;
}

/* Incomplete factors or other triangles: for each the kind of triangle and the matrix. */
static lun_status check_triangles(const lun_request *r, const lun_list *list, lun_error *err)
{
    static const char *const known[] = {"lower", "unit lower", "upper", NULL};
    const lun_array *b = r->arguments[2].array;
    int ignored;
    if (list->count != 2 && list->count != 4)
        FAIL(LUN_MISUSE, PRECONDITIONER ": a list of one or two triangles is needed, {\"lower\", L, \"upper\", U}");
    for (size_t i = 0; i < list->count; i += 2) {
        const lun_value *name = &list->items[i], *matrix = name + 1;
        if (name->kind != LUN_VALUE_TEXT || matrix->kind != LUN_VALUE_SPARSE)
            FAIL(LUN_MISUSE, PRECONDITIONER ": a list of one or two triangles is needed, {\"lower\", L, \"upper\", U}");
        TRY(value_named(&ignored, name->text, "triangle", known, err));
        if (lun_sparse_lost(matrix->sparse))
            FAIL(LUN_MISUSE, PRECONDITIONER ": %s", lun_sparse_lost(matrix->sparse));
        if (matrix->sparse->rows != b->size || matrix->sparse->width != b->size)
            FAIL(LUN_MISUSE, PRECONDITIONER ": the factors are of %zu rows, and b has %zu numbers",
                 matrix->sparse->rows, b->size);
        if (matrix->sparse->values->device != b->device)
            FAIL(LUN_MISUSE, PRECONDITIONER ": a matrix of b's device is needed");
    }
    return LUN_OK;
}

static lun_status check_named(const lun_request *r, const char *name, lun_error *err)
{
    const lun_value *a = &r->arguments[1];
    if (strcmp(name, "jacobi") == 0 && !solver_is_matrix(a))
        FAIL(LUN_MISUSE,
             PRECONDITIONER ": a function A has no diagonal for 'jacobi'; an array of 1 / the diagonal is a "
                            "preconditioner too");
    if (strcmp(name, "jacobi") != 0 && a->kind != LUN_VALUE_SPARSE)
        FAIL(LUN_MISUSE, PRECONDITIONER ": '%s' needs a sparse matrix, and A is %s", name, kind_shown(r, a));
    return LUN_OK;
}

bool solver_is_named(const lun_value *m)
{
    return m->kind == LUN_VALUE_TEXT &&
           (strcmp(m->text, "jacobi") == 0 || strcmp(m->text, "ilu") == 0 || strcmp(m->text, "ichol") == 0);
}

bool solver_is_applied(const lun_request *r, const lun_value *m)
{
    return m->kind == LUN_VALUE_SPARSE || (m->array->ndim == 2 && r->arguments[2].array->ndim == 1);
}

static lun_status check_preconditioner(const lun_request *r, const lun_value *m, lun_error *err)
{
    char shown[SHOWN];
    if (solver_is_named(m))
        return check_named(r, m->text, err);
    if (m->kind == LUN_VALUE_FUNCTION)
        return LUN_OK;
    if (m->kind == LUN_VALUE_LIST && m->list.items)
        return check_triangles(r, &m->list, err);
    if (m->kind == LUN_VALUE_SPARSE && lun_sparse_lost(m->sparse))
        FAIL(LUN_MISUSE, PRECONDITIONER ": %s", lun_sparse_lost(m->sparse));
    if (solver_is_matrix(m))
        return solver_is_applied(r, m) ? check_matrix(r, PRECONDITIONER, m, err)
                                       : check_vector(r, PRECONDITIONER, m->array, err);
    if (m->kind == LUN_VALUE_TEXT)
        snprintf(shown, sizeof shown, "'%.60s'", m->text);
    else
        value_shown(shown, r, m);
    FAIL(LUN_MISUSE,
         PRECONDITIONER ": 'jacobi', 'ilu', 'ichol', an array, a sparse matrix, incomplete factors or a "
                        "function is needed, got %s",
         m->kind == LUN_VALUE_TEXT || m->kind == LUN_VALUE_NUMBER ? shown : kind_shown(r, m));
}

/* ---- the dtype ------------------------------------------------------------------------------------------------------------ */

/* Widens the dtype to hold another array's numbers; integers and truth values count as f64. */
static lun_status join(lun_dtype *dtype, const lun_array *array, lun_error *err)
{
    if (array->dtype == LUN_f16 || array->dtype == LUN_bf16)
        FAIL(LUN_MISUSE, "%s is not supported; cast it to f32", lun_dtype_name(array->dtype));
    *dtype = lun_dtype_promoted(*dtype, dtype_is_whole(array->dtype) ? LUN_f64 : array->dtype);
    return LUN_OK;
}

static lun_status join_value(lun_dtype *dtype, const lun_value *value, lun_error *err)
{
    if (value && value->kind == LUN_VALUE_ARRAY)
        return join(dtype, value->array, err);
    if (value && value->kind == LUN_VALUE_SPARSE)
        return join(dtype, value->sparse->values, err);
    return value && value->kind == LUN_VALUE_LIST ? join_value(dtype, &value->list.items[1], err) : LUN_OK;
}

/* ---- binding ---------------------------------------------------------------------------------------------------------------- */

lun_status solver_bind(lun_request *r, const solver_method *method, lun_error *err)
{
    char place[SHOWN];
    const lun_value *a = &r->arguments[1], *x = request_option(r, "x"), *m = request_option(r, "preconditioner");
    const lun_array *b = r->arguments[2].array;
    solver *s = REQUEST_STATE(r, solver);
    if (r->traced)
        FAIL(LUN_MISUSE, "cannot be fused: values are not known yet");
    if (r->call.reproducible)
        TRY(variant_refuse_reproducible(err));
    if (b->ndim == 0)
        FAIL(LUN_MISUSE, "%s: an array of 1 axis or more is needed, got a 0-d array", request_place(place, r, 2));
    if (solver_is_matrix(a))
        TRY(check_matrix(r, request_place(place, r, 1), a, err));
    s->r = r;
    s->method = method;
    s->dtype = LUN_f32;
    TRY(read_numbers(s, r, err));
    if (x)
        TRY(check_vector(r, "option 'x'", x->array, err));
    if (m)
        TRY(check_preconditioner(r, m, err));
    TRY(join_value(&s->dtype, a, err));
    TRY(join_value(&s->dtype, &r->arguments[2], err));
    TRY(join_value(&s->dtype, x, err));
    TRY(join_value(&s->dtype, m, err));
    s->pairs = lun_dtype_has(s->dtype, LUN_PAIRS);
    s->manner = *r->manner;
    s->manner.reversed = false;
    s->manner.first = 1;
    return request_result(r, s->dtype, b->ndim, b->shape, err);
}
