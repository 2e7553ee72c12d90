/* svd and svdvals, as rows of operation.def are called. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"

#include <string.h>

typedef struct decomposing {
    lun_array a; /* a matrix with at least as many rows as columns */
    lun_dtype dtype;
    bool vectors, turned; /* turned: a is the transpose of the user's, and is meant conjugated */
    size_t wide;          /* vectors of u */
} decomposing;

static lun_status bind_svd(lun_request *r, lun_error *err)
{
    decomposing *s = REQUEST_STATE(r, decomposing);
    size_t shape[LUN_MAX_AXES];
    TRY(linalg_matrix(&s->a, r, 0, err));
    s->turned = rows_of(&s->a) < columns_of(&s->a);
    if (s->turned)
        s->a = matrix_transposed(&s->a);
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    s->vectors = lun_operation_option(r->operation, "full") != NULL; /* svdvals has none */
    const size_t m = rows_of(&s->a), n = columns_of(&s->a);
    s->wide = request_truth(r, "full") ? m : n;
    TRY(request_outs(r, s->vectors ? 3 : 1, err));
    memcpy(shape, s->a.shape, sizeof shape);
    shape[s->a.ndim - 2] = n;
    request_tell(r, s->vectors ? 1 : 0, lun_dtype_part(s->dtype), s->a.ndim - 1, shape);
    if (s->vectors) {
        linalg_tell_matrices(r, s->turned ? 2 : 0, s->dtype, s->a.ndim - 2, s->a.shape, m, s->wide);
        linalg_tell_matrices(r, s->turned ? 0 : 2, s->dtype, s->a.ndim - 2, s->a.shape, n, n);
    }
    linalg_tell_info(r, &s->a);
    return LUN_OK;
}

static lun_status find_singular_values(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const decomposing *s = c->of;
    lun_array a = s->a;
    const lun_array *values = &c->out[s->vectors ? 1 : 0];
    const lun_array *u = s->vectors ? &c->out[s->turned ? 2 : 0] : NULL;
    const lun_array *v = s->vectors ? &c->out[s->turned ? 0 : 2] : NULL;
    const lun_array given = s->turned ? matrix_transposed(&a) : a;
    TRY(linalg_look(l, c, &given, LINALG_BOTH_SIDES, err));
    TRY(linalg_own(l, &a, err));
    if (rows_of(&a) <= eigen_small(l, false) && columns_of(&a) > 0)
        TRY(eigen_jacobi_svd(l, &a, u, values, v, s->turned, err));
    else
        TRY(eigen_polar_svd(l, &a, u, values, v, s->turned, err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

static lun_status run_svd(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const decomposing *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .in_count = 1, .work = 40 * linalg_cube(&s->a), .of = s};
    (void)more;
    for (size_t i = 0; i < r->result_count; i++)
        TRY(linalg_take_result(&c, out[i], s->vectors && i % 2 == 0, err));
    return linalg_run(&c, find_singular_values, s->dtype, matrix_batches(&s->a), err);
}

const request_functions svd_functions = {bind_svd, run_svd};
