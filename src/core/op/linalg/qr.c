/* QR by reflections in blocks: the product of a block's reflections is I - V T V^H (Schreiber, Van Loan 1989), found by halves of its
 * columns (Elmroth, Gustavson 2000), down to panels. */
#include "op/linalg/linalg.h"

#include <string.h>

/* c becomes (I - v t v^H) c, or with `back` its adjoint's product with c. */
static lun_status reflect(const linalg *l, const lun_array *v, const lun_array *t, const lun_array *c, bool back,
                          lun_error *err)
{
    lun_status status = LUN_OK;
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const lun_array v_turned = matrix_transposed(v), t_turned = matrix_transposed(t);
    lun_array products[2];
    size_t shape[LUN_MAX_AXES];
    if (c->size == 0)
        return LUN_OK;
    memcpy(shape, c->shape, sizeof shape);
    shape[c->ndim - 2] = columns_of(v);
    const bool before = l->p->scratch_only;
    for (int i = 0; i < 2; i++)
        TRY(operation_scratch_array(l->p->op, &products[i], l->dtype, c->ndim, shape, err));
    l->p->scratch_only = true;
    TRY(plan_array_multiply_conjugated(l->p, &products[0], &v_turned, c, LUN_CONJUGATE_A, 1, 0, err));
    TRY(plan_array_multiply_conjugated(l->p, &products[1], back ? &t_turned : t, &products[0],
                                       back ? LUN_CONJUGATE_A : 0, 1, 0, err));
    l->p->scratch_only = before;
    TRY(plan_array_multiply(l->p, c, v, &products[1], -1, 1, err));
    operation_scratch_again(l->p->op, scratch);
done:
    return status;
}

static lun_status factor_panel(const linalg *l, const lun_array *a, const lun_array *v, const lun_array *t,
                               linalg_panel panel, lun_error *err)
{
    lun_status status = LUN_OK;
    const matmul_view a_at = matrix_view(a), v_at = matrix_view(v), t_at = matrix_view(t);
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const size_t groups = linalg_groups(l, l->batches);
    lun_block *copies = NULL;
    if (l->leaves->registers == 0) /* where groups copy panels */
        TRY(operation_scratch(l->p->op, &copies, groups * rows_of(a) * panel.columns * lun_dtype_bytes(l->dtype), err));
    TRY(linalg_launch_panel(l, "qr_plain", "qr_leaf", groups, panel,
                            ARGS(ARG_BLOCK(a->block), ARG_VALUE(&a_at), ARG_BLOCK(v->block), ARG_VALUE(&v_at),
                                 ARG_BLOCK(t->block), ARG_VALUE(&t_at), ARG_LONG(l->batches), ARG_LONG(rows_of(a)),
                                 ARG_LONG(columns_of(a)), ARG_BLOCK(copies)),
                            err));
    operation_scratch_again(l->p->op, scratch);
done:
    return status;
}

/* t's corner becomes what makes one product of two: -t1 (v1^H v2) t2. */
static lun_status join(const linalg *l, const lun_array *t, const lun_array *v1, const lun_array *v2, lun_error *err)
{
    lun_status status = LUN_OK;
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const size_t left = columns_of(v1), right = columns_of(v2);
    const lun_array turned = matrix_transposed(v1), t1 = matrix_part(t, 0, left, 0, left);
    const lun_array t2 = matrix_part(t, left, right, left, right), corner = matrix_part(t, 0, left, left, right);
    lun_array products[2];
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, t->shape, sizeof shape);
    shape[t->ndim - 2] = left;
    shape[t->ndim - 1] = right;
    for (int i = 0; i < 2; i++)
        TRY(operation_scratch_array(l->p->op, &products[i], l->dtype, t->ndim, shape, err));
    TRY(plan_array_multiply_conjugated(l->p, &products[0], &turned, v2, LUN_CONJUGATE_A, 1, 0, err));
    TRY(plan_array_multiply(l->p, &products[1], &t1, &products[0], 1, 0, err));
    TRY(plan_array_multiply(l->p, &corner, &products[1], &t2, -1, 0, err));
    operation_scratch_again(l->p->op, scratch);
done:
    return status;
}

/* a, with no more columns than rows, becomes R in its upper triangle; v has its shape, t is square. */
static lun_status factor(const linalg *l, const lun_array *a, const lun_array *v, const lun_array *t, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t rows = rows_of(a), columns = columns_of(a);
    const linalg_panel panel = linalg_panel_of(l, rows, true);
    if (columns <= panel.columns)
        return factor_panel(l, a, v, t, panel, err);
    const size_t left = matrix_half(columns, panel.columns), right = columns - left, below = rows - left;
    const lun_array a1 = matrix_part(a, 0, rows, 0, left), v1 = matrix_part(v, 0, rows, 0, left);
    const lun_array t1 = matrix_part(t, 0, left, 0, left), beside = matrix_part(a, 0, rows, left, right);
    const lun_array a2 = matrix_part(a, left, below, left, right), v2 = matrix_part(v, left, below, left, right);
    const lun_array t2 = matrix_part(t, left, right, left, right), v1_below = matrix_part(v, left, below, 0, left);
    TRY(factor(l, &a1, &v1, &t1, err));
    TRY(reflect(l, &v1, &t1, &beside, true, err));
    TRY(factor(l, &a2, &v2, &t2, err));
    TRY(join(l, t, &v1_below, &v2, err));
done:
    return status;
}

/* The factor of each block of columns: V from its first row on, and T. */
static size_t block_width(const linalg_qr *f, size_t first) { return smaller(f->block, columns_of(&f->v) - first); }

static lun_array block_v(const linalg_qr *f, size_t first)
{
    return matrix_part(&f->v, first, rows_of(&f->v) - first, first, block_width(f, first));
}

static lun_array block_t(const linalg_qr *f, size_t first)
{
    return matrix_part(&f->t, first, block_width(f, first), 0, block_width(f, first));
}

static lun_status make_room(linalg_qr *out, const linalg *l, const lun_array *a, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t square = smaller(rows_of(a), columns_of(a));
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    out->block = smaller(larger(square, 1), l->leaves->block);
    TRY(operation_scratch_array(l->p->op, &out->a, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 1] = square;
    TRY(operation_scratch_array(l->p->op, &out->v, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 2] = square;
    shape[a->ndim - 1] = out->block;
    TRY(operation_scratch_array(l->p->op, &out->t, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 2] = columns_of(a);
    TRY(operation_scratch_array(l->p->op, &out->sizes, LUN_i32, a->ndim - 1, shape, err));
    for (int i = 0; i < 3; i++)
        TRY(plan_array_fill(l->p, i == 0 ? &out->v : i == 1 ? &out->t : &out->sizes, (cl_ulong2){{0, 0}}, err));
done:
    return status;
}

lun_status linalg_qr_factor(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t rows = rows_of(a), columns = columns_of(a), square = smaller(rows, columns);
    l->p->scratch_only = true;
    TRY(make_room(out, l, a, err));
    TRY(linalg_scale_columns(l, &out->a, a, conjugated, &out->sizes, false, err));
    for (size_t i = 0; i < square; i += out->block) {
        const size_t width = block_width(out, i), behind = i + width;
        const lun_array v = block_v(out, i), t = block_t(out, i);
        const lun_array part = matrix_part(&out->a, i, rows - i, i, width);
        const lun_array rest = matrix_part(&out->a, i, rows - i, behind, columns - behind);
        TRY(factor(l, &part, &v, &t, err));
        TRY(reflect(l, &v, &t, &rest, true, err));
    }
    l->p->scratch_only = false;
done:
    return status;
}

/* Applies the block of reflections that begins at column i to the rows of c from there on. */
static lun_status apply_block(const linalg_qr *f, const linalg *l, size_t i, const lun_array *c, bool back,
                              lun_error *err)
{
    const lun_array v = block_v(f, i), t = block_t(f, i);
    return reflect(l, &v, &t, c, back, err);
}

lun_status linalg_qr_apply(const linalg_qr *f, const linalg *l, const lun_array *c, bool back, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t blocks = ceil_div(columns_of(&f->v), f->block);
    for (size_t k = 0; k < blocks; k++) {
        const size_t i = (back ? k : blocks - 1 - k) * f->block;
        const lun_array part = matrix_part(c, i, rows_of(c) - i, 0, columns_of(c));
        TRY(apply_block(f, l, i, &part, back, err));
    }
done:
    return status;
}

lun_status linalg_qr_q(const linalg_qr *f, const linalg *l, const lun_array *q, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(linalg_signed_ones(l, q, &f->a, err));
    for (size_t left = ceil_div(columns_of(&f->v), f->block); left > 0; left--) {
        const size_t i = (left - 1) * f->block;
        const lun_array part = matrix_part(q, i, rows_of(q) - i, i, columns_of(q) - i);
        TRY(apply_block(f, l, i, &part, false, err));
    }
done:
    return status;
}
