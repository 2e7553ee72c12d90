/* eigh and eigvalsh, as rows of operation.def are called. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"

#include <string.h>

typedef struct decomposing {
    lun_array a; /* a Hermitian matrix whose lower triangle counts */
    lun_dtype dtype;
    bool vectors, turned; /* turned: a is the transpose of the user's */
} decomposing;

static lun_status read_matrix(decomposing *s, const lun_request *r, lun_error *err)
{
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    s->vectors = !request_is(r, ROW_VALUES);
    return LUN_OK;
}

/* A vector for each matrix, as result i. */
static void tell_values(lun_request *r, size_t i, const decomposing *s, size_t count)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, s->a.shape, sizeof shape);
    shape[s->a.ndim - 2] = count;
    request_tell(r, i, lun_dtype_part(s->dtype), s->a.ndim - 1, shape);
}

/* ---- eigh ------------------------------------------------------------------------------------------------------------ */

static lun_status bind_eigh(lun_request *r, lun_error *err)
{
    decomposing *s = REQUEST_STATE(r, decomposing);
    TRY(linalg_square(&s->a, r, 0, err));
    s->turned = request_option(r, "lower") && !request_truth(r, "lower");
    if (s->turned)
        s->a = matrix_transposed(&s->a);
    TRY(read_matrix(s, r, err));
    const size_t n = rows_of(&s->a);
    TRY(request_outs(r, s->vectors ? 2 : 1, err));
    tell_values(r, 0, s, n);
    if (s->vectors)
        linalg_tell_matrices(r, 1, s->dtype, s->a.ndim - 2, s->a.shape, n, n);
    linalg_tell_info(r, &s->a);
    return LUN_OK;
}

lun_status eigen_of_symmetric(const linalg *l, const lun_array *a, bool turned, lun_array *values, lun_array *vectors,
                              lun_array *exponents, lun_error *err)
{
    const linalg real = eigen_real(l);
    tridiagonal t;
    TRY(eigen_tridiagonal(l, &t, a, turned, err));
    *exponents = t.exponents;
    if (vectors) {
        TRY(eigen_divide(&real, values, vectors, &t, err));
        *vectors = matrix_part(vectors, 0, t.n, 0, t.n);
        TRY(eigen_reflect_back(l, &t, vectors, err));
    } else {
        TRY(eigen_bisect(&real, values, &t, err));
    }
    values->shape[1] = t.n;
    values->shape[2] = 1;
    values->stride[2] = 0;
    values->ndim = 3;
    return LUN_OK;
}

/* Matrices that no kernel takes whole: by tridiagonal ones. */
static lun_status find_by_reflections(linalg *l, const decomposing *s, const lun_array *a, const lun_array *w,
                                      const lun_array *v, lun_error *err)
{
    lun_array values, vectors, exponents;
    l->p->scratch_only = true;
    TRY(eigen_of_symmetric(l, a, s->turned, &values, v ? &vectors : NULL, &exponents, err));
    l->p->scratch_only = false;
    TRY(eigen_take_values(l, w, &values, &exponents, NULL, err));
    if (v)
        TRY(eigen_take_vectors(l, v, &vectors, NULL, NULL, err));
    return LUN_OK;
}

static lun_status find_eigenvalues(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const decomposing *s = c->of;
    lun_array a = s->a;
    const lun_array *w = &c->out[0], *v = s->vectors ? &c->out[1] : NULL;
    const lun_array given = s->turned ? matrix_transposed(&a) : a;
    TRY(linalg_look(l, c, &given, s->turned ? LINALG_UPPER_SIDE : LINALG_LOWER_SIDE, err));
    TRY(linalg_own(l, &a, err));
    if (rows_of(&a) <= eigen_small(l, true))
        TRY(eigen_jacobi(l, &a, w, v, s->turned, err));
    else
        TRY(find_by_reflections(l, s, &a, w, v, err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

static lun_status run_eigh(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const decomposing *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .in_count = 1, .work = 20 * linalg_cube(&s->a), .of = s};
    (void)more;
    for (size_t i = 0; i < r->result_count; i++)
        TRY(linalg_take_result(&c, out[i], s->vectors && i == 1, err));
    return linalg_run(&c, find_eigenvalues, s->dtype, matrix_batches(&s->a), err);
}

const request_functions eigh_functions = {bind_eigh, run_eigh};
