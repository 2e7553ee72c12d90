/* eigh and eigvalsh. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"

typedef struct decomposing {
    lun_array a;          /* a Hermitian matrix, given by its lower triangle */
    bool vectors, turned; /* turned: a is the transpose of the user's */
} decomposing;

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

/* Matrices that no kernel processes whole: by tridiagonal matrices. */
static lun_status find_by_reflections(linalg *l, const decomposing *s, const lun_array *a, const lun_array *w,
                                      const lun_array *v, lun_error *err)
{
    lun_array values, vectors, exponents;
    TRY(eigen_of_symmetric(l, a, s->turned, &values, v ? &vectors : NULL, &exponents, err));
    TRY(eigen_take_values(l, w, &values, &exponents, NULL, err));
    if (v)
        TRY(eigen_take_vectors(l, v, &vectors, NULL, NULL, err));
    return LUN_OK;
}

static lun_status find_eigenvalues(linalg *l, const linalg_call *c, lun_error *err)
{
    const decomposing *s = c->of;
    lun_array a = s->a;
    const lun_array *w = &c->out[0], *v = s->vectors ? &c->out[1] : NULL;
    const lun_array given = s->turned ? matrix_transposed(&a) : a;
    TRY(linalg_look(l, c, &given, s->turned ? LINALG_UPPER_SIDE : LINALG_LOWER_SIDE, err));
    TRY(linalg_own(l, &a, err));
    if (eigen_is_whole(l, &a))
        TRY(eigen_whole(l, &a, w, v, s->turned, err));
    else if (rows_of(&a) <= eigen_small(l))
        TRY(eigen_jacobi(l, &a, w, v, s->turned, err));
    else
        TRY(find_by_reflections(l, s, &a, w, v, err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

static lun_status eigh(composing *c, lun_error *err)
{
    decomposing s = {.vectors = !request_is(c->r, ROW_VALUES)};
    lun_dtype dtype;
    TRY(linalg_square(&s.a, c->r, 0, err));
    s.turned = request_option(c->r, "lower") && !request_truth(c->r, "lower");
    if (s.turned)
        s.a = matrix_transposed(&s.a);
    TRY(linalg_dtype(&dtype, c->r->arguments[0].array, err));
    linalg_call l = {.c = c, .r = c->r, .in = {s.a}, .in_count = 1, .work = 20 * linalg_cube(&s.a), .of = &s};
    const size_t n = rows_of(&s.a);
    c->results = s.vectors ? 2 : 1;
    c->further = request_truth(c->r, "info");
    TRY(linalg_give_vectors(&l, lun_dtype_part(dtype), &s.a, n, err));
    if (s.vectors)
        TRY(linalg_give_matrices(&l, dtype, s.a.ndim - 2, s.a.shape, n, n, err));
    TRY(linalg_give_info(&l, &s.a, err));
    return linalg_run(&l, find_eigenvalues, dtype, matrix_batches(&s.a), err);
}

COMPOSED(eigh)
