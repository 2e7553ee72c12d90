/* Factorisations as rows of operation.def are called: cholesky, lu_factor, and what solves by them; determinants. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <string.h>

/* ---- cholesky ------------------------------------------------------------------------------------------------------ */

typedef struct one_matrix {
    lun_array a;
    lun_dtype dtype;
    bool upper, info, in_place;
} one_matrix;

static lun_status read_one(one_matrix **out, lun_request *r, bool square, lun_error *err)
{
    one_matrix *s = *out = REQUEST_STATE(r, one_matrix);
    TRY(square ? linalg_square(&s->a, r, 0, err) : linalg_matrix(&s->a, r, 0, err));
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    s->upper = request_truth(r, "upper");
    s->info = request_truth(r, "info");
    s->in_place = request_is(r, ROW_IN_PLACE);
    if (s->in_place && s->dtype != s->a.dtype)
        FAIL(LUN_MISUSE, "%s matrices have no room for the factors; f32 or f64 are wanted", lun_dtype_name(s->a.dtype));
    return LUN_OK;
}

/* The first result, which in place is the array itself. Its parts are read before they are written. */
static lun_status take_first(linalg_call *c, const one_matrix *s, const lun_array *out, lun_error *err)
{
    c->in_count = s->in_place ? 0 : 1;
    lun_status status = linalg_take_result(c, out, true, err);
    c->in_count = 1;
    return status;
}

static lun_status bind_cholesky(lun_request *r, lun_error *err)
{
    one_matrix *s;
    TRY(read_one(&s, r, true, err));
    TRY(request_results(r, s->info ? 2 : 1, err));
    linalg_tell_matrices(r, 0, s->dtype, s->a.ndim - 2, s->a.shape, rows_of(&s->a), rows_of(&s->a));
    r->results[0].given = s->in_place ? r->arguments[0].array : request_array_option(r, "out");
    if (s->info)
        request_tell(r, 1, LUN_i32, s->a.ndim - 2, s->a.shape);
    return LUN_OK;
}

/* U^T of the matrix that the upper triangle stands for is L of the one that the transpose has below. */
static lun_status factor_positive(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const one_matrix *s = c->of;
    lun_array from = s->upper ? matrix_transposed(&s->a) : s->a;
    const lun_array to = s->upper ? matrix_transposed(&c->out[0]) : c->out[0];
    TRY(linalg_own(l, &from, err));
    TRY(plan_array_triangle(l->p, &to, &from, false, 0, err));
    TRY(linalg_cholesky(l, &to, err));
    TRY(plan_array_triangle(l->p, &to, &to, false, 0, err));
    return linalg_tell(l, s->info ? &c->out[1] : NULL, linalg_say_indefinite, err);
}

static lun_status run_cholesky(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const one_matrix *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .work = linalg_cube(&s->a) / 6, .of = s};
    (void)more;
    TRY(take_first(&c, s, out[0], err));
    if (s->info)
        TRY(linalg_take_result(&c, out[1], false, err));
    return linalg_run(&c, factor_positive, s->dtype, matrix_batches(&s->a), err);
}

const request_functions cholesky_functions = {bind_cholesky, run_cholesky};

/* ---- lu_factor ------------------------------------------------------------------------------------------------------- */

/* L and U in one matrix, the order of the rows, and the rows that were exchanged. */
static lun_status bind_lu_factor(lun_request *r, lun_error *err)
{
    one_matrix *s;
    size_t shape[LUN_MAX_AXES];
    TRY(read_one(&s, r, false, err));
    const size_t rows = rows_of(&s->a), columns = columns_of(&s->a);
    memcpy(shape, s->a.shape, sizeof shape);
    TRY(request_results(r, 3, err));
    linalg_tell_matrices(r, 0, s->dtype, s->a.ndim - 2, s->a.shape, rows, columns);
    r->results[0].given = s->in_place ? r->arguments[0].array : NULL;
    request_tell(r, 1, LUN_i64, s->a.ndim - 1, shape);
    shape[s->a.ndim - 2] = smaller(rows, columns);
    request_tell(r, 2, LUN_i32, s->a.ndim - 1, shape);
    return LUN_OK;
}

static lun_status factor_general(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    if (c->in[0].size && !((const one_matrix *)c->of)->in_place)
        TRY(plan_array_copy(l->p, &c->out[0], &c->in[0], err));
    TRY(linalg_lu(l, &c->out[0], &c->out[2], err));
    return linalg_permutation(l, &c->out[1], &c->out[2], c->r->manner->first, err);
}

static lun_status run_lu_factor(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const one_matrix *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .work = linalg_cube(&s->a) / 3, .of = s};
    (void)more;
    TRY(take_first(&c, s, out[0], err));
    for (int i = 1; i < 3; i++)
        TRY(linalg_take_result(&c, out[i], false, err));
    return linalg_run(&c, factor_general, s->dtype, matrix_batches(&s->a), err);
}

const request_functions lu_factor_functions = {bind_lu_factor, run_lu_factor};

/* ---- det, slogdet ---------------------------------------------------------------------------------------------------- */

static lun_status bind_det(lun_request *r, lun_error *err)
{
    one_matrix *s;
    const size_t count = request_is(r, ROW_LOGARITHM) ? 2 : 1;
    TRY(read_one(&s, r, true, err));
    TRY(request_outs(r, count, err));
    for (size_t i = 0; i < count; i++) {
        request_tell(r, i, i == 0 ? s->dtype : lun_dtype_part(s->dtype), s->a.ndim - 2, s->a.shape);
        if (s->a.ndim == 2)
            request_tell_numbers(r, i, 1);
    }
    return LUN_OK;
}

static lun_status find_determinant(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const one_matrix *s = c->of;
    lun_array lu, pivots, found[2];
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, s->a.shape, sizeof shape);
    l->p->scratch_only = true;
    TRY(linalg_copy(l, &lu, &s->a, err));
    TRY(operation_scratch_array(l->p->op, &pivots, LUN_i32, s->a.ndim - 1, shape, err));
    for (size_t i = 0; i < c->out_count; i++)
        TRY(operation_scratch_array(l->p->op, &found[i], c->out[i].dtype, s->a.ndim - 2, shape, err));
    TRY(linalg_lu(l, &lu, &pivots, err));
    TRY(linalg_determinant(l, &lu, &pivots, &found[0], c->out_count == 2 ? &found[1] : NULL, err));
    l->p->scratch_only = false;
    for (size_t i = 0; i < c->out_count; i++)
        TRY(plan_array_copy(l->p, &c->out[i], &found[i], err));
    return LUN_OK;
}

static lun_status run_det(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const one_matrix *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .in_count = 1, .work = linalg_cube(&s->a) / 3, .of = s};
    (void)more;
    for (size_t i = 0; i < r->result_count; i++)
        TRY(linalg_take_result(&c, out[i], false, err));
    return linalg_run(&c, find_determinant, s->dtype, matrix_batches(&s->a), err);
}

const request_functions det_functions = {bind_det, run_det};
