/* svd and svdvals. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"

typedef struct decomposing {
    lun_array a;          /* a matrix with at least as many rows as columns */
    bool vectors, turned; /* turned: a is the transpose of the user's, and is meant conjugated */
} decomposing;

static lun_status find_singular_values(linalg *l, const linalg_call *c, lun_error *err)
{
    const decomposing *s = c->of;
    lun_array a = s->a;
    const lun_array *values = &c->out[s->vectors ? 1 : 0];
    const lun_array *u = s->vectors ? &c->out[s->turned ? 2 : 0] : NULL;
    const lun_array *v = s->vectors ? &c->out[s->turned ? 0 : 2] : NULL;
    const lun_array given = s->turned ? matrix_transposed(&a) : a;
    TRY(linalg_look(l, c, &given, LINALG_BOTH_SIDES, err));
    TRY(linalg_own(l, &a, err));
    if (eigen_is_whole(l, &a))
        TRY(eigen_whole_svd(l, &a, u, values, v, s->turned, err));
    else if (rows_of(&a) <= eigen_small(l) && columns_of(&a) > 0)
        TRY(eigen_jacobi_svd(l, &a, u, values, v, s->turned, err));
    else
        TRY(eigen_polar_svd(l, &a, u, values, v, s->turned, err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

/* u of the requested width, the values, and v; for a turned matrix v and u. */
static lun_status svd(composing *c, lun_error *err)
{
    decomposing s = {.vectors = lun_operation_option(c->r->operation, "full")}; /* svdvals has none */
    lun_dtype dtype;
    TRY(linalg_matrix(&s.a, c->r, 0, err));
    s.turned = rows_of(&s.a) < columns_of(&s.a);
    if (s.turned)
        s.a = matrix_transposed(&s.a);
    TRY(linalg_dtype(&dtype, c->r->arguments[0].array, err));
    linalg_call l = {.c = c, .r = c->r, .in = {s.a}, .in_count = 1, .work = 40 * linalg_cube(&s.a), .of = &s};
    const size_t m = rows_of(&s.a), n = columns_of(&s.a), wide = request_truth(c->r, "full") ? m : n;
    c->results = s.vectors ? 3 : 1;
    c->further = request_truth(c->r, "info");
    for (int i = 0; i < 3; i++)
        if (i == 1)
            TRY(linalg_give_vectors(&l, lun_dtype_part(dtype), &s.a, n, err));
        else if (s.vectors)
            TRY(linalg_give_matrices(&l, dtype, s.a.ndim - 2, s.a.shape, (i == 0) != s.turned ? m : n,
                                     (i == 0) != s.turned ? wide : n, err));
    TRY(linalg_give_info(&l, &s.a, err));
    return linalg_run(&l, find_singular_values, dtype, matrix_batches(&s.a), err);
}

COMPOSED(svd)
