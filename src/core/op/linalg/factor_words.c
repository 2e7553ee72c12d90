/* Factorisations: cholesky and lu_factor, and determinants from LU. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <string.h>

/* ---- cholesky ------------------------------------------------------------------------------------------------------ */

typedef struct one_matrix {
    lun_array a;
    lun_dtype dtype;
    bool upper, in_place;
} one_matrix;

static lun_status read_one(one_matrix *s, linalg_call *l, composing *c, bool square, lun_error *err)
{
    *s = (one_matrix){.upper = request_truth(c->r, "upper"), .in_place = request_is(c->r, ROW_IN_PLACE)};
    TRY(square ? linalg_square(&s->a, c->r, 0, err) : linalg_matrix(&s->a, c->r, 0, err));
    TRY(linalg_dtype(&s->dtype, c->r->arguments[0].array, err));
    if (s->in_place && s->dtype != s->a.dtype)
        FAIL(LUN_MISUSE, "%s matrices cannot hold the factors; f32 or f64 is needed", lun_dtype_name(s->a.dtype));
    *l = (linalg_call){.c = c, .r = c->r, .in = {s->a}, .in_count = 1, .of = s};
    return LUN_OK;
}

/* With `upper`, U^T is the L of the transpose, whose lower triangle is read. */
static lun_status factor_positive(linalg *l, const linalg_call *c, lun_error *err)
{
    const one_matrix *s = c->of;
    lun_array from = s->upper ? matrix_transposed(&s->a) : s->a;
    const lun_array to = s->upper ? matrix_transposed(&c->out[0]) : c->out[0];
    TRY(linalg_own(l, &from, err));
    TRY(plan_array_triangle(l->p, &to, &from, false, 0, err));
    TRY(linalg_cholesky(l, &to, err));
    TRY(plan_array_triangle(l->p, &to, &to, false, 0, err));
    return linalg_tell(l, c->out_count > 1 ? &c->out[1] : NULL, linalg_say_indefinite, err);
}

static lun_status cholesky(composing *c, lun_error *err)
{
    one_matrix s;
    linalg_call l;
    TRY(read_one(&s, &l, c, true, err));
    l.work = linalg_cube(&s.a) / 6;
    c->further = request_truth(c->r, "info");
    TRY(linalg_give_matrices(&l, s.dtype, s.a.ndim - 2, s.a.shape, rows_of(&s.a), rows_of(&s.a), err));
    TRY(linalg_give_info(&l, &s.a, err));
    return linalg_run(&l, factor_positive, s.dtype, matrix_batches(&s.a), err);
}

COMPOSED(cholesky)

/* ---- lu_factor ------------------------------------------------------------------------------------------------------- */

static lun_status factor_general(linalg *l, const linalg_call *c, lun_error *err)
{
    if (c->in[0].size && !((const one_matrix *)c->of)->in_place)
        TRY(plan_array_copy(l->p, &c->out[0], &c->in[0], err));
    TRY(linalg_lu(l, &c->out[0], &c->out[2], err));
    return linalg_permutation(l, &c->out[1], &c->out[2], c->r->manner->first, err);
}

/* L and U in one matrix, the order of the rows, and the row exchanges. */
static lun_status lu_factor(composing *c, lun_error *err)
{
    one_matrix s;
    linalg_call l;
    TRY(read_one(&s, &l, c, false, err));
    const size_t rows = rows_of(&s.a), columns = columns_of(&s.a);
    l.work = linalg_cube(&s.a) / 3;
    c->results = 3;
    TRY(linalg_give_matrices(&l, s.dtype, s.a.ndim - 2, s.a.shape, rows, columns, err));
    TRY(linalg_give_vectors(&l, LUN_i64, &s.a, rows, err));
    TRY(linalg_give_vectors(&l, LUN_i32, &s.a, smaller(rows, columns), err));
    return linalg_run(&l, factor_general, s.dtype, matrix_batches(&s.a), err);
}

COMPOSED(lu_factor)

/* ---- det, slogdet ---------------------------------------------------------------------------------------------------- */

static lun_status find_determinant(linalg *l, const linalg_call *c, lun_error *err)
{
    const one_matrix *s = c->of;
    lun_array lu, pivots, found[2];
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, s->a.shape, sizeof shape);
    TRY(linalg_copy(l, &lu, &s->a, err));
    TRY(operation_scratch_array(l->p->op, &pivots, LUN_i32, s->a.ndim - 1, shape, err));
    for (size_t i = 0; i < c->out_count; i++)
        TRY(operation_scratch_array(l->p->op, &found[i], c->out[i].dtype, s->a.ndim - 2, shape, err));
    TRY(linalg_lu(l, &lu, &pivots, err));
    TRY(linalg_determinant(l, &lu, &pivots, &found[0], c->out_count == 2 ? &found[1] : NULL, err));
    for (size_t i = 0; i < c->out_count; i++)
        TRY(plan_array_copy(l->p, &c->out[i], &found[i], err));
    return LUN_OK;
}

static lun_status det(composing *c, lun_error *err)
{
    one_matrix s;
    linalg_call l;
    TRY(read_one(&s, &l, c, true, err));
    l.work = linalg_cube(&s.a) / 3;
    c->results = request_is(c->r, ROW_LOGARITHM) ? 2 : 1;
    c->numbers = s.a.ndim == 2;
    TRY(linalg_give(&l, s.dtype, s.a.ndim - 2, s.a.shape, err));
    if (c->results == 2)
        TRY(linalg_give(&l, lun_dtype_part(s.dtype), s.a.ndim - 2, s.a.shape, err));
    return linalg_run(&l, find_determinant, s.dtype, matrix_batches(&s.a), err);
}

COMPOSED(det)
