/* Products of complex matrices as four products of their parts, by the variants for real numbers: the parts of A and B are copied into
 * planes, where every kernel reads vectors, and those of C come back from planes. */
#include "op/matmul/matmul.h"
#include "op/planning.h"

#define LEAST_SIDE 8
/* Multiplications of a matrix: of fewer the copies take longer than one plain kernel. Not of a batch, whose size changes no bits. */
#define LEAST_WORK ((size_t)1 << 13)

static bool is_real(lun_number x) { return !x.is_complex || x.imaginary == 0; }
static lun_number real_of(lun_number x) { return x.is_complex ? lun_real(x.real) : x; }
static bool is_zero(lun_number x) { return x.real == 0; }

bool matmul_parts_applies(const lun_device *device, const void *data)
{
    const matmul_problem *p = data;
    (void)device;
    return !p || (!matmul_is_real(p) && is_real(p->alpha) && is_real(p->beta));
}

static bool is_small(const matmul_problem *p)
{
    const size_t least = smaller(p->k, smaller(p->m, p->n));
    return least < LEAST_SIDE || p->m * p->n * p->k < LEAST_WORK;
}

/* The real or the imaginary parts of a matrix, or of a batch of them, which are in that array's memory. */
static lun_array part_of(const lun_array *in, const matmul_view *view, size_t rows, size_t columns, bool imaginary)
{
    lun_array part = {.device = in->device, .block = in->block, .dtype = lun_dtype_part(in->dtype)};
    part.size = rows * columns;
    part.offset = 2 * view->offset + imaginary;
    part.ndim = (int)view->batch.ndim + 2;
    for (int i = 0; i < (int)view->batch.ndim; i++) { /* what a batch repeats is copied once */
        part.shape[i] = view->batch.stride[i] ? (size_t)view->batch.size[i] : 1;
        part.stride[i] = 2 * view->batch.stride[i];
        part.size *= part.shape[i];
    }
    part.shape[part.ndim - 2] = rows;
    part.stride[part.ndim - 2] = 2 * view->row;
    part.shape[part.ndim - 1] = columns;
    part.stride[part.ndim - 1] = 2 * view->column;
    return part;
}

/* A plane as the product reads or writes it. */
static matmul_view view_of(const lun_array *plane, const layout *batch)
{
    matmul_view view = {.offset = plane->offset,
                        .row = plane->stride[plane->ndim - 2],
                        .column = plane->stride[plane->ndim - 1],
                        .batch = *batch};
    for (int i = 0; i < (int)batch->ndim; i++)
        view.batch.stride[i] = batch->stride[i] ? plane->stride[i] : 0;
    return view;
}

/* Copies of both parts. */
static lun_status split(lun_array planes[2], plan *out, const lun_array *in, const matmul_view *view, size_t rows,
                        size_t columns, bool filled, lun_error *err)
{
    for (int i = 0; i < 2; i++) {
        const lun_array part = part_of(in, view, rows, columns, i == 1);
        TRY(operation_scratch_array(out->op, &planes[i], part.dtype, part.ndim, part.shape, err));
        if (filled)
            TRY(plan_array_copy(out, &planes[i], &part, err));
    }
    return LUN_OK;
}

/* Part i of C gets the product of part a of A and part b of B. */
static lun_status multiply(plan *out, const matmul_problem *p, lun_array planes[3][2], int i, int a, int b,
                           lun_number alpha, lun_number beta, lun_error *err)
{
    matmul_problem real = *p;
    real.left = &planes[0][a];
    real.right = &planes[1][b];
    real.out = &planes[2][i];
    real.a = view_of(real.left, &p->a.batch);
    real.b = view_of(real.right, &p->b.batch);
    real.c = view_of(real.out, &p->c.batch);
    real.dtype = lun_dtype_part(p->dtype);
    real.alpha = alpha;
    real.beta = beta;
    return plan_variant(out, &matmul_variants, &real, NULL, err);
}

lun_status matmul_parts_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const matmul_problem *p = data;
    lun_array planes[3][2]; /* of A, B and C */
    if (is_small(p))
        return matmul_plain_plan(out, row, data, err);
    const lun_number alpha = real_of(p->alpha), beta = real_of(p->beta), one = lun_integer(1);
    const double a_sign = p->conjugated & LUN_CONJUGATE_A ? -1 : 1, b_sign = p->conjugated & LUN_CONJUGATE_B ? -1 : 1;
    TRY(split(planes[0], out, p->left, &p->a, p->m, p->k, true, err));
    TRY(split(planes[1], out, p->right, &p->b, p->k, p->n, true, err));
    TRY(split(planes[2], out, p->out, &p->c, p->m, p->n, !is_zero(beta), err));
    TRY(multiply(out, p, planes, 0, 0, 0, alpha, beta, err));
    TRY(multiply(out, p, planes, 0, 1, 1, lun_real(-alpha.real * a_sign * b_sign), one, err));
    TRY(multiply(out, p, planes, 1, 0, 1, lun_real(alpha.real * b_sign), beta, err));
    TRY(multiply(out, p, planes, 1, 1, 0, lun_real(alpha.real * a_sign), one, err));
    for (int i = 0; i < 2; i++) {
        const lun_array part = part_of(p->out, &p->c, p->m, p->n, i == 1);
        TRY(plan_array_copy(out, &part, &planes[2][i], err));
    }
    return LUN_OK;
}
