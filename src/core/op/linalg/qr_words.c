/* qr. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

enum { THIN, FULL, R_ALONE };
static const char *const modes[] = {"thin", "full", "r", NULL};

typedef struct qr_call {
    lun_array a;
    int mode;
    bool pivot;
} qr_call;

static lun_status factor_whole(linalg *l, const linalg_call *c, lun_error *err)
{
    const qr_call *s = c->of;
    const size_t with_q = s->mode != R_ALONE;
    lun_array a = s->a;
    TRY(linalg_own(l, &a, err));
    return linalg_whole_qr(l, &a, with_q ? &c->out[0] : NULL, &c->out[with_q], s->pivot ? &c->out[with_q + 1] : NULL,
                           c->r->manner->first, err);
}

static lun_status factor_by_blocks(linalg *l, const linalg_call *c, lun_error *err)
{
    const qr_call *s = c->of;
    const size_t with_q = s->mode != R_ALONE;
    linalg_qr factors;
    lun_array order;
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
    return with_q ? linalg_qr_q(&factors, l, &c->out[0], err) : LUN_OK;
}

static lun_status factor(linalg *l, const linalg_call *c, lun_error *err)
{
    const qr_call *s = c->of;
    TRY(linalg_look(l, c, &s->a, LINALG_BOTH_SIDES, err));
    TRY(linalg_is_whole_qr(l, &s->a, 0) ? factor_whole(l, c, err) : factor_by_blocks(l, c, err));
    return linalg_end_look(l, c, s->a.ndim - 2, err);
}

static lun_status qr(composing *c, lun_error *err)
{
    qr_call s = {.pivot = request_truth(c->r, "pivot")};
    lun_dtype dtype;
    TRY(linalg_matrix(&s.a, c->r, 0, err));
    TRY(linalg_dtype(&dtype, c->r->arguments[0].array, err));
    TRY(request_named(&s.mode, c->r, "mode", "mode", modes, err));
    const size_t rows = rows_of(&s.a), columns = columns_of(&s.a), square = smaller(rows, columns);
    const size_t inner = s.mode == FULL ? rows : square, batches = matrix_batches(&s.a);
    linalg_call l = {.c = c, .r = c->r, .in = {s.a}, .in_count = 1, .of = &s};
    l.work = 2 * (double)s.a.size / (double)larger(1, batches) * (double)square;
    c->results = 1u + (s.mode != R_ALONE) + s.pivot;
    c->further = request_truth(c->r, "info");
    if (s.mode != R_ALONE)
        TRY(linalg_give_matrices(&l, dtype, s.a.ndim - 2, s.a.shape, rows, inner, err));
    TRY(linalg_give_matrices(&l, dtype, s.a.ndim - 2, s.a.shape, inner, columns, err));
    if (s.pivot)
        TRY(linalg_give_vectors(&l, LUN_i64, &s.a, columns, err));
    TRY(linalg_give_info(&l, &s.a, err));
    return linalg_run(&l, factor, dtype, batches, err);
}

COMPOSED(qr)
