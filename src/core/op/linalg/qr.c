/* QR by reflections in blocks: the product of a block's reflections is I - V T V^H (Schreiber, Van Loan 1989), found by halves of its
 * columns (Elmroth, Gustavson 2000), down to panels. */
#include "op/linalg/linalg.h"

#include <string.h>

/* c becomes (I - v t v^H) c, or with `back` its adjoint's product with c. */
static lun_status reflect(const linalg *l, const lun_array *v, const lun_array *t, const lun_array *c, bool back,
                          lun_error *err)
{
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const lun_array v_turned = matrix_transposed(v), t_turned = matrix_transposed(t);
    lun_array products[2];
    size_t shape[LUN_MAX_AXES];
    if (c->size == 0)
        return LUN_OK;
    memcpy(shape, c->shape, sizeof shape);
    shape[c->ndim - 2] = columns_of(v);
    for (int i = 0; i < 2; i++)
        TRY(operation_scratch_array(l->p->op, &products[i], l->dtype, c->ndim, shape, err));
    TRY(plan_array_multiply_conjugated(l->p, &products[0], &v_turned, c, LUN_CONJUGATE_A, 1, 0, err));
    TRY(plan_array_multiply_conjugated(l->p, &products[1], back ? &t_turned : t, &products[0],
                                       back ? LUN_CONJUGATE_A : 0, 1, 0, err));
    TRY(plan_array_multiply(l->p, c, v, &products[1], -1, 1, err));
    operation_scratch_again(l->p->op, scratch);
    return LUN_OK;
}

static lun_status factor_panel(const linalg *l, const lun_array *a, const lun_array *v, const lun_array *t,
                               linalg_panel panel, lun_error *err)
{
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const size_t groups = linalg_groups(l, l->batches);
    const linalg_team team = linalg_team_of(l, panel.team, 3 * panel.columns);
    lun_block *copies = NULL;
    if (l->leaves->registers == 0) /* where groups copy panels */
        TRY(operation_scratch(l->p->op, &copies, groups * rows_of(a) * panel.columns * lun_dtype_bytes(l->dtype), err));
    TRY(linalg_launch_panel(l, "qr_plain", "qr_leaf", groups, panel,
                            ARGS(ARG_MATRIX(a), ARG_MATRIX(v), ARG_MATRIX(t), ARG_LONG(l->batches),
                                 ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)), ARG_BLOCK(copies), ARG_BLOCK(l->info),
                                 ARG_VALUE(&team)),
                            err));
    operation_scratch_again(l->p->op, scratch);
    return LUN_OK;
}

/* t's corner becomes -t1 (v1^H v2) t2, which combines two products to one. */
static lun_status join(const linalg *l, const lun_array *t, const lun_array *v1, const lun_array *v2, lun_error *err)
{
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
    return LUN_OK;
}

/* a, with at most as many columns as rows, becomes R in its upper triangle; v has a's shape, t is square. */
static lun_status factor(const linalg *l, const lun_array *a, const lun_array *v, const lun_array *t, lun_error *err)
{
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
    return join(l, t, &v1_below, &v2, err);
}

/* The factor of each block of columns: V from its first row on, and T. */
static size_t block_width(const linalg_reflections *f, size_t first)
{
    return smaller(f->block, columns_of(&f->v) - first);
}

static lun_array block_v(const linalg_reflections *f, size_t first)
{
    return matrix_part(&f->v, first, rows_of(&f->v) - first, first, block_width(f, first));
}

static lun_array block_t(const linalg_reflections *f, size_t first)
{
    return matrix_part(&f->t, first, block_width(f, first), 0, block_width(f, first));
}

static lun_status make_room(linalg_reflections *out, const linalg *l, const lun_array *a, lun_error *err)
{
    const size_t square = smaller(rows_of(a), columns_of(a));
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    out->block = smaller(larger(square, 1), l->leaves->block);
    shape[a->ndim - 1] = square;
    TRY(operation_scratch_array(l->p->op, &out->v, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 2] = square;
    shape[a->ndim - 1] = out->block;
    TRY(operation_scratch_array(l->p->op, &out->t, l->dtype, a->ndim, shape, err));
    const lun_array above = matrix_part(&out->v, 0, square, 0, square); /* leaves write all elements below */
    TRY(plan_array_fill(l->p, &above, (cl_ulong2){{0, 0}}, err));
    return plan_array_fill(l->p, &out->t, (cl_ulong2){{0, 0}}, err);
}

/* a becomes R in its upper triangle. */
static lun_status make_triangle(linalg_reflections *out, const linalg *l, const lun_array *a, lun_error *err)
{
    const size_t rows = rows_of(a), columns = columns_of(a), square = smaller(rows, columns);
    TRY(make_room(out, l, a, err));
    for (size_t i = 0; i < square; i += out->block) {
        const size_t width = block_width(out, i), behind = i + width;
        const lun_array v = block_v(out, i), t = block_t(out, i);
        const lun_array part = matrix_part(a, i, rows - i, i, width);
        const lun_array rest = matrix_part(a, i, rows - i, behind, columns - behind);
        TRY(factor(l, &part, &v, &t, err));
        TRY(reflect(l, &v, &t, &rest, true, err));
    }
    return LUN_OK;
}

/* Applies the blocks of reflections, or with `all` false only those that affect the first columns of the identity. */
static lun_status apply(const linalg_reflections *f, const linalg *l, const lun_array *c, bool back, bool all,
                        lun_error *err)
{
    const size_t blocks = ceil_div(columns_of(&f->v), f->block);
    for (size_t k = 0; k < blocks; k++) {
        const size_t i = (back ? k : blocks - 1 - k) * f->block, from = all ? 0 : i;
        const lun_array part = matrix_part(c, i, rows_of(c) - i, from, columns_of(c) - from);
        const lun_array v = block_v(f, i), t = block_t(f, i);
        TRY(reflect(l, &v, &t, &part, back, err));
    }
    return LUN_OK;
}

/* ---- trees --------------------------------------------------------------------------------------------------------- */

static bool is_tall(const linalg *l, const lun_array *a)
{
    return columns_of(a) > 0 && columns_of(a) <= l->leaves->block && rows_of(a) >= 2 * l->leaves->tall &&
           larger((size_t)a->ndim, (size_t)l->axes) < LUN_MAX_AXES;
}

/* That many parts of c's rows, from the first on, along an axis of the batch. */
static lun_array split(const lun_array *c, size_t parts, size_t height)
{
    lun_array view = matrix_part(c, 0, parts * height, 0, columns_of(c));
    const int i = c->ndim - 2;
    view.ndim++;
    view.shape[i] = parts;
    view.stride[i] = (int64_t)height * c->stride[i];
    view.shape[i + 1] = height;
    view.stride[i + 1] = c->stride[i];
    view.shape[i + 2] = columns_of(c);
    view.stride[i + 2] = c->stride[i + 1];
    return view;
}

static linalg each_part(const linalg *l, const linalg_reflections *level)
{
    linalg each = *l;
    each.batches *= level->parts;
    return each;
}

static size_t rows_above(const linalg_reflections *level, size_t rows)
{
    return rows - level->parts * (level->height - columns_of(&level->v));
}

/* Scratch memory for the next level's matrix, of c's batch. */
static lun_status make_above(lun_array *above, const linalg *l, const linalg_reflections *level, const lun_array *c,
                             lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, c->shape, sizeof shape);
    shape[c->ndim - 2] = rows_above(level, rows_of(c));
    return operation_scratch_array(l->p->op, above, l->dtype, c->ndim, shape, err);
}

static lun_status copy_rest(const linalg *l, const linalg_reflections *level, const lun_array *c,
                            const lun_array *above, bool up, lun_error *err)
{
    const size_t n = columns_of(&level->v), below = level->parts * level->height, rest = rows_of(c) - below;
    const lun_array from = matrix_part(c, below, rest, 0, columns_of(c));
    const lun_array to = matrix_part(above, level->parts * n, rest, 0, columns_of(c));
    return rest == 0 ? LUN_OK : plan_array_copy(l->p, up ? &to : &from, up ? &from : &to, err);
}

/* Copies the first rows of c's parts, and the remaining rows, to the next level's matrix or back. */
static lun_status move_rows(const linalg *l, const linalg_reflections *level, const lun_array *c,
                            const lun_array *above, bool up, lun_error *err)
{
    const size_t n = columns_of(&level->v);
    const lun_array parts = split(c, level->parts, level->height), to = split(above, level->parts, n);
    const lun_array from = matrix_part(&parts, 0, n, 0, columns_of(c));
    TRY(plan_array_copy(l->p, up ? &to : &from, up ? &from : &to, err));
    return copy_rest(l, level, c, above, up, err);
}

/* Parts of a become triangles, which form `above`. */
static lun_status make_level(linalg_reflections *level, const linalg *l, const lun_array *a, lun_array *above,
                             lun_error *err)
{
    level->height = l->leaves->tall;
    level->parts = rows_of(a) / level->height;
    const linalg each = each_part(l, level);
    const lun_array parts = split(a, level->parts, level->height);
    TRY(make_triangle(level, &each, &parts, err));
    TRY(make_above(above, l, level, a, err));
    const lun_array to = split(above, level->parts, columns_of(a));
    const lun_array from = matrix_part(&parts, 0, columns_of(a), 0, columns_of(a));
    TRY(plan_array_triangle(l->p, &to, &from, true, 0, err));
    return copy_rest(l, level, a, above, true, err);
}

/* ---- the parts of plans -------------------------------------------------------------------------------------------- */

lun_status linalg_qr_factor(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    out->depth = 0;
    TRY(operation_scratch_array(l->p->op, &out->a, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 2] = columns_of(a);
    TRY(operation_scratch_array(l->p->op, &out->sizes, LUN_i32, a->ndim - 1, shape, err));
    TRY(plan_array_fill(l->p, &out->sizes, (cl_ulong2){{0, 0}}, err));
    TRY(linalg_scale_columns(l, &out->a, a, conjugated, &out->sizes, false, err));
    while (out->depth < LINALG_LEVELS && is_tall(l, &out->a)) {
        const lun_array below = out->a;
        TRY(make_level(&out->levels[out->depth++], l, &below, &out->a, err));
    }
    return make_triangle(&out->last, l, &out->a, err);
}

/* Applies the levels from k on, whose matrix has c's rows. */
static lun_status apply_levels(const linalg_qr *f, unsigned k, const linalg *l, const lun_array *c, bool back,
                               lun_error *err)
{
    if (k == f->depth)
        return apply(&f->last, l, c, back, true, err);
    const linalg_reflections *level = &f->levels[k];
    const linalg each = each_part(l, level);
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const lun_array parts = split(c, level->parts, level->height);
    lun_array above;
    if (back)
        TRY(apply(level, &each, &parts, true, true, err));
    TRY(make_above(&above, l, level, c, err));
    TRY(move_rows(l, level, c, &above, true, err));
    TRY(apply_levels(f, k + 1, l, &above, back, err));
    TRY(move_rows(l, level, c, &above, false, err));
    if (!back)
        TRY(apply(level, &each, &parts, false, true, err));
    operation_scratch_again(l->p->op, scratch);
    return LUN_OK;
}

lun_status linalg_qr_apply(const linalg_qr *f, const linalg *l, const lun_array *c, bool back, lun_error *err)
{
    return c->size == 0 ? LUN_OK : apply_levels(f, 0, l, c, back, err);
}

lun_status linalg_qr_q(const linalg_qr *f, const linalg *l, const lun_array *q, lun_error *err)
{
    TRY(linalg_signed_ones(l, q, &f->a, err));
    return f->depth ? linalg_qr_apply(f, l, q, false, err) : apply(&f->last, l, q, false, false, err);
}
