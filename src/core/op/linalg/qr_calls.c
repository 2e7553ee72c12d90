/* qr, as its row of operation.def is called. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <string.h>

typedef enum qr_mode { THIN, FULL, R_ALONE } qr_mode;

typedef struct qr_call {
    lun_array a;
    lun_dtype dtype;
    qr_mode mode;
    bool pivot;
} qr_call;

static lun_status read_mode(qr_call *s, const lun_request *r, lun_error *err)
{
    static const char *const modes[] = {"thin", "full", "r"};
    const char *mode = request_text(r, "mode");
    if (!mode)
        return LUN_OK;
    for (size_t i = 0; i < COUNT(modes); i++)
        if (strcmp(modes[i], mode) == 0) {
            s->mode = (qr_mode)i;
            return LUN_OK;
        }
    return fail(err, LUN_MISUSE, "unknown mode '%.40s'; known are thin, full, r", mode);
}

static lun_status bind_qr(lun_request *r, lun_error *err)
{
    qr_call *s = REQUEST_STATE(r, qr_call);
    TRY(linalg_matrix(&s->a, r, 0, err));
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    TRY(read_mode(s, r, err));
    const size_t rows = rows_of(&s->a), columns = columns_of(&s->a), square = smaller(rows, columns);
    const size_t inner = s->mode == FULL ? rows : square, with_q = s->mode != R_ALONE;
    s->pivot = request_truth(r, "pivot");
    TRY(request_outs(r, 1 + with_q + s->pivot, err));
    if (with_q)
        linalg_tell_matrices(r, 0, s->dtype, s->a.ndim - 2, s->a.shape, rows, inner);
    linalg_tell_matrices(r, with_q, s->dtype, s->a.ndim - 2, s->a.shape, inner, columns);
    if (s->pivot) {
        size_t shape[LUN_MAX_AXES];
        memcpy(shape, s->a.shape, sizeof shape);
        shape[s->a.ndim - 2] = columns;
        request_tell(r, with_q + 1, LUN_i64, s->a.ndim - 1, shape);
    }
    linalg_tell_info(r, &s->a);
    return LUN_OK;
}

static lun_status factor(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const qr_call *s = c->of;
    const size_t with_q = s->mode != R_ALONE;
    linalg_qr factors;
    lun_array order;
    TRY(linalg_look(l, c, &s->a, LINALG_BOTH_SIDES, err));
    if (s->pivot) {
        const lun_array *to = &c->out[with_q + 1];
        TRY(operation_scratch_array(l->p->op, &order, LUN_i64, to->ndim, to->shape, err));
        TRY(linalg_qr_pivoted(&factors, l, &s->a, false, &order, c->r->manner->first, err));
        if (to->size)
            TRY(plan_array_copy(l->p, to, &order, err));
    } else {
        TRY(linalg_qr_factor(&factors, l, &s->a, false, err));
    }
    TRY(linalg_qr_r(&factors, l, &c->out[with_q], true, false, err));
    if (with_q)
        TRY(linalg_qr_q(&factors, l, &c->out[0], err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

static lun_status run_qr(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const qr_call *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .in_count = 1, .of = s};
    (void)more;
    c.work = 2 * (double)s->a.size / (double)larger(1, matrix_batches(&s->a)) *
             (double)smaller(rows_of(&s->a), columns_of(&s->a));
    for (size_t i = 0; i < r->result_count; i++)
        TRY(linalg_take_result(&c, out[i], r->results[i].dtype == s->dtype, err));
    return linalg_run(&c, factor, s->dtype, matrix_batches(&s->a), err);
}

const request_functions qr_functions = {bind_qr, run_qr};
