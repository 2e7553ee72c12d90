/* The one form that the matrix product's problems are brought to: shapes, batches, strides. */
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/matmul/matmul.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------------------- */

static size_t batch_size(const lun_array *array, int axes, int axis, int of)
{
    int own = axis - (of - axes);
    return own < 0 ? 1 : array->shape[own];
}

/* Fails with both shapes behind the complaint, in the order in which the host has them. */
static lun_status fail_shapes(lun_error *err, const char *what, const lun_array *a, const lun_array *b)
{
    char left[200], right[200];
    const bool reversed = device_manner(a->device)->reversed;
    array_shape_text(left, sizeof left, reversed ? b : a);
    array_shape_text(right, sizeof right, reversed ? a : b);
    return fail(err, LUN_MISUSE, "%s: (%s) x (%s)", what, left, right);
}

lun_status matmul_find_sides(matmul_sides *out, const lun_array *a, const lun_array *b, lun_error *err)
{
    if (a->ndim == 0 || b->ndim == 0)
        return fail_shapes(err, "arrays without axes have no product", a, b);
    out->m = a->ndim > 1 ? a->shape[a->ndim - 2] : 1;
    out->k = a->shape[a->ndim - 1];
    out->n = b->ndim > 1 ? b->shape[b->ndim - 1] : 1;
    out->k_right = b->ndim > 1 ? b->shape[b->ndim - 2] : b->shape[0];
    if (out->k != out->k_right)
        return fail_shapes(err, "inner sizes differ", a, b);
    out->a_batch = a->ndim > 2 ? a->ndim - 2 : 0;
    out->b_batch = b->ndim > 2 ? b->ndim - 2 : 0;
    out->batch = out->a_batch > out->b_batch ? out->a_batch : out->b_batch;
    for (int i = 0; i < out->batch; i++) {
        size_t x = batch_size(a, out->a_batch, i, out->batch), y = batch_size(b, out->b_batch, i, out->batch);
        if (x != y && x != 1 && y != 1)
            return fail_shapes(err, "batch axes differ", a, b);
        out->shape[i] = x == 1 ? y : x;
    }
    return LUN_OK;
}

void matmul_result_shape(int *ndim, size_t *shape, const matmul_sides *found, const lun_array *a, const lun_array *b)
{
    *ndim = found->batch;
    memcpy(shape, found->shape, (size_t)found->batch * sizeof *shape);
    if (a->ndim > 1)
        shape[(*ndim)++] = found->m;
    if (b->ndim > 1)
        shape[(*ndim)++] = found->n;
}

lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err)
{
    matmul_sides found;
    TRY(array_check_live(a, "the first array", err));
    TRY(array_check_live(b, "the second array", err));
    TRY(matmul_find_sides(&found, a, b, err));
    matmul_result_shape(ndim, shape, &found, a, b);
    return LUN_OK;
}

/* ---- the form that the variants take ----------------------------------------------------------------------- */

static void batch_strides(int64_t *stride, const lun_array *array, int axes, const matmul_sides *found)
{
    for (int i = 0; i < found->batch; i++) {
        int own = i - (found->batch - axes);
        stride[i] = own < 0 || array->shape[own] == 1 ? 0 : array->stride[own];
    }
}

/* Takes the rows of a stack of matrices as the rows of one matrix, where one matrix on the right serves the whole
 * innermost batch axis. False where that cannot be. */
static bool fold_rows(matmul_problem *p, layout *c, layout *a, const layout *b)
{
    int axis = (int)c->ndim - 1;
    if (axis < 0 || b->stride[axis] != 0)
        return false;
    if (p->m == 1) {
        p->a.row = a->stride[axis];
        p->c.row = c->stride[axis];
    } else if (a->stride[axis] != (cl_long)p->m * p->a.row || c->stride[axis] != (cl_long)p->m * p->c.row) {
        return false;
    }
    p->m *= (size_t)c->size[axis];
    return true;
}

/* C^T = B^T A^T. */
void matmul_swap_sides(matmul_problem *p)
{
    const matmul_view a = p->a, b = p->b;
    const lun_array *left = p->left;
    const size_t m = p->m;
    p->a = (matmul_view){b.offset, b.column, b.row, b.batch};
    p->b = (matmul_view){a.offset, a.column, a.row, a.batch};
    p->left = p->right;
    p->right = left;
    p->c = (matmul_view){p->c.offset, p->c.column, p->c.row, p->c.batch};
    p->m = p->n;
    p->n = m;
    p->conjugated = (p->conjugated & LUN_CONJUGATE_A ? LUN_CONJUGATE_B : 0) |
                    (p->conjugated & LUN_CONJUGATE_B ? LUN_CONJUGATE_A : 0);
}

static void drop_axis(matmul_problem *p)
{
    p->c.batch.ndim--;
    p->a.batch.ndim--;
    p->b.batch.ndim--;
}

static void fold_batches(matmul_problem *p)
{
    bool folded = true;
    while (folded && p->c.batch.ndim > 0) {
        folded = fold_rows(p, &p->c.batch, &p->a.batch, &p->b.batch);
        if (!folded) {
            matmul_swap_sides(p);
            folded = fold_rows(p, &p->c.batch, &p->a.batch, &p->b.batch);
            matmul_swap_sides(p);
        }
        if (folded)
            drop_axis(p);
    }
    p->batches = 1;
    for (int i = 0; i < p->c.batch.ndim; i++)
        p->batches *= (size_t)p->c.batch.size[i];
}

void matmul_normalise(matmul_problem *p, const matmul_sides *found)
{
    const lun_array *a = p->left, *b = p->right, *c = p->out;
    size_t size[LUN_MAX_AXES];
    int64_t strides[3][LUN_MAX_AXES];
    int rows = a->ndim > 1, columns = b->ndim > 1;
    p->m = found->m;
    p->n = found->n;
    p->k = found->k;
    p->a =
        (matmul_view){.offset = a->offset, .row = rows ? a->stride[a->ndim - 2] : 0, .column = a->stride[a->ndim - 1]};
    p->b = (matmul_view){.offset = b->offset,
                         .row = columns ? b->stride[b->ndim - 2] : b->stride[0],
                         .column = columns ? b->stride[b->ndim - 1] : 0};
    p->c = (matmul_view){.offset = c->offset,
                         .row = rows ? c->stride[found->batch] : 0,
                         .column = columns ? c->stride[found->batch + rows] : 0};
    memcpy(size, found->shape, sizeof size);
    memcpy(strides[0], c->stride, sizeof strides[0]);
    batch_strides(strides[1], a, found->a_batch, found);
    batch_strides(strides[2], b, found->b_batch, found);
    int ndim = shape_collapse(found->batch, size, (int64_t *const[]){strides[0], strides[1], strides[2]}, 3);
    p->c.batch = layout_of(ndim, size, strides[0]);
    p->a.batch = layout_of(ndim, size, strides[1]);
    p->b.batch = layout_of(ndim, size, strides[2]);
    fold_batches(p);
}
