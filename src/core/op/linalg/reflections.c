/* The work of QR and least squares around reflections: launches of linalg_columns.cl. */
#include "op/linalg/linalg.h"

#include <stdio.h>

/* Rows of a block for an item: on a CPU, the exponents of a block's columns cost as much as 60 rows of numbers. */
static size_t block_rows(const linalg *l) { return variant_on_cpu(l->p->op->device, NULL) ? 128 : 32; }

static lun_status launch_columns(const linalg *l, const char *name, size_t items, const launch_arg *args, size_t count,
                                 lun_error *err)
{
    lun_device *device = l->p->op->device;
    char defines[40];
    snprintf(defines, sizeof defines, "#define BLOCK_ROWS %zu\n", block_rows(l));
    return plan_spread(l->p, &(program_key){.file = "linalg_columns", .dtype = l->dtype, .defines = defines}, name,
                       items, spread_tuned(device)->plain, args, count, err);
}

/* The position of the number; the other two arguments are the columns and the numbers of a matrix. */
static void say_not_finite(char *text, size_t room, const lun_verdict *found, int64_t batches)
{
    char which[80] = "";
    const int64_t columns = found->value, each = found->beside, at = found->position % each;
    if (batches > 1)
        snprintf(which, sizeof which, "matrix %lld of %lld: ", (long long)(found->position / each) + 1,
                 (long long)batches);
    snprintf(text, room, "%snot finite at (%lld, %lld)", which, (long long)(at / columns) + 1,
             (long long)(at % columns) + 1);
}

lun_status linalg_scale_columns(const linalg *l, const lun_array *x, const lun_array *a, bool conjugated,
                                const lun_array *sizes, bool whole, lun_error *err)
{
    lun_array own = *a;
    if (a->size == 0)
        return LUN_OK;
    TRY(linalg_own(l, &own, err));
    const matmul_view from = matrix_view(&own);
    /* A matrix that is factorised later is not an argument; a conjugated one is the transpose of the user's. */
    const int says = l->p->op->verdict ? 0 : conjugated ? -1 : 1;
    TRY(plan_verdict(l->p, l->informs ? NULL : say_not_finite, (int64_t)l->batches, err));
    TRY(launch_columns(l, "column_sizes", a->size,
                       ARGS(ARG_BLOCK(own.block), ARG_VALUE(&from), ARG_BLOCK(sizes->block), ARG_LONG(l->batches),
                            ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)), ARG_LONG(says), ARG_VERDICT(l->p->op)),
                       err));
    if (whole)
        TRY(launch_columns(l, "level_sizes", l->batches,
                           ARGS(ARG_BLOCK(sizes->block), ARG_LONG(l->batches), ARG_LONG(columns_of(a))), err));
    return launch_columns(l, "scale_columns", a->size,
                          ARGS(ARG_MATRIX(x), ARG_BLOCK(own.block), ARG_VALUE(&from), ARG_BLOCK(sizes->block),
                               ARG_LONG(l->batches), ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)),
                               ARG_LONG(conjugated)),
                          err);
}

lun_status linalg_qr_r(const linalg_qr *f, const linalg *l, const lun_array *r, bool turns, bool conjugated,
                       lun_error *err)
{
    if (r->size == 0)
        return LUN_OK;
    return launch_columns(l, "upper_factor", r->size,
                          ARGS(ARG_MATRIX(r), ARG_MATRIX(&f->a), ARG_BLOCK(f->sizes.block), ARG_LONG(l->batches),
                               ARG_LONG(rows_of(r)), ARG_LONG(columns_of(r)), ARG_LONG(columns_of(&f->last.v)),
                               ARG_LONG(turns), ARG_LONG(conjugated)),
                          err);
}

lun_status linalg_signed_ones(const linalg *l, const lun_array *q, const lun_array *a, lun_error *err)
{
    if (q->size == 0)
        return LUN_OK;
    return launch_columns(l, "signed_ones", q->size,
                          ARGS(ARG_MATRIX(q), ARG_MATRIX(a), ARG_LONG(l->batches), ARG_LONG(rows_of(q)),
                               ARG_LONG(columns_of(q)), ARG_LONG(smaller(rows_of(a), columns_of(a)))),
                          err);
}

/* ---- least squares ------------------------------------------------------------------------------------------------- */

lun_status linalg_find_ranks(const linalg *l, const linalg_qr *f, const lun_array *ranks, double least, lun_error *err)
{
    return launch_columns(l, "find_ranks", l->batches,
                          ARGS(ARG_MATRIX(&f->a), ARG_BLOCK(ranks->block), ARG_LONG(l->batches),
                               ARG_LONG(rows_of(&f->a)), launch_real(lun_dtype_part(l->dtype), least)),
                          err);
}

lun_status linalg_leading_rows(const linalg *l, const lun_array *x, const linalg_qr *f, const lun_array *ranks,
                               lun_error *err)
{
    return launch_columns(l, "leading_rows", x->size,
                          ARGS(ARG_MATRIX(x), ARG_MATRIX(&f->a), ARG_BLOCK(f->sizes.block), ARG_BLOCK(ranks->block),
                               ARG_LONG(l->batches), ARG_LONG(rows_of(x))),
                          err);
}

lun_status linalg_close_triangles(const linalg *l, const lun_array *t, const lun_array *ranks, lun_error *err)
{
    return launch_columns(l, "close_triangles", l->batches,
                          ARGS(ARG_MATRIX(t), ARG_BLOCK(ranks->block), ARG_LONG(l->batches), ARG_LONG(rows_of(t))),
                          err);
}

lun_status linalg_square_blocks(const linalg *l, lun_array *sums, const lun_array *c, lun_error *err)
{
    const size_t shape[] = {l->batches, ceil_div(rows_of(c), block_rows(l)), columns_of(c)};
    TRY(operation_scratch_array(l->p->op, sums, lun_dtype_part(l->dtype), 3, shape, err));
    if (c->size)
        TRY(launch_columns(l, "square_blocks", c->size,
                           ARGS(ARG_MATRIX(c), ARG_BLOCK(sums->block), ARG_LONG(l->batches), ARG_LONG(rows_of(c)),
                                ARG_LONG(columns_of(c))),
                           err));
    return LUN_OK;
}

lun_status linalg_residuals(const linalg *l, const lun_array *left, const lun_array *c, const lun_array *sums,
                            const lun_array *ranks, lun_error *err)
{
    if (left->size == 0)
        return LUN_OK;
    return launch_columns(l, "residuals", left->size,
                          ARGS(ARG_BLOCK(left->block), ARG_MATRIX(c), ARG_BLOCK(sums->block),
                               ARG_LONG(sums->block ? sums->shape[1] : 0), ARG_MATRIX(ranks), ARG_LONG(l->batches),
                               ARG_LONG(rows_of(c)), ARG_LONG(columns_of(c))),
                          err);
}
